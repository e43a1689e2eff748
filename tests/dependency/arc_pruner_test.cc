// Pruning against the enumeration of all trees, and what must survive it always.
#include "copse/dependency/arc_pruner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "copse/base/random.h"
#include "tests/dependency/pair_model.h"
#include "tests/inference/reference.h"

namespace copse {
namespace {

using dependency_testing::PairModel;
using reference::Heads;

const std::vector<TreeKind> kKinds{{Factorisation::first, RootRule::single, true},
                                   {Factorisation::first, RootRule::multi, true},
                                   {Factorisation::model1, RootRule::single, true},
                                   {Factorisation::first, RootRule::single, false},
                                   {Factorisation::first, RootRule::multi, false}};

struct Scores {
  explicit Scores(int words, std::uint64_t seed) : size(static_cast<std::size_t>(words) + 1) {
    Random random(seed);
    for (std::size_t k = 0; k < size * size; ++k) values.push_back(2 * random.normal());
  }
  double operator()(int h, int m) const {
    return values[static_cast<std::size_t>(h) * size + static_cast<std::size_t>(m)];
  }
  std::size_t size;
  std::vector<double> values;
};

bool same(const ArcMask& a, const ArcMask& b) {
  for (int m = 1; m <= a.words(); ++m) {
    if (a.heads(m) != b.heads(m)) return false;
  }
  return true;
}

// By enumeration: the probability of each arc, and the best tree.
struct Oracle {
  Oracle(const ArcMask& mask, const TreeKind& kind, const PairModel& model) {
    trees = reference::all_trees(mask, kind.root,
                                 kind.projective ? Crossing::never : Crossing::allowed);
    const TreeKind first{Factorisation::first, kind.root, kind.projective};
    const PartIndex index = first.index(mask);
    PartScorer::Scratch scratch;
    PartScores scores;
    model.scorer().score(index, model.atoms(), scratch, scores);
    std::vector<double> totals;
    double highest = -std::numeric_limits<double>::infinity();
    for (const Heads& heads : trees) {
      double sum = 0;
      for (int m = 1; m <= mask.words(); ++m) {
        sum += scores[index.find_arc(heads[static_cast<std::size_t>(m)], m)];
      }
      totals.push_back(sum);
      if (sum > highest) best = heads;
      highest = std::max(highest, sum);
    }
    const double log_z = reference::log_sum(totals);
    for (std::size_t k = 0; k < trees.size(); ++k) {
      for (int m = 1; m <= mask.words(); ++m) {
        mu[{trees[k][static_cast<std::size_t>(m)], m}] += std::exp(totals[k] - log_z);
      }
    }
  }
  double of(int h, int m) const {
    const auto found = mu.find({h, m});
    return found == mu.end() ? 0 : found->second;
  }
  double highest(int m) const {
    double most = 0;
    for (const auto& [arc, probability] : mu) {
      if (arc.second == m) most = std::max(most, probability);
    }
    return most;
  }
  // The likeliest head of every word; whether they make a tree.
  bool likeliest_make_a_tree() const {
    return std::any_of(trees.begin(), trees.end(), [&](const Heads& heads) {
      for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
        if (of(heads[static_cast<std::size_t>(m)], m) < highest(m)) return false;
      }
      return true;
    });
  }
  std::map<std::pair<int, int>, double> mu;
  std::vector<Heads> trees;
  Heads best;
};

TEST(ArcPruner, KeepsWhatTheFormulaSaysAndTheBestTree) {
  ArcPruner::Scratch scratch;
  for (const TreeKind& kind : kKinds) {
    for (int words = 1; words <= 5; ++words) {
      const PairModel model(words, Scores(words, static_cast<std::uint64_t>(words) + 7));
      const Oracle oracle(ArcMask(words), kind, model);
      for (const double threshold : {1e-6, 1e-3, 0.1, 0.5, 0.9}) {
        const ArcPruner pruner({}, model.scorer(), threshold, kind);
        const ArcMask mask = pruner.prune(model.words(), model.atoms(), nullptr, scratch);
        for (int m = 1; m <= words; ++m) {
          for (int h = 0; h <= words; ++h) {
            if (h == m) continue;
            const bool kept =
                oracle.of(h, m) >= threshold * oracle.highest(m) ||
                (!oracle.likeliest_make_a_tree() && oracle.best[static_cast<std::size_t>(m)] == h);
            EXPECT_EQ(mask.allowed(h, m), kept) << h << '>' << m << " at " << threshold;
          }
        }
      }
    }
  }
}

TEST(ArcPruner, ThresholdZeroKeepsWhatTheFilterKeeps) {
  const PairModel model(6, Scores(6, 1));
  ArcPruner::Scratch scratch;
  for (const TreeKind& kind : kKinds) {
    const ArcPruner pruner({}, model.scorer(), 0, kind);
    EXPECT_EQ(pruner.prune(model.words(), model.atoms(), nullptr, scratch).arcs(), 36);
  }
  LengthFilter filter;
  filter.learn(model.words(), std::vector<int>{-1, 0, 1, 2, 5, 3, 4});
  const ArcPruner pruner(filter, model.scorer(), 0, kKinds.front());
  EXPECT_TRUE(same(pruner.prune(model.words(), model.atoms(), nullptr, scratch),
                   filter.mask(model.words())));
}

TEST(ArcPruner, ThresholdOneKeepsTheLikeliestHeadsAndTheBestTree) {
  ArcPruner::Scratch scratch;
  for (const TreeKind& kind : kKinds) {
    const PairModel model(5, Scores(5, 21));
    const Oracle oracle(ArcMask(5), kind, model);
    const ArcPruner pruner({}, model.scorer(), 1, kind);
    const ArcMask mask = pruner.prune(model.words(), model.atoms(), nullptr, scratch);
    for (int m = 1; m <= 5; ++m) {
      if (!oracle.likeliest_make_a_tree()) {
        EXPECT_TRUE(mask.allowed(oracle.best[static_cast<std::size_t>(m)], m));
      }
      EXPECT_LE(mask.heads(m).size(), 2U);
      EXPECT_GE(mask.heads(m).size(), 1U);
    }
  }
}

TEST(ArcPruner, AlwaysLeavesATree) {
  ArcPruner::Scratch scratch;
  TreeSearch search;
  for (const TreeKind& kind : kKinds) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const int words = 1 + static_cast<int>(seed % 9);
      const PairModel model(words, Scores(words, seed));
      LengthFilter filter;  // has seen chains to the left only
      std::vector<int> heads{-1};
      for (int m = 1; m < words; ++m) heads.push_back(m + 1);
      heads.push_back(0);
      if (seed % 2 == 0) filter.learn(model.words(), heads);
      for (const double threshold : {0.0, 0.01, 1.0}) {
        const ArcPruner pruner(filter, model.scorer(), threshold, kind);
        const ArcMask mask = pruner.prune(model.words(), model.atoms(), nullptr, scratch);
        const PartIndex index = kind.index(mask);
        EXPECT_EQ(search.best(kind, index, PartScores(index)).status, SearchStatus::ok);
      }
    }
  }
}

