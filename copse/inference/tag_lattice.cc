#include "copse/inference/tag_lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

constexpr double kLogZero = -std::numeric_limits<double>::infinity();

// log(sum of exp) with the largest taken out.
class LogSum {
 public:
  void add(double value) {
    if (value == kLogZero) return;
    if (value > largest_) {
      sum_ = sum_ * std::exp(largest_ - value) + 1;
      largest_ = value;
    } else {
      sum_ += std::exp(value - largest_);
    }
  }
  double value() const { return sum_ == 0 ? kLogZero : largest_ + std::log(sum_); }

 private:
  double largest_ = kLogZero;
  double sum_ = 0;
};

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// Where the states of every position begin in one flat array; the last entry is its size.
std::vector<std::size_t> state_offsets(const TagLattice& lattice) {
  std::vector<std::size_t> offsets{0};
  for (int i = 0; i < lattice.size(); ++i) {
    offsets.push_back(offsets.back() + at(lattice.states(i)));
  }
  return offsets;
}

// Calls visit(state, before, score) for every step into a state (p, c) of position i from a state
// (g, p) of the position before, with the scores that the step adds.
template <class Visit>
void for_each_step(const TagLattice& lattice, int i, Visit visit) {
  const int width = lattice.width(i);
  const int previous = lattice.width(i - 1);
  const int outer = lattice.width(i - 2);
  const auto unary = lattice.unary(i);
  const auto pair = lattice.pair(i);
  const auto triple = lattice.triple(i);
  const bool second = lattice.order() == 2;
  for (int p = 0; p < previous; ++p) {
    for (int c = 0; c < width; ++c) {
      const int state = p * width + c;
      const float local = unary[at(c)] + pair[at(state)];
      for (int g = 0; g < outer; ++g) {
        const float step = second ? local + triple[at(g * previous * width + state)] : local;
        visit(state, g * previous + p, step);
      }
    }
  }
}

// Forward sums: log of the sum over all beginnings that end in each state.
std::vector<std::size_t> run_forward(const TagLattice& lattice, std::vector<double>& forward) {
  const auto offsets = state_offsets(lattice);
  forward.assign(offsets.back(), kLogZero);
  std::vector<LogSum> sums;
  for (int i = 0; i < lattice.size(); ++i) {
    sums.assign(at(lattice.states(i)), {});
    for_each_step(lattice, i, [&](int state, int before, float step) {
      const double start = i == 0 ? 0 : forward[offsets[at(i - 1)] + at(before)];
      sums[at(state)].add(start + step);
    });
    for (std::size_t s = 0; s < sums.size(); ++s) forward[offsets[at(i)] + s] = sums[s].value();
  }
  return offsets;
}

// Backward sums: the same over all ends that begin in each state, the state itself left out.
void run_backward(const TagLattice& lattice, const std::vector<std::size_t>& offsets,
                  std::vector<double>& backward) {
  backward.assign(offsets.back(), 0.0);
  std::vector<LogSum> sums;
  for (int i = lattice.size() - 1; i > 0; --i) {
    sums.assign(at(lattice.states(i - 1)), {});
    for_each_step(lattice, i, [&](int state, int before, float step) {
      sums[at(before)].add(step + backward[offsets[at(i)] + at(state)]);
    });
    for (std::size_t s = 0; s < sums.size(); ++s) {
      backward[offsets[at(i - 1)] + s] = sums[s].value();
    }
  }
}

double total(const TagLattice& lattice, const std::vector<std::size_t>& offsets,
             const std::vector<double>& forward) {
  if (lattice.size() == 0) return 0;
  LogSum sum;
  for (std::size_t s = offsets[at(lattice.size() - 1)]; s < offsets.back(); ++s) {
    sum.add(forward[s]);
  }
  return sum.value();
}

}  // namespace

void TagLattice::reset(std::span<const int> widths, int order) {
  order_ = order;
  places_.resize(widths.size());
  std::size_t used = 0;
  const auto take = [&used](std::size_t size) {
    const std::size_t begin = used;
    used += size;
    return begin;
  };
  for (int i = 0; i < static_cast<int>(widths.size()); ++i) {
    Place& place = places_[at(i)];
    place.width = widths[at(i)];
    place.unary = take(at(place.width));
    place.pair = take(at(states(i)));
    place.triple = order == 2 ? take(at(states(i)) * at(width(i - 2))) : used;
  }
  scores_.assign(used, 0.0F);
}

double TagLattice::score(std::span<const int> tags) const {
  double sum = 0;
  for (int i = 0; i < size(); ++i) {
    const int c = tags[at(i)];
    const int p = i >= 1 ? tags[at(i - 1)] : 0;
    const int g = i >= 2 ? tags[at(i - 2)] : 0;
    const int state = p * width(i) + c;
    sum += static_cast<double>(unary(i)[at(c)]) + pair(i)[at(state)];
    if (order_ == 2) sum += triple(i)[at(g * states(i) + state)];
  }
  return sum;
}

void TagLattice::scale(float factor) {
  for (float& score : scores_) score *= factor;
}

