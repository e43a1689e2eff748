// Losses of lists, and weights of mixtures that make them small.
#include "copse/rerank/smooth_weights.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/rerank/line_search.h"

namespace copse {
namespace {

constexpr Loss kLosses[] = {Loss::likelihood, Loss::graded, Loss::risk};

TEST(ListLoss, ByHand) {
  // Probabilities 1/4 and 3/4, qualities 3 and 1: the first should win.
  const std::vector<double> logs = {std::log(0.25), std::log(0.75)}, quality = {3, 1};
  const double grade = std::exp(-2 / 0.5);  // of the second at temperature 0.5
  const Goal goal{0, quality, 0.5};
  std::vector<double> slopes;
  EXPECT_NEAR(loss_and_slopes(logs, goal, Loss::likelihood, slopes), std::log(4), 1e-12);
  EXPECT_NEAR(slopes[0], -0.75, 1e-12);
  EXPECT_NEAR(slopes[1], 0.75, 1e-12);
  EXPECT_NEAR(loss_and_slopes(logs, goal, Loss::graded, slopes), -std::log(0.25 + 0.75 * grade),
              1e-12);
  EXPECT_NEAR(loss_and_slopes(logs, goal, Loss::risk, slopes), 1.5, 1e-12);
  EXPECT_NEAR(slopes[0], 0.25 * (0 - 1.5), 1e-12);
  EXPECT_NEAR(slopes[1], 0.75 * (2 - 1.5), 1e-12);
}

TEST(ListLoss, LogProbabilitiesSumToOneWhateverTheScores) {
  const std::vector<double> scores = {1000, -1000, 1001}, base = {-3, 5, -1};
  double sum = 0;
  for (const double each : log_probabilities(scores, base, 2)) sum += std::exp(each);
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(ListLoss, Names) {
  for (const Loss loss : kLosses) EXPECT_EQ(loss_of(name_of(loss)), loss);
  EXPECT_THROW(loss_of("f1"), Error);
}

// Lists in which the first member sees the quality through some noise, the second through more of it,
// and the others see nothing.
struct Case {
  GradedNumbers lists;
  std::vector<ListScores> members;

  Case(std::uint64_t seed, int size, int members_wanted) {
    Random random(seed);
    members.resize(static_cast<std::size_t>(members_wanted));
    for (int i = 0; i < size; ++i) {
      auto& quality = lists.quality.emplace_back();
      lists.counts.emplace_back();
      for (auto& member : members) member.emplace_back();
      for (int j = random.between(0, 6); j > 0; --j) {
        quality.push_back(random.normal());
        for (std::size_t m = 0; m < members.size(); ++m) {
          const double seen = m == 0 ? 1 : m == 1 ? 0.6 : 0;
          members[m].back().push_back(seen * quality.back() + random.normal());
        }
      }
      lists.base.push_back(members[0].back());
    }
  }
  double quality_by(std::span<const double> weights) const {
    return choice_figures(lists, choose(lists, mixed_scores(members, weights), 0), {}).chosen;
  }
};

TEST(SmoothWeights, SlopesEqualDifferences) {
  const Case data(1, 20, 3);
  for (const Loss loss : kLosses) {
    for (const ListPart& part : kListParts) {
      const SmoothWeightOptions options{loss, 0.7, 2};
      std::vector<double> weights = {0.5, 1.5, 0.2}, slopes(3), ignored(3);
      smooth_weight_loss(data.lists, data.members, part, options, weights, slopes);
      for (std::size_t m = 0; m < weights.size(); ++m) {
        constexpr double kStep = 1e-5;
        const double at = weights[m];
        const auto loss_at = [&](double weight) {
          weights[m] = weight;
          return smooth_weight_loss(data.lists, data.members, part, options, weights, ignored);
        };
        const double difference = (loss_at(at + kStep) - loss_at(at - kStep)) / (2 * kStep);
        weights[m] = at;
        EXPECT_NEAR(slopes[m], difference, 1e-6) << name_of(loss) << " " << m;
      }
    }
  }
}

// No weights of a grid around them, nor far from them, are better.
TEST(SmoothWeights, AreAMinimum) {
  const Case data(2, 60, 2);
  for (const Loss loss : kLosses) {
    const SmoothWeightOptions options{loss, 1, 4};
    const std::vector<double> found = smooth_weights(data.lists, data.members, {}, options);
    std::vector<double> ignored(2);
    const auto loss_at = [&](const std::vector<double>& weights) {
      return smooth_weight_loss(data.lists, data.members, {}, options, weights, ignored);
    };
    const double least = loss_at(found);
    for (double a = 0; a < 4; a += 0.05) {
      for (double b = 0; b < 4; b += 0.05) {
        EXPECT_GE(loss_at({a, b}), least - 1e-3) << name_of(loss) << " " << a << " " << b;
      }
    }
  }
}

TEST(SmoothWeights, AMemberThatSaysTheOppositeGetsNothing) {
  Case data(3, 60, 2);
  for (auto& list : data.members[1]) {
    for (double& score : list) score = -score;
  }
  for (const Loss loss : kLosses) {
    const std::vector<double> found = smooth_weights(data.lists, data.members, {}, {loss, 1, 4});
    EXPECT_GT(found[0], 0.3) << name_of(loss);
    EXPECT_GE(found[1], 0);
    EXPECT_LT(found[1], 1e-2) << name_of(loss);
  }
}

TEST(SmoothWeights, UnitsDoNotMatter) {
  Case data(4, 40, 2);
  const auto before = smooth_weights(data.lists, data.members, {}, {Loss::likelihood, 1, 4});
  for (auto& list : data.members[1]) {
    for (double& score : list) score *= 1000;
  }
  const auto after = smooth_weights(data.lists, data.members, {}, {Loss::likelihood, 1, 4});
  EXPECT_NEAR(after[0], before[0], 1e-3);
  EXPECT_NEAR(after[1] * 1000, before[1], 1e-3);
}

// What they are for: of few lists and many members that know nothing they make more than a search that
// fits the lists it sees, on others.
TEST(SmoothWeights, ChooseBetterOnOtherListsThanASearchOnThose) {
  const Case other(100, 3000, 8);
  double exact = 0;
  std::array<double, 3> smooth{};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Case few(seed, 100, 8);
    exact += other.quality_by(mixture_weights(few.lists, few.members, {}, {5, seed}));
    for (std::size_t l = 0; l < 3; ++l) {
      smooth[l] += other.quality_by(smooth_weights(few.lists, few.members, {}, {kLosses[l], 1, 1}));
    }
  }
  for (std::size_t l = 0; l < 3; ++l) EXPECT_GT(smooth[l], exact * 1.01) << name_of(kLosses[l]);
}

TEST(SmoothWeights, ListsOfOneAndMembersThatSayNothing) {
  GradedNumbers lists;
  lists.quality = {{1}, {}, {0, 1}};
  lists.base = {{0}, {}, {0, 0}};
  lists.counts.resize(3);
  const std::vector<ListScores> members = {{{5}, {}, {0, 0}}, {{5}, {}, {0, 1}}};
  const std::vector<double> found = smooth_weights(lists, members, {}, {});
  EXPECT_TRUE(std::isfinite(found[0]));
  EXPECT_GT(found[1], 0);
}

}  // namespace
}  // namespace copse
