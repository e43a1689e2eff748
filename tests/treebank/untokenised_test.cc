#include "copse/treebank/untokenised.h"

#include <gtest/gtest.h>

#include <sstream>

namespace copse {
namespace {

bool looks(const std::string& line) {
  Sentence sentence;
  std::istringstream words(line);
  for (std::string word; words >> word;) sentence.add_word(word);
  return looks_untokenised(sentence);
}

TEST(Untokenised, ProseIsTold) {
  for (const char* line :
       {"The cat sat on the mat.", "Well, he said no", "Do you know?", "When it rains, it pours.",
        "Der Hund bellt laut.", "caf\u00e9s ferm\u00e9s."}) {
    EXPECT_TRUE(looks(line)) << line;
  }
}

TEST(Untokenised, TokensAreLeftInPeace) {
  for (const char* line : {"The cat sat on the mat .", "Mr. Vinken is chairman of Elsevier N.V. .",
                           "He works at Acme Inc.", "in the U.S.", "and so on etc.",
                           "No punctuation here", "at 5 a.m.", "No .", "1,000", "3:15 p.m.", "Yes",
                           "!", "", "approx.", ":-)", "He said : no,way"}) {
    EXPECT_FALSE(looks(line)) << line;
  }
}

}  // namespace
}  // namespace copse
