#include "copse/tag/word_atoms.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "copse/base/error.h"
#include "copse/tag/tag_dictionary.h"
#include "copse/tag/tag_features.h"

namespace copse {
namespace {

class WordAtoms : public testing::Test {
 protected:
  void look_at(std::vector<std::string_view> words) { fill_atoms(words, {}, {}, atoms_); }
  AtomValue value(const std::string& name, int word) {
    return atoms_.origin(word)[word_atom_slot(name).value()];
  }

  SentenceAtoms atoms_;
};

TEST_F(WordAtoms, PrefixesAndSuffixesCountCharactersNotBytes) {
  look_at({"Über"});
  EXPECT_EQ(value("p1[0]", 0), atom_of("Ü"));
  EXPECT_EQ(value("p2[0]", 0), atom_of("Üb"));
  EXPECT_EQ(value("s3[0]", 0), atom_of("ber"));
  EXPECT_EQ(value("s4[0]", 0), atom_of("Über"));
  EXPECT_EQ(value("s5[0]", 0), kAbsent);
  EXPECT_EQ(value("lw[0]", 0), atom_of("über"));
}

TEST_F(WordAtoms, ShapesCutRunsAtTwo) {
  look_at({"McDonald's", "1990s", "--", "a", "ABCdef"});
  EXPECT_EQ(value("shape[0]", 0), atom_of("XxXxx'x"));
  EXPECT_EQ(value("shape[0]", 1), atom_of("ddx"));
  EXPECT_EQ(value("shape[0]", 2), atom_of("--"));
  EXPECT_EQ(value("shape[0]", 3), atom_of("x"));
  EXPECT_EQ(value("shape[0]", 4), atom_of("XXxx"));
}

TEST_F(WordAtoms, FlagsAreThereOnlyWhenTrue) {
  look_at({"Plan-9", "plan"});
  for (const std::string name : {"digit[0]", "upper[0]", "hyphen[0]", "capital[0]"}) {
    EXPECT_NE(value(name, 0), kAbsent) << name;
    EXPECT_EQ(value(name, 1), kAbsent) << name;
  }
  EXPECT_NE(value("first[0]", 0), kAbsent);
  EXPECT_EQ(value("first[0]", 1), kAbsent);
}

TEST_F(WordAtoms, NeighboursBeyondTheEdgesAreSpecial) {
  look_at({"one", "two"});
  EXPECT_EQ(value("w[1]", 0), atom_of("two"));
  EXPECT_EQ(value("w[-1]", 1), atom_of("one"));
  EXPECT_EQ(value("w[-1]", 0), atom_of("<before>"));
  EXPECT_EQ(value("w[-2]", 0), atom_of("<before>"));
  EXPECT_EQ(value("w[2]", 1), atom_of("<after>"));
  EXPECT_EQ(value("s1[1]", 1), kAbsent);
}

TEST_F(WordAtoms, RunsOfCapitalsAndBrackets) {
  look_at({"the", "New", "York", "Times", "(", "paper", ")", "said"});
  EXPECT_EQ(value("run[0]", 0), kAbsent);
  EXPECT_NE(value("run[0]", 1), value("run[0]", 2));
  EXPECT_NE(value("run[0]", 2), value("run[0]", 3));
  EXPECT_EQ(value("inside[0]", 3), kAbsent);
  EXPECT_NE(value("inside[0]", 5), kAbsent);
  EXPECT_EQ(value("inside[0]", 7), kAbsent);
}

TEST_F(WordAtoms, ShoutingNeedsASentenceWithoutLowerCase) {
  look_at({"STOP", "NOW", "!"});
  EXPECT_NE(value("shout[0]", 2), kAbsent);
  look_at({"STOP", "now", "!"});
  EXPECT_EQ(value("shout[0]", 0), kAbsent);
  look_at({"1", "!"});
  EXPECT_EQ(value("shout[0]", 0), kAbsent);
}

TEST_F(WordAtoms, AnyBytesAreWords) {
  const std::string zeros(3, '\0');
  const std::string long_word(100000, 'a');
  look_at({"\xFF\xFE", "", zeros, long_word, "a b"});
  EXPECT_EQ(value("w[0]", 0), atom_of("\xFF\xFE"));
  EXPECT_EQ(value("p1[0]", 1), kAbsent);
  EXPECT_EQ(value("s4[0]", 3), atom_of("aaaa"));
}

TEST(WordAtomSlot, RefusesUnknownNamesAndPositions) {
  for (const std::string_view name :
       {"w", "w[]", "w[3]", "w[-3]", "x[0]", "w[0", "w[+1]", "w[1x]", ""}) {
    EXPECT_FALSE(word_atom_slot(name).has_value()) << name;
  }
}

TEST(TagFeatures, SortsTemplatesByTheTagsTheySee) {
  const TagFeatures features =
      parse_tag_features("a = t[-2] t[-1]\nb = w[0]\nc = t[-1] w[0]\n", "test");
  ASSERT_EQ(features.local.size(), 1U);
  EXPECT_EQ(features.local[0].name, "b");
  ASSERT_EQ(features.history.size(), 2U);
  EXPECT_EQ(features.history[0].words.name, "c");
  EXPECT_FALSE(features.history[0].only_tags());
  EXPECT_TRUE(features.history[1].only_tags());
  EXPECT_EQ(features.order(), 2);
}

TEST(TagFeatures, ATagCannotBeACondition) {
  EXPECT_THROW(parse_tag_features("a = w[0] when t[-1]\n", "test"), Error);
}

TEST(TagFeatures, EveryBuiltInTableCanBeRead) {
  for (const std::string_view name : {"a", "b", "entities"}) {
    EXPECT_FALSE(parse_tag_features(tag_feature_table(name), std::string(name)).local.empty());
  }
  EXPECT_THROW(tag_feature_table("z"), Error);
}

TEST(TagDictionary, KnowsTagsCountsAndOpenClasses) {
  std::vector<TagDictionary::Seen> seen;
  std::vector<std::string> nouns;
  for (int i = 0; i < 30; ++i) nouns.push_back("noun" + std::to_string(i));
  for (const std::string& noun : nouns) seen.push_back({noun, 0});
  for (int i = 0; i < 25; ++i) seen.push_back({"the", 1});
  seen.push_back({"the", 0});
  const TagDictionary dictionary = TagDictionary::build(seen, 2, {20, 20});
  EXPECT_EQ(std::vector<Label>(dictionary.open_class().begin(), dictionary.open_class().end()),
            std::vector<Label>{0});
  const auto the = dictionary.find(atom_of("the"));
  EXPECT_TRUE(dictionary.is_common(the));
  EXPECT_EQ(dictionary.count(the), 26);
  EXPECT_FALSE(dictionary.is_common(dictionary.find(atom_of("noun3"))));
  EXPECT_EQ(dictionary.count(dictionary.find(atom_of("unseen"))), 0);
  const TagDictionary copy = TagDictionary::view(dictionary.bytes(), {0}, dictionary.options());
  EXPECT_EQ(copy.count(copy.find(atom_of("the"))), 26);
  EXPECT_THROW(TagDictionary::view(dictionary.bytes(), {2}, {}), Error);
}

}  // namespace
}  // namespace copse
