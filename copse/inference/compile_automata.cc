#include <algorithm>

#include "copse/base/error.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/head_automata.h"

namespace copse {
namespace {

class Compiler {
 public:
  Compiler(const PartIndex& index, const PartScores& scores, double share, HeadAutomata& automata)
      : index_(index), scores_(scores), share_(share), automata_(automata) {}

  void run() {
    automata_.start(index_.words());
    for (int h = 0; h <= index_.words(); ++h) {
      lanes_ = index_.has_lanes() ? index_.lanes(h) : 1;
      for (const Side side : {Side::left, Side::right}) compile(h, side);
    }
  }

 private:
  void compile(int h, Side side) {
    arcs_ = index_.arcs_of(h, side);
    automata_.begin_side(lanes_, arcs_.first, arcs_.size());
    automata_.add_state(0);
    fill_lane_scores(h);
    const bool only = h == 0 && index_.rule() == RootRule::single;
    if (index_.has(PartFamily::tsib) && !only) {
      add_pairs();
    } else {
      add_modifiers(only);
    }
    add_end(h, side, only);
  }

  // What an arc adds whatever the sibling: dep, and grand by lane.
  void fill_lane_scores(int h) {
    base_.assign(static_cast<std::size_t>(arcs_.size()) * static_cast<std::size_t>(lanes_), 0.0);
    const bool grand = h != 0 && index_.has(PartFamily::grand);
    for (int a = arcs_.first; a < arcs_.last; ++a) {
      double* const out = base_of(a);
      const double score = arc_score(scores_, a);
      std::fill_n(out, lanes_, score == kMinusInfinity ? score : share_ * score);
      if (!grand) continue;
      for (int k = 0; k < lanes_; ++k) out[k] += double{scores_[index_.grand(a) + k]};
      const int back = index_.find_arc(index_.arc(a).m, h);
      if (back != PartIndex::kNone) out[index_.lane_of_head(back)] = kMinusInfinity;
    }
  }
  double* base_of(int a) {
    return base_.data() + static_cast<std::ptrdiff_t>(a - arcs_.first) * lanes_;
  }

  // s -> a, `slot` being that of s; `more` is the score of what else the transition knows.
  void add(int from, int a, int slot, double more) {
    const auto out = automata_.add_transition(from, a);
    if (index_.has(PartFamily::sib)) more += double{scores_[index_.sib(a, slot)]};
    const double* const base = base_of(a);
    const bool third = index_.arc(a).h != 0 && index_.has(PartFamily::gsib);
    for (int k = 0; k < lanes_; ++k) {
      out[static_cast<std::size_t>(k)] =
          base[k] + more + (third ? double{scores_[index_.gsib(a, slot) + k]} : 0.0);
    }
  }

  // State j: the j-th candidate is the last one taken.
  void add_modifiers(bool only) {
    for (int a = arcs_.first; a < arcs_.last; ++a) {
      const int place = a - arcs_.first;
      automata_.add_state(place + 1);
      for (int slot = 0; slot <= (only ? 0 : place); ++slot) {
        const double more = index_.has(PartFamily::tsib) ? double{scores_[index_.tsib(a, 0)]} : 0.0;
        add(slot, a, slot, more);
      }
    }
  }

  // State (s,t): s was taken last and t before it, by slots; t = 0 for nobody.
  static int pair(int s, int t) { return s == 0 ? 0 : 1 + s * (s - 1) / 2 + t; }
  void add_pairs() {
    for (int a = arcs_.first; a < arcs_.last; ++a) {
      const int m = a - arcs_.first + 1;
      for (int s = 0; s < m; ++s) {
        automata_.add_state(m);
        for (int t = 0; t < std::max(s, 1); ++t) {
          add(pair(s, t), a, s, double{scores_[index_.tsib(a, s) + t]});
        }
      }
    }
  }

  void add_end(int h, Side side, bool only) {
    automata_.add_state(arcs_.size());
    const bool stops = index_.has(PartFamily::stop);
    const auto end = [&](int from, PartIndex::Id stop) {
      std::ranges::fill(automata_.add_transition(from, HeadAutomata::kNoArc),
                        stops ? double{scores_[stop]} : 0.0);
    };
    // The root has nothing on its left, and no stop part there.
    const bool nothing = h == 0 && side == Side::left;
    std::ranges::fill(automata_.add_transition(0, HeadAutomata::kNoArc),
                      stops && !nothing ? double{scores_[index_.stop(h, side)]} : 0.0);
    for (int a = arcs_.first; a < arcs_.last; ++a) {
      const int m = a - arcs_.first + 1;
      const bool pairs = index_.has(PartFamily::tsib) && !only;
      for (int s = 0; s < (pairs ? m : 1); ++s) {
        end(pairs ? pair(m, s) : m, stops ? index_.stop(a) : PartIndex::Id{0});
      }
    }
  }

  const PartIndex& index_;
  const PartScores& scores_;
  double share_;
  HeadAutomata& automata_;
  int lanes_ = 1;
  PartIndex::Range arcs_;
  std::vector<double> base_;  // [arc of the side][lane]
};

}  // namespace

double arc_score(const PartScores& scores, int a) {
  const auto row = scores.label_row(a);
  const double label = row.empty() ? 0.0 : double{*std::max_element(row.begin(), row.end())};
  return double{scores[a]} + label;
}

void compile_automata(const PartIndex& index, const PartScores& scores, double share,
                      HeadAutomata& automata) {
  if (index.factorisation() == Factorisation::carreras) {
    throw usage_error("there are no head automata for the parts of Carreras",
                      "use sibling, model0, model1 or model2");
  }
  if (index.has_lanes() && index.crossing() == Crossing::never) {
    throw usage_error("head automata need an index of parts in which arcs may cross");
  }
  Compiler(index, scores, share, automata).run();
}

void append_parts_of_choice(const PartIndex& index, const AutomataChoice& choice,
                            std::vector<PartIndex::Id>& parts) {
  for (int h = 0; h <= index.words(); ++h) {
    const int lane = choice.lane[static_cast<std::size_t>(h)];
    for (const Side side : {Side::left, Side::right}) {
      const auto& arcs = choice.arcs[2 * static_cast<std::size_t>(h) + (side == Side::right)];
      int slot = 0;  // of the sibling, and of the one inside it
      int deeper = 0;
      for (auto a = arcs.rbegin(); a != arcs.rend(); ++a) {
        parts.push_back(index.dep(*a));
        if (index.has(PartFamily::sib)) parts.push_back(index.sib(*a, slot));
        if (index.has(PartFamily::tsib)) parts.push_back(index.tsib(*a, slot) + deeper);
        if (h != 0 && index.has(PartFamily::grand)) parts.push_back(index.grand(*a) + lane);
        if (h != 0 && index.has(PartFamily::gsib)) parts.push_back(index.gsib(*a, slot) + lane);
        deeper = slot;
        slot = 1 + index.position(*a);
      }
      if (index.has(PartFamily::stop) && !(h == 0 && side == Side::left)) {
        parts.push_back(arcs.empty() ? index.stop(h, side) : index.stop(arcs.front()));
      }
    }
  }
}

}  // namespace copse
