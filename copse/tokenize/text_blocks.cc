#include "copse/tokenize/text_blocks.h"

#include <fmt/core.h>

#include <algorithm>

#include "copse/base/error.h"
#include "copse/base/utf8.h"
#include "copse/tokenize/characters.h"

namespace copse {
namespace {

bool is_ascii_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Where the white space from `at` on ends.
std::size_t end_of_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 128) {
      if (!is_ascii_blank(text[at])) break;
      ++at;
      continue;
    }
    const CodePoint point = decode_utf8(text, at);
    if (!is_white_space(point.value)) break;
    at += static_cast<std::size_t>(point.size);
  }
  return at;
}

// Where the white space before `at` begins; not before `first`.
std::size_t begin_of_blanks(std::string_view text, std::size_t first, std::size_t at) {
  while (at > first) {
    std::size_t before = at - 1;
    while (before > first && (static_cast<unsigned char>(text[before]) & 0xC0) == 0x80) --before;
    const CodePoint point = decode_utf8(text, before);
    if (before + static_cast<std::size_t>(point.size) != at || !is_white_space(point.value)) break;
    at = before;
  }
  return at;
}

std::uint64_t points_of(std::string_view bytes) {
  if (find_invalid_utf8(bytes) != std::string_view::npos) return count_code_points(bytes);
  return static_cast<std::uint64_t>(std::count_if(bytes.begin(), bytes.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool ends_paragraph(std::string_view gap) {
  return std::ranges::count(gap, '\n') >= 2;
}

}  // namespace

TextUnit first_unit(std::string_view text, LineEnds line_ends) {
  // White space at the start of a text does not part it from anything.
  std::size_t at = end_of_blanks(text, 0);
  while (true) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return {text.size(), false};
    const std::size_t end = end_of_blanks(text, at);
    const bool blank_line = ends_paragraph(text.substr(at, end - at));
    if (blank_line || line_ends != LineEnds::blanks) {
      return {end, blank_line || line_ends == LineEnds::paragraphs};
    }
    at = end;
  }
}

TextBlockReader::TextBlockReader(Input& input, const TextBlockOptions& options)
    : input_(input), options_(options) {}

std::optional<TextBlock> TextBlockReader::next() {
  while (true) {
    if (pending_.size() >= options_.block_bytes) {
      if (const std::size_t end = cut(); end > 0) return take(end);
      if (pending_.size() > options_.max_paragraph_bytes) {
        if (const std::size_t end = forced_cut(); end > 0) return take(end);
      }
    }
    if (at_end_) break;
    const std::size_t had = pending_.size();
    pending_.resize(had + options_.block_bytes);
    const std::size_t got = input_.read(std::span(pending_).subspan(had));
    pending_.resize(had + got);
    at_end_ = got < options_.block_bytes;
  }
  if (pending_.empty()) return std::nullopt;
  return take(pending_.size());
}

// The end of the last whole unit, 0 if there is none.
std::size_t TextBlockReader::cut() {
  const std::string_view text = pending_;
  const std::size_t first = end_of_blanks(text, 0);
  std::size_t at = text.size();
  while (at > first) {
    at = text.rfind('\n', at - 1);
    if (at == std::string_view::npos || at < first) return 0;
    const std::size_t end = end_of_blanks(text, at);
    at = begin_of_blanks(text, first, at);
    if (may_go_on(end)) continue;
    const bool blank_line = ends_paragraph(text.substr(at, end - at));
    if (!blank_line && options_.line_ends == LineEnds::blanks) continue;
    next_begins_paragraph_ = blank_line || options_.line_ends == LineEnds::paragraphs;
    cut_short_ = false;
    return end;
  }
  return 0;
}

// Whether white space that ends here may go on in what is still to be read; the last character read
// may not be whole.
bool TextBlockReader::may_go_on(std::size_t end) const {
  constexpr std::size_t kLongestBlank = 3;
  return !at_end_ && pending_.size() - end < kLongestBlank;
}

void TextBlockReader::refuse_blanks() const {
  throw data_error(fmt::format("more than {} bytes of white space in a row, the limit",
                               options_.max_blank_bytes),
                   {input_.name()});
}

// Within an endless paragraph: behind the last mark that may end a sentence, the last blank, or at
// the limit. Never inside of white space; 0 if more text is needed to see where it ends.
std::size_t TextBlockReader::forced_cut() {
  const std::string_view text = pending_;
  const std::size_t first = end_of_blanks(text, 0);
  if (first > options_.max_blank_bytes) refuse_blanks();
  if (first + options_.max_paragraph_bytes >= text.size()) return 0;
  const std::size_t limit = first + options_.max_paragraph_bytes;
  std::size_t end = 0;
  for (std::size_t i = limit; i > limit - options_.max_paragraph_bytes / 4; --i) {
    if (!is_ascii_blank(text[i]) || is_ascii_blank(text[i - 1])) continue;
    const bool ends_sentence = std::string_view(".!?").find(text[i - 1]) != std::string_view::npos;
    if (end == 0 || ends_sentence) end = i;
    if (ends_sentence) break;
  }
  if (end == 0) {
    end = limit;
    for (int i = 0; i < 3 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; ++i) --end;
  }
  const std::size_t blanks = end;
  end = end_of_blanks(text, end);
  if (end - blanks > options_.max_blank_bytes) refuse_blanks();
  if (may_go_on(end)) return 0;
  next_begins_paragraph_ = false;
  cut_short_ = true;
  return end;
}

TextBlock TextBlockReader::take(std::size_t bytes) {
  TextBlock block;
  block.first_point = points_;
  block.begins_text = begins_text_;
  block.begins_paragraph = begins_paragraph_;
  std::string rest = pending_.substr(bytes);
  pending_.resize(bytes);
  block.bytes = std::move(pending_);
  pending_ = std::move(rest);
  block.cut_short = cut_short_ && !pending_.empty();

  begins_text_ = false;
  begins_paragraph_ = next_begins_paragraph_;
  cut_short_ = false;
  points_ += points_of(block.bytes);
  return block;
}

}  // namespace copse
