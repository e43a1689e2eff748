#include "copse/treebank/treebank_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "copse/treebank/treebank.h"

namespace copse {
namespace {

constexpr std::string_view kRow = "\t_\t_\t_\t_\t0\troot\t_\t_\n";

std::string sentence(const std::string& form) {
  return "1\t" + form + std::string(kRow) + "\n";
}

TEST(TreebankReader, GivesWhatReadTreebankGives) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += sentence("word" + std::to_string(i));  // several blocks
  const auto all = parse_treebank(text, Format::conllu);
  TreebankReader reader(Input::from_memory(text, "text"), Format::conllu);
  for (const Entry& entry : all) {
    const auto next = reader.next();
    ASSERT_TRUE(next);
    EXPECT_EQ(to_string(*next, Format::conllu), to_string(entry, Format::conllu));
  }
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST(TreebankReader, GoesOnAfterABadSentence) {
  TreebankReader reader(
      Input::from_memory(sentence("a") + "1\tbad\n\n" + sentence("b"), "x.conllu"));
  EXPECT_EQ(reader.format(), Format::conllu);
  EXPECT_EQ(reader.name(), "x.conllu");
  EXPECT_EQ(reader.next()->sentence.form(1), "a");
  try {
    reader.next();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().str(), "x.conllu:3");
  }
  EXPECT_EQ(reader.next()->sentence.form(1), "b");
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace copse
