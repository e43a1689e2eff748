#include "copse/rerank/line_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "copse/base/random.h"
#include "tests/repeats.h"

namespace copse {
namespace {

struct Case {
  GradedNumbers lists;
  std::vector<ListScores> members;
};

Case random_case(std::uint64_t seed, int members, bool counted) {
  Random random(seed);
  Case result;
  result.members.resize(static_cast<std::size_t>(members));
  for (int i = 0; i < 12; ++i) {
    const int size = random.between(0, 6);
    auto& quality = result.lists.quality.emplace_back();
    auto& counts = result.lists.counts.emplace_back();
    for (auto& member : result.members) member.emplace_back();
    const int gold = random.between(3, 9);
    for (int j = 0; j < size; ++j) {
      const int correct = random.between(0, gold);
      quality.push_back(correct);
      if (counted) counts.push_back({correct, gold, gold + random.between(-1, 2)});
      for (auto& member : result.members) {
        // Halves, so that equal lines and crossings at one point occur.
        member.back().push_back(std::round(4 * random.normal()) / 2);
      }
    }
    result.lists.base.push_back(result.members[0].back());
  }
  return result;
}

double figure_at(const Case& data, const ListScores& fixed, const ListScores& moving, double weight,
                 const ListPart& part) {
  const std::vector<ListScores> both = {fixed, moving};
  const double weights[2] = {1, weight};
  return choice_figures(data.lists, choose(data.lists, mixed_scores(both, weights), 0), part)
      .chosen;
}

// A weight between any two neighbouring crossings of lines of a list, and beyond the last.
std::vector<double> weights_between_crossings(const Case& data) {
  std::vector<double> crossings = {-1e6, 1e6};
  for (std::size_t i = 0; i < data.lists.base.size(); ++i) {
    const auto& fixed = data.members[0][i];
    const auto& moving = data.members[1][i];
    for (std::size_t a = 0; a < fixed.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (moving[a] == moving[b]) continue;
        crossings.push_back((fixed[a] - fixed[b]) / (moving[b] - moving[a]));
      }
    }
  }
  std::sort(crossings.begin(), crossings.end());
  std::vector<double> weights;
  for (std::size_t k = 1; k < crossings.size(); ++k) {
    if (crossings[k] - crossings[k - 1] > 1e-9) {
      weights.push_back((crossings[k] + crossings[k - 1]) / 2);
    }
  }
  return weights;
}

TEST(LineSearch, EqualsTryingAWeightInEveryInterval) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(repeats(60, 6)); ++seed) {
    for (const bool counted : {true, false}) {
      for (const ListPart& part : kListParts) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " counted " << counted);
        const Case data = random_case(seed, 2, counted);
        const LineChoice found = best_on_line(data.lists, data.members[0], data.members[1], part);
        double best = -1;
        for (const double weight : weights_between_crossings(data)) {
          best = std::max(best, figure_at(data, data.members[0], data.members[1], weight, part));
        }
        EXPECT_NEAR(found.figure, best, 1e-9);
        EXPECT_NEAR(figure_at(data, data.members[0], data.members[1], found.weight, part), best,
                    1e-9);
      }
    }
  }
}

TEST(LineSearch, TakesTheMiddleOfTheWidestOfEqualIntervals) {
  // One list: candidate 0 wins below -1, 1 from -1 to 3, 2 above.
  GradedNumbers lists;
  lists.quality = {{0, 1, 0}};
  lists.base = {{0, 0, 0}};
  lists.counts = {{}};
  const LineChoice found = best_on_line(lists, {{-1, 0, -3}}, {{-1, 0, 1}}, {});
  EXPECT_EQ(found.weight, 1);
  EXPECT_EQ(found.figure, 1);
  lists.quality = {{1, 1, 1}};  // all the same: rather a bounded interval
  EXPECT_EQ(best_on_line(lists, {{-1, 0, -3}}, {{-1, 0, 1}}, {}).weight, 1);
}

TEST(LineSearch, FirstMemberAloneGivesItsOrder) {
  const Case data = random_case(3, 3, true);
  const double weights[3] = {1, 0, 0};
  EXPECT_EQ(mixed_scores(data.members, weights), data.members[0]);
}

TEST(LineSearch, MixturesAreAtLeastAsGoodAsEveryMember) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case data = random_case(seed, 3, true);
    const std::vector<double> weights = mixture_weights(data.lists, data.members, {}, {5, seed});
    const double mixed =
        choice_figures(data.lists, choose(data.lists, mixed_scores(data.members, weights), 0), {})
            .chosen;
    EXPECT_GE(mixed, choice_figures(data.lists, choose(data.lists, data.members[0], 0), {}).chosen);
    EXPECT_EQ(weights, mixture_weights(data.lists, data.members, {}, {5, seed}));
  }
}

}  // namespace
}  // namespace copse
