#include "copse/rerank/tree_features.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/rerank/tree_templates.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::tree_of;
using Named = std::map<std::string, std::uint32_t>;

// VP -> PP VBD NP NP SBAR, the rule of the article's examples. Words: he in May gave her hope that
// it is.
constexpr const char* kExample =
    "(TOP (S (NP (PRP he)) (VP (PP (IN in) (NP (NNP May))) (VBD gave) (NP (PRP her)) (NP (NN "
    "hope)) "
    "(SBAR (IN that) (S (NP (PRP it)) (VP (VBZ is)))))))";

Candidates list_of(const std::vector<PhraseTree>& trees) {
  Candidates list;
  list.id = "1";
  for (const PhraseTree& tree : trees) {
    list.items.emplace_back();
    list.items.back().tree = tree;
  }
  return list;
}

std::vector<Named> named_features(const FeatureSource& source,
                                  const std::vector<PhraseTree>& trees) {
  const Candidates list = list_of(trees);
  const ListFeatures features = source.features(list, {});
  std::vector<Named> result;
  for (std::size_t c = 0; c < features.candidates(); ++c) {
    result.emplace_back();
    for (const auto& count : features.of(c)) {
      result.back()[features.name(count.feature)] += count.times;
    }
  }
  return result;
}

// Of the features of the example, those of one line of the table in which something stands.
Named at_example(const std::string& line, const std::string& in = "VBD",
                 const std::vector<std::string>& without = {}) {
  TreeFeatureOptions options;
  options.without = without;
  const auto all = named_features(*make_tree_features(options), {tree_of(kExample)}).at(0);
  Named result;
  for (const auto& [name, times] : all) {
    if (!name.starts_with(line + " ")) continue;
    const std::string rest = name.substr(line.size() + 1);
    if (rest.find(in) != std::string::npos) result[rest] = times;
  }
  return result;
}

TEST(TreeFeatures, Rules) {
  EXPECT_EQ(at_example("rule"), (Named{{"VP -> PP VBD NP NP SBAR", 1}}));
  EXPECT_EQ(at_example("rule-grandparent"), (Named{{"S VP -> PP VBD NP NP SBAR", 1}}));
  EXPECT_EQ(at_example("rule-two-level"), (Named{{"S -> NP VP VP -> PP VBD NP NP SBAR", 1},
                                                 {"VP -> PP VBD NP NP SBAR NP -> NN", 1},
                                                 {"VP -> PP VBD NP NP SBAR NP -> PRP", 1},
                                                 {"VP -> PP VBD NP NP SBAR PP -> IN NP", 1},
                                                 {"VP -> PP VBD NP NP SBAR SBAR -> IN S", 1}}));
}

TEST(TreeFeatures, Bigrams) {
  EXPECT_EQ(
      at_example("bigram", " VP "),
      (Named{{"L VP PP STOP", 1}, {"R VP NP NP", 1}, {"R VP NP SBAR", 1}, {"R VP SBAR STOP", 1}}));
  EXPECT_EQ(at_example("bigram-grandparent", " VP "), (Named{{"S L VP PP STOP", 1},
                                                             {"S R VP NP NP", 1},
                                                             {"S R VP NP SBAR", 1},
                                                             {"S R VP SBAR STOP", 1}}));
  EXPECT_EQ(at_example("bigram-lexical", " VP "), (Named{{"L VP PP in STOP -", 1},
                                                         {"R VP NP her NP hope", 1},
                                                         {"R VP NP hope SBAR that", 1},
                                                         {"R VP SBAR that STOP -", 1}}));
  const Named two = at_example("bigram-two-level", " VP ");
  EXPECT_EQ(two.count("S -> NP VP R VP NP SBAR"), 1U);
  EXPECT_EQ(two.count("S -> NP VP L VP PP STOP"), 1U);
}

