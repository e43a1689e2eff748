#include "copse/learning/voted_perceptron.h"

#include <algorithm>

#include "copse/base/error.h"

namespace copse {

Voter::Voter(std::span<const double> base, double beta)
    : base_(base),
      beta_(beta),
      kernel_(base.size(), 0.0),
      scores_(base.size(), 0.0),
      votes_(base.size(), 0.0) {}

void Voter::begin_chunk(std::uint64_t empty_steps) {
  std::ranges::fill(kernel_, 0.0);
  base_weight_ = 0;
  if (!base_.empty()) votes_[best_candidate(base_, base_)] += static_cast<double>(empty_steps);
}

void Voter::update(std::span<const double> change, double base_weight, std::uint64_t survival) {
  if (base_.empty()) return;
  base_weight_ += base_weight;
  for (std::size_t j = 0; j < base_.size(); ++j) {
    kernel_[j] += change[j];
    scores_[j] = kernel_[j] + beta_ * base_[j] * base_weight_;
  }
  votes_[best_candidate(scores_, base_)] += static_cast<double>(survival);
}

double base_weight(std::span<const RankingCoefficient> coefficients, std::span<const double> base,
                   double beta) {
  double sum = 0;
  for (const auto& c : coefficients) sum += c.weight * beta * base[c.candidate];
  return sum;
}

std::vector<std::size_t> chunk_bounds(std::size_t lists, int chunks) {
  if (chunks < 1) throw usage_error("there must be at least one chunk");
  const auto count = std::min(static_cast<std::size_t>(chunks), std::max<std::size_t>(lists, 1));
  std::vector<std::size_t> bounds;
  for (std::size_t c = 0; c <= count; ++c) bounds.push_back(lists * c / count);
  return bounds;
}

}  // namespace copse
