// How the history parser searches.
#pragma once

namespace copse::history {

struct SearchOptions {
  int beam = 40;              // derivations that go on to the next word
  double least_label = 1e-5;  // labels that are less probable are not projected; 0: all are
  double within = 0;          // > 0: derivations so much (ln) behind the best at a word are dropped
  int most_steps = 4000;      // that are looked at for a word
};

}  // namespace copse::history
