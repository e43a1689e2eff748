#include "copse/inference/search_plan.h"

#include <algorithm>
#include <vector>

namespace copse {
namespace {

bool fourth_power(Factorisation f) {
  return f != Factorisation::first && f != Factorisation::sibling;
}

}  // namespace

std::string SearchPlan::report() const {
  if (status == SearchStatus::too_long)
    return std::string(name(requested)) + " asked for, too long even for first order";
  if (!degraded()) return {};
  std::string text = std::string(name(requested)) + " asked for, " + name(used) + " used";
  if (heads_capped) text += ", heads per word capped";
  return text;
}

SearchCost search_cost(const ArcMask& mask, Factorisation factorisation, RootRule rule) {
  const int n = mask.words();
  std::vector<std::int64_t> heads(static_cast<std::size_t>(n) + 1, 1);  // the root: "no head"
  for (int m = 1; m <= n; ++m)
    heads[static_cast<std::size_t>(m)] = static_cast<std::int64_t>(mask.heads(m).size());
  SearchCost cost;
  const std::int64_t square = (std::int64_t{n} + 1) * (n + 1);
  std::int64_t third = 0;  // parts of the third order
  std::int64_t pairs = 0;
  for (int h = 0; h <= n; ++h)
    for (const Side side : {Side::left, Side::right}) {
      const std::int64_t lanes = heads[static_cast<std::size_t>(h)];
      std::int64_t position = 0;
      const int step = side == Side::right ? 1 : -1;
      for (int m = h + step; m >= 1 && m <= n; m += step) {
        if (!mask.allowed(h, m)) continue;
        ++position;
        const std::int64_t slots = rule == RootRule::single && h == 0 ? 1 : position;
        cost.parts += 1;
        if (has_family(factorisation, PartFamily::stop)) cost.parts += 1;
        if (has_family(factorisation, PartFamily::sib)) cost.parts += slots;
        if (factorisation == Factorisation::carreras) {
          cost.parts += 2 * std::int64_t{n} + 2;
          cost.items += 2 * std::int64_t{n} + 1;
        } else if (has_family(factorisation, PartFamily::grand) && h != 0) {
          cost.parts += lanes;
        }
        if (has_family(factorisation, PartFamily::gsib) && h != 0) third += slots * lanes;
        if (has_family(factorisation, PartFamily::tsib)) third += 1 + slots * (slots - 1) / 2;
        if (has_family(factorisation, PartFamily::gsib)) pairs += slots;
        if (factorisation == Factorisation::model2) cost.items += slots;
        if (factorisation != Factorisation::carreras) cost.items += lanes;
      }
      if (factorisation == Factorisation::carreras)
        cost.items += std::max<std::int64_t>(1, position) * (n + 1);
      else if (fourth_power(factorisation))
        cost.items += lanes * (n + 1);
    }
  cost.parts += third;
  cost.items += pairs;
  if (!fourth_power(factorisation)) cost.items = 7 * square + n + 1;
  // Scores; inside, outside and best values; weights and marginals; tables of the layout.
  cost.bytes = cost.parts * 4 + cost.items * (8 + 8 + 4) + (cost.parts - third) * 16 + third * 4 +
               square * 24 + pairs * 4;
  return cost;
}

bool fits(const ArcMask& mask, Factorisation factorisation, RootRule rule,
          const SearchLimits& limits) {
  if (fourth_power(factorisation) && mask.words() > limits.longest_dense)
    for (int m = 1; m <= mask.words(); ++m) {
      // The arcs of one whole tree may come on top of the cap.
      if (static_cast<int>(mask.heads(m).size()) > limits.most_heads + 1) return false;
    }
  const SearchCost cost = search_cost(mask, factorisation, rule);
  return cost.parts <= limits.most_parts && cost.items < (std::int64_t{1} << 31) &&
         cost.bytes <= static_cast<std::int64_t>(limits.most_bytes);
}

namespace {

// Parts of all families where arcs may cross, and of those the transitions of automata by lane.
std::int64_t crossing_parts(const ArcMask& mask, Factorisation factorisation) {
  const int n = mask.words();
  std::int64_t parts = 0;
  for (int h = 0; h <= n; ++h) {
    const std::int64_t lanes = h == 0 ? 1 : static_cast<std::int64_t>(mask.heads(h).size());
    for (const int step : {-1, 1}) {
      std::int64_t slots = 0;
      for (int m = h + step; m >= 1 && m <= n; m += step) {
        if (!mask.allowed(h, m)) continue;
        ++slots;
        parts += 2;  // dep, stop
        if (has_family(factorisation, PartFamily::sib)) parts += slots;
        if (has_family(factorisation, PartFamily::grand)) parts += lanes;
        if (has_family(factorisation, PartFamily::gsib)) parts += slots * lanes;
        // States of two modifiers have a transition for each lane.
        if (has_family(factorisation, PartFamily::tsib)) parts += slots * slots / 2 * lanes;
      }
    }
  }
  return parts;
}

}  // namespace

SearchPlan plan_crossing_search(const ArcMask& mask, Factorisation wanted, RootRule /*rule*/,
                                const SearchLimits& limits) {
  SearchPlan plan;
  plan.requested = wanted;
  plan.mask = mask;
  for (const Factorisation order : {wanted, Factorisation::sibling, Factorisation::first}) {
    plan.used = order;
    // Scores in float, transitions and charts in double.
    const std::int64_t parts = crossing_parts(mask, order);
    const bool fits =
        parts <= limits.most_parts && parts * 20 <= static_cast<std::int64_t>(limits.most_bytes);
    if (fits || order == Factorisation::first) return plan;
  }
  return plan;
}

CappedMask cap_heads(const ArcMask& mask, RootRule rule, const PartScores& scores, int most,
                     Workspace& workspace) {
  const PartIndex index(mask, Factorisation::first, rule);
  const BestTree tree = ProjectiveSearch(index).best(scores, workspace);
  CappedMask capped{tree.status, ArcMask::none(mask.words())};
  if (tree.status != SearchStatus::ok) return capped;
  for (int m = 1; m <= mask.words(); ++m) {
    std::vector<int> heads = mask.heads(m);
    const auto kept = std::min(heads.size(), static_cast<std::size_t>(std::max(most, 0)));
    std::stable_sort(heads.begin(), heads.end(), [&](int x, int y) {
      return scores[index.dep(index.find_arc(x, m))] > scores[index.dep(index.find_arc(y, m))];
    });
    for (std::size_t k = 0; k < kept; ++k) capped.mask.allow(heads[k], m);
    capped.mask.allow(tree.tree.heads[static_cast<std::size_t>(m)], m);
  }
  return capped;
}

}  // namespace copse
