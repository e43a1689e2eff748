// Lists of two parsers as one, by hand; read back as parses whose features learners see.
#include "copse/rerank/merged_lists.h"

#include <gtest/gtest.h>

#include <map>

#include "copse/base/error.h"
#include "copse/rerank/tree_features.h"
#include "tests/rerank/rerank_testing.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using rerank_testing::lists_of;
using rerank_testing::TextFile;
using tree_testing::tree_of;

const char* const kA = "(TOP (S (NN a) (NN b)))";
const char* const kB = "(TOP (NP (NN a) (NN b)))";
const char* const kC = "(TOP (VP (NN a) (NN b)))";

NBestList list_of(const std::vector<std::pair<const char*, double>>& parses) {
  NBestList list;
  list.id = "s";
  for (const auto& [tree, score] : parses) list.parses.push_back({score, tree_of(tree)});
  return list;
}

std::map<std::string, double> features_of(const Candidates& list, std::size_t candidate) {
  std::map<std::string, double> out;
  for (const SparseEntry& each : list.items[candidate].features) {
    out[list.names[each.name]] = each.value;
  }
  return out;
}

using Features = std::map<std::string, double>;

TEST(MergedLists, EachTreeOnceWithWhatEachParserSays) {
  const std::vector<NBestList> lists{list_of({{kA, -10}, {kB, -13.5}}),
                                     list_of({{kB, -2}, {kC, -90}})};
  const std::vector<MergedSource> sources{{"x"}, {"y", {}, 0.5}};
  const Candidates merged = merge_lists(lists, sources);
  EXPECT_EQ(merged.id, "s");
  ASSERT_EQ(merged.items.size(), 3U);
  EXPECT_EQ(text_of(merged.items[0]), kA);
  EXPECT_EQ(text_of(merged.items[2]), kC);
  // A is 0 and, unknown to the second, 1 behind its worst: -89 becomes -50; B is -3.5 and 0; C is 1
  // behind the first's worst, and -88 becomes -50.
  EXPECT_EQ(merged.items[0].log_probability, -25);
  EXPECT_EQ(merged.items[1].log_probability, -3.5);
  EXPECT_EQ(merged.items[2].log_probability, -4.5 - 25);
  // Of the 17 steps those of 20, 15, 10, 8, 6, 5 and 4 reach as far as 3.5, one less as far as 4.5.
  EXPECT_EQ(features_of(merged, 0), (Features{{"from-1", 1}, {"near-1", 17}}));
  EXPECT_EQ(features_of(merged, 1),
            (Features{{"from-1", 1}, {"near-1", 7}, {"from-2", 1}, {"near-2", 17}}));
  EXPECT_EQ(features_of(merged, 2), (Features{{"near-1", 6}, {"from-2", 1}}));
}

TEST(MergedLists, AModelScoresTreesOfAllLists) {
  const std::vector<NBestList> lists{list_of({{kA, -10}, {kB, -13}}), list_of({{kC, -1}})};
  const auto scores = [](std::span<const PhraseTree* const> trees) {
    EXPECT_EQ(trees.size(), 3U);
    return std::vector<std::optional<double>>{-4, std::nullopt, -2};
  };
  const std::vector<MergedSource> sources{{"x", {}, 0}, {"y", scores}};
  const Candidates merged = merge_lists(lists, sources);
  EXPECT_EQ(merged.items[0].log_probability, -2);
  EXPECT_EQ(merged.items[1].log_probability, -3);  // one less than the worst
  EXPECT_EQ(merged.items[2].log_probability, 0);
}

TEST(MergedLists, AreReadAsParsesWithFeatures) {
  std::string first, second;
  append_n_best(list_of({{kA, -1}, {kB, -2}}), NBestForm::text, first);
  append_n_best(list_of({{kB, -1}, {kC, -2}}), NBestForm::text, second);
  const TextFile one("one", first + first), two("two", second + second), three("three", second);
  std::string text;
  const auto take = [&](const std::string& piece) { text += piece; };
  merge_files(std::vector<MergedSource>{{one.path()}, {two.path()}}, 2, take);
  EXPECT_EQ(CandidateReader(Input::from_memory(text, "m")).parses(), NBestForm::text);
  const auto lists = lists_of(text);
  ASSERT_EQ(lists.size(), 2U);
  ASSERT_EQ(lists[1].items.size(), 3U);
  EXPECT_EQ(text_of(lists[1].items[1]), kB);
  const auto source = make_tree_features({});
  const ListFeatures features = source->features(lists[1], {});
  std::map<std::string, std::uint32_t> named;
  for (const ListFeatures::Count& each : features.of(1))
    named[features.name(each.feature)] = each.times;
  EXPECT_EQ(named.at("from-1"), 1U);
  EXPECT_EQ(named.at("near-1"), 12U);
  EXPECT_EQ(named.at("near-2"), 17U);
  EXPECT_GT(named.size(), 4U);  // those of the tree
  const auto wanted = [](FeatureKey key) { return key == atom_of("from-2"); };
  EXPECT_EQ(source->features(lists[1], wanted).keys.size(), 1U);
  EXPECT_THROW(merge_files(std::vector<MergedSource>{{one.path()}, {three.path()}}, 1, take),
               Error);
}

TEST(MergedLists, RefusesOtherWords) {
  const std::vector<NBestList> lists{list_of({{kA, -1}}),
                                     list_of({{"(TOP (S (NN a) (NN c)))", -1}})};
  const std::vector<MergedSource> sources{{"x"}, {"y"}};
  EXPECT_THROW(merge_lists(lists, sources), Error);
  const std::vector<NBestList> none{list_of({}), list_of({})};
  EXPECT_TRUE(merge_lists(none, sources).items.empty());
}

}  // namespace
}  // namespace copse
