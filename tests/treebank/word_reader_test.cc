#include "copse/treebank/word_reader.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(WordReader, HeadsThatAreNoTreeAreNoReasonToRefuseTheWords) {
  for (const char* head : {"2", "9", "x", "1"}) {
    const std::string rows = std::string("1\ta\t_\tX\t_\t_\t") + head +
                             "\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";
    ASSERT_TRUE(make_reader(Format::conllu)->parse({rows, "t", 1}).items.at(0).error) << head;
    const Parsed parsed = make_word_reader(Format::conllu)->parse({rows, "t", 1});
    ASSERT_FALSE(parsed.items.at(0).error) << head;
    const Sentence& sentence = parsed.items[0].entry.sentence;
    EXPECT_EQ(sentence.words(), 2);
    EXPECT_EQ(sentence.head(1), DependencyTree::kNoHead);
    std::string out;
    make_writer(Format::conllu)->write({sentence, {}}, out);
    EXPECT_EQ(out, rows);
  }
  const std::string line =
      R"({"tokens": [{"id": 1, "form": "a", "head": 2}, {"id": 2, "form": "b", "head": 1}]})"
      "\n";
  EXPECT_TRUE(make_reader(Format::json)->parse({line, "t", 1}).items.at(0).error);
  EXPECT_FALSE(make_word_reader(Format::json)->parse({line, "t", 1}).items.at(0).error);
}

TEST(WordReader, EverythingElseIsJudged) {
  const std::string rows = "1\ta\t_\tX\t_\t_\t0\tdep\t_\t_\n3\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";
  EXPECT_TRUE(make_word_reader(Format::conllu)->parse({rows, "t", 1}).items.at(0).error);
}

}  // namespace
}  // namespace copse
