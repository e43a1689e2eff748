// Raw text as a stream: cut into blocks of whole paragraphs that are tokenised independently, so
// that memory is bounded and threads share the work.
//
// A paragraph ends with a blank line (two line feeds with nothing but white space between them).
// What single line ends mean is the user's choice. White space belongs to the paragraph before it;
// only a text that begins with white space has some in front.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "copse/base/input.h"
#include "copse/tokenize/options.h"

namespace copse {

struct TextBlockOptions {
  LineEnds line_ends = LineEnds::blanks;
  std::size_t block_bytes = std::size_t{256} << 10;
  // A longer paragraph is cut: where a sentence seems to end, else at a blank, else anywhere.
  std::size_t max_paragraph_bytes = std::size_t{512} << 10;
  // More white space in a row than this is refused.
  std::size_t max_blank_bytes = std::size_t{64} << 20;
};

struct TextBlock {
  std::string bytes;
  std::uint64_t first_point = 0;  // code points of the text before this block
  bool begins_text = false;
  bool begins_paragraph = false;
  bool cut_short = false;  // its last paragraph was too long
};

class TextBlockReader {
 public:
  // Keeps a reference to `input`. Needs block_bytes and max_paragraph_bytes of at least 16.
  TextBlockReader(Input& input, const TextBlockOptions& options);

  // The next block; it has something else than white space in it, unless that is all there is.
  // Joined they are the input. Throws data_error for too much white space.
  std::optional<TextBlock> next();

 private:
  std::size_t cut();
  std::size_t forced_cut();
  bool may_go_on(std::size_t end) const;
  [[noreturn]] void refuse_blanks() const;
  TextBlock take(std::size_t bytes);

  Input& input_;
  TextBlockOptions options_;
  std::string pending_;
  std::uint64_t points_ = 0;
  bool at_end_ = false;
  bool begins_text_ = true;
  bool begins_paragraph_ = true;
  bool next_begins_paragraph_ = false;  // the block after the one being taken
  bool cut_short_ = false;
};

// Where the first unit of `text` ends, white space behind it included: a paragraph, or a line.
struct TextUnit {
  std::size_t size = 0;
  bool ends_paragraph = false;
};
TextUnit first_unit(std::string_view text, LineEnds line_ends);

}  // namespace copse