Scored<TagSequence> best_tags(const TagLattice& lattice, LatticeWorkspace& scratch) {
  const int n = lattice.size();
  if (n == 0) return {};
  std::size_t total_states = 0;
  for (int i = 0; i < n; ++i) total_states += at(lattice.states(i));
  scratch.best.assign(total_states, kForbidden);
  scratch.back.assign(total_states, 0);
  std::size_t begin = 0;
  std::size_t before_begin = 0;
  for (int i = 0; i < n; ++i) {
    float* const best = scratch.best.data() + begin;
    int* const back = scratch.back.data() + begin;
    const float* const before_best = scratch.best.data() + before_begin;
    for_each_step(lattice, i, [&](int state, int before, float step) {
      const float score = i == 0 ? step : before_best[before] + step;
      if (score > best[state]) {
        best[state] = score;
        back[state] = before;
      }
    });
    before_begin = begin;
    begin += at(lattice.states(i));
  }
  const auto last = scratch.best.begin() + static_cast<std::ptrdiff_t>(before_begin);
  const auto end = std::max_element(last, scratch.best.end());
  Scored<TagSequence> result;
  result.score = *end;
  result.item.resize(at(n));
  int state = static_cast<int>(end - last);
  std::size_t states_begin = before_begin;
  for (int i = n - 1; i >= 0; --i) {
    result.item[at(i)] = state % lattice.width(i);
    state = scratch.back[states_begin + at(state)];
    if (i > 0) states_begin -= at(lattice.states(i - 1));
  }
  return result;
}

std::vector<Scored<TagSequence>> k_best_tags(const TagLattice& lattice, int k) {
  const int n = lattice.size();
  if (k <= 0) return {};
  if (n == 0) return {{}};
  // Every state keeps its k best beginnings: the score, the state before and the rank there.
  struct Beginning {
    double score;
    int before;
    int rank;
  };
  const auto better = [](const Beginning& a, const Beginning& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.before != b.before ? a.before < b.before : a.rank < b.rank;
  };
  const auto keep_best = [&](std::vector<Beginning>& all) {
    const auto kept = std::min(all.size(), at(k));
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                      better);
    all.resize(kept);
  };
  std::vector<std::vector<std::vector<Beginning>>> table(at(n));
  for (int i = 0; i < n; ++i) {
    auto& here = table[at(i)];
    here.resize(at(lattice.states(i)));
    for_each_step(lattice, i, [&](int state, int before, float step) {
      if (step == kForbidden) return;
      if (i == 0) {
        here[at(state)].push_back({step, 0, 0});
        return;
      }
      const auto& earlier = table[at(i - 1)][at(before)];
      for (int rank = 0; rank < static_cast<int>(earlier.size()); ++rank) {
        here[at(state)].push_back({earlier[at(rank)].score + step, before, rank});
      }
    });
    for (auto& beginnings : here) keep_best(beginnings);
  }
  std::vector<Beginning> ends;
  for (int state = 0; state < lattice.states(n - 1); ++state) {
    const auto& beginnings = table.back()[at(state)];
    for (int rank = 0; rank < static_cast<int>(beginnings.size()); ++rank) {
      ends.push_back({beginnings[at(rank)].score, state, rank});
    }
  }
  keep_best(ends);
  std::vector<Scored<TagSequence>> result;
  for (const Beginning& end : ends) {
    Scored<TagSequence> sequence;
    sequence.score = end.score;
    sequence.item.resize(at(n));
    int state = end.before;
    int rank = end.rank;
    for (int i = n - 1; i >= 0; --i) {
      sequence.item[at(i)] = state % lattice.width(i);
      const Beginning& step = table[at(i)][at(state)][at(rank)];
      state = step.before;
      rank = step.rank;
    }
    result.push_back(std::move(sequence));
  }
  return result;
}

double log_sum_tags(const TagLattice& lattice, LatticeWorkspace& scratch) {
  const auto offsets = run_forward(lattice, scratch.forward);
  return total(lattice, offsets, scratch.forward);
}

TagMarginals tag_marginals(const TagLattice& lattice, LatticeWorkspace& scratch) {
  const auto offsets = run_forward(lattice, scratch.forward);
  run_backward(lattice, offsets, scratch.backward);
  TagMarginals result;
  result.log_sum = total(lattice, offsets, scratch.forward);
  result.unary.resize(at(lattice.size()));
  result.pair.resize(at(lattice.size()));
  result.triple.resize(lattice.order() == 2 ? at(lattice.size()) : 0);
  for (int i = 0; i < lattice.size(); ++i) {
    auto& unary = result.unary[at(i)];
    auto& pair = result.pair[at(i)];
    unary.assign(at(lattice.width(i)), 0.0);
    pair.assign(at(lattice.states(i)), 0.0);
    if (lattice.order() == 2) result.triple[at(i)].assign(lattice.triple(i).size(), 0.0);
    for_each_step(lattice, i, [&](int state, int before, float step) {
      const double start = i == 0 ? 0 : scratch.forward[offsets[at(i - 1)] + at(before)];
      const double end = scratch.backward[offsets[at(i)] + at(state)];
      const double probability = std::exp(start + step + end - result.log_sum);
      unary[at(state % lattice.width(i))] += probability;
      pair[at(state)] += probability;
      if (lattice.order() == 2) {
        const int outer = before / lattice.width(i - 1);
        result.triple[at(i)][at(outer * lattice.states(i) + state)] += probability;
      }
    });
  }
  return result;
}

}  // namespace copse
