#include "copse/learning/log_loss_boosting.h"

#include <algorithm>
#include <cmath>

#include "copse/learning/boosting_step.h"
#include "copse/learning/gain_blocks.h"

namespace copse {
namespace {

using namespace boosting;  // NOLINT: the helpers were made for these files

// The features of each list with their signs, each once, and for each entry of B which of them it
// is.
//   list l   entries [rows[l], rows[l + 1]);  entry e is feature codes[e] / 2, minus if odd
struct ListEntries {
  std::vector<std::size_t> rows = {0};
  std::vector<std::uint64_t> codes;
  std::vector<std::uint32_t> of_pairs;  // number within the list; plus then minus of each pair
  std::vector<std::size_t> pair_rows = {0};

  explicit ListEntries(const RankingPairs& pairs) {
    std::vector<std::uint64_t> here;
    const auto collect = [&](std::size_t p, auto&& use) {
      for (const auto k : pairs.plus(p)) use(2 * std::uint64_t{k});
      for (const auto k : pairs.minus(p)) use(2 * std::uint64_t{k} + 1);
    };
    for (std::size_t l = 0; l < pairs.lists(); ++l) {
      here.clear();
      for (std::size_t p = pairs.first(l); p < pairs.first(l + 1); ++p) {
        collect(p, [&](std::uint64_t code) { here.push_back(code); });
      }
      std::sort(here.begin(), here.end());
      here.erase(std::unique(here.begin(), here.end()), here.end());
      for (std::size_t p = pairs.first(l); p < pairs.first(l + 1); ++p) {
        collect(p, [&](std::uint64_t code) {
          of_pairs.push_back(static_cast<std::uint32_t>(
              std::lower_bound(here.begin(), here.end(), code) - here.begin()));
        });
        pair_rows.push_back(of_pairs.size());
      }
      codes.insert(codes.end(), here.begin(), here.end());
      rows.push_back(codes.size());
    }
  }

  std::span<const std::uint32_t> of_pair(std::size_t p) const {
    return std::span(of_pairs).subspan(pair_rows[p], pair_rows[p + 1] - pair_rows[p]);
  }
};

class LogLossBoosting {
 public:
  LogLossBoosting(const RankingPairs& pairs, double log_probability_weight,
                  const BoostingOptions& options)
      : pairs_(pairs),
        options_(options),
        log_probability_weight_(log_probability_weight),
        entries_(pairs),
        weights_(pairs.features(), 0.0),
        e_(pairs.size()),
        list_of_(pairs.size()),
        scale_(pairs.lists()),
        d_(pairs.lists()),
        u_(entries_.codes.size()),
        sums_(pairs.features()),
        gains_(pairs.features()),
        stamps_(pairs.features(), 0) {
    std::size_t most = 0;
    for (std::size_t l = 0; l < pairs.lists(); ++l) {
      most = std::max(most, entries_.rows[l + 1] - entries_.rows[l]);
      for (std::size_t p = pairs.first(l); p < pairs.first(l + 1); ++p) {
        list_of_[p] = static_cast<std::uint32_t>(l);
      }
    }
    changes_.assign(most, 0.0);
    run_.log_probability_weight = log_probability_weight;
    run_.pass_cost = pairs.entries();
    refresh();
  }

  BoostingRun run(const RoundProgress& progress) {
    for (int round = 0; round < options_.rounds && pairs_.features() > 0; ++round) {
      const std::size_t k = gains_.best();
      if (gains_[k] <= 0 || mass_.value() < kTinyLoss) break;
      take(k);
      const auto done = static_cast<std::size_t>(round) + 1;
      move_log_probability(done);
      if (done % kRefreshRounds == 0 || mass_.value() * kRefreshFall < fresh_mass_) refresh();
      if (progress && done % 1000 == 0) progress(done);
    }
    run_.loss = loss_.value();
    return std::move(run_);
  }

