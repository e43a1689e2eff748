// The one door to the searchers: projective answers are those of the charts, non-projective ones
// those of the enumeration of all trees.
#include "copse/inference/tree_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/inference/all_trees.h"
#include "tests/inference/chart_oracle.h"

namespace copse {
namespace {

using reference::kRules;

// A sentence, its scores, and all labelled trees with their scores by enumeration.
struct Crossing {
  TreeKind kind;
  PartIndex index;
  PartScores scores;
  std::vector<Scored<ArcTree>> trees;
  double log_z = 0;

  Crossing(int words, int labels, double removed, RootRule rule, Random& random)
      : kind{Factorisation::first, rule, false},
        index(kind.index(reference::random_mask(words, removed, random))),
        scores(index, labels) {
    reference::randomise(scores, 3.0, random);
    ArcMask mask = ArcMask::none(words);
    ArcScores arcs(words, std::max(1, labels), 0);
    for (int a = 0; a < index.arcs(); ++a) {
      const auto [h, m, side] = index.arc(a);
      mask.allow(h, m);
      for (int l = 0; l < std::max(1, labels); ++l) {
        arcs(h, m, l) =
            scores[a] + (labels > 0 ? scores.label_row(a)[static_cast<std::size_t>(l)] : 0.0F);
      }
    }
    trees = oracle::scored_trees(oracle::all_spanning_trees(words, rule), arcs, mask);
    for (auto& [tree, score] : trees) {
      if (labels == 1) tree.labels.assign(tree.heads.size(), 0);
    }
    log_z = oracle::log_sum(trees);
  }

