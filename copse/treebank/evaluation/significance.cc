#include "copse/treebank/evaluation/significance.h"

#include <algorithm>
#include <cmath>

#include "copse/base/random.h"

namespace copse {
namespace {

double percentage(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

StratumCounts& operator+=(StratumCounts& sum, const StratumCounts& counts) {
  sum.correct += counts.correct;
  sum.gold += counts.gold;
  sum.system += counts.system;
  return sum;
}

bool same(const StratumCounts& x, const StratumCounts& y) {
  return x.correct == y.correct && x.gold == y.gold && x.system == y.system;
}

struct Sums {
  StratumCounts a;
  StratumCounts b;

  double precision_difference() const { return std::abs(precision_of(a) - precision_of(b)); }
  double recall_difference() const { return std::abs(recall_of(a) - recall_of(b)); }
  double f1_difference() const { return std::abs(f1_of(a) - f1_of(b)); }
};

// Equal sums must count as equal although they are computed along different ways.
constexpr double kRounding = 1e-9;

}  // namespace

double precision_of(const StratumCounts& counts) {
  return percentage(counts.correct, counts.system);
}
double recall_of(const StratumCounts& counts) {
  return percentage(counts.correct, counts.gold);
}
double f1_of(const StratumCounts& counts) {
  return percentage(2 * counts.correct, counts.gold + counts.system);
}

double sign_test(std::int64_t a_only, std::int64_t b_only) {
  const std::int64_t decisions = a_only + b_only;
  const std::int64_t fewer = std::min(a_only, b_only);
  if (decisions == 0 || 2 * fewer == decisions) return 1.0;
  // Sum over k <= fewer of C(n, k) / 2^n, from the largest term down: the terms shrink fast, and
  // in logarithms none of them overflows.
  const auto n = static_cast<double>(decisions);
  const auto m = static_cast<double>(fewer);
  const double log_largest =
      std::lgamma(n + 1) - std::lgamma(m + 1) - std::lgamma(n - m + 1) - n * std::log(2.0);
  double sum = 0;
  double term = 1;  // relative to the largest
  for (std::int64_t k = fewer; k >= 0 && term > 1e-18; --k) {
    sum += term;
    term *= static_cast<double>(k) / (n - static_cast<double>(k) + 1);
  }
  return std::min(1.0, 2 * std::exp(log_largest) * sum);
}

ShufflingResult stratified_shuffling(std::span<const PairedStratum> strata,
                                     const RandomTestOptions& options) {
  Sums fixed;                            // strata where swapping changes nothing
  std::vector<PairedStratum> swappable;  // the others
  Sums observed;
  for (const PairedStratum& stratum : strata) {
    observed.a += stratum.a;
    observed.b += stratum.b;
    if (same(stratum.a, stratum.b)) {
      fixed.a += stratum.a;
      fixed.b += stratum.b;
    } else {
      swappable.push_back(stratum);
    }
  }
  Random random(options.seed);
  std::int64_t precision = 0;
  std::int64_t recall = 0;
  std::int64_t f1 = 0;
  for (int round = 0; round < options.rounds; ++round) {
    Sums sums = fixed;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < swappable.size(); ++i) {
      bits = i % 64 == 0 ? random.next() : bits >> 1;
      const bool swap = (bits & 1) != 0;
      sums.a += swap ? swappable[i].b : swappable[i].a;
      sums.b += swap ? swappable[i].a : swappable[i].b;
    }
    if (sums.precision_difference() >= observed.precision_difference() - kRounding) ++precision;
    if (sums.recall_difference() >= observed.recall_difference() - kRounding) ++recall;
    if (sums.f1_difference() >= observed.f1_difference() - kRounding) ++f1;
  }
  const auto p = [&](std::int64_t count) {
    return static_cast<double>(count + 1) / static_cast<double>(options.rounds + 1);
  };
  return {p(precision), p(recall), p(f1)};
}

BootstrapInterval paired_bootstrap(std::span<const PairedStratum> strata,
                                   const RandomTestOptions& options) {
  if (strata.empty() || options.rounds < 1) return {};
  Random random(options.seed);
  std::vector<double> differences;
  differences.reserve(static_cast<std::size_t>(options.rounds));
  for (int round = 0; round < options.rounds; ++round) {
    Sums sums;
    for (std::size_t i = 0; i < strata.size(); ++i) {
      const PairedStratum& drawn = strata[random.below(strata.size())];
      sums.a += drawn.a;
      sums.b += drawn.b;
    }
    differences.push_back(f1_of(sums.b) - f1_of(sums.a));
  }
  std::sort(differences.begin(), differences.end());
  const auto last = static_cast<double>(differences.size() - 1);
  return {differences[static_cast<std::size_t>(std::floor(0.025 * last))],
          differences[static_cast<std::size_t>(std::ceil(0.975 * last))]};
}

}  // namespace copse