 private:
  void take(std::size_t k) {
    const double d = step(sums_[k], options_.smoothing * mass_.value());
    BoostingRound round{static_cast<std::uint32_t>(k), d, loss_.value(), gains_[k], 0};
    weights_[k] += d;
    ++stamp_;
    touched_.clear();
    const double with = std::expm1(-d), against = std::expm1(d);
    auto plus = pairs_.with(k), minus = pairs_.against(k);
    // Both are sorted and the pairs of a list stand together: one list after the other.
    while (!plus.empty() || !minus.empty()) {
      const auto next = std::min(plus.empty() ? UINT32_MAX : plus.front(),
                                 minus.empty() ? UINT32_MAX : minus.front());
      const std::uint32_t list = list_of_[next];
      const auto end = pairs_.first(list + 1);
      double difference = 0;
      for (; !plus.empty() && plus.front() < end; plus = plus.subspan(1)) {
        difference += reweigh(plus.front(), with, round.cost);
      }
      for (; !minus.empty() && minus.front() < end; minus = minus.subspan(1)) {
        difference += reweigh(minus.front(), against, round.cost);
      }
      redistribute(list, difference, round.cost);
    }
    for (const std::uint32_t q : touched_) gains_.set(q, gain(sums_[q]));
    run_.rounds.push_back(round);
  }

  // The change of E; the changes of the U of its features gather in changes_.
  double reweigh(std::size_t p, double factor, std::uint64_t& cost) {
    const double difference = e_[p] * factor;
    e_[p] += difference;
    const auto entries = entries_.of_pair(p);
    for (const std::uint32_t entry : entries) changes_[entry] += difference;
    cost += entries.size();
    return difference;
  }

  void redistribute(std::size_t list, double difference, std::uint64_t& cost) {
    const double before = d_[list], after = before + difference;
    d_[list] = after;
    mass_.add(one(list) / before - one(list) / after);
    loss_.add(std::log(after / before));
    const std::size_t begin = entries_.rows[list], end = entries_.rows[list + 1];
    const double inverse_before = 1 / before, inverse_after = 1 / after;
    for (std::size_t e = begin; e < end; ++e) {
      const double old = u_[e];
      const double now = old + changes_[e - begin];
      changes_[e - begin] = 0;
      u_[e] = now;
      const std::uint64_t code = entries_.codes[e];
      Sums& sums = sums_[code / 2];
      (code % 2 == 0 ? sums.plus : sums.minus) += now * inverse_after - old * inverse_before;
      touch(static_cast<std::uint32_t>(code / 2));
    }
    cost += end - begin;
  }

  void touch(std::uint32_t q) {
    if (stamps_[q] == stamp_) return;
    stamps_[q] = stamp_;
    touched_.push_back(q);
  }

  // E and D carry a factor exp(-scale) that keeps them finite; the 1 in D as well.
  double one(std::size_t list) const { return std::exp(-scale_[list]); }

  // One Newton step on a0: slope and curvature of sum_i log D_i in a0, halved until it helps.
  void move_log_probability(std::size_t round) {
    const auto every = static_cast<std::size_t>(options_.move_log_probability_every);
    if (every == 0 || round % every != 0) return;
    double slope = 0, curvature = 0;
    for (std::size_t l = 0; l < pairs_.lists(); ++l) {
      double mean = 0, square = 0;
      for (std::size_t p = pairs_.first(l); p < pairs_.first(l + 1); ++p) {
        const double q = e_[p] / d_[l], d = pairs_.log_ratio(p);
        mean += q * d;
        square += q * d * d;
      }
      slope += mean;
      curvature += square - mean * mean;
    }
    if (!(curvature > 0) || !std::isfinite(curvature)) return;
    double step = slope / curvature;
    const double loss = log_loss(pairs_, log_probability_weight_, weights_);
    int halving = 0;
    while (log_loss(pairs_, log_probability_weight_ + step, weights_) > loss) {
      if (++halving == 60) return;
      step /= 2;
    }
    run_.rounds.push_back({BoostingRound::kLogProbability, step, loss, 0, pairs_.entries()});
    log_probability_weight_ += step;
    refresh();
  }

