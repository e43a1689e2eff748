// How much the pruner of a spinal parser leaves, and what it loses, on trees that it has not seen
// (Carreras, Collins & Koo 2008, table 3):
//
//   active     adjunctions that survive, of all kinds on all pairs of words
//   coverage   right adjunctions among them; those of kinds never seen are lost
//   oracle     brackets of the derivation with the most right adjunctions and spines
//
// Tags are the tagger's, as in parsing; heads those of the table that the parser was trained with.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/spinal/parser.h"
#include "copse/treebank/evaluation/evalb.h"

namespace copse::spinal {

struct PruningFigures {
  double alpha = 0;
  std::size_t sentences = 0, words = 0;
  double possible = 0;  // kinds of adjunction times heads times words
  std::size_t active = 0;
  std::size_t covered = 0;
  EvalbTotals oracle;

  double active_percent() const;
  double per_word() const;
  double coverage() const;  // percent

  nlohmann::json json() const;
};

// A line for each alpha, in their order. Trees are scored as `copse eval constituency` does; those
// without words are passed over. The result does not depend on `threads` (0: every core).
std::vector<PruningFigures> pruning_report(const SpinalParser& parser, std::span<const Entry> gold,
                                           std::span<const double> alphas, int threads);
std::string pruning_table(std::span<const PruningFigures> figures);

}  // namespace copse::spinal
