#include "copse/base/utf8.h"

#include <gtest/gtest.h>

#include "copse/base/random.h"

namespace copse {
namespace {

constexpr std::size_t kValid = std::string_view::npos;

// The slow twin: decodes by the definition, code point by code point.
std::size_t first_invalid_by_definition(const std::string& bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
    };
    std::size_t size = 0;
    for (const auto& [low, high, length] :
         {std::tuple{0x00U, 0x7FU, 1}, {0xC0U, 0xDFU, 2}, {0xE0U, 0xEFU, 3}, {0xF0U, 0xF7U, 4}}) {
      if (byte(0) >= low && byte(0) <= high) size = static_cast<std::size_t>(length);
    }
    if (size == 0) return i;
    unsigned value = size == 1 ? byte(0) : byte(0) & (0x7FU >> size);
    for (std::size_t k = 1; k < size; ++k) {
      if ((byte(k) & 0xC0) != 0x80) return i;
      value = value << 6 | (byte(k) & 0x3F);
    }
    const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < smallest[size] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
      return i;
    i += size;
  }
  return kValid;
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_EQ(find_invalid_utf8("plain ascii, long enough for the fast path"), kValid);
  EXPECT_EQ(find_invalid_utf8("h\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB3"), kValid);
  EXPECT_EQ(find_invalid_utf8("abc\xFF"), 3U);
  EXPECT_EQ(find_invalid_utf8("abc\xC3"), 3U);           // cut short
  EXPECT_EQ(find_invalid_utf8("\xC0\x80"), 0U);          // overlong
  EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80"), 0U);      // surrogate
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0U);  // above U+10FFFF
  EXPECT_EQ(find_invalid_utf8("0123456789abcdef0123\x80"), 20U);
}

TEST(Utf8, AgreesWithTheDefinitionOnRandomBytes) {
  Random random(1);
  const std::string pieces[] = {
      "a",    "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8C\xB3",  "\x80", "\xE2", "\xED",
      "\xA0", "\xF4",     "\x90",         "0123456789abcdefg", "\xC1"};
  int invalid = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    const int count = random.between(0, 8);
    for (int i = 0; i < count; ++i) bytes += pieces[random.below(std::size(pieces))];
    ASSERT_EQ(find_invalid_utf8(bytes), first_invalid_by_definition(bytes)) << "round " << round;
    if (find_invalid_utf8(bytes) != kValid) ++invalid;
    ASSERT_EQ(find_invalid_utf8(replace_invalid_utf8(bytes)), kValid);
  }
  EXPECT_GT(invalid, 1000);
}

TEST(Utf8, DecodesAndEncodesEveryCodePoint) {
  for (char32_t point = 1; point <= 0x10FFFF; point += 7) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    std::string bytes;
    append_utf8(point, bytes);
    const CodePoint decoded = decode_utf8(bytes, 0);
    ASSERT_EQ(decoded.value, point);
    ASSERT_EQ(static_cast<std::size_t>(decoded.size), bytes.size());
  }
}

TEST(Utf8, WidthOnATerminal) {
  EXPECT_EQ(terminal_width("abc"), 3);
  EXPECT_EQ(terminal_width("e\xCC\x81"), 1);     // e and a combining accent
  EXPECT_EQ(terminal_width("\xE6\x9C\xA8"), 2);  // a wide character
}

TEST(Utf8, LowerCase) {
  EXPECT_EQ(lower_utf8("\xC3\x89\x54\xC3\x89"), "\xC3\xA9t\xC3\xA9");
}

TEST(Utf8, Punctuation) {
  EXPECT_TRUE(is_all_punctuation("\xE2\x80\x9C"));  // a typographic quote
  EXPECT_TRUE(is_all_punctuation("..."));
  EXPECT_FALSE(is_all_punctuation("$"));  // a symbol, category Sc
  EXPECT_FALSE(is_all_punctuation("a."));
  EXPECT_FALSE(is_all_punctuation(""));
}

}  // namespace
}  // namespace copse
