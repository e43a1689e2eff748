// Higher-order trees with crossing arcs, by enumeration.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "copse/inference/arc_scores.h"
#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"
#include "tests/inference/chart_oracle.h"
#include "tests/inference/reference.h"

namespace copse::reference {

// Where arcs may cross, Model 2 has the grandparents of Model 1 and the tri-siblings.
inline std::vector<Part> crossing_parts_of(const Heads& heads, Factorisation factorisation) {
  if (factorisation != Factorisation::model2) return parts_of(heads, factorisation);
  std::vector<Part> parts = parts_of(heads, Factorisation::model1);
  for (const Part& part : parts_of(heads, Factorisation::model2)) {
    if (part.family == PartFamily::tsib) parts.push_back(part);
  }
  return parts;
}

class CrossingOracle {
 public:
  CrossingOracle(const PartIndex& index, const PartScores& scores)
      : index_(index), scores_(scores) {
    for (const PartFamily family : kFamilies) {
      index.for_each(family, [&](PartIndex::Id id, const Part& part) { ids_[str(part)] = id; });
    }
  }

  // Of any tree; labels are the best ones.
  double score(const Heads& heads) const {
    double sum = 0;
    for (const Part& part : crossing_parts_of(heads, index_.factorisation())) {
      sum += double{scores_[ids_.at(str(part))]};
    }
    for (int m = 1; m < static_cast<int>(heads.size()) && scores_.labels() > 0; ++m) {
      const auto row = scores_.label_row(index_.find_arc(heads[m], m));
      sum += double{*std::max_element(row.begin(), row.end())};
    }
    return sum;
  }

  // Minus infinity if there is none.
  double best(const ArcMask& mask, Crossing crossing) const {
    double best = kMinusInfinity;
    for (const Heads& heads : all_trees(mask, index_.rule(), crossing)) {
      best = std::max(best, score(heads));
    }
    return best;
  }

 private:
  const PartIndex& index_;
  const PartScores& scores_;
  std::map<std::string, PartIndex::Id> ids_;
};

inline constexpr std::array kCrossingModels = {Factorisation::first, Factorisation::sibling,
                                               Factorisation::model0, Factorisation::model1,
                                               Factorisation::model2};

}  // namespace copse::reference
