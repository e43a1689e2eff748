#include "copse/inference/state_machine.h"

#include "copse/inference/arc_scores.h"

namespace copse {

StateMachine::StateMachine(int states, int start, int candidates)
    : states_(states),
      start_(start),
      candidates_(candidates),
      take_(at(candidates, 0, 0), kMinusInfinity),
      stop_(static_cast<std::size_t>(states), 0.0) {}

void add_side(const StateMachine& machine, int first_arc, HeadAutomata& automata) {
  const int size = machine.states();
  automata.begin_side(1, first_arc, machine.candidates());
  automata.add_state(0);
  // Number of (j, a): START is (0, start); layer j > 0 has a state for each a.
  const auto number = [&](int j, int a) { return j == 0 ? 0 : 1 + (j - 1) * size + a; };
  const auto is_there = [&](int j, int a) { return j > 0 || a == machine.start(); };
  for (int j = 1; j <= machine.candidates(); ++j) {
    for (int b = 0; b < size; ++b) {
      automata.add_state(j);
      if (is_there(j - 1, b)) {
        automata.add_transition(number(j - 1, b), HeadAutomata::kNoArc)[0] = 0;
      }
      for (int a = 0; a < size; ++a) {
        const double score = machine.take(j - 1, a, b);
        if (score == kMinusInfinity || !is_there(j - 1, a)) continue;
        automata.add_transition(number(j - 1, a), first_arc + j - 1)[0] = score;
      }
    }
  }
  automata.add_state(machine.candidates());
  for (int a = 0; a < size; ++a) {
    if (!is_there(machine.candidates(), a)) continue;
    automata.add_transition(number(machine.candidates(), a), HeadAutomata::kNoArc)[0] =
        machine.stop(a);
  }
}

}  // namespace copse
