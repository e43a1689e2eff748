// Every answer of every projective chart against the enumeration of all trees.
#include "copse/inference/projective_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "tests/inference/chart_oracle.h"
#include "tests/repeats.h"

namespace copse {
namespace {

using reference::enumerate;
using reference::kFactorisations;
using reference::kFamilies;
using reference::kRules;
using reference::Labelled;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

double score_by_parts(const std::vector<Labelled>& trees, const ArcTree& tree) {
  for (const Labelled& each : trees)
    if (each.heads == tree.heads && each.labels == tree.labels) return each.score;
  return std::numeric_limits<double>::quiet_NaN();
}

void ExpectBest(const ProjectiveSearch& search, const PartScores& scores,
                const std::vector<Labelled>& trees, Workspace& workspace) {
  const BestTree best = search.best(scores, workspace);
  if (trees.empty()) {
    EXPECT_EQ(best.status, SearchStatus::no_tree);
    return;
  }
  ASSERT_EQ(best.status, SearchStatus::ok);
  double highest = trees.front().score;
  for (const Labelled& tree : trees) highest = std::max(highest, tree.score);
  EXPECT_EQ(best.score, highest);  // scores are multiples of 1/64: exact
  EXPECT_EQ(score_by_parts(trees, best.tree), highest);
}

void ExpectSums(const ProjectiveSearch& search, const PartScores& scores,
                const std::vector<Labelled>& trees, Workspace& workspace, double tolerance) {
  const LogSum sum = search.log_sum(scores, workspace);
  const Marginals marginals = search.marginals(scores, workspace);
  if (trees.empty()) {
    EXPECT_EQ(sum.status, SearchStatus::no_tree);
    EXPECT_EQ(marginals.status, SearchStatus::no_tree);
    return;
  }
  ASSERT_EQ(sum.status, SearchStatus::ok);
  ASSERT_EQ(marginals.status, SearchStatus::ok);
  const double log_z = reference::log_sum(reference::scores_of(trees));
  EXPECT_NEAR(sum.log_z, log_z, tolerance);
  EXPECT_EQ(marginals.log_z, sum.log_z);
  const PartIndex& index = search.index();
  const std::vector<double> mu = reference::part_probabilities(trees, index);
  for (PartIndex::Id id = 0; id < index.size(); ++id)
    // Parts of the third order are kept in float.
    EXPECT_NEAR(marginals.mu[id], mu[static_cast<std::size_t>(id)],
                id < index.first(PartFamily::gsib) ? tolerance : tolerance + 1e-7)
        << str(index.part(id));
  double entropy = 0;
  for (const Labelled& tree : trees) entropy -= std::exp(tree.score - log_z) * (tree.score - log_z);
  EXPECT_NEAR(marginals.entropy, entropy, 1e-4);
  for (int a = 0; a < index.arcs() && scores.labels() > 0; ++a)
    for (int l = 0; l < scores.labels(); ++l) {
      double share = 0;
      for (const Labelled& tree : trees)
        if (tree.heads[static_cast<std::size_t>(index.arc(a).m)] == index.arc(a).h &&
            tree.labels[static_cast<std::size_t>(index.arc(a).m)] == l)
          share += std::exp(tree.score - log_z);
      EXPECT_NEAR(marginals.mu.label_row(a)[static_cast<std::size_t>(l)], share, tolerance);
    }
}

void ExpectList(const ProjectiveSearch& search, const PartScores& scores,
                const std::vector<Labelled>& trees, int k, Workspace& workspace) {
  const TreeList list = search.k_best(scores, k, workspace);
  if (trees.empty()) {
    EXPECT_EQ(list.status, SearchStatus::no_tree);
    return;
  }
  ASSERT_EQ(list.trees.size(), std::min(trees.size(), static_cast<std::size_t>(k)));
  std::vector<double> sorted = reference::scores_of(trees);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  std::set<std::pair<std::vector<int>, std::vector<int>>> seen;
  for (std::size_t rank = 0; rank < list.trees.size(); ++rank) {
    const auto& [tree, score] = list.trees[rank];
    EXPECT_EQ(score, sorted[rank]);
    EXPECT_EQ(score_by_parts(trees, tree), score);
    EXPECT_TRUE(seen.emplace(tree.heads, tree.labels).second) << "the same tree twice";
  }
}

struct Case {
  int words;
  double removed;
  int labels;
  double range;
};

void ExpectAll(Factorisation factorisation, RootRule rule, const Case& shape, Random& random) {
  const ArcMask mask = reference::random_mask(shape.words, shape.removed, random);
  SCOPED_TRACE(reference::describe(mask, factorisation, rule));
  const PartIndex index(mask, factorisation, rule);
  const ProjectiveSearch search(index);
  PartScores scores(index, shape.labels);
  reference::randomise(scores, shape.range, random);
  const std::vector<Labelled> trees = enumerate(mask, index, scores);
  Workspace workspace;
  ExpectBest(search, scores, trees, workspace);
  ExpectSums(search, scores, trees, workspace, 1e-9);
  ExpectList(search, scores, trees, shape.words < 5 ? 10000 : 25, workspace);
  if (shape.labels > 0) return;
  EXPECT_EQ(search.count_trees(workspace), static_cast<double>(trees.size()));
}

TEST(ProjectiveSearch, EqualsEnumerationWithoutMask) {
  Random random(1);
  for (const Factorisation f : kFactorisations)
    for (const RootRule rule : kRules)
      for (int words = 0; words <= enumerated(6); ++words)
        for (int repeat = 0; repeat < (words < 6 ? 3 : 1); ++repeat)
          ExpectAll(f, rule, {words, 0.0, 0, 3.0}, random);
}

TEST(ProjectiveSearch, EqualsEnumerationUnderRandomMasksSomeOfThemInfeasible) {
  Random random(2);
  for (const Factorisation f : kFactorisations)
    for (const RootRule rule : kRules)
      for (int words = 1; words <= enumerated(6); ++words)
        for (int repeat = 0; repeat < 8; ++repeat)
          ExpectAll(f, rule, {words, repeat % 2 == 0 ? 0.35 : 0.6, 0, 3.0}, random);
}

TEST(ProjectiveSearch, EqualsEnumerationOfLabelledTrees) {
  Random random(3);
  for (const Factorisation f : kFactorisations)
    for (const RootRule rule : kRules)
      for (int words = 1; words <= enumerated(4); ++words)
        ExpectAll(f, rule, {words, words % 2 == 0 ? 0.0 : 0.2, 3, 2.0}, random);
}

TEST(ProjectiveSearch, StaysExactForScoresBeyondTheRangeOfDouble) {
  Random random(4);
  for (const Factorisation f : kFactorisations)
    for (const RootRule rule : kRules)
      for (int words = 1; words <= 5; ++words)
        for (const double range : {30.0, 200.0, 1000.0})
          ExpectAll(f, rule, {words, 0.1, 0, range}, random);
}

TEST(ProjectiveSearch, RequiredArcsAreInEveryAnswer) {
  Random random(5);
  for (const Factorisation f : kFactorisations)
    for (const RootRule rule : kRules)
      for (int repeat = 0; repeat < 6; ++repeat) {
        const int words = 5;
        ArcMask mask(words);
        const auto trees = reference::all_trees(mask, rule, Crossing::never);
        const auto& wanted = trees[random.below(trees.size())];
        for (int m = 1; m <= words; ++m)
          if (random.chance(0.5)) mask.require(wanted[static_cast<std::size_t>(m)], m);
        const PartIndex index(mask, f, rule);
        const ProjectiveSearch search(index);
        PartScores scores(index);
        reference::randomise(scores, 3.0, random);
        Workspace workspace;
        const auto all = enumerate(mask, index, scores);
        ASSERT_FALSE(all.empty());
        ExpectBest(search, scores, all, workspace);
        ExpectSums(search, scores, all, workspace, 1e-9);
        ExpectList(search, scores, all, 10000, workspace);
      }
}

TEST(ProjectiveSearch, TiesGiveDistinctOptimalTreesAndTheSameOnesEveryTime) {
  Random random(6);
  for (const Factorisation f : kFactorisations)
    for (const RootRule rule : kRules)
      for (int words = 1; words <= 5; ++words) {
        const ArcMask mask(words);
        const PartIndex index(mask, f, rule);
        const ProjectiveSearch search(index);
        PartScores scores(index);
        reference::randomise_with_ties(scores, random);
        const auto trees = enumerate(mask, index, scores);
        Workspace workspace;
        Workspace other;
        ExpectBest(search, scores, trees, workspace);
        ExpectList(search, scores, trees, 10000, workspace);
        EXPECT_EQ(search.best(scores, workspace).tree,
                  ProjectiveSearch(index).best(scores, other).tree);
      }
}

TEST(ProjectiveSearch, ListsAreNestedAndStartWithTheBestTree) {
  Random random(7);
  for (const Factorisation f : kFactorisations) {
    const PartIndex index(ArcMask(9), f, RootRule::single);
    const ProjectiveSearch search(index);
    PartScores scores(index, 2);
    reference::randomise(scores, 2.0, random);
    Workspace workspace;
    const TreeList twenty = search.k_best(scores, 20, workspace);
    const TreeList hundred = search.k_best(scores, 100, workspace);
    ASSERT_EQ(hundred.trees.size(), 100U);
    EXPECT_EQ(hundred.trees.front().score, search.best(scores, workspace).score);
    for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(twenty.trees[k].item, hundred.trees[k].item);
  }
}

TEST(ProjectiveSearch, ScoresOfMinusInfinityForbidParts) {
  Random random(8);
  for (const Factorisation f : kFactorisations)
    for (const RootRule rule : kRules)
      for (int repeat = 0; repeat < repeats(10, 3); ++repeat) {
        const ArcMask mask(4);
        const PartIndex index(mask, f, rule);
        const ProjectiveSearch search(index);
        PartScores scores(index, 2);
        reference::randomise(scores, 2.0, random);
        for (float& score : scores.values())
          if (random.chance(0.15)) score = kMinusInfinity;
        for (int a = 0; a < index.arcs(); ++a)
          for (float& score : scores.label_row(a))
            if (random.chance(0.3)) score = kMinusInfinity;
        const auto trees = enumerate(mask, index, scores);
        Workspace workspace;
        ExpectBest(search, scores, trees, workspace);
        ExpectSums(search, scores, trees, workspace, 1e-9);
        ExpectList(search, scores, trees, 10000, workspace);
      }
}

TEST(ProjectiveSearch, RequiredLabelsAreInTheBestTree) {
  Random random(9);
  const PartIndex index(ArcMask(5), Factorisation::model1, RootRule::multi);
  PartScores scores(index, 4);
  reference::randomise(scores, 3.0, random);
  for (int m = 1; m <= 5; ++m) require_label(index, scores, m, m % 4);
  Workspace workspace;
  const BestTree best = ProjectiveSearch(index).best(scores, workspace);
  EXPECT_EQ(best.tree.labels, (std::vector<int>{kNobody, 1, 2, 3, 0, 1}));
}

TEST(ProjectiveSearch, NamesTheBadScore) {
  const PartIndex index(ArcMask(3), Factorisation::model1, RootRule::multi);
  const ProjectiveSearch search(index);
  Workspace workspace;
  const auto id = index.find({.family = PartFamily::gsib, .g = 0, .h = 1, .m = 3, .s = 2});
  ASSERT_NE(id, PartIndex::kNone);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(), 2e15F, -2e15F}) {
    PartScores scores(index, 2);
    scores[id] = bad;
    EXPECT_EQ(search.best(scores, workspace).status, SearchStatus::bad_score);
    EXPECT_EQ(search.best(scores, workspace).culprit, "gsib(0,1,3,2)");
    EXPECT_EQ(search.log_sum(scores, workspace).status, SearchStatus::bad_score);
    EXPECT_EQ(search.marginals(scores, workspace).culprit, "gsib(0,1,3,2)");
    EXPECT_EQ(search.k_best(scores, 3, workspace).status, SearchStatus::bad_score);
    Random random(1);
    EXPECT_EQ(search.sample(scores, 3, random, workspace).status, SearchStatus::bad_score);
  }
  PartScores scores(index, 2);
  scores.label_row(index.find_arc(0, 3))[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(search.best(scores, workspace).culprit, "label 1 of dep(0,3)");
}

TEST(ProjectiveSearch, SamplesFollowTheDistribution) {
  Random random(10);
  for (const Factorisation f : kFactorisations)
    for (const double range : {1.0, 700.0}) {  // linear and log domain
      const ArcMask mask(3);
      const PartIndex index(mask, f, RootRule::multi);
      const ProjectiveSearch search(index);
      PartScores scores(index, 2);
      reference::randomise(scores, 1.0, random);
      // The same distribution, far away: a constant on all arcs.
      for (int a = 0; a < index.arcs(); ++a) scores[index.dep(a)] += static_cast<float>(range);
      if (range > 1) scores[index.dep(index.find_arc(0, 1))] -= 2000.0F;
      const auto trees = enumerate(mask, index, scores);
      const double log_z = reference::log_sum(reference::scores_of(trees));
      Workspace workspace;
      std::map<std::pair<std::vector<int>, std::vector<int>>, int> drawn;
      const int count = repeats(20000);
      for (const auto& sample : search.sample(scores, count, random, workspace).trees)
        ++drawn[{sample.item.heads, sample.item.labels}];
      double chi_square = 0;
      int cells = 0;
      for (const Labelled& tree : trees) {
        const double expected = count * std::exp(tree.score - log_z);
        if (expected < 5) continue;
        const double got = drawn[{tree.heads, tree.labels}];
        chi_square += (got - expected) * (got - expected) / expected;
        ++cells;
      }
      // Five standard deviations above the mean of the chi-square distribution.
      EXPECT_GT(cells, 10);
      EXPECT_LT(chi_square, cells + 5 * std::sqrt(2.0 * cells)) << name(f) << " " << range;
    }
}

TEST(ProjectiveSearch, MinimumRiskTreeHasTheLeastExpectedLoss) {
  Random random(11);
  for (const Factorisation f : kFactorisations)
    for (const int labels : {0, 2})
      for (const RootRule rule : kRules) {
        const ArcMask mask = reference::random_mask(4, 0.15, random);
        const PartIndex index(mask, f, rule);
        PartScores scores(index, labels);
        reference::randomise(scores, 2.0, random);
        Workspace workspace;
        const Marginals marginals = ProjectiveSearch(index).marginals(scores, workspace);
        const auto trees = enumerate(mask, index, scores);
        if (trees.empty()) continue;
        const double log_z = reference::log_sum(reference::scores_of(trees));
        double most_right = 0;
        for (const Labelled& candidate : trees) {
          double right = 0;
          for (const Labelled& truth : trees)
            for (std::size_t m = 1; m < truth.heads.size(); ++m)
              if (truth.heads[m] == candidate.heads[m] &&
                  (labels == 0 || truth.labels[m] == candidate.labels[m]))
                right += std::exp(truth.score - log_z);
          most_right = std::max(most_right, right);
        }
        const BestTree safest = minimum_risk_tree(index, marginals.mu, workspace);
        ASSERT_EQ(safest.status, SearchStatus::ok);
        EXPECT_NEAR(safest.score, most_right, 1e-6);
      }
}

TEST(ProjectiveSearch, WorkspaceCarriesNothingFromOneSentenceToTheNext) {
  Random random(12);
  Workspace reused;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const int words = random.between(0, 12);
    const Factorisation f = kFactorisations[random.below(kFactorisations.size())];
    const PartIndex index(reference::random_mask(words, 0.2, random), f, RootRule::multi);
    const ProjectiveSearch search(index);
    PartScores scores(index);
    reference::randomise(scores, 2.0, random);
    Workspace fresh;
    EXPECT_EQ(search.best(scores, reused).tree, search.best(scores, fresh).tree);
    EXPECT_EQ(search.log_sum(scores, reused).log_z, search.log_sum(scores, fresh).log_z);
    EXPECT_EQ(search.marginals(scores, reused).entropy, search.marginals(scores, fresh).entropy);
  }
}

}  // namespace
}  // namespace copse
