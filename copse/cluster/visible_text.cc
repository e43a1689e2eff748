#include "copse/cluster/visible_text.h"

#include "copse/base/utf8.h"

namespace copse {
namespace {

constexpr int kLongestShown = 30;  // characters

char32_t visible(char32_t point) {
  constexpr char32_t kPictures = 0x2400;
  if (point < 0x20) return kPictures + point;
  if (point == 0x7F) return 0x2421;
  const bool control = point >= 0x80 && point < 0xA0;
  const bool separator = point == 0x2028 || point == 0x2029;
  const bool direction =
      (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  const bool no_character = (point & 0xFFFE) == 0xFFFE || (point >= 0xFDD0 && point <= 0xFDEF);
  return control || separator || direction || no_character ? kReplacementCharacter : point;
}

}  // namespace

std::string visible_text(std::string_view word) {
  std::string text;
  int shown = 0;
  for_each_code_point(word, [&](char32_t point) {
    if (shown < kLongestShown) append_utf8(visible(point), text);
    if (shown == kLongestShown) append_utf8(U'\u2026', text);
    ++shown;
  });
  return text;
}

std::string visible_xml(std::string_view word) {
  std::string escaped;
  for (const char c : visible_text(word)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace copse
