#include "copse/rerank/hidden/objective.h"

#include <cmath>

namespace copse::hidden {

void work_on_list(const HiddenList& list, std::span<const double> weights, double scale, double a0,
                  const Goal& goal, Loss kind, ListWork& work) {
  sum_candidates(list, weights, scale, work);
  work.probabilities = log_probabilities(work.log_sums, list.base, a0);
  work.loss = loss_and_slopes(work.probabilities, goal, kind, work.shares);
  for (double& value : work.probabilities) value = std::exp(value);
  work.propagation.down(work.shares, work.slopes);
}

}  // namespace copse::hidden