TEST(TreeFeatures, Trigrams) {
  EXPECT_EQ(at_example("trigram", "VP "), (Named{{"VP STOP VBZ! STOP", 1},
                                                 {"VP STOP PP VBD!", 1},
                                                 {"VP PP VBD! NP", 1},
                                                 {"VP VBD! NP NP", 1},
                                                 {"VP NP NP SBAR", 1},
                                                 {"VP NP SBAR STOP", 1}}));
}

TEST(TreeFeatures, HeadsAndModifiers) {
  EXPECT_EQ(at_example("head-modifier"), (Named{{"L S VP VBD PP 1", 1},
                                                {"R S VP VBD NP 1", 1},
                                                {"R S VP VBD NP 0", 1},
                                                {"R S VP VBD SBAR 0", 1}}));
  EXPECT_EQ(at_example("pp"), (Named{{"VP VBD PP NP gave in May", 1}}));
  EXPECT_EQ(at_example("pp-bare"), (Named{{"VP VBD PP NP in May", 1}}));
}

TEST(TreeFeatures, Distances) {
  Named expected;
  const auto add = [&](const std::string& label, int distance) {
    ++expected["VP VBD " + label + " =" + std::to_string(distance)];
    for (int x = distance; x <= 9; ++x) ++expected["VP VBD " + label + " <=" + std::to_string(x)];
    for (int x = 1; x <= distance; ++x) ++expected["VP VBD " + label + " >=" + std::to_string(x)];
  };
  add("PP", 1);    // in, May, gave
  add("NP", 0);    // gave her
  add("NP", 1);    // gave her hope
  add("SBAR", 2);  // gave her hope that
  EXPECT_EQ(at_example("distance"), expected);
  EXPECT_EQ(expected.at("VP VBD NP <=1"), 2U);
}

TEST(TreeFeatures, ClosedClassPass) {
  EXPECT_EQ(at_example("rule/closed"), (Named{{"VP -> PP/in VBD NP/her NP SBAR/that", 1}}));
  EXPECT_EQ(at_example("bigram/closed", " VP "), (Named{{"L VP PP/in STOP", 1},
                                                        {"R VP NP/her NP", 1},
                                                        {"R VP NP SBAR/that", 1},
                                                        {"R VP SBAR/that STOP", 1}}));
  EXPECT_EQ(at_example("trigram/closed", "VP "), (Named{{"VP STOP PP/in VBD!", 1},
                                                        {"VP PP/in VBD! NP/her", 1},
                                                        {"VP VBD! NP/her NP", 1},
                                                        {"VP NP/her NP SBAR/that", 1},
                                                        {"VP NP SBAR/that STOP", 1}}));
  EXPECT_EQ(
      at_example("rule-grandparent/closed", "").count("S VP -> PP/in VBD NP/her NP SBAR/that"), 1U);
  EXPECT_EQ(at_example("rule-two-level/closed")
                .count("S -> NP/he VP VP -> PP/in VBD NP/her NP SBAR/that"),
            1U);
  EXPECT_EQ(at_example("bigram-lexical/closed", "").count("R VP NP/her her NP hope"), 1U);
  EXPECT_EQ(at_example("bigram-two-level/closed", "").count("S -> NP/he VP L VP PP/in STOP"), 1U);
  EXPECT_EQ(at_example("bigram-grandparent/closed", "").count("S L VP PP/in STOP"), 1U);
}

TEST(TreeFeatures, GroupsCanBeLeftOut) {
  for (const char* group : {"rule", "bigram", "trigram", "head-modifier", "pp", "distance"}) {
    EXPECT_FALSE(at_example(group, "").empty()) << group;
    EXPECT_TRUE(at_example(group, "", {group}).empty()) << group;
    EXPECT_FALSE(at_example(group == std::string("rule") ? "bigram" : "rule", "", {group}).empty());
  }
  EXPECT_TRUE(at_example("rule-two-level", "", {"rule"}).empty());
  EXPECT_FALSE(at_example("rule", "", {"rule-two-level"}).empty());
  EXPECT_TRUE(at_example("rule-two-level/closed", "", {"rule-two-level"}).empty());
  EXPECT_TRUE(at_example("trigram/closed", "", {"closed"}).empty());
  EXPECT_FALSE(at_example("trigram", "", {"closed"}).empty());
  EXPECT_TRUE(at_example("pp-bare", "", {"pp"}).empty());
  TreeFeatureOptions options;
  options.without = {"magic"};
  EXPECT_THROW(make_tree_features(options), Error);
}

