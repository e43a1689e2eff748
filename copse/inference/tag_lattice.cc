#include "copse/inference/tag_lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse {
namespace {

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

// What must be known of the past: the last tag, or for order 2 the last two, (p, c) being number
// p * width + c.
std::size_t state_count(const TagLattice& lattice, int i) {
  return at(lattice.order() == 2 ? lattice.states(i) : lattice.width(i));
}

// Where the states of every position begin in one flat array: offsets[i + 1] for position i. The
// first entry of the array is the one state before the sequence; offsets.back() is its size.
void lay_out_states(const TagLattice& lattice, std::vector<std::size_t>& offsets) {
  offsets.assign({0, 1});
  for (int i = 0; i < lattice.size(); ++i) {
    offsets.push_back(offsets.back() + state_count(lattice, i));
  }
}

// Calls visit(before, state, score) for every step from a state of position i - 1 into a state of
// position i, with the scores that the step adds. The steps into a state come with ascending
// `before`. A step is part number before * width + c of the pairs (order 1) or triples (order 2).
template <class Visit>
void for_each_step(const TagLattice& lattice, int i, Visit visit) {
  const std::size_t width = at(lattice.width(i));
  const std::size_t previous = at(lattice.width(i - 1));
  const float* const unary = lattice.unary(i).data();
  const float* const pair = lattice.pair(i).data();
  if (lattice.order() == 1) {
    for (std::size_t p = 0; p < previous; ++p) {
      for (std::size_t c = 0; c < width; ++c) {
        visit(p, c, static_cast<double>(unary[c]) + pair[p * width + c]);
      }
    }
    return;
  }
  const float* const triple = lattice.triple(i).data();
  const std::size_t outer = at(lattice.width(i - 2));
  for (std::size_t p = 0; p < previous; ++p) {
    for (std::size_t g = 0; g < outer; ++g) {
      const std::size_t before = g * previous + p;
      for (std::size_t c = 0; c < width; ++c) {
        const std::size_t state = p * width + c;
        visit(before, state,
              static_cast<double>(unary[c]) + pair[state] + triple[before * width + c]);
      }
    }
  }
}

// Calls visit(state) for the states of the last position, in the order of ties: by the last tag,
// then by the one before it. Needs a lattice that is not empty.
template <class Visit>
void for_each_end(const TagLattice& lattice, Visit visit) {
  const std::size_t width = at(lattice.width(lattice.size() - 1));
  const std::size_t states = state_count(lattice, lattice.size() - 1);
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t state = c; state < states; state += width) visit(state);
  }
}

// Forward sums: log of the sum over all beginnings that end in each state.
void run_forward(const TagLattice& lattice, LatticeWorkspace& scratch) {
  lay_out_states(lattice, scratch.offsets);
  const auto& offsets = scratch.offsets;
  auto& forward = scratch.forward;
  forward.assign(offsets.back(), kLogZero);
  forward[0] = 0;
  std::vector<LogSum> sums;
  for (int i = 0; i < lattice.size(); ++i) {
    sums.assign(state_count(lattice, i), {});
    const double* const earlier = forward.data() + offsets[at(i)];
    for_each_step(lattice, i, [&](std::size_t before, std::size_t state, double step) {
      sums[state].add(earlier[before] + step);
    });
    double* const here = forward.data() + offsets[at(i) + 1];
    for (std::size_t s = 0; s < sums.size(); ++s) here[s] = sums[s].value();
  }
}

// Backward sums: the same over all ends that begin in each state, the state itself left out.
void run_backward(const TagLattice& lattice, LatticeWorkspace& scratch) {
  const auto& offsets = scratch.offsets;
  auto& backward = scratch.backward;
  backward.assign(offsets.back(), 0.0);
  std::vector<LogSum> sums;
  for (int i = lattice.size() - 1; i > 0; --i) {
    sums.assign(state_count(lattice, i - 1), {});
    const double* const later = backward.data() + offsets[at(i) + 1];
    for_each_step(lattice, i, [&](std::size_t before, std::size_t state, double step) {
      sums[before].add(step + later[state]);
    });
    double* const here = backward.data() + offsets[at(i)];
    for (std::size_t s = 0; s < sums.size(); ++s) here[s] = sums[s].value();
  }
}

double total(const TagLattice& lattice, const LatticeWorkspace& scratch) {
  LogSum sum;
  for (std::size_t s = scratch.offsets[at(lattice.size())]; s < scratch.offsets.back(); ++s) {
    sum.add(scratch.forward[s]);
  }
  return sum.value();
}

// One of the k best beginnings that end in a state: its score, the state before and the rank there.
struct Beginning {
  double score;
  std::size_t before;
  std::size_t rank;

  // Better first.
  bool operator<(const Beginning& other) const {
    if (score != other.score) return score > other.score;
    return before != other.before ? before < other.before : rank < other.rank;
  }
};
using Beginnings = std::vector<Beginning>;

void keep_best(Beginnings& all, std::size_t k) {
  const std::size_t kept = std::min(all.size(), k);
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
  all.resize(kept);
}

void extend(const Beginnings& earlier, std::size_t before, double step, Beginnings& here) {
  if (step == kLogZero) return;
  for (std::size_t rank = 0; rank < earlier.size(); ++rank) {
    here.push_back({earlier[rank].score + step, before, rank});
  }
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
    const std::size_t state = at(p) * at(width(i)) + at(c);
    sum += static_cast<double>(unary(i)[at(c)]) + pair(i)[state];
    if (order_ == 2) sum += triple(i)[at(g) * at(states(i)) + state];
  }
  return sum;
}

