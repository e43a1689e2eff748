#include "copse/tokenize/characters.h"

#include <gtest/gtest.h>

#include "copse/base/utf8.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

TEST(Characters, DrawsBlanksTogetherAndKeepsOffsets) {
  Characters text;
  text.read("ab \t c\r\nd");
  ASSERT_EQ(text.size(), 6);
  EXPECT_EQ(text.cls(2), CharClass::blank);
  EXPECT_EQ(text.cls(4), CharClass::line_end);
  EXPECT_EQ(text.point(4), U'\n');
  EXPECT_EQ(text.begin(3), 5U);
  EXPECT_EQ(text.begin(5), 8U);
  EXPECT_EQ(text.begin(6), 9U);
  ASSERT_EQ(text.chunks().size(), 3U);
  EXPECT_EQ(text.chunks()[1].begin, 3);
}

TEST(Characters, EdgesLieOnBothSides) {
  Characters text;
  text.read("longer text than the next one");
  text.read("a");
  for (int i = 1; i <= Characters::kPadding; ++i) {
    EXPECT_EQ(text.cls(-i), CharClass::edge);
    EXPECT_EQ(text.cls(i), CharClass::edge);
  }
}

TEST(Characters, InvalidBytesAreOneCharacterEach) {
  Characters text;
  text.read("a\xFF\xC3z");
  ASSERT_EQ(text.size(), 4);
  EXPECT_EQ(text.cls(1), CharClass::invalid);
  EXPECT_EQ(text.cls(2), CharClass::invalid);
}

TEST(Characters, EveryAsciiMarkIsItsOwnClass) {
  std::set<CharClass> seen;
  for (char c = '!'; c <= '~'; ++c) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) continue;
    const CharClass cls = class_of(static_cast<char32_t>(c));
    EXPECT_GE(cls, CharClass::ascii_mark);
    EXPECT_TRUE(seen.insert(cls).second) << c;
  }
  EXPECT_EQ(seen.size(), 32U);
}

TEST(Characters, ClassesOfOtherScripts) {
  EXPECT_EQ(class_of(U'\u00C9'), CharClass::upper);
  EXPECT_EQ(class_of(U'\u0436'), CharClass::lower);
  EXPECT_EQ(class_of(U'\u3042'), CharClass::hiragana);
  EXPECT_EQ(class_of(U'\u65E5'), CharClass::han);
  EXPECT_EQ(class_of(U'\u3002'), CharClass::full_stop);
  EXPECT_EQ(class_of(U'\u00A0'), CharClass::blank);
  EXPECT_EQ(class_of(U'\u0301'), CharClass::extender);
  EXPECT_EQ(class_of(U'\U0001F600'), CharClass::pictograph);
}

TEST(Characters, EmojiSequencesAreExtended) {
  Characters text;
  text.read("\U0001F469\u200D\U0001F467\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7");
  EXPECT_EQ(text.cls(0), CharClass::pictograph);
  EXPECT_EQ(text.cls(1), CharClass::extender);
  EXPECT_EQ(text.cls(2), CharClass::extender);  // after the joiner
  EXPECT_EQ(text.cls(3), CharClass::pictograph);
  EXPECT_EQ(text.cls(4), CharClass::extender);  // second letter of a flag
  EXPECT_EQ(text.cls(5), CharClass::pictograph);
  EXPECT_EQ(text.base_cls(2), CharClass::pictograph);
}

TEST(Characters, HashesOfStretchesEqualHashesOfTheirText) {
  Random random(7);
  Characters text;
  for (int round = 0; round < 200; ++round) {
    const std::string bytes = testing::awkward_text(random, 20);
    text.read(bytes);
    for (const auto [begin, end] : text.chunks()) {
      const std::string_view chunk =
          std::string_view(bytes).substr(text.begin(begin), text.begin(end) - text.begin(begin));
      EXPECT_EQ(text.lower_hash(begin, end), lower_hash_of(chunk));
      EXPECT_EQ(text.lower_hash(begin, end), lower_hash_of(lower_utf8(chunk)));
    }
  }
}

}  // namespace
}  // namespace copse
