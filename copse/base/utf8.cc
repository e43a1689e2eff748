#include "copse/base/utf8.h"

#include <utf8proc.h>

#include <cstdint>
#include <cstring>

namespace copse {
namespace {

constexpr bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

// Length of the well-formed sequence at the start of [p, p + left), 0 if there is none.
int sequence_length(const unsigned char* p, std::size_t left) {
  const unsigned char lead = p[0];
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return left >= 2 && is_continuation(p[1]) ? 2 : 0;
  if (lead < 0xF0) {
    if (left < 3 || !is_continuation(p[1]) || !is_continuation(p[2])) return 0;
    const bool overlong = lead == 0xE0 && p[1] < 0xA0;
    const bool surrogate = lead == 0xED && p[1] > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  if (left < 4 || !is_continuation(p[1]) || !is_continuation(p[2]) || !is_continuation(p[3])) {
    return 0;
  }
  const bool overlong = lead == 0xF0 && p[1] < 0x90;
  const bool too_large = lead == 0xF4 && p[1] > 0x8F;
  return overlong || too_large ? 0 : 4;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t i = 0;
  while (i < bytes.size()) {
    // Text is mostly ASCII: sixteen bytes at a time while no high bit is set.
    while (i + 16 <= bytes.size()) {
      std::uint64_t low = 0;
      std::uint64_t high = 0;
      std::memcpy(&low, data + i, 8);
      std::memcpy(&high, data + i + 8, 8);
      if (((low | high) & 0x8080808080808080ULL) != 0) break;
      i += 16;
    }
    const std::size_t stop = std::min(i + 16, bytes.size());
    while (i < stop) {
      const int length = sequence_length(data + i, bytes.size() - i);
      if (length == 0) return i;
      i += static_cast<std::size_t>(length);
    }
  }
  return std::string_view::npos;
}

CodePoint decode_utf8(std::string_view bytes, std::size_t position) {
  const auto* p = reinterpret_cast<const unsigned char*>(bytes.data()) + position;
  switch (sequence_length(p, bytes.size() - position)) {
    case 1:
      return {p[0], 1};
    case 2:
      return {static_cast<char32_t>((p[0] & 0x1F) << 6 | (p[1] & 0x3F)), 2};
    case 3:
      return {static_cast<char32_t>((p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F)), 3};
    case 4:
      return {static_cast<char32_t>((p[0] & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6 |
                                    (p[3] & 0x3F)),
              4};
    default:
      return {kReplacementCharacter, 1};
  }
}

std::size_t count_code_points(std::string_view bytes) {
  std::size_t count = 0;
  for_each_code_point(bytes, [&](char32_t) { ++count; });
  return count;
}

void append_utf8(char32_t point, std::string& out) {
  utf8proc_uint8_t buffer[4];
  if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) point = kReplacementCharacter;
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), buffer);
  out.append(reinterpret_cast<const char*>(buffer), static_cast<std::size_t>(size));
}

std::string replace_invalid_utf8(std::string_view bytes) {
  if (find_invalid_utf8(bytes) == std::string_view::npos) return std::string(bytes);
  std::string out;
  out.reserve(bytes.size());
  for_each_code_point(bytes, [&](char32_t point) { append_utf8(point, out); });
  return out;
}

std::string lower_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for_each_code_point(bytes, [&](char32_t point) {
    append_utf8(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point))), out);
  });
  return out;
}

int terminal_width(std::string_view bytes) {
  int width = 0;
  for_each_code_point(bytes, [&](char32_t point) {
    width += utf8proc_charwidth(static_cast<utf8proc_int32_t>(point));
  });
  return width;
}

bool is_all_punctuation(std::string_view bytes) {
  bool all = !bytes.empty();
  for_each_code_point(bytes, [&](char32_t point) {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(point));
    all = all && category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
  });
  return all;
}

}  // namespace copse
