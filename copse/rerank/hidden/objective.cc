#include "copse/rerank/hidden/objective.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "copse/base/error.h"

namespace copse::hidden {

std::string_view name_of(Loss loss) {
  return loss == Loss::likelihood ? "likelihood" : "risk";
}

Loss loss_of(std::string_view name) {
  if (name == "likelihood") return Loss::likelihood;
  if (name == "risk") return Loss::risk;
  throw usage_error(fmt::format("unknown loss \"{}\"", name), "expected likelihood or risk");
}

std::vector<double> log_probabilities(std::span<const double> log_sums,
                                      std::span<const double> base, double a0) {
  std::vector<double> result(log_sums.begin(), log_sums.end());
  if (result.empty()) return result;
  for (std::size_t j = 0; j < result.size(); ++j) result[j] += a0 * base[j];
  const double top = *std::max_element(result.begin(), result.end());
  double sum = 0;
  for (const double value : result) sum += std::exp(value - top);
  const double all = top + std::log(sum);
  for (double& value : result) value -= all;
  return result;
}

void work_on_list(const HiddenList& list, std::span<const double> weights, double scale, double a0,
                  const Goal& goal, Loss kind, ListWork& work) {
  sum_candidates(list, weights, scale, work);
  work.probabilities = log_probabilities(work.log_sums, list.base, a0);
  const double best = work.probabilities[goal.best];
  for (double& value : work.probabilities) value = std::exp(value);
  std::vector<double> shares = work.probabilities;
  if (kind == Loss::likelihood) {
    work.loss = -best;
    shares[goal.best] -= 1;
  } else {
    work.loss = 0;
    for (std::size_t j = 0; j < shares.size(); ++j) {
      work.loss += shares[j] * (goal.quality[goal.best] - goal.quality[j]);
    }
    for (std::size_t j = 0; j < shares.size(); ++j) {
      shares[j] *= goal.quality[goal.best] - goal.quality[j] - work.loss;
    }
  }
  work.propagation.down(shares, work.slopes);
}

}  // namespace copse::hidden
