#include "copse/learning/boosting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/learning/boosting_step.h"
#include "copse/learning/gain_blocks.h"

namespace copse {
namespace {

using namespace boosting;  // NOLINT: the helpers were made for this file

// Weights of pairs are kept as S exp(-M - shift): where margins are wild, a common factor keeps
// them finite and changes neither gains nor steps.
double shift_for(double largest_log) {
  constexpr double kSafe = 600;
  return std::abs(largest_log) < kSafe ? 0 : largest_log;
}

std::vector<double> log_pair_weights(const RankingPairs& pairs, double log_probability_weight,
                                     std::span<const double> weights, double& shift) {
  std::vector<double> logs(pairs.size());
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    logs[p] = std::log(pairs.importance(p)) - margin(pairs, p, log_probability_weight, weights);
    largest = std::max(largest, logs[p]);
  }
  shift = pairs.size() == 0 ? 0 : shift_for(largest);
  return logs;
}

// One Newton step on a0: the slope of the loss is -sum w d, its curvature sum w d^2. Halved until
// the loss does not rise.
double log_probability_step(const RankingPairs& pairs, std::span<const double> w) {
  double slope = 0, curvature = 0, loss = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const double d = pairs.log_ratio(p);
    slope += w[p] * d;
    curvature += w[p] * d * d;
    loss += w[p];
  }
  if (curvature <= 0 || !std::isfinite(curvature)) return 0;
  double step = slope / curvature;
  for (int halving = 0; halving < 60; ++halving, step /= 2) {
    double after = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      after += w[p] * std::exp(-step * pairs.log_ratio(p));
    }
    if (after <= loss) return step;
  }
  return 0;
}

class EfficientBoosting {
 public:
  EfficientBoosting(const RankingPairs& pairs, double log_probability_weight,
                    const BoostingOptions& options)
      : pairs_(pairs),
        options_(options),
        log_probability_weight_(log_probability_weight),
        weights_(pairs.features(), 0.0),
        w_(pairs.size()),
        sums_(pairs.features()),
        gains_(pairs.features()),
        stamps_(pairs.features(), 0) {
    run_.log_probability_weight = log_probability_weight;
    run_.pass_cost = pairs.entries();
    refresh();
  }

  BoostingRun run(const RoundProgress& progress) {
    for (int round = 0; round < options_.rounds && pairs_.features() > 0; ++round) {
      const std::size_t k = gains_.best();
      const double loss = loss_.value();
      if (gains_[k] <= 0 || loss < kTinyLoss) break;
      take(k, loss);
      maintain(static_cast<std::size_t>(round) + 1);
      if (progress && (round + 1) % 1000 == 0) progress(static_cast<std::size_t>(round) + 1);
    }
    run_.loss = loss_.value() * std::exp(shift_);
    return std::move(run_);
  }

 private:
  void take(std::size_t k, double loss) {
    const double d = step(sums_[k], options_.smoothing * loss);
    BoostingRound round{static_cast<std::uint32_t>(k), d, loss * std::exp(shift_), gains_[k], 0};
    weights_[k] += d;
    ++stamp_;
    touched_.clear();
    round.cost =
        reweigh(pairs_.with(k), std::expm1(-d)) + reweigh(pairs_.against(k), std::expm1(d));
    for (const std::uint32_t q : touched_) gains_.set(q, gain(sums_[q]));
    run_.rounds.push_back(round);
  }

  // The weights of some pairs grow by a factor 1 + f, and the sums of their features with them.
  std::uint64_t reweigh(std::span<const RankingPairs::Pair> list, double f) {
    std::uint64_t cost = 0;
    for (const RankingPairs::Pair p : list) {
      const double difference = w_[p] * f;
      w_[p] += difference;
      loss_.add(difference);
      const auto plus = pairs_.plus(p), minus = pairs_.minus(p);
      for (const auto q : plus) {
        sums_[q].plus += difference;
        touch(q);
      }
      for (const auto q : minus) {
        sums_[q].minus += difference;
        touch(q);
      }
      cost += plus.size() + minus.size();
    }
    return cost;
  }

  void touch(std::uint32_t q) {
    if (stamps_[q] == stamp_) return;
    stamps_[q] = stamp_;
    touched_.push_back(q);
  }

  void maintain(std::size_t round) {
    const auto every = static_cast<std::size_t>(options_.move_log_probability_every);
    if (every > 0 && round % every == 0) {
      const double d = log_probability_step(pairs_, w_);
      run_.rounds.push_back({BoostingRound::kLogProbability, d, loss_.value() * std::exp(shift_), 0,
                             pairs_.entries()});
      log_probability_weight_ += d;
      refresh();
    } else if (round - refreshed_ >= kRefreshRounds || loss_.value() * kRefreshFall < fresh_loss_) {
      refresh();
    }
    refreshed_ = fresh_ ? round : refreshed_;
    fresh_ = false;
  }

