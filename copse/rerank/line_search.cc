#include "copse/rerank/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/base/random.h"

namespace copse {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What a choice over lists is worth, in sums that can be taken back exactly or nearly so.
struct Worth {
  double score = 0;
  StratumCounts counts;

  void add(const GradedNumbers& lists, std::size_t list, std::size_t candidate, int sign) {
    score += sign * lists.quality[list][candidate];
    if (lists.counts[list].empty()) return;
    const StratumCounts& more = lists.counts[list][candidate];
    counts.correct += sign * more.correct;
    counts.gold += sign * more.gold;
    counts.system += sign * more.system;
  }
  double figure(bool counted) const { return counted ? f1_of(counts) : score; }
};

// From `weight` on, `to` wins its list.
struct Change {
  double weight = 0;
  std::uint32_t list = 0, from = 0, to = 0;
};

// The winners of one list for rising weights: the first, and where they change.
class Envelope {
 public:
  std::uint32_t find(std::uint32_t list, std::span<const double> fixed,
                     std::span<const double> moving, std::span<const double> base,
                     std::vector<Change>& changes) {
    sort(fixed, moving, base);
    hull_.clear();
    for (const std::uint32_t j : order_) {
      if (!hull_.empty() && moving[hull_.back()] == moving[j]) continue;  // never above that one
      while (hull_.size() > 1 &&
             crossing(fixed, moving, hull_.back(), j) <=
                 crossing(fixed, moving, hull_[hull_.size() - 2], hull_.back())) {
        hull_.pop_back();
      }
      hull_.push_back(j);
    }
    for (std::size_t i = 1; i < hull_.size(); ++i) {
      changes.push_back(
          {crossing(fixed, moving, hull_[i - 1], hull_[i]), list, hull_[i - 1], hull_[i]});
    }
    return hull_.front();
  }

 private:
  // By rising slope; of parallel lines the upper first, of equal ones as ties are decided.
  void sort(std::span<const double> fixed, std::span<const double> moving,
            std::span<const double> base) {
    order_.resize(fixed.size());
    for (std::uint32_t j = 0; j < order_.size(); ++j) order_[j] = j;
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (moving[a] != moving[b]) return moving[a] < moving[b];
      if (fixed[a] != fixed[b]) return fixed[a] > fixed[b];
      return base[a] != base[b] ? base[a] > base[b] : a < b;
    });
  }
  static double crossing(std::span<const double> fixed, std::span<const double> moving,
                         std::uint32_t a, std::uint32_t b) {
    return (fixed[a] - fixed[b]) / (moving[b] - moving[a]);
  }

  std::vector<std::uint32_t> order_, hull_;
};

// A number inside an interval.
double middle(double from, double to) {
  if (from == -kInfinity && to == kInfinity) return 0;
  if (from == -kInfinity) return to - 1 - std::abs(to);
  if (to == kInfinity) return from + 1 + std::abs(from);
  return from + (to - from) / 2;
}

bool is_better(double figure, double width, const LineChoice& best, double best_width) {
  if (figure != best.figure) return figure > best.figure;
  if (std::isinf(width)) return false;
  return std::isinf(best_width) || width > best_width;
}

}  // namespace

LineChoice best_on_line(const GradedNumbers& lists, const ListScores& fixed,
                        const ListScores& moving, const ListPart& part) {
  std::vector<Change> changes;
  Worth worth;
  Envelope envelope;
  bool counted = false;
  for (std::size_t i = part.first; i < fixed.size(); i += part.step) {
    if (fixed[i].empty()) continue;
    counted = counted || !lists.counts[i].empty();
    const auto list = static_cast<std::uint32_t>(i);
    worth.add(lists, i, envelope.find(list, fixed[i], moving[i], lists.base[i], changes), 1);
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.list < b.list;
  });
  double from = -kInfinity, best_width = kInfinity;
  LineChoice best;
  for (std::size_t at = 0;;) {
    // NOLINTNEXTLINE(bugprone-narrowing-conversions): false alarm
    const double to = at == changes.size() ? kInfinity : changes[at].weight;
    const double figure = worth.figure(counted);
    if (from == -kInfinity || is_better(figure, to - from, best, best_width)) {
      best = {middle(from, to), figure};
      best_width = to - from;
    }
    if (at == changes.size()) break;
    for (; at < changes.size() && changes[at].weight == to; ++at) {
      worth.add(lists, changes[at].list, changes[at].from, -1);
      worth.add(lists, changes[at].list, changes[at].to, 1);
    }
    from = to;
  }
  return best;
}

ListScores mixed_scores(std::span<const ListScores> members, std::span<const double> weights) {
  ListScores sums(members.empty() ? 0 : members[0].size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].assign(members[0][i].size(), 0.0);
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (weights[m] == 0) continue;
      for (std::size_t j = 0; j < sums[i].size(); ++j) sums[i][j] += weights[m] * members[m][i][j];
    }
  }
  return sums;
}

namespace {

// Better and better from one start; returns the figure.
double climb(const GradedNumbers& lists, std::span<const ListScores> members, const ListPart& part,
             std::vector<double>& weights) {
  constexpr double kLeastGain = 1e-9;
  double figure = -kInfinity;
  for (bool better = true; better;) {
    better = false;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double before = weights[m];
      weights[m] = 0;
      const LineChoice choice =
          best_on_line(lists, mixed_scores(members, weights), members[m], part);
      weights[m] = choice.weight;
      if (choice.figure > figure + kLeastGain) {
        better = better || figure != -kInfinity || m + 1 < members.size();
        figure = choice.figure;
      } else {
        weights[m] = before;
      }
    }
  }
  return figure;
}

}  // namespace

std::vector<double> mixture_weights(const GradedNumbers& lists, std::span<const ListScores> members,
                                    const ListPart& part, const MixtureSearch& options) {
  std::vector<double> best(members.size(), 0.0);
  if (members.empty()) return best;
  std::vector<double> unit;
  for (const ListScores& member : members) {
    const double size = spread(member);
    unit.push_back(size > 0 ? 1 / size : 1);
  }
  Random random(options.seed);
  double top = -kInfinity;
  for (int start = 0; start <= options.starts; ++start) {
    std::vector<double> weights(members.size(), 0.0);
    weights[0] = unit[0];
    if (start > 0) {
      for (std::size_t m = 0; m < weights.size(); ++m) weights[m] = unit[m] * random.uniform();
    }
    const double figure = climb(lists, members, part, weights);
    if (figure <= top) continue;
    top = figure;
    best = weights;
  }
  return best;
}

}  // namespace copse
