#include "copse/tokenize/space_escapes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "copse/base/utf8.h"
#include "copse/tokenize/characters.h"

namespace copse {
namespace {

struct Escape {
  char byte;
  char letter;
};
constexpr Escape kEscapes[] = {{' ', 's'},  {'\t', 't'}, {'\n', 'n'},
                               {'\r', 'r'}, {'|', 'p'},  {'\\', '\\'}};

// The number in `digits` hexadecimal digits at the front of `text`.
std::optional<unsigned> hexadecimal(std::string_view text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  unsigned value = 0;
  const char* const end = text.data() + digits;
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

void append_escaped(std::string_view bytes, std::string& out) {
  for (std::size_t i = 0; i < bytes.size();) {
    const CodePoint point = decode_utf8(bytes, i);
    const std::string_view here = bytes.substr(i, static_cast<std::size_t>(point.size));
    i += here.size();
    const auto* known = std::ranges::find(kEscapes, here[0], &Escape::byte);
    if (known != std::end(kEscapes)) {
      out += {'\\', known->letter};
    } else if (point.value == kReplacementCharacter && here.size() == 1) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(here[0]));
    } else if (is_white_space(point.value) || point.value == 0xFEFF) {
      fmt::format_to(std::back_inserter(out), "\\u{:04X}", static_cast<unsigned>(point.value));
    } else {
      out += here;
    }
  }
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char letter = text[++i];
    const std::string_view rest = text.substr(i + 1);
    const auto* known = std::ranges::find(kEscapes, letter, &Escape::letter);
    if (known != std::end(kEscapes)) {
      out += known->byte;
    } else if (const auto byte = hexadecimal(rest, 2); letter == 'x' && byte) {
      out += static_cast<char>(*byte);
      i += 2;
    } else if (const auto point = hexadecimal(rest, 4); letter == 'u' && point) {
      append_utf8(*point, out);
      i += 4;
    } else {
      out += {'\\', letter};
    }
  }
  return out;
}

std::optional<std::string_view> misc_value(std::string_view misc, std::string_view key) {
  while (!misc.empty()) {
    const std::size_t bar = std::min(misc.find('|'), misc.size());
    const std::string_view item = misc.substr(0, bar);
    if (item.size() > key.size() && item.starts_with(key) && item[key.size()] == '=') {
      return item.substr(key.size() + 1);
    }
    misc.remove_prefix(std::min(bar + 1, misc.size()));
  }
  return std::nullopt;
}

std::string spaces_after(std::string_view misc) {
  if (const auto spaces = misc_value(misc, "SpacesAfter")) return unescape(*spaces);
  return misc_value(misc, "SpaceAfter") == "No" ? "" : " ";
}

}  // namespace copse