  // Everything from the weights alone.
  void refresh() {
    const auto logs = log_pair_weights(pairs_, log_probability_weight_, weights_, shift_);
    loss_ = {};
    std::fill(sums_.begin(), sums_.end(), Sums{});
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      w_[p] = std::exp(logs[p] - shift_);
      loss_.add(w_[p]);
      for (const auto q : pairs_.plus(p)) sums_[q].plus += w_[p];
      for (const auto q : pairs_.minus(p)) sums_[q].minus += w_[p];
    }
    for (std::size_t q = 0; q < sums_.size(); ++q) gains_.set(q, gain(sums_[q]));
    fresh_loss_ = loss_.value();
    fresh_ = true;
  }

  const RankingPairs& pairs_;
  const BoostingOptions& options_;
  double log_probability_weight_;
  std::vector<double> weights_;  // of features
  std::vector<double> w_;        // of pairs
  double shift_ = 0;
  CarefulSum loss_;
  std::vector<Sums> sums_;
  GainBlocks gains_;
  std::vector<std::uint32_t> stamps_, touched_;
  std::uint32_t stamp_ = 0;
  double fresh_loss_ = 0;
  std::size_t refreshed_ = 0;
  bool fresh_ = false;
  BoostingRun run_;
};

}  // namespace

BoostingRun::Weights BoostingRun::weights_after(std::size_t n, std::size_t features) const {
  Weights result{log_probability_weight, std::vector<double>(features, 0.0)};
  std::size_t counted = 0;
  for (const BoostingRound& round : rounds) {
    if (round.feature == BoostingRound::kLogProbability) {
      result.log_probability += round.step;
    } else if (counted++ == n) {
      break;
    } else {
      result.features[round.feature] += round.step;
    }
  }
  return result;
}

double BoostingRun::work(std::size_t n) const {
  double sum = 0;
  for (std::size_t t = 0; t < std::min(n, rounds.size()); ++t) {
    sum += static_cast<double>(rounds[t].cost);
  }
  return pass_cost == 0 ? 0 : sum / static_cast<double>(pass_cost);
}

double BoostingRun::savings(std::size_t a, std::size_t b) const {
  const double work_here = work(b) - work(a - 1);
  return work_here == 0 ? 0 : static_cast<double>(b - a + 1) / work_here;
}

InitialWeight initial_log_probability_weight(const RankingPairs& pairs) {
  constexpr int kThousandths = 10'000;
  if (pairs.size() == 0) return {};
  // log of S exp(-a d), less the largest of them: only order and sign matter.
  const auto sums_at = [&](double a) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      largest = std::max(largest, std::log(pairs.importance(p)) - a * pairs.log_ratio(p));
    }
    double loss = 0, slope = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double w = std::exp(std::log(pairs.importance(p)) - a * pairs.log_ratio(p) - largest);
      loss += w;
      slope -= w * pairs.log_ratio(p);
    }
    return std::pair(std::log(loss) + largest, slope);
  };
  // The last thousandth whose slope is negative, and the one behind it.
  int low = 1, high = kThousandths;
  if (sums_at(low / 1000.0).second >= 0) return {low / 1000.0, true};
  if (sums_at(high / 1000.0).second < 0) return {high / 1000.0, true};
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (sums_at(middle / 1000.0).second < 0 ? low : high) = middle;
  }
  const bool lower = sums_at(low / 1000.0).first <= sums_at(high / 1000.0).first;
  return {(lower ? low : high) / 1000.0, false};
}

BoostingRun boost(const RankingPairs& pairs, double log_probability_weight,
                  const BoostingOptions& options, const RoundProgress& progress) {
  return EfficientBoosting(pairs, log_probability_weight, options).run(progress);
}

BoostingRun boost_naively(const RankingPairs& pairs, double log_probability_weight,
                          const BoostingOptions& options) {
  BoostingRun run;
  run.log_probability_weight = log_probability_weight;
  run.pass_cost = pairs.entries();
  std::vector<double> margins(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    margins[p] = log_probability_weight * pairs.log_ratio(p);
  }
  std::vector<Sums> sums(pairs.features());
  const auto recompute = [&] {
    double loss = 0;
    std::fill(sums.begin(), sums.end(), Sums{});
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double w = pairs.importance(p) * std::exp(-margins[p]);
      loss += w;
      for (const auto q : pairs.plus(p)) sums[q].plus += w;
      for (const auto q : pairs.minus(p)) sums[q].minus += w;
    }
    return loss;
  };
  for (int round = 0; round < options.rounds && pairs.features() > 0; ++round) {
    const double loss = recompute();
    std::size_t best = 0;
    for (std::size_t k = 1; k < sums.size(); ++k) {
      if (gain(sums[k]) > gain(sums[best])) best = k;
    }
    const double most = gain(sums[best]);
    if (most <= 0 || loss < kTinyLoss) break;
    const double d = step(sums[best], options.smoothing * loss);
    run.rounds.push_back({static_cast<std::uint32_t>(best), d, loss, most, pairs.entries()});
    for (const auto p : pairs.with(best)) margins[p] += d;
    for (const auto p : pairs.against(best)) margins[p] -= d;
  }
  run.loss = recompute();
  return run;
}

}  // namespace copse