TEST(TreeFeatures, ClosedTagsAreAnOption) {
  TreeFeatureOptions options;
  options.closed_tags = {"NN"};
  const auto all = named_features(*make_tree_features(options), {tree_of(kExample)}).at(0);
  EXPECT_EQ(all.count("rule/closed VP -> PP VBD NP NP/hope SBAR"), 1U);
}

TEST(TreeFeatures, OnlyWantedOnesAreMade) {
  const auto source = make_tree_features({});
  const Candidates list = list_of({tree_of(kExample)});
  const ListFeatures all = source->features(list, {});
  const FeatureKey key = all.keys.at(5);
  const ListFeatures one = source->features(list, [&](FeatureKey k) { return k == key; });
  ASSERT_EQ(one.keys, (std::vector<FeatureKey>{key}));
  EXPECT_EQ(one.name(0), all.name(5));
}

TEST(TreeFeatures, TreesOfAListAreAsAlone) {
  // Random trees over the same words with few labels: many places look alike but are not.
  const auto source = make_tree_features({});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<PhraseTree> trees;
    for (int t = 0; t < 12; ++t) {
      PhraseTreeBuilder builder;
      const int words = 6;
      const auto grow = [&](auto&& self, int begin, int end, int depth) -> void {
        constexpr const char* kLabels[] = {"S", "NP", "VP", "PP"};
        constexpr const char* kTags[] = {"IN", "NN", "VB", "DT"};
        if (end - begin == 1 && (depth > 3 || random.chance(0.7))) {
          builder.leaf(kTags[random.below(4)], "w" + std::to_string(begin));
          return;
        }
        builder.open(kLabels[random.below(4)]);
        for (int at = begin; at < end;) {
          int next = end - begin == 1 ? end : at + random.between(1, end - at);
          if (at == begin && next == end && end - begin > 1) --next;
          self(self, at, next, depth + 1);
          at = next;
        }
        builder.close();
      };
      builder.open("TOP");
      grow(grow, 0, words, 0);
      builder.close();
      trees.push_back(std::move(builder).finish());
    }
    const auto together = named_features(*source, trees);
    for (std::size_t t = 0; t < trees.size(); ++t) {
      EXPECT_EQ(together[t], named_features(*source, {trees[t]}).at(0)) << trees[t].str();
    }
  }
}

TEST(TreeFeatures, SurviveSaving) {
  TreeFeatureOptions options;
  options.without = {"pp"};
  options.closed_tags = {"NN", "IN"};
  const auto source = make_tree_features(options);
  ModelWriter writer("reranker", nlohmann::json::object());
  source->save(writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "model");
  const auto loaded = load_feature_source(file, kTreeFeatures);
  EXPECT_EQ(named_features(*loaded, {tree_of(kExample)}),
            named_features(*source, {tree_of(kExample)}));
}

TEST(TreeTemplates, WhatIsWrongIsNamed) {
  EXPECT_THROW(parse_tree_templates("x = near modifier\n", "table"), Error);
  EXPECT_THROW(parse_tree_templates("x = magic\n", "table"), Error);
  EXPECT_THROW(parse_tree_templates("x = closed\n", "table"), Error);
  EXPECT_THROW(parse_tree_templates("x = rule when parent\n", "table"), Error);
  EXPECT_NO_THROW(parse_tree_templates(tree_feature_table(), "table"));
}

TEST(TreeFeatures, NeedTrees) {
  Candidates list;
  list.items.emplace_back();
  EXPECT_THROW(make_tree_features({})->features(list, {}), Error);
}

}  // namespace
}  // namespace copse
