#include "copse/rerank/cross_figures.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace copse {
namespace {

double f1_of_all(const std::vector<PairedStratum>& strata, StratumCounts PairedStratum::*system) {
  StratumCounts sum;
  for (const PairedStratum& stratum : strata) {
    const StratumCounts& counts = stratum.*system;
    sum.correct += counts.correct;
    sum.gold += counts.gold;
    sum.system += counts.system;
  }
  return f1_of(sum);
}

}  // namespace

void CrossFigures::add(double base, double chosen) {
  ++lists_;
  base_score_ += base;
  chosen_score_ += chosen;
  base_better_ += base > chosen ? 1 : 0;
  chosen_better_ += chosen > base ? 1 : 0;
}

double CrossFigures::base() const {
  return counted() ? f1_of_all(strata_, &PairedStratum::a) : base_score_;
}

double CrossFigures::chosen() const {
  return counted() ? f1_of_all(strata_, &PairedStratum::b) : chosen_score_;
}

double CrossFigures::p() const {
  return counted() ? stratified_shuffling(strata_).p_f1 : sign_test(base_better_, chosen_better_);
}

std::string CrossFigures::str() const {
  return fmt::format(
      "each half of dev chosen by the other: {} {:.2f} of the most probable, {:.2f} chosen "
      "({:+.2f}, p = {:.4f})",
      counted() ? "F1" : "score", base(), chosen(), chosen() - base(), p());
}

nlohmann::json CrossFigures::json() const {
  return {{"lists", lists_}, {"most_probable", base()}, {"chosen", chosen()}, {"p", p()}};
}

}  // namespace copse
