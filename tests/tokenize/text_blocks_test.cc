#include "copse/tokenize/text_blocks.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

std::vector<TextBlock> blocks_of(const std::string& text, const TextBlockOptions& options) {
  Input input = Input::from_memory(text, "test");
  TextBlockReader reader(input, options);
  std::vector<TextBlock> blocks;
  while (auto block = reader.next()) blocks.push_back(std::move(*block));
  return blocks;
}

TEST(FirstUnit, ParagraphsEndAtBlankLines) {
  EXPECT_EQ(first_unit("a\nb\n \t\r\n c", LineEnds::blanks).size, 9U);
  EXPECT_TRUE(first_unit("a\nb\n\nc", LineEnds::blanks).ends_paragraph);
  EXPECT_EQ(first_unit("a\nb\n", LineEnds::blanks).size, 4U);
  EXPECT_EQ(first_unit("\n\n a\n\nb", LineEnds::blanks).size, 6U);  // nothing to part in front
}

TEST(FirstUnit, LinesEndUnitsOnRequest) {
  EXPECT_EQ(first_unit("a\nb", LineEnds::paragraphs).size, 2U);
  EXPECT_TRUE(first_unit("a\nb", LineEnds::paragraphs).ends_paragraph);
  EXPECT_FALSE(first_unit("a\nb", LineEnds::sentences).ends_paragraph);
  EXPECT_TRUE(first_unit("a\n\nb", LineEnds::sentences).ends_paragraph);
}

TEST(TextBlocks, JoinedTheyAreTheInput) {
  Random random(11);
  Characters characters;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const std::string text = testing::awkward_text(random, random.between(0, 120));
    if (text.starts_with("\x1f\x8b")) continue;
    TextBlockOptions options;
    options.line_ends = static_cast<LineEnds>(random.below(3));
    options.block_bytes = static_cast<std::size_t>(random.between(16, 200));
    options.max_paragraph_bytes = static_cast<std::size_t>(random.between(16, 200));
    std::string joined;
    std::uint64_t points = 0;
    bool first = true;
    for (const TextBlock& block : blocks_of(text, options)) {
      EXPECT_EQ(block.first_point, points);
      EXPECT_EQ(block.begins_text, first);
      characters.read(block.bytes);
      EXPECT_TRUE(first || !characters.chunks().empty());
      first = false;
      points += count_code_points(block.bytes);
      joined += block.bytes;
    }
    EXPECT_EQ(joined, text);
  }
}

// White space of three bytes, half of it read: it belongs to the block before it all the same.
TEST(TextBlocks, WhiteSpaceIsNotTornFromTheTextBeforeIt) {
  for (std::size_t block = 16; block < 40; ++block) {
    SCOPED_TRACE(block);
    for (const LineEnds line_ends : {LineEnds::blanks, LineEnds::sentences}) {
      std::string text = "ten bytes.";
      for (int i = 0; i < 30; ++i) text += i % 3 == 0 ? "\n\n" : "\u3000";
      Characters characters;
      for (const TextBlock& part :
           blocks_of(text, {.line_ends = line_ends, .block_bytes = block})) {
        characters.read(part.bytes);
        EXPECT_FALSE(characters.chunks().empty());
      }
    }
  }
}

TEST(TextBlocks, ALongParagraphIsCutAfterASentenceIfPossible) {
  TextBlockOptions options;
  options.block_bytes = options.max_paragraph_bytes = 40;
  const auto blocks = blocks_of("aaaa bbbb cccc dddd eeee fffff. gg hh iiii jjjj kkkk", options);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].bytes, "aaaa bbbb cccc dddd eeee fffff. ");
  EXPECT_TRUE(blocks[0].cut_short);
  EXPECT_FALSE(blocks[1].begins_paragraph);
  EXPECT_FALSE(blocks[1].cut_short);
}

TEST(TextBlocks, TextWithoutAnyBlankIsCutBetweenCharacters) {
  TextBlockOptions options;
  options.block_bytes = options.max_paragraph_bytes = 64;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "\u00E9\u65E5";
  std::size_t largest = 0;
  for (const TextBlock& block : blocks_of(text, options)) {
    EXPECT_EQ(find_invalid_utf8(block.bytes), std::string::npos);
    largest = std::max(largest, block.bytes.size());
  }
  EXPECT_LE(largest, 64U);
}

TEST(TextBlocks, TooMuchWhiteSpaceIsRefused) {
  TextBlockOptions options;
  options.block_bytes = options.max_paragraph_bytes = 64;
  options.max_blank_bytes = 500;
  EXPECT_NO_THROW(blocks_of("a" + std::string(400, ' ') + "b", options));
  EXPECT_THROW(blocks_of(std::string(2000, ' ') + "b", options), Error);
  EXPECT_THROW(blocks_of("a" + std::string(2000, ' ') + "b", options), Error);
}

TEST(TextBlocks, EmptyInputHasNoBlocks) {
  EXPECT_TRUE(blocks_of("", {}).empty());
  EXPECT_EQ(blocks_of(" \n ", {}).size(), 1U);
}

}  // namespace
}  // namespace copse
