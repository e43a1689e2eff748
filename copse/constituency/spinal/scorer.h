// Scores of all surviving parts of a sentence, for weights that can say  sum(keys): those of a
// trained model (scalar_table.h) or those that are still learnt (scalar_weights.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/constituency/spinal/features.h"
#include "copse/inference/spinal_parts.h"
#include "copse/model/scalar_table.h"

namespace copse::spinal {

// A trained table as weights.
class TableWeights {
 public:
  explicit TableWeights(const ScalarTable& table) : table_(table) {}
  double sum(std::span<const FeatureKey> keys) const {
    for (const FeatureKey key : keys) table_.prefetch(key);
    return static_cast<double>(table_.sum(keys)) * table_.scale();
  }

 private:
  const ScalarTable& table_;
};

// Memory of one thread.
struct ScorerScratch {
  Features::Keys keys, joined;
  std::vector<double> view_score;         // [view]
  std::vector<std::uint32_t> view_stamp;  // when it was computed
  std::uint32_t stamp = 0;
  std::vector<AtomValue> groups;
};

template <class Weights>
class Scorer {
 public:
  Scorer(const Features& features, const Weights& weights, const PositionAtoms& atoms,
         ScorerScratch& scratch)
      : features_(features), weights_(weights), atoms_(atoms), scratch_(scratch) {
    scratch_.view_score.resize(static_cast<std::size_t>(features.views()));
    scratch_.view_stamp.resize(static_cast<std::size_t>(features.views()));
  }

  void score(const SpinalParts& parts, bool second_order, SpinalScores& out) {
    const int groups = find_groups(parts);
    out.reset(parts, second_order, groups);
    score_spines(parts, out);
    score_boundaries(parts, out);
    score_arcs(parts, out);
    if (second_order) score_second(parts, out);
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  double joined_sum(AtomValue what) {
    scratch_.joined.clear();
    for (const FeatureKey key : scratch_.keys) scratch_.joined.push_back(with(key, what));
    return weights_.sum(scratch_.joined);
  }
  static AtomValue boundary_of(const Features& features, const SpinalArc& arc) {
    return features.boundary(arc.label, arc.h < arc.m ? Side::right : Side::left);
  }

  int find_groups(const SpinalParts& parts) {
    auto& groups = scratch_.groups;
    groups.clear();
    for (int a = 0; a < parts.arcs(); ++a) groups.push_back(boundary_of(features_, parts.arc(a)));
    std::ranges::sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return static_cast<int>(groups.size());
  }

  void score_spines(const SpinalParts& parts, SpinalScores& out) {
    for (int i = 1; i <= parts.words(); ++i) {
      features_.spine(atoms_, i, scratch_.keys);
      const auto& spines = parts.spines(i);
      for (std::size_t k = 0; k < spines.size(); ++k) {
        out.spine[at(parts.first_spine(i)) + k] =
            static_cast<float>(joined_sum(features_.chain(spines[k].id)));
      }
    }
  }

  void score_boundaries(const SpinalParts& parts, SpinalScores& out) {
    const auto& groups = scratch_.groups;
    for (int a = 0; a < parts.arcs(); ++a) {
      out.group[at(a)] = static_cast<int>(
          std::ranges::lower_bound(groups, boundary_of(features_, parts.arc(a))) - groups.begin());
    }
    const std::size_t width = at(parts.words()) + 1;
    for (int i = 1; i <= parts.words(); ++i) {
      features_.begin(atoms_, i, scratch_.keys);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        out.begin[g * width + at(i)] = static_cast<float>(joined_sum(groups[g]));
      }
      features_.end(atoms_, i, scratch_.keys);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        out.end[g * width + at(i)] = static_cast<float>(joined_sum(groups[g]));
      }
    }
  }

  // give(labelled arc, score) for every label of an arc, of the keys in the scratch.
  template <class Give>
  void score_labels(const SpinalParts& parts, int whole, Give&& give) {
    ++scratch_.stamp;
    const double alone = weights_.sum(scratch_.keys);
    const auto [first, last] = parts.labelled(whole);
    for (int a = first; a < last; ++a) {
      double sum = alone;
      for (const int view : features_.views(parts.arc(a).label)) {
        if (scratch_.view_stamp[at(view)] != scratch_.stamp) {
          scratch_.view_stamp[at(view)] = scratch_.stamp;
          scratch_.view_score[at(view)] = joined_sum(features_.view(view));
        }
        sum += scratch_.view_score[at(view)];
      }
      give(a, static_cast<float>(sum));
    }
  }

  void score_arcs(const SpinalParts& parts, SpinalScores& out) {
    parts.index().for_each(PartFamily::dep, [&](PartIndex::Id whole, const Part& part) {
      features_.part(atoms_, part, scratch_.keys);
      score_labels(parts, whole, [&](int a, float score) { out.dep[at(a)] = score; });
    });
  }

  void score_second(const SpinalParts& parts, SpinalScores& out) {
    const PartIndex& index = parts.index();
    index.for_each(PartFamily::sib, [&](PartIndex::Id id, const Part& part) {
      const int whole = index.find_arc(part.h, part.m);
      const int slot = id - index.sib(whole, 0);
      features_.part(atoms_, part, scratch_.keys);
      score_labels(parts, whole,
                   [&](int a, float score) { out.sib[at(parts.sib_row(a) + slot)] = score; });
    });
    index.for_each(PartFamily::grand, [&](PartIndex::Id id, const Part& part) {
      const int whole = index.find_arc(part.g, part.h);
      const int slot = id - index.grand(whole);
      const int inner = index.inner_slots(whole);
      features_.part(atoms_, part, scratch_.keys);
      score_labels(parts, whole, [&](int a, float score) {
        if (slot < inner) {
          out.inner[at(parts.inner_row(a) + slot)] = score;
        } else {
          out.outer[at(parts.outer_row(a) + slot - inner)] = score;
        }
      });
    });
  }

  const Features& features_;
  const Weights& weights_;
  const PositionAtoms& atoms_;
  ScorerScratch& scratch_;
};

}  // namespace copse::spinal
