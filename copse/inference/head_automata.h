// Head automata (Alshawi 1996; Koo, Rush, Collins, Jaakkola & Sontag 2010): the modifiers of each
// head, chosen for themselves, whatever other heads choose.
//
// A side of a head is an acyclic automaton that reads the candidates c_1 .. c_q from the head
// outwards. Its states are numbered from START = 0 to END, the last; every transition leads to a
// later state and takes the candidate at which that state stands, or nobody:
//
//   V[START] = 0
//   V[b] = max over transitions a -> b of  V[a] + q(a -> b) - cost(arc taken)
//
// The score q is a row with one number per lane: the lane is the head k of the head ("grandparent")
// where scores look at it; otherwise, and for the root, there is one lane. The automata at hand:
//
//   bigram    state = last modifier                  sibling and grand-sibling models     O(q^2)
//   trigram   state = last two modifiers             with tri-siblings                    O(q^3)
//   machine   any finite set of states               state_machine.h                      O(q |S|^2)
//
// times the number of lanes. Over all candidates that is the O(n^2) per head of the sibling model
// and the O(n^3) per head of the grand-sibling model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"

namespace copse {

// What taking arcs costs, and which must be taken.
struct ArcPrices {
  std::span<const double> cost;  // by arc; infinity forbids
  // How many of the arcs before this one must be taken, and one number more for all; empty: none.
  std::span<const int> required_before = {};
};

class HeadAutomata {
 public:
  static constexpr std::int32_t kNoArc = -1;

  // Building, side by side: h = 0, 1, .. n, left before right. Keeps the memory it has.
  void start(int words);
  // `first_arc`: number of the innermost candidate; the others follow it.
  void begin_side(int lanes, int first_arc, int candidates);
  // States in order, START first. `position`: how many candidates have been read, taken or not.
  int add_state(int position);
  // Into the state added last; `arc` is its candidate, or kNoArc. Fill in a score for each lane,
  // before anything else is added; minus infinity forbids.
  std::span<double> add_transition(int from, std::int32_t arc);

  int words() const { return words_; }
  int lanes(int h) const { return sides_[2 * static_cast<std::size_t>(h)].lanes; }
  std::size_t transitions() const { return transitions_.size(); }
  // How many numbers a chart of all sides holds.
  std::size_t cells() const { return cells_; }

  // All questions are about one side, 2 * h + (side == right).
  // Fills the side's part of the chart: V for all states and lanes.
  void solve(int side, const ArcPrices& prices, std::span<double> chart) const;
  // V[END] for each lane.
  std::span<const double> best(int side, std::span<const double> chart) const;
  // The arcs of the best path, outermost first; the first of equal transitions. Minus infinity in
  // best(): none.
  void trace(int side, int lane, const ArcPrices& prices, std::span<const double> chart,
             std::vector<int>& arcs) const;
  // The best path that takes exactly the arcs marked; without costs.
  double value_of(int side, int lane, std::span<const std::uint8_t> marked,
                  std::vector<double>& scratch) const;
  // out[a] = max over lanes k of offset[k] + the best path of lane k that takes a, for all arcs of
  // the side. The chart must be solved for the same costs.
  void with_each_arc(int side, const ArcPrices& prices, std::span<const double> chart,
                     std::span<const double> offset, std::span<double> out,
                     std::vector<double>& scratch) const;

 private:
  struct Transition {
    std::int32_t from = 0;  // state of the same side
    std::int32_t arc = kNoArc;
  };
  struct State {
    std::int32_t first = 0;  // its transitions go up to those of the next state
    std::int32_t position = 0;
  };
  struct Half {
    int lanes = 1;
    int first_arc = 0, candidates = 0;
    int first_state = 0, last_state = 0;
    std::int32_t first_transition = 0;
    std::size_t first_score = 0;
    std::size_t first_cell = 0;
  };

  std::int32_t end_of(int state) const {
    return state + 1 < static_cast<int>(states_.size())
               ? states_[state + 1].first
               : static_cast<std::int32_t>(transitions_.size());
  }
  // Whether a transition passes an arc by that must be taken.
  bool passes_required(const Half& side, const State& to, const Transition& move,
                       std::span<const int> required_before) const {
    const int first = side.first_arc + states_[side.first_state + move.from].position;
    const int last = side.first_arc + to.position - (move.arc == kNoArc ? 0 : 1);
    return required_before[last] != required_before[first];
  }
  bool has_required(const Half& side, const ArcPrices& prices) const {
    return !prices.required_before.empty() &&
           prices.required_before[side.first_arc] !=
               prices.required_before[side.first_arc + side.candidates];
  }
  const double* score(const Half& side, std::int32_t t) const {
    return scores_.data() + side.first_score +
           static_cast<std::size_t>(t - side.first_transition) *
               static_cast<std::size_t>(side.lanes);
  }

  int words_ = 0;
  std::size_t cells_ = 0;
  std::vector<Half> sides_;
  std::vector<State> states_;
  std::vector<Transition> transitions_;
  std::vector<double> scores_;  // [transition][lane]
};

// The automata of a sentence, from the scores of its parts:
//
//   q(k, s -> m) = share * dep(h,m) + sib(h,m,s) + grand(k,h,m) + gsib(k,h,m,s) + tsib(h,m,s,t)
//   q(m -> END)  = stop(h,m)
//
// dep includes the best label of the arc. Lanes are those of the index. That the head of h is also
// its modifier is forbidden, and so is a second modifier of a single root. The index must let arcs
// cross, or be of the sibling model. Throws a usage error for the Carreras factorisation.
void compile_automata(const PartIndex& index, const PartScores& scores, double share,
                      HeadAutomata& automata);

// dep(a) and the score of its best label.
double arc_score(const PartScores& scores, int a);

// What each head chose: not a tree in general.
struct AutomataChoice {
  std::vector<std::vector<int>> arcs;  // [2 * h + side], outermost first
  std::vector<int> lane;               // [h]
  double score = 0;
};

// The best choice of every head for itself: the set Z of training without a tree search.
void best_choice(const PartIndex& index, const HeadAutomata& automata, AutomataChoice& out);

// The parts of a choice, as append_parts_of_tree gives those of a tree.
void append_parts_of_choice(const PartIndex& index, const AutomataChoice& choice,
                            std::vector<PartIndex::Id>& parts);

}  // namespace copse
