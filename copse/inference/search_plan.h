// Which search a sentence can afford: sentences of any length get an answer, or a plain refusal,
// within the memory that the caller grants. What was given up is reported, never hidden.
//
// The steps down, each taken only if the one before does not fit the limits:
//   1. the factorisation asked for, under the mask as it is;
//   2. the same with at most `most_heads` heads per word, the best by first-order score, plus the
//      arcs of the best first-order tree, so that a tree remains;
//   3. the sibling factorisation, with either mask;  4. first order;  5. status too_long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "copse/inference/arc_mask.h"
#include "copse/inference/part.h"
#include "copse/inference/part_scores.h"
#include "copse/inference/projective_search.h"
#include "copse/inference/status.h"

namespace copse {

struct SearchLimits {
  // Longest sentence for which a fourth-power chart may run on a mask of more than most_heads.
  int longest_dense = 150;
  // Heads per word to keep when a mask has to be forced.
  int most_heads = 20;
  // Numbered parts: one float each going in, one more for marginals.
  std::int64_t most_parts = 50'000'000;
  // Scratch memory and scores together, in bytes, for the most expensive question (marginals).
  std::size_t most_bytes = std::size_t{1} << 30;
};

struct SearchPlan {
  SearchStatus status = SearchStatus::ok;  // ok, too_long, or what the first-order search said
  Factorisation requested = Factorisation::first;
  Factorisation used = Factorisation::first;
  bool heads_capped = false;
  ArcMask mask{0};  // to build the PartIndex from

  bool degraded() const { return used != requested || heads_capped; }
  // "model1 asked for, sibling used, at most 20 heads per word"; empty if nothing was given up.
  std::string report() const;
};

// What a search would cost, without building it.
struct SearchCost {
  std::int64_t parts = 0;
  std::int64_t items = 0;
  // Upper bound on scratch memory, scores and marginals together.
  std::int64_t bytes = 0;
};
SearchCost search_cost(const ArcMask& mask, Factorisation factorisation, RootRule rule);

// arc_score(h, m): how good an arc looks at first order; asked only if heads have to be capped.
// Deterministic. O(n^2) if nothing has to be given up.
template <class ArcScore>
SearchPlan plan_search(const ArcMask& mask, Factorisation wanted, RootRule rule,
                       const SearchLimits& limits, const ArcScore& arc_score, Workspace& workspace);

// The mask with at most `most` heads per word, the best by score (ties: the smaller head), and the
// arcs of the best first-order projective tree. scores: over PartIndex(mask, first, rule).
// Status as the first-order search says.
struct CappedMask {
  SearchStatus status = SearchStatus::ok;
  ArcMask mask{0};
};
CappedMask cap_heads(const ArcMask& mask, RootRule rule, const PartScores& scores, int most,
                     Workspace& workspace);

// One step of plan_search: does this search fit?
bool fits(const ArcMask& mask, Factorisation factorisation, RootRule rule,
          const SearchLimits& limits);

// The same for trees whose arcs may cross: the highest order, not above the one wanted, whose parts
// and automata fit. Heads are not capped.
SearchPlan plan_crossing_search(const ArcMask& mask, Factorisation wanted, RootRule rule,
                                const SearchLimits& limits);

template <class ArcScore>
SearchPlan plan_search(const ArcMask& mask, Factorisation wanted, RootRule rule,
                       const SearchLimits& limits, const ArcScore& arc_score,
                       Workspace& workspace) {
  SearchPlan plan;
  plan.requested = wanted;
  plan.used = wanted;
  plan.mask = mask;
  if (fits(mask, wanted, rule, limits)) return plan;
  if (!fits(mask, Factorisation::first, rule, limits)) {
    plan.used = Factorisation::first;
    plan.status = SearchStatus::too_long;
    return plan;
  }
  const PartIndex index(mask, Factorisation::first, rule);
  PartScores scores(index);
  for (int a = 0; a < index.arcs(); ++a)
    scores[index.dep(a)] = static_cast<float>(arc_score(index.arc(a).h, index.arc(a).m));
  CappedMask capped = cap_heads(mask, rule, scores, limits.most_heads, workspace);
  plan.status = capped.status;
  if (plan.status != SearchStatus::ok) return plan;
  for (const Factorisation order : {wanted, Factorisation::sibling, Factorisation::first}) {
    plan.used = order;
    if (order != wanted && fits(mask, order, rule, limits)) return plan;
    if (!fits(capped.mask, order, rule, limits)) continue;
    plan.mask = capped.mask;
    plan.heads_capped = true;
    return plan;
  }
  return plan;
}

}  // namespace copse
