#include "copse/inference/linear_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/inference/lane_kernels.h"

namespace copse {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
// log 6.75: the number of projective trees over n words grows like 6.75^n.
constexpr double kLogTreesPerWord = 1.9096;

// What the parts of one word can add at best, and how large that is in absolute value.
class Bound {
 public:
  Bound(const PartIndex& index, const PartScores& scores) : index_(index), scores_(scores) {}

  void add(PartIndex::Id first, int count) {
    const double most = lane_kernels().largest(scores_.values().data() + first, count);
    if (count == 0 || most == kMinusInfinity) return;  // never part of a tree: no bound needed
    total += most;
    absolute += std::abs(most);
  }
  void add_arc(int a) {
    const int slots = index_.sibling_slots(a);
    if (index_.has(PartFamily::sib)) add(index_.sib(a, 0), slots);
    if (index_.has(PartFamily::tsib)) add(index_.tsib(a, 0), 1 + slots * (slots - 1) / 2);
    if (index_.factorisation() == Factorisation::carreras) {
      add(index_.grand(a), index_.inner_slots(a));
      add(index_.outer_grand(a), index_.outer_slots(a));
    } else if (index_.has(PartFamily::grand) && index_.arc(a).h != 0) {
      const int lanes = index_.grandparents(a).size();
      add(index_.grand(a), lanes);
      if (index_.factorisation() == Factorisation::model2) add(index_.grand(a), lanes);
      if (index_.has(PartFamily::gsib)) add(index_.gsib(a, 0), slots * lanes);
    }
  }
  void add_stops(int h) {
    if (!index_.has(PartFamily::stop)) return;
    for (const Side side : {Side::left, Side::right})
      if (h != 0 || side == Side::right)
        add(index_.stop(h, side), 1 + index_.arcs_of(h, side).size());
  }

  double total = 0;
  double absolute = 0;

 private:
  const PartIndex& index_;
  const PartScores& scores_;
};

}  // namespace

void find_linear_scale(const PartIndex& index, const PartScores& scores,
                       std::span<const double> arc, LinearScale& scale) {
  const auto words = static_cast<std::size_t>(index.words());
  scale.gamma.assign(words + 1, kMinusInfinity);
  Bound root(index, scores);
  root.add_stops(0);
  double dangling = root.absolute;
  std::vector<double> stops(words + 1, 0.0);
  for (int h = 1; h <= index.words(); ++h) {
    Bound bound(index, scores);
    bound.add_stops(h);
    stops[static_cast<std::size_t>(h)] = bound.total;
    dangling = std::max(dangling, bound.absolute);
  }
  for (int a = 0; a < index.arcs(); ++a) {
    Bound bound(index, scores);
    bound.add_arc(a);
    dangling = std::max(dangling, bound.absolute);
    const auto m = static_cast<std::size_t>(index.arc(a).m);
    scale.gamma[m] =
        std::max(scale.gamma[m], arc[static_cast<std::size_t>(a)] + bound.total + stops[m]);
  }
  scale.gamma[0] = 0;
  scale.total = 0;
  for (double& gamma : scale.gamma) {
    if (gamma == kMinusInfinity) gamma = 0;  // a word without a head: there is no tree anyway
    scale.total += gamma;
  }
  scale.reach = kLogTreesPerWord * index.words() + 8 * dangling;
}

}  // namespace copse
