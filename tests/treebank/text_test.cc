#include "copse/treebank/text.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(Text, OneSentencePerLineWordsSeparatedByBlanks) {
  const Parsed parsed = make_text_reader()->parse({"  Birds  sing .\r\n\n \t\nYes", "t.txt", 1});
  ASSERT_EQ(parsed.items.size(), 2U);
  EXPECT_EQ(parsed.items[0].entry.sentence.words(), 3);
  EXPECT_EQ(parsed.items[0].entry.sentence.form(2), "sing");
  EXPECT_EQ(parsed.items[1].entry.sentence.form(1), "Yes");
}

TEST(Text, WritesWordsOrTheTextAsPrinted) {
  Sentence sentence;
  sentence.add_multiword(1, 2, "don't");
  sentence.add_word("do");
  sentence.add_word("n't");
  sentence.add_word("go");
  sentence.set(3, Column::misc, "A=b|SpaceAfter=No");
  sentence.add_word("!");
  std::string words;
  make_text_writer()->write({sentence, {}}, words);
  EXPECT_EQ(words, "do n't go !\n");
  std::string surface;
  TextWriteOptions options;
  options.surface = true;
  make_text_writer(options)->write({sentence, {}}, surface);
  EXPECT_EQ(surface, "don't go!\n");
}

TEST(Text, RefusesWhatIsBeyondTheLimitsOrNotUtf8) {
  Limits limits;
  limits.max_words = 2;
  limits.max_line_bytes = 12;
  const Parsed parsed =
      make_text_reader(limits)->parse({"a b\na b c\nab\xFE\naaaaaaaaaaaaaaaa\n", "t.txt", 5});
  ASSERT_EQ(parsed.items.size(), 4U);
  EXPECT_FALSE(parsed.items[0].error);
  EXPECT_STREQ(parsed.items[1].error->what(),
               "t.txt:6: the sentence has more than 2 words, the limit\n  hint: raise max_words");
  EXPECT_EQ(parsed.items[2].error->place().str(), "t.txt:7:3");
  EXPECT_EQ(parsed.items[3].error->place().str(), "t.txt:8");
}

}  // namespace
}  // namespace copse
