// How wrong scores of the candidates of a list are, by the probabilities that they give,
//
//   p(t)      = exp F(t) / the sum of the same over the candidates
//
//   likelihood   - log p(t*)                            t* the candidate of highest quality
//   graded       - log sum over t of p(t) g(t)          g(t) = exp((quality of t - quality of t*) / T)
//   risk         sum over t of p(t) (quality of t* - quality of t)
//
// and the slopes of that in the scores: p(t) - [t = t*], p(t) (1 - g(t) / sum of p g), and
// p(t) (risk of t - mean risk). Qualities of parses are near to numbers of right brackets.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace copse {

enum class Loss { likelihood, graded, risk };
std::string_view name_of(Loss loss);
// Throws usage_error for other names.
Loss loss_of(std::string_view name);

struct Goal {
  std::size_t best = 0;  // t*
  std::span<const double> quality;
  double temperature = 1;  // T
};

// Of F(t) = scores + a0 base.
std::vector<double> log_probabilities(std::span<const double> scores, std::span<const double> base,
                                      double a0);

// The loss; the slopes in the scores are put into `slopes`. The list must not be empty.
double loss_and_slopes(std::span<const double> log_probabilities, const Goal& goal, Loss kind,
                       std::vector<double>& slopes);

}  // namespace copse
