#include "copse/learning/top_perceptron.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse {
namespace {

double log_sum(std::span<const double> x, std::size_t without) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    if (t != without) largest = std::max(largest, x[t]);
  }
  for (std::size_t t = 0; t < x.size(); ++t) {
    if (t != without) sum += std::exp(x[t] - largest);
  }
  return largest + std::log(sum);
}

}  // namespace

double DerivedList::score(std::size_t k, double base_weight, std::span<const double> a) const {
  if (kernel == DerivedKernel::fisher) return base_weight * base[k] + a[k];
  double mean = 0;
  for (std::size_t t = 0; t < a.size(); ++t) mean += share[t] * a[t];
  return base_weight * base[k] + (a[k] - mean) * factor[k];
}

void DerivedList::add(std::size_t k, double times, std::span<double> coefficients) const {
  coefficients[k] += times * factor[k];
  if (kernel == DerivedKernel::fisher) return;
  for (std::size_t t = 0; t < size(); ++t) coefficients[t] -= times * factor[k] * share[t];
}

DerivedList derived_list(DerivedKernel kernel, std::span<const double> log_probability,
                         double cap) {
  constexpr double kLargest = 1e30;  // squares of it are finite
  DerivedList out;
  out.kernel = kernel;
  const std::size_t count = log_probability.size();
  const double all = log_sum(log_probability, count);
  for (std::size_t k = 0; k < count; ++k) {
    out.share.push_back(std::exp(log_probability[k] - all));
    if (kernel == DerivedKernel::fisher) {
      out.base.push_back(log_probability[k]);
      out.factor.push_back(1);
      continue;
    }
    const double others = log_sum(log_probability, k);
    out.base.push_back(log_probability[k] - others);
    out.factor.push_back(std::min(std::exp(all - others), cap > 0 ? cap : kLargest));
  }
  return out;
}

std::size_t best_by_quality(std::span<const double> quality,
                            std::span<const double> log_probability) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < quality.size(); ++k) {
    if (quality[k] > quality[best] ||
        (quality[k] == quality[best] && log_probability[k] > log_probability[best])) {
      best = k;
    }
  }
  return best;
}

DerivedUpdate learn_list(const DerivedList& list, std::span<const double> quality, std::size_t best,
                         double base_weight, std::span<const double> a,
                         std::span<const double> gram) {
  const std::size_t count = list.size();
  DerivedUpdate out;
  out.coefficients.assign(count, 0.0);
  std::vector<double> now(a.begin(), a.end()), change(count);
  for (std::size_t k = 0; k < count; ++k) {
    // Of equal quality nothing is learnt: the step would be 0 long.
    const double loss = quality[best] - quality[k];
    if (k == best || loss <= 0) continue;
    const double weight = base_weight + out.base;
    if (list.score(k, weight, now) < list.score(best, weight, now)) continue;
    ++out.updates;
    out.base += loss * (list.base[best] - list.base[k]);
    std::ranges::fill(change, 0.0);
    list.add(best, loss, change);
    list.add(k, -loss, change);
    for (std::size_t t = 0; t < count; ++t) {
      out.coefficients[t] += change[t];
      for (std::size_t u = 0; u < count; ++u) now[t] += gram[t * count + u] * change[u];
    }
  }
  return out;
}

}  // namespace copse
