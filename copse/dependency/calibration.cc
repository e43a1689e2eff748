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

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

// The loss of the odds, its gradient and its second derivatives, by slope and offset.
struct OddsLoss {
  double value = 0, by_slope = 0, by_offset = 0;
  double slope_slope = 1, slope_offset = 0, offset_offset = 1;
};

OddsLoss loss_at(const TreeOdds& odds, std::span<const JudgedTree> trees) {
  OddsLoss loss;
  loss.by_slope = odds.slope - 1;
  loss.by_offset = odds.offset;
  loss.value = (loss.by_slope * loss.by_slope + loss.by_offset * loss.by_offset) / 2;
  for (const JudgedTree& tree : trees) {
    const double x = log_odds(tree.log_p);
    const double z = odds.slope * x + odds.offset;
    const double p = logistic(z);
    loss.value += std::log1p(std::exp(-std::abs(z))) + std::max(tree.right ? -z : z, 0.0);
    loss.by_slope += (p - (tree.right ? 1 : 0)) * x;
    loss.by_offset += p - (tree.right ? 1 : 0);
    const double curve = p * (1 - p);
    loss.slope_slope += curve * x * x;
    loss.slope_offset += curve * x;
    loss.offset_offset += curve;
  }
  return loss;
}

// A share of Newton's step: the gradient by the inverse of the second derivatives, which are
// positive definite. Where the slope would be negative it is 0, and the offset goes its own way.
TreeOdds moved(const TreeOdds& odds, const OddsLoss& loss, double share) {
  const double determinant =
      loss.slope_slope * loss.offset_offset - loss.slope_offset * loss.slope_offset;
  const double slope = loss.offset_offset * loss.by_slope - loss.slope_offset * loss.by_offset;
  const double offset = loss.slope_slope * loss.by_offset - loss.slope_offset * loss.by_slope;
  const TreeOdds next{odds.slope - share * slope / determinant,
                      odds.offset - share * offset / determinant};
  if (next.slope >= 0) return next;
  return {0, odds.offset - share * loss.by_offset / loss.offset_offset};
}

}  // namespace

double TreeOdds::probability(double log_p) const {
  if (*this == TreeOdds()) return std::exp(log_p);
  return logistic(slope * log_odds(log_p) + offset);
}

TreeOdds fit_tree_odds(std::span<const JudgedTree> trees) {
  constexpr int kMostSteps = 100;
  constexpr double kSmall = 1e-9;
  TreeOdds odds;
  OddsLoss loss = loss_at(odds, trees);
  for (int k = 0; k < kMostSteps; ++k) {
    // Halved until the loss falls: far from the least one, Newton's steps can be too long.
    double share = 1;
    TreeOdds next = moved(odds, loss, share);
    OddsLoss there = loss_at(next, trees);
    while (there.value > loss.value && share > kSmall) {
      share /= 2;
      next = moved(odds, loss, share);
      there = loss_at(next, trees);
    }
    if (there.value > loss.value) break;
    const double change = std::abs(next.slope - odds.slope) + std::abs(next.offset - odds.offset);
    odds = next;
    loss = there;
    if (change < kSmall) break;
  }
  return odds;
}

std::vector<double> tree_probabilities(const TreeOdds& odds, std::span<const double> log_p) {
  std::vector<double> out;
  out.reserve(log_p.size());
  for (const double each : log_p) out.push_back(std::exp(each));
  if (out.empty() || odds == TreeOdds()) return out;
  double others = 0;
  for (std::size_t i = 1; i < out.size(); ++i) others += out[i];
  // By rounding the others may have more than the first leaves them.
  const double left = std::max(1 - out.front(), others);
  out.front() = odds.probability(log_p.front());
  const double factor = left > 0 ? (1 - out.front()) / left : 0;
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = std::min(out[i] * factor, out.front());
  return out;
}

}  // namespace copse
