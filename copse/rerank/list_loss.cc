#include "copse/rerank/list_loss.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/base/error.h"

namespace copse {

std::string_view name_of(Loss loss) {
  switch (loss) {
    case Loss::likelihood:
      return "likelihood";
    case Loss::graded:
      return "graded";
    case Loss::risk:
      break;
  }
  return "risk";
}

Loss loss_of(std::string_view name) {
  for (const Loss loss : {Loss::likelihood, Loss::graded, Loss::risk}) {
    if (name == name_of(loss)) return loss;
  }
  throw usage_error(fmt::format("unknown loss \"{}\"", name),
                    "expected likelihood, graded or risk");
}

std::vector<double> log_probabilities(std::span<const double> scores, std::span<const double> base,
                                      double a0) {
  std::vector<double> result(scores.begin(), scores.end());
  if (result.empty()) return result;
  for (std::size_t j = 0; j < result.size(); ++j) result[j] += a0 * base[j];
  const double top = *std::max_element(result.begin(), result.end());
  double sum = 0;
  for (const double value : result) sum += std::exp(value - top);
  const double all = top + std::log(sum);
  for (double& value : result) value -= all;
  return result;
}

double loss_and_slopes(std::span<const double> log_probabilities, const Goal& goal, Loss kind,
                       std::vector<double>& slopes) {
  slopes.resize(log_probabilities.size());
  for (std::size_t j = 0; j < slopes.size(); ++j) slopes[j] = std::exp(log_probabilities[j]);
  if (kind == Loss::likelihood) {
    slopes[goal.best] -= 1;
    return -log_probabilities[goal.best];
  }
  const double best = goal.quality[goal.best];
  if (kind == Loss::graded) {
    double right = 0;
    const auto grade = [&](std::size_t j) {
      return std::exp((goal.quality[j] - best) / goal.temperature);
    };
    for (std::size_t j = 0; j < slopes.size(); ++j) right += slopes[j] * grade(j);
    right = std::max(right, std::numeric_limits<double>::min());
    for (std::size_t j = 0; j < slopes.size(); ++j) slopes[j] *= 1 - grade(j) / right;
    return -std::log(right);
  }
  double risk = 0;
  for (std::size_t j = 0; j < slopes.size(); ++j) risk += slopes[j] * (best - goal.quality[j]);
  for (std::size_t j = 0; j < slopes.size(); ++j) slopes[j] *= best - goal.quality[j] - risk;
  return risk;
}

}  // namespace copse