  // Everything from the weights alone.
  void refresh() {
    std::fill(sums_.begin(), sums_.end(), Sums{});
    mass_ = {};
    loss_ = {};
    for (std::size_t l = 0; l < pairs_.lists(); ++l) refresh(l);
    for (std::size_t q = 0; q < sums_.size(); ++q) gains_.set(q, gain(sums_[q]));
    fresh_mass_ = mass_.value();
  }

  void refresh(std::size_t l) {
    const std::size_t begin = pairs_.first(l), end = pairs_.first(l + 1);
    double largest = 0;
    for (std::size_t p = begin; p < end; ++p) {
      e_[p] = std::log(pairs_.importance(p)) - margin(pairs_, p, log_probability_weight_, weights_);
      largest = std::max(largest, e_[p]);
    }
    scale_[l] = largest;
    d_[l] = one(l);
    for (std::size_t p = begin; p < end; ++p) {
      e_[p] = std::exp(e_[p] - largest);
      d_[l] += e_[p];
    }
    mass_.add(1 - one(l) / d_[l]);
    loss_.add(std::log(d_[l]) + largest);
    const std::size_t first = entries_.rows[l];
    std::fill(u_.begin() + static_cast<std::ptrdiff_t>(first),
              u_.begin() + static_cast<std::ptrdiff_t>(entries_.rows[l + 1]), 0.0);
    for (std::size_t p = begin; p < end; ++p) {
      for (const std::uint32_t entry : entries_.of_pair(p)) u_[first + entry] += e_[p];
    }
    for (std::size_t e = first; e < entries_.rows[l + 1]; ++e) {
      Sums& sums = sums_[entries_.codes[e] / 2];
      (entries_.codes[e] % 2 == 0 ? sums.plus : sums.minus) += u_[e] / d_[l];
    }
  }

  const RankingPairs& pairs_;
  const BoostingOptions& options_;
  double log_probability_weight_;
  const ListEntries entries_;
  std::vector<double> weights_;
  std::vector<double> e_;  // of pairs
  std::vector<std::uint32_t> list_of_;
  std::vector<double> scale_, d_;  // of lists
  std::vector<double> u_;          // of the entries of lists
  std::vector<double> changes_;    // of the list at hand; 0 in between
  CarefulSum mass_, loss_;         // sum of q; log loss
  std::vector<Sums> sums_;
  GainBlocks gains_;
  std::vector<std::uint32_t> stamps_, touched_;
  std::uint32_t stamp_ = 0;
  double fresh_mass_ = 0;
  BoostingRun run_;
};

double change_of_loss(std::span<const FeatureMass> lists, double d) {
  double sum = 0;
  for (const FeatureMass& list : lists) {
    sum += std::log1p(list.probability * std::expm1(d)) - (list.in_best ? d : 0);
  }
  return sum;
}

}  // namespace

BoostingRun boost_log_loss(const RankingPairs& pairs, double log_probability_weight,
                           const BoostingOptions& options, const RoundProgress& progress) {
  return LogLossBoosting(pairs, log_probability_weight, options).run(progress);
}

double log_loss(const RankingPairs& pairs, double log_probability_weight,
                std::span<const double> weights) {
  double loss = 0;
  std::vector<double> logs;
  for (std::size_t l = 0; l < pairs.lists(); ++l) {
    logs.assign(1, 0.0);
    for (std::size_t p = pairs.first(l); p < pairs.first(l + 1); ++p) {
      logs.push_back(std::log(pairs.importance(p)) -
                     margin(pairs, p, log_probability_weight, weights));
    }
    const double largest = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const double value : logs) sum += std::exp(value - largest);
    loss += std::log(sum) + largest;
  }
  return loss;
}

