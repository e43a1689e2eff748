#include "copse/inference/tag_lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "copse/base/error.h"

namespace copse {
namespace {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostScores = std::size_t{1} << 28;  // a gibibyte

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

  // Better last, as heaps want it.
  bool operator<(const Beginning& other) const {
    if (score != other.score) return score < other.score;
    return before != other.before ? before > other.before : rank > other.rank;
  }
};

// The beginnings that end in a state, best first, found one by one when they are asked for: `next`
// is a heap with the best one not yet found by way of each state before (Huang & Chiang 2005,
// algorithm 3). What comes after the one found last is put into it when it is needed.
struct Beginnings {
  std::vector<Beginning> found, next;
  bool is_due = false;

  bool may_have_more() const { return is_due || !next.empty(); }
  void offer(const Beginning& beginning) {
    next.push_back(beginning);
    std::push_heap(next.begin(), next.end());
  }
  void take() {
    if (next.empty()) return;
    std::pop_heap(next.begin(), next.end());
    found.push_back(next.back());
    next.pop_back();
    is_due = true;
  }
};

// The best sequences, one after the other. Each costs one step at every position at most, so that k
// of them take O(k n) memory and O(k n log K) time after the O(n K^3) of the first.
class SequenceLists {
 public:
  explicit SequenceLists(const TagLattice& lattice)
      : lattice_(lattice), table_(at(lattice.size()) + 2) {
    const int n = lattice.size();
    table_[0].resize(1);
    table_[0][0].found.push_back({0, 0, 0});
    for (int i = 0; i < n; ++i) {
      auto& here = table_[at(i) + 1];
      here.resize(state_count(lattice, i));
      for_each_step(lattice, i, [&](std::size_t before, std::size_t state, double step) {
        const auto& earlier = table_[at(i)][before].found;
        if (step == kLogZero || earlier.empty()) return;
        here[state].next.push_back({earlier[0].score + step, before, 0});
      });
      for (Beginnings& state : here) begin(state);
    }
    for_each_end(lattice, [&](std::size_t state) { ends_.push_back(state); });
    auto& last = table_.back();
    last.resize(1);
    for (std::size_t e = 0; e < ends_.size(); ++e) {
      const auto& earlier = table_[at(n)][ends_[e]].found;
      if (!earlier.empty()) last[0].next.push_back({earlier[0].score, e, 0});
    }
    begin(last[0]);
  }

  // The sequence of a rank; nothing if there are fewer. Ranks are asked for in order.
  std::optional<Scored<TagSequence>> sequence(std::size_t rank) {
    const int n = lattice_.size();
    auto& last = table_.back()[0];
    if (last.found.size() == rank) grow();
    if (last.found.size() <= rank) return std::nullopt;
    Scored<TagSequence> result{TagSequence(at(n)), last.found[rank].score};
    Beginning step = last.found[rank];
    std::size_t state = ends_[step.before];
    for (int i = n - 1; i >= 0; --i) {
      result.item[at(i)] = static_cast<int>(state % at(lattice_.width(i)));
      step = table_[at(i) + 1][state].found[step.rank];
      state = step.before;
    }
    return result;
  }

 private:
  static void begin(Beginnings& state) {
    std::make_heap(state.next.begin(), state.next.end());
    state.take();
  }

  // The state before that a beginning came through; the table has the ends one behind the lattice.
  Beginnings& before(std::size_t place, const Beginning& beginning) {
    const bool is_end = place + 1 == table_.size();
    return table_[place - 1][is_end ? ends_[beginning.before] : beginning.before];
  }
  double step(std::size_t place, std::size_t before, std::size_t state) const {
    if (place + 1 == table_.size()) return 0;
    const int i = static_cast<int>(place) - 1;
    const std::size_t width = at(lattice_.width(i)), c = state % width;
    if (lattice_.order() == 1) {
      return static_cast<double>(lattice_.unary(i)[c]) + lattice_.pair(i)[before * width + c];
    }
    return static_cast<double>(lattice_.unary(i)[c]) + lattice_.pair(i)[state] +
           lattice_.triple(i)[before * width + c];
  }

  // One more sequence: down to where a further beginning is known, and up again.
  void grow() {
    struct Visit {
      std::size_t place, state;
    };
    std::vector<Visit> way{{table_.size() - 1, 0}};
    while (true) {
      const auto [place, state] = way.back();
      const Beginnings& here = table_[place][state];
      if (place == 0 || !here.is_due) break;
      const Beginning& last = here.found.back();
      const Beginnings& earlier = before(place, last);
      if (earlier.found.size() > last.rank + 1 || !earlier.may_have_more()) break;
      const bool is_end = place + 1 == table_.size();
      way.push_back({place - 1, is_end ? ends_[last.before] : last.before});
    }
    for (; !way.empty(); way.pop_back()) {
      const auto [place, state] = way.back();
      Beginnings& here = table_[place][state];
      if (here.is_due) {
        const Beginning last = here.found.back();
        const Beginnings& earlier = before(place, last);
        here.is_due = false;
        if (earlier.found.size() > last.rank + 1) {
          const double score = earlier.found[last.rank + 1].score;
          here.offer({score + step(place, last.before, state), last.before, last.rank + 1});
        }
      }
      here.take();
    }
  }

  const TagLattice& lattice_;
  std::vector<std::vector<Beginnings>> table_;  // before the first position, each of them, the ends
  std::vector<std::size_t> ends_;               // states of the last position, in order of ties
};

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
    // In a wide enough type: the product of three widths need not fit into an int.
    const double wanted = double(order == 2 ? width(i - 2) : 1) * width(i - 1) * place.width;
    if (static_cast<double>(used) + 3 * wanted > double{kMostScores}) {
      throw data_error(
          fmt::format("the tags tried for {} words have more than {} combinations to score",
                      widths.size(), kMostScores),
          {}, "try fewer tags for each word");
    }
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

namespace {

// Before anything is listed: what is asked for, or all that there can be if that is less.
void refuse_long_list(const TagLattice& lattice, int k) {
  double sequences = 1;
  for (int i = 0; i < lattice.size() && sequences < k; ++i) sequences *= lattice.width(i);
  if (std::min<double>(sequences, k) * lattice.size() <= double{kMostListedTags}) return;
  throw data_error(fmt::format("a list of {} sequences of {} words; the limit is {} tags", k,
                               lattice.size(), kMostListedTags),
                   {}, "ask for fewer sequences");
}

}  // namespace

std::vector<Scored<TagSequence>> k_best_tags(const TagLattice& lattice, int k) {
  if (k <= 0) return {};
  if (lattice.size() == 0) return {{}};
  refuse_long_list(lattice, k);
  SequenceLists lists(lattice);
  std::vector<Scored<TagSequence>> result;
  for (int rank = 0; rank < k; ++rank) {
    auto sequence = lists.sequence(at(rank));
    if (!sequence) break;
    result.push_back(std::move(*sequence));
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
