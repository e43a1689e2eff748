// Which trees are searched for: how much crosses, which trial wins, and a treebank where it matters.
#include "copse/dependency/tree_choice.h"

#include <gtest/gtest.h>

#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

using dependency_testing::failure_of;
using dependency_testing::quick_training;
using dependency_testing::sentence_of;

// "a b c d" where the arcs b -> d and a -> c cross.
Sentence crossing() {
  return sentence_of({{"a", "A", "A", 0, "root"},
                      {"b", "B", "B", 1, "x"},
                      {"c", "C", "C", 1, "y"},
                      {"d", "D", "D", 2, "z"}});
}

Sentence straight() {
  return sentence_of(
      {{"b", "B", "B", 2, "x"}, {"a", "A", "A", 0, "root"}, {"c", "C", "C", 2, "y"}});
}

std::vector<Sentence> some_of_both(int each) {
  std::vector<Sentence> out;
  for (int i = 0; i < each; ++i) {
    out.push_back(crossing());
    out.push_back(straight());
  }
  return out;
}

TreeTrial trial(TreeSort sort, const std::vector<std::size_t>& right) {
  TreeTrial out{sort, {}};
  for (const std::size_t labels : right) out.each.push_back({10, labels, labels});
  return out;
}

TEST(TreeChoice, NamesAndOptionsGoBothWays) {
  for (const TreeSort sort : {TreeSort::projective, TreeSort::lifted, TreeSort::nonprojective}) {
    EXPECT_EQ(tree_sort_named(name_of(sort)), sort);
    DependencyTraining options;
    set_trees(sort, options);
    EXPECT_EQ(trees_of(options), sort);
    EXPECT_EQ(trees_of(with_defaults(quick_training())), TreeSort::projective);
  }
  EXPECT_NE(failure_of([] { tree_sort_named("round"); }), "");
  DependencyTraining options;
  options.kind.projective = false;
  EXPECT_EQ(trees_of(options), TreeSort::nonprojective);
}

TEST(TreeChoice, CountsWhatCrosses) {
  const CrossingArcs counts = count_crossing_arcs(some_of_both(2));
  EXPECT_EQ(counts.sentences, 4U);
  EXPECT_EQ(counts.crossing_sentences, 2U);
  EXPECT_EQ(counts.arcs, 14U);
  EXPECT_EQ(counts.crossing_arcs, 2U);  // b -> d: c in between hangs on a
  EXPECT_DOUBLE_EQ(counts.share_of_arcs(), 100.0 / 7);
  EXPECT_DOUBLE_EQ(counts.share_of_sentences(), 50);
  EXPECT_EQ(count_crossing_arcs({}).share_of_arcs(), 0);
}

TEST(TreeChoice, TreesSearchedOtherwiseHaveToWinByMoreThanChance) {
  const TreeTrial base = trial(TreeSort::projective, {5, 5, 5, 5, 5, 5, 5, 5, 5});
  // Gains 4 - 1 = 3, two standard errors are 2 sqrt(5).
  const std::vector<std::size_t> some{6, 6, 6, 6, 4, 5, 5, 5, 5};
  const TreeTrial little = trial(TreeSort::lifted, some);
  const TreeTrial crossing_little = trial(TreeSort::nonprojective, some);
  // 5 > 2 sqrt(5).
  const TreeTrial clear = trial(TreeSort::lifted, {6, 6, 6, 6, 6, 5, 5, 5, 5});
  const TreeTrial more = trial(TreeSort::nonprojective, {6, 6, 6, 6, 6, 6, 6, 6, 6});
  const TreeTrial loss = trial(TreeSort::nonprojective, {4, 4, 4, 4, 4, 4, 4, 4, 4});
  const auto best = [](const std::vector<TreeTrial>& trials) { return best_trees(trials); };
  EXPECT_EQ(best({base}), TreeSort::projective);
  EXPECT_EQ(best({base, base}), TreeSort::projective);
  EXPECT_EQ(best({base, little}), TreeSort::lifted);
  EXPECT_EQ(best({base, crossing_little}), TreeSort::projective);
  EXPECT_EQ(best({base, clear}), TreeSort::lifted);
  EXPECT_EQ(best({base, clear, more}), TreeSort::nonprojective);
  EXPECT_EQ(best({base, clear, loss}), TreeSort::lifted);
  EXPECT_EQ(best({base, loss}), TreeSort::projective);
  EXPECT_EQ(best({little, base}), TreeSort::lifted);
  EXPECT_EQ(best({base, trial(TreeSort::lifted, {5, 5, 5, 5, 5, 5, 5, 5, 5})}),
            TreeSort::projective);
  EXPECT_EQ(best({loss, base}), TreeSort::projective);
}

