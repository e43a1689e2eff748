#include "copse/treebank/drawing/drawable.h"

#include <utf8proc.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "copse/base/utf8.h"

namespace copse::drawing {
namespace {

constexpr auto kReplacement = static_cast<std::int32_t>(kReplacementCharacter);
constexpr std::int32_t kZeroWidthJoiner = 0x200D;
constexpr std::int32_t kEmojiStyle = 0xFE0F;

// Advance widths of Helvetica, U+0020 to U+007E, in thousandths of the font size.
constexpr std::array<short, 95> kAsciiWidths = {
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,  //  !"#..
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,  // 0123..
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,  // @ABC..
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,  // PQRS..
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,  // `abc..
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};      // pqrs..

struct Decoded {
  std::int32_t code = 0;  // U+FFFD for a bad byte
  std::size_t bytes = 1;
};

Decoded decode(std::string_view text) {
  const CodePoint point = decode_utf8(text, 0);
  return {static_cast<std::int32_t>(point.value), static_cast<std::size_t>(point.size)};
}

bool changes_direction(std::int32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_noncharacter(std::int32_t code) {
  return (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

std::int32_t visible(std::int32_t code) {
  if (code < 0x20) return 0x2400 + code;
  if (code == 0x7F) return 0x2421;
  if (code == 0xAD) return '-';                         // soft hyphen: drawn by some, not by others
  if (code == 0x2028 || code == 0x2029) return 0x2424;  // line and paragraph separators
  if ((code >= 0x80 && code < 0xA0) || changes_direction(code) || is_noncharacter(code)) {
    return kReplacement;
  }
  return code;
}

bool is_regional_indicator(std::int32_t code) {
  return code >= 0x1F1E6 && code <= 0x1F1FF;
}

bool is_right_to_left(std::int32_t code) {
  return (code >= 0x0590 && code <= 0x08FF) || (code >= 0xFB1D && code <= 0xFDFF) ||
         (code >= 0xFE70 && code <= 0xFEFE) || (code >= 0x10800 && code <= 0x10FFF) ||
         (code >= 0x1E800 && code <= 0x1EFFF);
}

bool is_letter(std::int32_t code) {
  const auto category = utf8proc_category(code);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

// An accented letter is as wide as its base letter.
std::int32_t base_letter(std::int32_t code) {
  utf8proc_int32_t parts[8];
  int last_class = 0;
  const auto count = utf8proc_decompose_char(
      code, parts, 8, static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE), &last_class);
  return count > 0 && count <= 8 ? parts[0] : code;
}

int code_width(std::int32_t code) {
  const int cells = utf8proc_charwidth(code);
  if (cells != 1) return cells * 500;
  const std::int32_t base = base_letter(code);
  if (base >= 0x20 && base < 0x7F) return kAsciiWidths[static_cast<std::size_t>(base) - 0x20];
  switch (utf8proc_category(base)) {
    case UTF8PROC_CATEGORY_LU:
      return 710;
    case UTF8PROC_CATEGORY_LL:
      return 570;
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
      return 333;  // quotation marks
    case UTF8PROC_CATEGORY_ZS:
      return 278;
    default:
      return 640;
  }
}

// Emoji made of several characters are drawn as one picture.
int cluster_cells(std::string_view cluster) {
  int cells = 0;
  int flags = 0;
  bool picture = false;
  while (!cluster.empty()) {
    const auto [code, bytes] = decode(cluster);
    cluster.remove_prefix(bytes);
    cells += utf8proc_charwidth(code);
    flags += is_regional_indicator(code) ? 1 : 0;
    picture = picture || code == kEmojiStyle || (code == kZeroWidthJoiner && cells >= 2);
  }
  return picture || flags == 2 ? 2 : cells;
}

int cluster_type_width(std::string_view cluster) {
  if (cluster.size() > 4 && cluster_cells(cluster) == 2) return 1000;
  int width = 0;
  while (!cluster.empty()) {
    const auto [code, bytes] = decode(cluster);
    cluster.remove_prefix(bytes);
    width += code_width(code);
  }
  return width;
}

}  // namespace

std::string drawable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto [code, size] = decode(bytes);
    bytes.remove_prefix(size);
    append_utf8(static_cast<char32_t>(visible(code)), out);
  }
  return out;
}

std::string_view take_cluster(std::string_view& text) {
  utf8proc_int32_t state = 0;
  auto [previous, end] = decode(text);
  while (end < text.size()) {
    const auto [code, bytes] = decode(text.substr(end));
    if (utf8proc_grapheme_break_stateful(previous, code, &state)) break;
    previous = code;
    end += bytes;
  }
  const std::string_view cluster = text.substr(0, end);
  text.remove_prefix(end);
  return cluster;
}

std::string abbreviate(std::string_view text, int cells, std::string_view ellipsis) {
  const int room = cells - cell_width(ellipsis);
  std::string_view rest = text;
  std::size_t kept = 0;
  int used = 0;
  while (!rest.empty()) {
    used += cell_width(take_cluster(rest));
    if (used <= room) kept = text.size() - rest.size();
    if (used > cells) return std::string(text.substr(0, kept)).append(ellipsis);
  }
  return std::string(text);
}

int cell_width(std::string_view text) {
  int cells = 0;
  while (!text.empty()) cells += cluster_cells(take_cluster(text));
  return cells;
}

int type_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) width += cluster_type_width(take_cluster(text));
  return width;
}

int type_width(std::string_view text, double font_size) {
  return static_cast<int>(std::ceil(type_width(text) * font_size / 1000));
}

bool reads_right_to_left(std::string_view text) {
  long balance = 0;
  while (!text.empty()) {
    const auto [code, bytes] = decode(text);
    text.remove_prefix(bytes);
    if (is_letter(code)) balance += is_right_to_left(code) ? 1 : -1;
  }
  return balance > 0;
}

std::string xml_escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace copse::drawing