LogLossStep best_log_loss_step(std::span<const FeatureMass> lists, bool by_scaling) {
  constexpr double kLongest = 5;
  constexpr int kMostIterations = 1000;
  double in_best = 0;
  std::size_t mixed = 0;
  for (const FeatureMass& list : lists) {
    if (!(list.probability > 0 && list.probability < 1)) continue;
    ++mixed;
    in_best += list.in_best ? 1 : 0;
  }
  if (mixed == 0) return {};
  LogLossStep result;
  // Where the best candidates always have it, or never, the optimum is infinite: the longest step.
  if (in_best == 0 || in_best == static_cast<double>(mixed)) {
    result.step = in_best == 0 ? -kLongest : kLongest;
    result.change = change_of_loss(lists, result.step);
    return result;
  }
  double d = 0, value = 0;
  for (; result.iterations < kMostIterations; ++result.iterations) {
    double mean = 0, variance = 0;
    for (const FeatureMass& list : lists) {
      if (!(list.probability > 0 && list.probability < 1)) continue;
      const double odds = list.probability * std::exp(d);
      const double p = odds / (1 - list.probability + odds);
      mean += p;
      variance += p * (1 - p);
    }
    double move = by_scaling ? std::log(in_best / mean) : (in_best - mean) / variance;
    double next = std::clamp(d + move, -kLongest, kLongest);
    double next_value = change_of_loss(lists, next);
    for (int halving = 0; next_value > value && halving < 50; ++halving) {
      move /= 2;
      next = std::clamp(d + move, -kLongest, kLongest);
      next_value = change_of_loss(lists, next);
    }
    if (next_value > value) break;
    const bool still = std::abs(next - d) < 1e-10;
    d = next;
    value = next_value;
    if (still) break;
  }
  result.step = d;
  result.change = value;
  return result;
}

BoostingRun select_by_exact_log_loss(const RankingLists& lists, double log_probability_weight,
                                     int rounds) {
  BoostingRun run;
  run.log_probability_weight = log_probability_weight;
  run.pass_cost = lists.entries();
  std::vector<double> scores(lists.candidates());
  for (std::size_t c = 0; c < scores.size(); ++c) {
    scores[c] = log_probability_weight * lists.log_probability(c);
  }
  for (int round = 0; round < rounds; ++round) {
    // For each feature the lists it occurs in.
    std::vector<std::vector<FeatureMass>> masses(lists.dimension());
    std::vector<double> here(lists.dimension(), 0.0);
    double loss = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const std::size_t begin = lists.begin(i), end = lists.end(i);
      if (begin == end) continue;
      const std::size_t best = lists.best(i);
      double largest = scores[best], total = 0;
      for (std::size_t c = begin; c < end; ++c) largest = std::max(largest, scores[c]);
      for (std::size_t c = begin; c < end; ++c) total += std::exp(scores[c] - largest);
      loss += std::log(total) + largest - scores[best];
      std::vector<RankingLists::Feature> present;
      for (std::size_t c = begin; c < end; ++c) {
        for (const auto k : lists.features(c)) {
          if (here[k] == 0) present.push_back(k);
          here[k] += std::exp(scores[c] - largest) / total;
        }
      }
      const auto of_best = lists.features(best);
      for (const auto k : present) {
        if (here[k] == 0) continue;  // underflowed and listed twice
        masses[k].push_back(
            {std::min(here[k], 1.0), std::binary_search(of_best.begin(), of_best.end(), k)});
        here[k] = 0;
      }
    }
    LogLossStep most;
    std::uint32_t best = 0;
    for (std::uint32_t k = 0; k < masses.size(); ++k) {
      const LogLossStep step = best_log_loss_step(masses[k]);
      if (step.change < most.change) {
        most = step;
        best = k;
      }
    }
    if (most.change >= 0) {
      run.loss = loss;
      return run;
    }
    run.rounds.push_back({best, most.step, loss, std::sqrt(-most.change), lists.entries()});
    run.loss = loss + most.change;
    for (std::size_t c = 0; c < scores.size(); ++c) {
      const auto features = lists.features(c);
      if (std::binary_search(features.begin(), features.end(), best)) scores[c] += most.step;
    }
  }
  return run;
}

}  // namespace copse
