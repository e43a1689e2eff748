// Scores of all surviving parts of a sentence, for weights that can add the rows of keys to scores by
// label: those of a trained model (frozen_weights.h) or those that are still learnt
// (training_weights.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/constituency/spinal/features.h"
#include "copse/inference/spinal_parts.h"
#include "copse/model/frozen_weights.h"
#include "copse/model/training_weights.h"

namespace copse::spinal {

// Memory of one thread.
struct ScorerScratch {
  Features::Keys keys;
  std::vector<float> sums;  // [label]; what nobody asks for is left as it is
  std::vector<TrainingWeights::Row> rows;
  std::vector<Label> groups;
};

inline void add_rows(const FrozenWeights& weights, ScorerScratch& scratch) {
  weights.add_all_to(scratch.keys, scratch.sums);
}
inline void add_rows(const TrainingWeights& weights, ScorerScratch& scratch) {
  weights.find_all(scratch.keys, scratch.rows);
  weights.add_all_to(scratch.rows, scratch.sums);
}

template <class Weights>
class Scorer {
 public:
  Scorer(const Features& features, const Weights& weights, const PositionAtoms& atoms,
         ScorerScratch& scratch)
      : features_(features), weights_(weights), atoms_(atoms), scratch_(scratch) {
    scratch_.sums.resize(features.labels());
  }

  void score(const SpinalParts& parts, bool second_order, SpinalScores& out) {
    const int groups = find_groups(parts);
    out.reset(parts, second_order, groups);
    score_spines(parts, out);
    score_boundaries(parts, out);
    score_arcs(parts, out);
    if (!second_order) return;
    score_second(parts, out);
    score_edges(parts, out);
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  static Label boundary_of(const Features& features, const SpinalArc& arc) {
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
      for (const SpinalSpine& each : spines) scratch_.sums[features_.chain(each.id)] = 0;
      add_rows(weights_, scratch_);
      for (std::size_t k = 0; k < spines.size(); ++k) {
        out.spine[at(parts.first_spine(i)) + k] = scratch_.sums[features_.chain(spines[k].id)];
      }
    }
  }

  void score_boundaries(const SpinalParts& parts, SpinalScores& out) {
    const auto& groups = scratch_.groups;
    for (int a = 0; a < parts.arcs(); ++a) {
      out.group[at(a)] = static_cast<int>(
          std::ranges::lower_bound(groups, boundary_of(features_, parts.arc(a))) - groups.begin());
    }
    for (int i = 1; i <= parts.words(); ++i) {
      features_.begin(atoms_, i, scratch_.keys);
      score_groups(i, parts.words(), out.begin);
      features_.end(atoms_, i, scratch_.keys);
      score_groups(i, parts.words(), out.end);
    }
  }
  void score_groups(int word, int words, std::vector<float>& out) {
    for (const Label group : scratch_.groups) scratch_.sums[group] = 0;
    add_rows(weights_, scratch_);
    std::size_t to = at(word);
    for (const Label group : scratch_.groups) {
      out[to] = scratch_.sums[group];
      to += at(words) + 1;
    }
  }

  // give(labelled arc, score) for every label of an arc, of the keys in the scratch.
  template <class Give>
  void score_labels(const SpinalParts& parts, int whole, Give&& give) {
    const auto [first, last] = parts.labelled(whole);
    auto& sums = scratch_.sums;
    sums[Features::kNothing] = 0;
    for (int a = first; a < last; ++a) {
      for (const Label view : features_.views(parts.arc(a).label)) sums[view] = 0;
    }
    add_rows(weights_, scratch_);
    for (int a = first; a < last; ++a) {
      float sum = sums[Features::kNothing];
      for (const Label view : features_.views(parts.arc(a).label)) sum += sums[view];
      give(a, sum);
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

  // Up to everywhere that a half of a word can reach.
  void score_edges(const SpinalParts& parts, SpinalScores& out) {
    const PartIndex& index = parts.index();
    for (int h = 1; h <= parts.words(); ++h) {
      if (parts.spines(h).empty()) continue;
      for (const Side side : {Side::left, Side::right}) {
        const int end = side == Side::left ? 0 : parts.words() + 1;
        for (int e = h; e != end; e += side == Side::left ? -1 : 1) {
          if (e == h || index.arcs_within(h, e) > 0) score_edge(parts, h, side, e, out);
        }
      }
    }
  }
  void score_edge(const SpinalParts& parts, int h, Side side, int e, SpinalScores& out) {
    features_.edge(atoms_, h, e, scratch_.keys);
    const auto& spines = parts.spines(h);
    for (const SpinalSpine& spine : spines) {
      for (int p = 1; p <= spine.height(); ++p) {
        scratch_.sums[features_.edge(spine.nodes[at(p)], side)] = 0;
      }
    }
    add_rows(weights_, scratch_);
    float* to = out.edges.data() + SpinalScores::edge_sums(parts, h, side, e);
    for (const SpinalSpine& spine : spines) {
      float sum = *to++ = 0;
      for (int p = 1; p <= spine.height(); ++p) {
        *to++ = sum += scratch_.sums[features_.edge(spine.nodes[at(p)], side)];
      }
    }
  }

  const Features& features_;
  const Weights& weights_;
  const PositionAtoms& atoms_;
  ScorerScratch& scratch_;
};

}  // namespace copse::spinal
