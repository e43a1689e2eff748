#include "copse/tokenize/multiword.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

using Words = std::vector<std::string>;

Words expand(const MultiwordExpander& expander, std::string_view form) {
  Words words;
  const bool expanded = expander.expand(form, words);
  EXPECT_EQ(expanded, !words.empty());
  return words;
}

std::string token(const std::string& form, const Words& words) {
  std::string text;
  if (words.size() > 1)
    text = fmt::format("1-{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n", words.size(), form);
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += fmt::format("{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n", i + 1, words[i]);
  }
  return text + "\n";
}

TEST(Multiword, CopiesTheCaseOfTheSurfaceForm) {
  const MultiwordExpander expander({"du\tde\tle", "zum\tzu\tdem"}, {});
  EXPECT_EQ(expand(expander, "du"), (Words{"de", "le"}));
  EXPECT_EQ(expand(expander, "Du"), (Words{"De", "le"}));
  EXPECT_EQ(expand(expander, "DU"), (Words{"DE", "LE"}));
  EXPECT_EQ(expand(expander, "dur"), Words{});
}

TEST(Multiword, PiecesOfTheTokenKeepItsLetters) {
  const MultiwordExpander expander({"i'm\ti\t'm", "don't\tdo\tn't"}, {});
  EXPECT_EQ(expand(expander, "I'm"), (Words{"I", "'m"}));
  EXPECT_EQ(expand(expander, "DoN't"), (Words{"Do", "N't"}));
}

TEST(Multiword, LearnsEndingsAndTheMostFrequentExpansion) {
  std::string text = token("Anna's", {"Anna", "'s"}) + token("Ben's", {"Ben", "'s"}) +
                     token("Cid's", {"Cid", "'s"}) + token("its", {"its"}) + token("its", {"its"}) +
                     token("its", {"it", "s"}) + token("bus", {"bus"});
  const auto expander = MultiwordExpander::learn(testing::parse_conllu(text));
  EXPECT_EQ(expand(expander, "Zoe's"), (Words{"Zoe", "'s"}));
  EXPECT_EQ(expand(expander, "ZOE'S"), (Words{"ZOE", "'S"}));
  EXPECT_EQ(expand(expander, "its"), Words{});
  EXPECT_EQ(expand(expander, "bus"), Words{});
  EXPECT_EQ(expand(expander, "'s"), Words{});  // nothing would be left
}

TEST(Multiword, AnEndingOfPlainWordsIsNoRule) {
  std::string text = token("im", {"i", "m"});
  for (const char* word : {"from", "him", "am", "team", "them"}) text += token(word, {word});
  const auto expander = MultiwordExpander::learn(testing::parse_conllu(text));
  EXPECT_EQ(expand(expander, "IM"), (Words{"I", "M"}));
  EXPECT_EQ(expand(expander, "rim"), Words{});
}

// The quick test by a few bytes must never hide an entry.
TEST(Multiword, EveryLearntTokenIsExpandedInAnyCase) {
  for (const char* name : {"english", "german", "spanish"}) {
    const auto entries = read_treebank(testing::fixture(name) + std::string(".conllu"));
    const auto expander = MultiwordExpander::learn(entries);
    int seen = 0;
    for (const std::string& row : expander.words()) {
      if (row.find('\t') == std::string::npos) continue;
      const std::string form = row.substr(0, row.find('\t'));
      EXPECT_GE(expand(expander, form).size(), 2U) << form;
      std::string upper = form;
      for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      if (form.find_first_not_of("abcdefghijklmnopqrstuvwxyz'") == std::string::npos) {
        EXPECT_GE(expand(expander, upper).size(), 2U) << upper;
      }
      ++seen;
    }
    EXPECT_GT(seen, 0);
  }
}

TEST(Multiword, RefusesRowsThatAreNoExpansion) {
  EXPECT_THROW(MultiwordExpander({"du\tde"}, {}), Error);
  EXPECT_THROW(MultiwordExpander({"\tde\tle"}, {}), Error);
  EXPECT_THROW(MultiwordExpander({}, {"'s"}), Error);
}

}  // namespace
}  // namespace copse
