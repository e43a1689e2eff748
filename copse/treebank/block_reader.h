// Cuts an input into blocks of whole sentences, about a megabyte each, with line numbers. Where a
// sentence seems to have no end much more is read before that is known; it is handed out in blocks of
// the usual size all the same, because what becomes of a block is many times its size.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "copse/base/input.h"
#include "copse/treebank/format.h"

namespace copse {

class BlockReader {
 public:
  // Keeps references: `input` and `reader` must outlive this. `interactive`: a block is whatever
  // whole sentences have come, because somebody waits for the answer to them.
  BlockReader(Input& input, const Reader& reader, const Limits& limits,
              std::size_t block_bytes = std::size_t{1} << 20, bool interactive = false)
      : input_(input),
        reader_(reader),
        limits_(limits),
        block_bytes_(block_bytes),
        interactive_(interactive) {}

  // The next block, nothing at the end. A sentence larger than limits.max_sentence_bytes is a
  // data error, because it could not be held in memory to be passed on.
  std::optional<Block> next();

 private:
  Block hand_out(std::size_t bytes);  // the first of pending_, in parts if they are many
  Block take(std::size_t bytes);
  Block take_part();
  std::size_t read_more();  // how many bytes are new; sets at_end_

  Input& input_;
  const Reader& reader_;
  Limits limits_;
  std::size_t block_bytes_;
  bool interactive_;
  std::string pending_;  // read, not yet handed out
  Block divided_;        // handed out in parts
  std::size_t part_begin_ = 0;
  std::deque<std::size_t> part_ends_;  // of those to come
  std::size_t line_ = 1;
  bool at_end_ = false;
};

// All sentences of a file, for callers that want them at once. Throws the first error.
std::vector<Entry> read_all(Input& input, const Reader& reader, const Limits& limits = {});

}  // namespace copse
