#include "copse/tokenize/text_blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "copse/base/error.h"
#include "copse/base/utf8.h"

namespace copse {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

bool is_ascii_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::size_t end_of_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
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
    while (at > first && is_ascii_blank(text[at - 1])) --at;
    if (end == text.size()) continue;  // more white space may follow
    const bool blank_line = ends_paragraph(text.substr(at, end - at));
    if (!blank_line && options_.line_ends == LineEnds::blanks) continue;
    cut_short_ = false;
    return end;
  }
  return 0;
}

// Within an endless paragraph: behind the last mark that may end a sentence, the last blank, or at
// the limit. Never inside of white space; 0 if nothing but white space is left, or if more text is
// needed to see where it ends.
std::size_t TextBlockReader::forced_cut() {
  const std::string_view text = pending_;
  const std::size_t first = end_of_blanks(text, 0);
  if (first + options_.max_paragraph_bytes >= text.size()) {
    if (first > options_.max_blank_bytes) {
      throw data_error(fmt::format("more than {} bytes of white space in a row, the limit",
                                   options_.max_blank_bytes),
                       {input_.name()});
    }
    return 0;
  }
  const std::size_t limit = first + options_.max_paragraph_bytes;
  std::size_t blank = 0;
  std::size_t stop = 0;
  for (std::size_t i = limit; i > limit - options_.max_paragraph_bytes / 4 && stop == 0; --i) {
    if (!is_ascii_blank(text[i]) || is_ascii_blank(text[i - 1])) continue;
    if (blank == 0) blank = i;
    if (std::string_view(".!?").find(text[i - 1]) != std::string_view::npos) stop = i;
  }
  cut_short_ = true;
  if (stop > 0 || blank > 0) {
    const std::size_t end = end_of_blanks(text, stop > 0 ? stop : blank);
    if (end < text.size() || at_end_) return end;
    if (end > options_.max_blank_bytes) {
      throw data_error(fmt::format("more than {} bytes of white space in a row, the limit",
                                   options_.max_blank_bytes),
                       {input_.name()});
    }
    return 0;
  }
  std::size_t end = limit;
  for (int i = 0; i < 3 && end > 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; ++i) {
    --end;
  }
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

  const std::size_t last = block.bytes.find_last_not_of(kBlanks);
  const std::size_t gap = last == std::string::npos ? 0 : last + 1;
  begins_text_ = false;
  begins_paragraph_ = options_.line_ends == LineEnds::paragraphs
                          ? !block.cut_short
                          : ends_paragraph(std::string_view(block.bytes).substr(gap));
  cut_short_ = false;
  points_ += points_of(block.bytes);
  return block;
}

}  // namespace copse
