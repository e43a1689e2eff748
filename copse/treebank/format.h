// Treebank formats behind one door: a Reader cuts a stream of bytes into blocks of whole
// sentences and parses a block; a Writer appends one sentence to a string. Blocks are parsed
// independently of each other, so files stream and parse in parallel with flat memory.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/error.h"
#include "copse/treebank/phrase_tree.h"
#include "copse/treebank/sentence.h"

namespace copse {

// What a reader accepts; a sentence beyond it is refused with a sentence that names the limit.
struct Limits {
  std::size_t max_sentence_bytes = std::size_t{64} << 20;
  std::size_t max_line_bytes = std::size_t{4} << 20;
  int max_words = 50'000;
  int max_depth = 10'000;  // of brackets
};

// One sentence of a treebank: columns, a phrase-structure tree, or both.
struct Entry {
  Sentence sentence;
  PhraseTree tree;
};

// Something worth telling that did not make the sentence unusable.
struct Warning {
  Place place;
  std::string message;
};

// What a block yields, in order: an entry, or the error that made it unusable. Its bytes in the
// block are kept either way, so that whoever cannot use the sentence can pass it through.
struct ReadItem {
  Entry entry;
  std::size_t first_line = 0;  // where it starts in its file
  std::optional<Error> error;
  std::size_t begin = 0;  // of its bytes in the block
  std::size_t end = 0;
};

// A run of whole sentences; the unit of parallel work.
struct Block {
  std::string bytes;
  std::string file;            // for places in errors
  std::size_t first_line = 1;  // number of the block's first line in its file
};

// The bytes of an item as they were read, with a line end unless they end the block.
std::string raw_bytes(const Block& block, const ReadItem& item);

struct Parsed {
  std::vector<ReadItem> items;
  std::vector<Warning> warnings;
};

class Reader {
 public:
  virtual ~Reader() = default;

  // How many leading bytes of `buffer` are whole sentences: as many as possible, 0 if not even
  // one is complete. `searched` bytes of it were seen by an earlier call that returned 0.
  // Never called at the end of the input: what is left there is parsed as it is.
  virtual std::size_t cut(std::string_view buffer, std::size_t searched) const = 0;

  // The same when nothing may follow for a long time: an empty line ends a sentence even if it is
  // not known yet whether another one follows.
  virtual std::size_t cut_now(std::string_view buffer) const { return cut(buffer, 0); }

  // Where `bytes`, all that is left or what no sentence ends in, can be cut into blocks of `wanted`
  // bytes or a little more that parse as the whole would; the last is the end of `bytes`.
  virtual std::vector<std::size_t> cuts(std::string_view bytes, std::size_t /*wanted*/) const {
    return {bytes.size()};
  }

  // All sentences of a block. Bad ones become items with an error; never throws for bad data.
  virtual Parsed parse(const Block& block) const = 0;
};

class Writer {
 public:
  virtual ~Writer() = default;

  virtual std::string begin() const { return {}; }  // before the first sentence
  virtual std::string end() const { return {}; }    // after the last
  // Throws data_error when the entry lacks what the format shows (no tree, no heads).
  virtual void write(const Entry& entry, std::string& out) const = 0;

  // For a format whose first line depends on all that follows (SVG states its height there) what
  // write() appended, whole and in order, goes through assemble() before it leaves.
  virtual bool needs_assembly() const { return false; }
  virtual std::string assemble(std::string sentences) const { return sentences; }
};

}  // namespace copse
