// A head automaton over any finite set of states S (Alshawi 1996; Eisner & Satta 1999): taking
// candidate number j moves it from state a to state b for a score, passing a candidate by leaves it
// where it is. Such machines count modifiers, remember classes of them, ...
//
// Compiled into states (j, a), "j candidates read, in state a": O(q |S|^2) transitions.
#pragma once

#include <cstddef>
#include <vector>

#include "copse/inference/head_automata.h"

namespace copse {

class StateMachine {
 public:
  // Every move forbidden, every state final with score 0.
  StateMachine(int states, int start, int candidates);

  int states() const { return states_; }
  int start() const { return start_; }
  int candidates() const { return candidates_; }
  // Of taking candidate j, 0 being the innermost, and moving from a to b.
  double& take(int j, int a, int b) { return take_[at(j, a, b)]; }
  double take(int j, int a, int b) const { return take_[at(j, a, b)]; }
  // Of ending in a.
  double& stop(int a) { return stop_[static_cast<std::size_t>(a)]; }
  double stop(int a) const { return stop_[static_cast<std::size_t>(a)]; }

 private:
  std::size_t at(int j, int a, int b) const {
    return (static_cast<std::size_t>(j) * static_cast<std::size_t>(states_) +
            static_cast<std::size_t>(a)) *
               static_cast<std::size_t>(states_) +
           static_cast<std::size_t>(b);
  }

  int states_, start_, candidates_;
  std::vector<double> take_;  // [j][a][b]
  std::vector<double> stop_;  // [a]
};

// Adds the next side of the automata; its candidates are the arcs from `first_arc` on.
void add_side(const StateMachine& machine, int first_arc, HeadAutomata& automata);

}  // namespace copse