void TagLattice::scale(float factor) {
  for (float& score : scores_) score *= factor;
}

void TagLattice::normalise_locally() {
  for (int i = 0; i < size(); ++i) {
    const auto last = order_ == 2 ? triple(i) : pair(i);
    for (std::size_t row = 0; row < last.size(); row += at(width(i))) {
      LogSum sum;
      for (std::size_t c = 0; c < at(width(i)); ++c) {
        last[row + c] += unary(i)[c];
        if (order_ == 2) last[row + c] += pair(i)[row % at(states(i)) + c];
        sum.add(last[row + c]);
      }
      const auto total_score = static_cast<float>(sum.value());
      for (std::size_t c = 0; c < at(width(i)); ++c) last[row + c] -= total_score;
    }
    std::ranges::fill(unary(i), 0.0F);
    if (order_ == 2) std::ranges::fill(pair(i), 0.0F);
  }
}

Scored<TagSequence> best_tags(const TagLattice& lattice, LatticeWorkspace& scratch) {
  const int n = lattice.size();
  if (n == 0) return {};
  lay_out_states(lattice, scratch.offsets);
  const auto& offsets = scratch.offsets;
  scratch.best.assign(offsets.back(), kLogZero);
  scratch.back.assign(offsets.back(), 0);
  scratch.best[0] = 0;
  for (int i = 0; i < n; ++i) {
    const double* const earlier = scratch.best.data() + offsets[at(i)];
    double* const best = scratch.best.data() + offsets[at(i) + 1];
    std::uint32_t* const back = scratch.back.data() + offsets[at(i) + 1];
    for_each_step(lattice, i, [=](std::size_t before, std::size_t state, double step) {
      const double score = earlier[before] + step;
      if (score > best[state]) {
        best[state] = score;
        back[state] = static_cast<std::uint32_t>(before);
      }
    });
  }
  Scored<TagSequence> result{TagSequence(at(n)), kLogZero};
  std::size_t state = 0;
  for_each_end(lattice, [&](std::size_t end) {
    const double score = scratch.best[offsets[at(n)] + end];
    if (score > result.score) {
      result.score = score;
      state = end;
    }
  });
  for (int i = n - 1; i >= 0; --i) {
    result.item[at(i)] = static_cast<int>(state % at(lattice.width(i)));
    state = scratch.back[offsets[at(i) + 1] + state];
  }
  return result;
}

std::vector<Scored<TagSequence>> k_best_tags(const TagLattice& lattice, int k) {
  const int n = lattice.size();
  if (k <= 0) return {};
  std::vector<std::vector<Beginnings>> table(at(n) + 1);  // by position, from before the first on
  table[0] = {{{0, 0, 0}}};
  for (int i = 0; i < n; ++i) {
    const auto& earlier = table[at(i)];
    auto& here = table[at(i) + 1];
    here.resize(state_count(lattice, i));
    for_each_step(lattice, i, [&](std::size_t before, std::size_t state, double step) {
      extend(earlier[before], before, step, here[state]);
    });
    for (Beginnings& beginnings : here) keep_best(beginnings, at(k));
  }
  if (n == 0) return {{}};
  std::vector<std::size_t> states;  // in the order of ties
  Beginnings ends;                  // `before` counts in that order
  for_each_end(lattice, [&](std::size_t state) {
    extend(table.back()[state], states.size(), 0, ends);
    states.push_back(state);
  });
  keep_best(ends, at(k));
  std::vector<Scored<TagSequence>> result;
  for (const Beginning& end : ends) {
    Scored<TagSequence> sequence{TagSequence(at(n)), end.score};
    std::size_t state = states[end.before];
    std::size_t rank = end.rank;
    for (int i = n - 1; i >= 0; --i) {
      sequence.item[at(i)] = static_cast<int>(state % at(lattice.width(i)));
      const Beginning& step = table[at(i) + 1][state][rank];
      state = step.before;
      rank = step.rank;
    }
    result.push_back(std::move(sequence));
  }
  return result;
}

double log_sum_tags(const TagLattice& lattice, LatticeWorkspace& scratch) {
  run_forward(lattice, scratch);
  return total(lattice, scratch);
}

TagMarginals tag_marginals(const TagLattice& lattice, LatticeWorkspace& scratch) {
  run_forward(lattice, scratch);
  run_backward(lattice, scratch);
  const bool second = lattice.order() == 2;
  TagMarginals result;
  result.log_sum = total(lattice, scratch);
  result.unary.resize(at(lattice.size()));
  result.pair.resize(at(lattice.size()));
  result.triple.resize(second ? at(lattice.size()) : 0);
  for (int i = 0; i < lattice.size(); ++i) {
    const std::size_t width = at(lattice.width(i));
    auto& unary = result.unary[at(i)];
    auto& pair = result.pair[at(i)];
    unary.assign(width, 0.0);
    pair.assign(lattice.pair(i).size(), 0.0);
    if (second) result.triple[at(i)].assign(lattice.triple(i).size(), 0.0);
    if (result.log_sum == kLogZero) continue;
    const double* const earlier = scratch.forward.data() + scratch.offsets[at(i)];
    const double* const later = scratch.backward.data() + scratch.offsets[at(i) + 1];
    auto& steps = second ? result.triple[at(i)] : pair;
    for_each_step(lattice, i, [&](std::size_t before, std::size_t state, double step) {
      const double p = std::exp(earlier[before] + step + later[state] - result.log_sum);
      const std::size_t c = state % width;
      unary[c] += p;
      steps[before * width + c] += p;
      if (second) pair[state] += p;
    });
  }
  return result;
}

}  // namespace copse