TEST(TreeChoice, WhereLittleCrossesNothingIsTried) {
  int steps = 0;
  const auto count = [&](const std::string&) { ++steps; };
  const auto few = some_of_both(static_cast<int>(kFewestCrossing) - 1);
  const TreeChoice little = choose_trees(few, few, quick_training(), count);
  EXPECT_EQ(little.chosen, TreeSort::projective);
  EXPECT_EQ(little.crossing.crossing_arcs, kFewestCrossing - 1);
  auto rare = std::vector<Sentence>(12'000, straight());
  for (std::size_t i = 0; i < kFewestCrossing; ++i) rare.push_back(crossing());
  EXPECT_EQ(choose_trees(rare, {}, quick_training(), count).chosen, TreeSort::projective);
  EXPECT_EQ(steps, 0);
}

TEST(TreeChoice, CrossingArcsThatCanBeLearntAreLearnt) {
  auto data = some_of_both(static_cast<int>(kFewestCrossing));
  const TreeChoice many = choose_trees(data, some_of_both(10), quick_training());
  ASSERT_EQ(many.trials.size(), 3U);
  EXPECT_NE(many.chosen, TreeSort::projective);
  for (const TreeTrial& each : many.trials) EXPECT_EQ(each.sum().words, 70U);
  EXPECT_EQ(many.trials[0].sort, TreeSort::nonprojective);
  EXPECT_GT(many.trials[0].sum().las(), many.trials[2].sum().las());
  // Few arcs cross: the others have to win.
  for (int i = 0; i < 1500; ++i) data.push_back(straight());
  const TreeChoice some = choose_trees(
      data, {crossing(), crossing(), crossing(), crossing(), crossing(), straight(), crossing()},
      quick_training());
  ASSERT_EQ(some.trials.size(), 3U);
  EXPECT_EQ(some.trials[0].sort, TreeSort::projective);
  EXPECT_NE(some.chosen, TreeSort::projective);
}

TEST(TreeChoice, OnlyKindsThatGoWithTheOptionsAreTried) {
  const auto data = some_of_both(static_cast<int>(kFewestCrossing));
  const auto kinds = [&](const std::vector<Sentence>& sentences,
                         const DependencyTraining& options) {
    std::vector<TreeSort> out;
    for (const TreeTrial& each : choose_trees(sentences, {}, options).trials) {
      out.push_back(each.sort);
    }
    return out;
  };
  using Kinds = std::vector<TreeSort>;
  EXPECT_EQ(kinds(data, quick_training(Factorisation::carreras)),
            (Kinds{TreeSort::lifted, TreeSort::projective}));
  DependencyTraining unlabelled = quick_training();
  unlabelled.labelled = false;
  EXPECT_EQ(kinds(data, unlabelled), (Kinds{TreeSort::nonprojective, TreeSort::projective}));
  auto marked = data;
  marked[0].set(2, Column::deprel, "x|y");
  EXPECT_EQ(kinds(marked, quick_training()),
            (Kinds{TreeSort::nonprojective, TreeSort::projective}));
}

}  // namespace
}  // namespace copse
