// Random lists for the learners of rankings.
#pragma once

#include <vector>

#include "copse/base/random.h"
#include "copse/learning/ranking_lists.h"

namespace copse::ranking_testing {

struct RandomLists {
  int lists = 60;
  int most_candidates = 8;
  int features = 40;
  double density = 0.2;
  bool whole_scores = false;  // small integers: many ties
};

inline RankingLists random_lists(const RandomLists& shape, std::uint64_t seed) {
  Random random(seed);
  RankingLists lists;
  for (int i = 0; i < shape.lists; ++i) {
    const int size = random.between(0, shape.most_candidates);
    for (int c = 0; c < size; ++c) {
      std::vector<RankingLists::Feature> features;
      for (int k = 0; k < shape.features; ++k) {
        if (random.chance(shape.density)) features.push_back(static_cast<std::uint32_t>(k));
      }
      // What a candidate is worth has to do with its features, or there is nothing to learn.
      double score = 0;
      for (const auto k : features) score += k % 3 == 0 ? 1 : k % 3 == 1 ? -0.5 : 0;
      score += shape.whole_scores ? 0 : random.normal();
      if (shape.whole_scores) score = static_cast<int>(score);
      lists.add_candidate(-10 * random.uniform(), score, features);
    }
    lists.end_list();
  }
  // A last candidate that has the last feature keeps the dimension.
  lists.add_candidate(
      0, 0, std::vector<RankingLists::Feature>{static_cast<std::uint32_t>(shape.features) - 1});
  lists.end_list();
  return lists;
}

}  // namespace copse::ranking_testing
