#include "copse/tokenize/space_escapes.h"

#include <gtest/gtest.h>

#include "copse/base/utf8.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

std::string escaped(std::string_view bytes) {
  std::string out;
  append_escaped(bytes, out);
  return out;
}

TEST(SpaceEscapes, UsesTheUsualLetters) {
  EXPECT_EQ(escaped(" \t\r\n|\\"), "\\s\\t\\r\\n\\p\\\\");
  EXPECT_EQ(escaped("\u00A0\v"), "\\u00A0\\u000B");
  EXPECT_EQ(escaped("a\xFF"), "a\\xFF");
}

TEST(SpaceEscapes, AnyBytesComeBackAndAreOneItemOfMisc) {
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    std::string bytes = testing::awkward_text(random, 10);
    for (int i = 0; i < 5; ++i) bytes += static_cast<char>(random.below(256));
    const std::string text = escaped(bytes);
    EXPECT_EQ(unescape(text), bytes);
    EXPECT_EQ(find_invalid_utf8(text), std::string::npos);
    EXPECT_EQ(text.find_first_of(" \t\r\n|"), std::string::npos);
  }
}

TEST(SpaceEscapes, UnknownEscapesStandForThemselves) {
  EXPECT_EQ(unescape("\\q\\xZZ\\u12"), "\\q\\xZZ\\u12");
  EXPECT_EQ(unescape("end\\"), "end\\");
}

TEST(SpaceEscapes, FindsItemsOfMisc) {
  EXPECT_EQ(misc_value("A=1|SpaceAfter=No|B", "SpaceAfter"), "No");
  EXPECT_EQ(misc_value("MySpaceAfter=No", "SpaceAfter"), std::nullopt);
  EXPECT_EQ(misc_value("_", "SpaceAfter"), std::nullopt);
}

TEST(SpaceEscapes, OneBlankFollowsUnlessMiscSaysOtherwise) {
  EXPECT_EQ(spaces_after("_"), " ");
  EXPECT_EQ(spaces_after("SpaceAfter=No"), "");
  EXPECT_EQ(spaces_after("SpacesAfter=\\n\\n"), "\n\n");
}

}  // namespace
}  // namespace copse
