// How the incremental parser searches: which hypotheses go on to the next word.
#pragma once

#include <optional>

namespace copse::incremental {

// Of hypotheses sorted by score, best first, number k >= 1 goes on if its score is at least that of
// the best less a margin. All rules are cut off at `beam`.
enum class BeamRule {
  fixed,      // any
  cubic,      // gamma / k^3 (Collins & Roark 2004)
  log_cubic,  // gamma - 3 ln k, natural when the score is a log-probability
};

struct SearchOptions {
  int beam = 64;  // most hypotheses after a word
  BeamRule rule = BeamRule::fixed;
  double gamma = 100;  // of the cubic rules, in units of the score
  // While a word is attached: beginnings of chains of one length that grow on; 0: all of them; -1: as
  // many as the beam has places, 16 at least.
  int chain_beam = -1;
  // Of hypotheses with the same future (Cell::state) only the best goes on. For the best tree alone,
  // not for lists, prefix probabilities or learning.
  bool merge = false;
  // Of the generative model against the features; not set: as the model was trained.
  std::optional<double> generative_weight;
  std::optional<double> tag_share;  // TaggingOptions::share; not set: as the model was trained
  int halve_after = 500;            // words; beyond, the beam is halved every so many
};

}  // namespace copse::incremental