TEST(ArcPruner, AFilterWithoutATreeIsSetAside) {
  const PairModel model(4, Scores(4, 3));
  LengthFilter filter;  // one word on the root, no arcs between words at all
  filter.learn(model.words().first(1), std::vector<int>{-1, 0});
  ArcPruner::Scratch scratch;
  const ArcPruner pruner(filter, model.scorer(), 0, {Factorisation::first, RootRule::single, true});
  EXPECT_EQ(pruner.prune(model.words(), model.atoms(), nullptr, scratch).arcs(), 16);
  const ArcPruner several(filter, model.scorer(), 0, {Factorisation::first, RootRule::multi, true});
  EXPECT_EQ(several.prune(model.words(), model.atoms(), nullptr, scratch).arcs(), 4);
}

TEST(ArcPruner, DemandedHeadsStayWhateverFilterAndScoresSay) {
  // The demanded arc is most unlikely, and longer than any the filter has seen.
  const PairModel model(5, [](int h, int m) { return h == 1 && m == 5 ? -20.0 : 1.0 * h - m; });
  LengthFilter filter;
  filter.learn(model.words(), std::vector<int>{-1, 0, 1, 2, 3, 4});
  ArcMask demanded(5);
  demanded.require(1, 5);
  ArcPruner::Scratch scratch;
  for (const TreeKind& kind : kKinds) {
    for (const double threshold : {0.0, 1e-3, 1.0}) {
      const ArcPruner pruner(filter, model.scorer(), threshold, kind);
      const ArcMask mask = pruner.prune(model.words(), model.atoms(), &demanded, scratch);
      EXPECT_EQ(mask.heads(5), std::vector<int>{1});
      TreeSearch search;
      const PartIndex index = kind.index(mask);
      EXPECT_EQ(search.best(kind, index, PartScores(index)).status, SearchStatus::ok);
    }
  }
}

TEST(ArcPruner, ContradictingDemandsLeaveNoArcs) {
  const PairModel model(4, Scores(4, 5));
  ArcPruner::Scratch scratch;
  ArcMask cycle(4);
  cycle.require(2, 1);
  cycle.require(1, 2);
  ArcMask nobody(4);
  nobody.require(2, 1);
  nobody.require(3, 1);
  ArcMask crossing(4);
  crossing.require(1, 3);
  crossing.require(4, 2);
  for (const TreeKind& kind : kKinds) {
    for (const double threshold : {0.0, 0.01}) {
      const ArcPruner pruner({}, model.scorer(), threshold, kind);
      const auto arcs = [&](const ArcMask& demanded) {
        return pruner.prune(model.words(), model.atoms(), &demanded, scratch).arcs();
      };
      EXPECT_EQ(arcs(cycle), 0);
      EXPECT_EQ(arcs(nobody), 0);
      EXPECT_EQ(arcs(crossing) == 0, kind.projective);
    }
  }
}

TEST(ArcPruner, ASmallThresholdDoesNotChangeTheBestTree) {
  ArcPruner::Scratch scratch;
  TreeSearch search;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TreeKind kind{Factorisation::first, RootRule::single, seed % 2 == 0};
    const PairModel model(8, Scores(8, seed));
    const auto best = [&](double threshold) {
      const ArcPruner pruner({}, model.scorer(), threshold, kind);
      const PartIndex index =
          kind.index(pruner.prune(model.words(), model.atoms(), nullptr, scratch));
      PartScores scores;
      model.scorer().score(index, model.atoms(), scratch.scorer, scores);
      return search.best(kind, index, scores).tree;
    };
    EXPECT_EQ(best(0), best(1e-4));
    EXPECT_TRUE(kind.holds(best(1).heads));
  }
}

TEST(ArcPruner, ASentenceWithoutWordsHasNoArcs) {
  ArcPruner::Scratch scratch;
  PositionAtoms atoms;
  atoms.fill({}, nullptr);
  const PairModel model(2, Scores(2, 1));
  const ArcPruner pruner({}, model.scorer(), 0.1, kKinds.front());
  EXPECT_EQ(pruner.prune({}, atoms, nullptr, scratch).words(), 0);
}

}  // namespace
}  // namespace copse