  double score_of(const ArcTree& tree) const {
    for (const auto& [each, score] : trees) {
      bool same = each.heads == tree.heads && each.labels.size() == tree.labels.size();
      for (std::size_t m = 1; same && m < tree.labels.size(); ++m) {
        same = each.labels[m] == tree.labels[m];
      }
      if (same) return score;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
  double probability(int h, int m, int label) const {  // any label if negative
    double sum = 0;
    for (const auto& [tree, score] : trees) {
      const auto at = static_cast<std::size_t>(m);
      if (tree.heads[at] == h && (label < 0 || tree.labels[at] == label)) {
        sum += std::exp(score - log_z);
      }
    }
    return sum;
  }
};

void ExpectListOf(const Crossing& given, TreeSearch& search) {
  std::vector<double> order;
  for (const auto& [tree, score] : given.trees) order.push_back(score);
  std::sort(order.begin(), order.end(), std::greater<>());
  for (const int k : {1, 4, 3000}) {
    const TreeList list = search.k_best(given.kind, given.index, given.scores, k);
    ASSERT_EQ(list.status, SearchStatus::ok);
    ASSERT_EQ(list.trees.size(), std::min(order.size(), static_cast<std::size_t>(k)));
    for (std::size_t rank = 0; rank < list.trees.size(); ++rank) {
      EXPECT_NEAR(list.trees[rank].score, order[rank], 1e-9);
      EXPECT_NEAR(given.score_of(list.trees[rank].item), order[rank], 1e-9);
    }
  }
}

void ExpectMarginalsOf(const Crossing& given, const Marginals& found) {
  EXPECT_NEAR(found.log_z, given.log_z, 1e-9);
  double entropy = 0;
  for (const auto& [tree, score] : given.trees) {
    entropy -= std::exp(score - given.log_z) * (score - given.log_z);
  }
  EXPECT_NEAR(found.entropy, entropy, 1e-6);
  ASSERT_EQ(found.mu.labels(), given.scores.labels());
  for (int a = 0; a < given.index.arcs(); ++a) {
    const auto [h, m, side] = given.index.arc(a);
    EXPECT_NEAR(found.mu[given.index.dep(a)], given.probability(h, m, -1), 1e-9);
    for (int l = 0; l < given.scores.labels(); ++l) {
      EXPECT_NEAR(found.mu.label_row(a)[static_cast<std::size_t>(l)], given.probability(h, m, l),
                  1e-9);
    }
  }
}

// No tree has more expected right (labelled) arcs than the one found.
void ExpectLeastRisk(const Crossing& given, const BestTree& found) {
  ASSERT_EQ(found.status, SearchStatus::ok);
  const auto right = [&](const std::vector<int>& heads, const std::vector<int>& labels) {
    double sum = 0;
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
      const auto at = static_cast<std::size_t>(m);
      sum += given.probability(heads[at], m, labels.empty() ? -1 : labels[at]);
    }
    return sum;
  };
  double most = 0;
  for (const auto& [tree, score] : given.trees) {
    most = std::max(most, right(tree.heads, tree.labels));
  }
  EXPECT_NEAR(right(found.tree.heads, found.tree.labels), most, 1e-9);
  EXPECT_NEAR(found.score, most, 1e-9);
}

void ExpectEnumeration(const Crossing& given) {
  TreeSearch search;
  const BestTree best = search.best(given.kind, given.index, given.scores);
  const Marginals marginals = search.marginals(given.kind, given.index, given.scores);
  if (given.trees.empty()) {
    EXPECT_EQ(best.status, SearchStatus::no_tree);
    EXPECT_EQ(marginals.status, SearchStatus::no_tree);
    EXPECT_EQ(search.k_best(given.kind, given.index, given.scores, 5).status,
              SearchStatus::no_tree);
    return;
  }
  ASSERT_EQ(best.status, SearchStatus::ok);
  ASSERT_EQ(marginals.status, SearchStatus::ok);
  double highest = given.trees.front().score;
  for (const auto& [tree, score] : given.trees) highest = std::max(highest, score);
  EXPECT_NEAR(best.score, highest, 1e-9);
  EXPECT_NEAR(given.score_of(best.tree), highest, 1e-9);
  ExpectListOf(given, search);
  ExpectMarginalsOf(given, marginals);
  ExpectLeastRisk(given, search.minimum_risk(given.kind, given.index, marginals.mu));
}

// Every word between a head and its modifier hangs below the head.
bool is_projective(const std::vector<int>& heads) {
  const auto hangs_below = [&](int word, int head) {
    while (word > 0 && word != head) word = heads[static_cast<std::size_t>(word)];
    return word == head;
  };
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    const int h = heads[static_cast<std::size_t>(m)];
    for (int between = std::min(h, m) + 1; between < std::max(h, m); ++between) {
      if (!hangs_below(between, h)) return false;
    }
  }
  return true;
}

TEST(TreeKind, HoldsTheTreesOfTheEnumerationAndNothingElse) {
  for (const RootRule rule : kRules) {
    for (int words = 0; words <= 5; ++words) {
      std::vector<int> heads(static_cast<std::size_t>(words) + 1, 0);
      bool over = false;
      while (!over) {
        bool loop = false;
        for (int m = 1; m <= words; ++m) loop = loop || heads[static_cast<std::size_t>(m)] == m;
        const bool tree = !loop && oracle::is_tree(heads, rule);
        EXPECT_EQ((TreeKind{Factorisation::first, rule, false}.holds(heads)), tree);
        EXPECT_EQ((TreeKind{Factorisation::first, rule, true}.holds(heads)),
                  tree && is_projective(heads));
        std::size_t m = 1;  // count on
        while (m < heads.size() && heads[m] == words) heads[m++] = 0;
        over = m >= heads.size();
        if (!over) ++heads[m];
      }
    }
  }
}

TEST(TreeSearch, NonProjectiveAnswersEqualTheEnumerationWithoutLabels) {
  Random random(1);
  for (const RootRule rule : kRules) {
    for (int words = 1; words <= 4; ++words) {
      for (const double removed : {0.0, 0.3, 0.6}) {
        SCOPED_TRACE(words);
        ExpectEnumeration(Crossing(words, 0, removed, rule, random));
      }
    }
  }
}

TEST(TreeSearch, NonProjectiveAnswersEqualTheEnumerationWithLabels) {
  Random random(2);
  for (const RootRule rule : kRules) {
    for (const int labels : {1, 2, 3}) {
      for (int words = 1; words <= 3; ++words) {
        SCOPED_TRACE(testing::Message() << words << " words, " << labels << " labels");
        ExpectEnumeration(Crossing(words, labels, 0.0, rule, random));
        ExpectEnumeration(Crossing(words, labels, 0.3, rule, random));
      }
    }
  }
}

TEST(TreeSearch, ProjectiveAnswersAreThoseOfTheCharts) {
  Random random(3);
  TreeSearch search;
  Workspace workspace;
  for (const Factorisation order : reference::kFactorisations) {
    for (const RootRule rule : kRules) {
      for (const int labels : {0, 1, 3}) {
        const TreeKind kind{order, rule, true};
        const PartIndex index = kind.index(ArcMask(6));
        PartScores scores(index, labels);
        reference::randomise(scores, 2.0, random);
        const ProjectiveSearch chart(index);
        const BestTree best = search.best(kind, index, scores);
        EXPECT_EQ(best.tree, chart.best(scores, workspace).tree);
        EXPECT_EQ(best.score, chart.best(scores, workspace).score);
        const TreeList list = search.k_best(kind, index, scores, 9);
        const TreeList expected = chart.k_best(scores, 9, workspace);
        ASSERT_EQ(list.trees.size(), expected.trees.size());
        for (std::size_t k = 0; k < list.trees.size(); ++k) {
          EXPECT_EQ(list.trees[k].item, expected.trees[k].item);
        }
        const Marginals mu = search.marginals(kind, index, scores);
        EXPECT_EQ(mu.log_z, chart.marginals(scores, workspace).log_z);
        EXPECT_EQ(search.minimum_risk(kind, index, mu.mu).tree,
                  minimum_risk_tree(index, mu.mu, workspace).tree);
      }
    }
  }
}

TEST(TreeSearch, ABadScoreIsNamedWithItsArc) {
  const TreeKind kind{Factorisation::first, RootRule::single, false};
  const PartIndex index = kind.index(ArcMask(3));
  PartScores scores(index, 2);
  scores.label_row(index.find_arc(1, 3))[1] = std::numeric_limits<float>::quiet_NaN();
  TreeSearch search;
  for (const auto& culprit :
       {search.best(kind, index, scores).culprit, search.k_best(kind, index, scores, 3).culprit,
        search.marginals(kind, index, scores).culprit}) {
    EXPECT_EQ(culprit, "label 1 of dep(1,3)");
  }
  EXPECT_EQ(search.best(kind, index, scores).status, SearchStatus::bad_score);
}

TEST(TreeSearch, MemoryIsReusedBetweenSentencesOfDifferentSizesAndKinds) {
  Random random(4);
  TreeSearch search;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Crossing given(random.between(1, 4), random.between(0, 2), 0.2,
                         repeat % 2 == 0 ? RootRule::single : RootRule::multi, random);
    const BestTree again = search.best(given.kind, given.index, given.scores);
    const BestTree fresh = TreeSearch().best(given.kind, given.index, given.scores);
    EXPECT_EQ(again.status, fresh.status);
    EXPECT_EQ(again.tree, fresh.tree);
  }
}

}  // namespace
}  // namespace copse
