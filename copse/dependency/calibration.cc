#include "copse/dependency/calibration.h"

#include <algorithm>
#include <cmath>

namespace copse {

void CalibrationError::add(double probability, bool right) {
  const auto count = static_cast<double>(bins_.size());
  const double place = std::clamp(probability * count, 0.0, count - 1);
  Bin& bin = bins_[static_cast<std::size_t>(place)];
  ++bin.arcs;
  bin.right += right ? 1 : 0;
  bin.probability += probability;
}

void CalibrationError::add(const CalibrationError& other) {
  for (std::size_t k = 0; k < bins_.size(); ++k) {
    bins_[k].arcs += other.bins_[k].arcs;
    bins_[k].right += other.bins_[k].right;
    bins_[k].probability += other.bins_[k].probability;
  }
}

std::size_t CalibrationError::arcs() const {
  std::size_t sum = 0;
  for (const Bin& bin : bins_) sum += bin.arcs;
  return sum;
}

double CalibrationError::value() const {
  double distance = 0;
  for (const Bin& bin : bins_)
    distance += std::abs(bin.probability - static_cast<double>(bin.right));
  return arcs() == 0 ? 0 : distance / static_cast<double>(arcs());
}

double best_temperature(const std::function<double(double)>& loss, double lowest, double highest) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(lowest);
  double high = std::log(highest);
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  double left_loss = loss(std::exp(left));
  double right_loss = loss(std::exp(right));
  while (high - low > 0.05) {
    if (left_loss <= right_loss) {
      high = right;
      right = left;
      right_loss = left_loss;
      left = high - ratio * (high - low);
      left_loss = loss(std::exp(left));
    } else {
      low = left;
      left = right;
      left_loss = right_loss;
      right = low + ratio * (high - low);
      right_loss = loss(std::exp(right));
    }
  }
  return std::exp((low + high) / 2);
}

namespace {

// Beyond these a sum of floats says nothing any more.
constexpr double kLeastOdds = -30, kMostOdds = 14;

double log_odds(double log_p) {
  if (!(log_p < 0)) return kMostOdds;
  return std::clamp(log_p - std::log(-std::expm1(log_p)), kLeastOdds, kMostOdds);
}

using Three = std::array<double, 3>;

Three inputs_of(double log_p, int words) {
  return {log_odds(log_p), 1, std::log(std::max(1, words))};
}

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

constexpr Three kNoChange = {1, 0, 0};

// The loss above, its gradient and its second derivatives.
struct OddsLoss {
  double value = 0;
  Three gradient{};
  std::array<Three, 3> curvature{};
};

OddsLoss loss_at(const Three& at, std::span<const JudgedTree> trees) {
  OddsLoss loss;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double off = at[i] - kNoChange[i];
    loss.value += off * off / 2;
    loss.gradient[i] = off;
    loss.curvature[i][i] = 1;
  }
  for (const JudgedTree& tree : trees) {
    const Three x = inputs_of(tree.log_p, tree.words);
    const double z = at[0] * x[0] + at[1] * x[1] + at[2] * x[2];
    const double p = logistic(z);
    loss.value += std::log1p(std::exp(-std::abs(z))) + std::max(tree.right ? -z : z, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      loss.gradient[i] += (p - (tree.right ? 1 : 0)) * x[i];
      for (std::size_t j = 0; j < x.size(); ++j) loss.curvature[i][j] += p * (1 - p) * x[i] * x[j];
    }
  }
  return loss;
}

// curvature x = gradient, by elimination; the curvature is positive definite.
Three newton_step(OddsLoss loss) {
  auto& [value, right, left] = loss;
  for (std::size_t k = 0; k < right.size(); ++k) {
    for (std::size_t i = k + 1; i < right.size(); ++i) {
      const double factor = left[i][k] / left[k][k];
      for (std::size_t j = k; j < right.size(); ++j) left[i][j] -= factor * left[k][j];
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = right.size(); k-- > 0;) {
    for (std::size_t j = k + 1; j < right.size(); ++j) right[k] -= left[k][j] * right[j];
    right[k] /= left[k][k];
  }
  return right;
}

}  // namespace

double TreeOdds::probability(double log_p, int words) const {
  if (*this == TreeOdds()) return std::exp(log_p);
  const Three x = inputs_of(log_p, words);
  return logistic(slope * x[0] + offset * x[1] + length * x[2]);
}

TreeOdds fit_tree_odds(std::span<const JudgedTree> trees) {
  constexpr int kMostSteps = 100;
  constexpr double kSmallStep = 1e-9;
  Three at = kNoChange;
  OddsLoss loss = loss_at(at, trees);
  for (int k = 0; k < kMostSteps && !trees.empty(); ++k) {
    const Three step = newton_step(loss);
    // Halved until the loss falls: far from the least one, Newton's steps can be too long.
    double share = 1;
    for (; share > kSmallStep; share /= 2) {
      const Three next = {at[0] - share * step[0], at[1] - share * step[1],
                          at[2] - share * step[2]};
      OddsLoss there = loss_at(next, trees);
      if (there.value > loss.value) continue;
      at = next;
      loss = there;
      break;
    }
    if (share * (std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2])) < kSmallStep) break;
  }
  return {std::max(0.0, at[0]), at[1], at[2]};
}

std::vector<double> tree_probabilities(const TreeOdds& odds, std::span<const double> log_p,
                                       int words) {
  std::vector<double> out;
  out.reserve(log_p.size());
  for (const double each : log_p) out.push_back(std::exp(each));
  if (out.empty() || odds == TreeOdds()) return out;
  double others = 0;
  for (std::size_t i = 1; i < out.size(); ++i) others += out[i];
  // By rounding the others may have more than the first leaves them.
  const double left = std::max(1 - out.front(), others);
  out.front() = odds.probability(log_p.front(), words);
  const double factor = left > 0 ? (1 - out.front()) / left : 0;
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = std::min(out[i] * factor, out.front());
  return out;
}

}  // namespace copse
