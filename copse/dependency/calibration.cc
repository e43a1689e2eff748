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

}  // namespace copse
