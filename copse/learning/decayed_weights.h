// Weights of stochastic gradient descent that shrink at every step (a Gaussian prior) while only few
// of them are touched, and their average over steps; all exact, without a pass over the weights.
//
//   w = scale * value          shrinking changes the scale alone
//   sum over steps t of scale_t value_t = S_T value_T - sum over t of S_(t-1) change_t,
//                                         S_t = scale_1 + ... + scale_t
//
// so the average needs, beside the values, the sum of changes times S at their time (Xu 2011, section
// 3.1, for the scaling; the rest is summation by parts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse {

class DecayedWeights {
 public:
  DecayedWeights() = default;
  explicit DecayedWeights(std::vector<double> start) : values_(std::move(start)) {}

  std::size_t size() const { return values_.size(); }
  std::span<const double> values() const { return values_; }
  double scale() const { return scale_; }
  double weight(std::size_t i) const { return scale_ * values_[i]; }

  // From now on the average is kept, of the steps that end after this.
  void begin_average() {
    missed_.assign(values_.size(), 0.0);
    scales_ = 0;
    steps_ = 0;
    averaging_ = true;
  }
  bool averaging() const { return averaging_; }
  std::uint64_t averaged_steps() const { return steps_; }

  // Begins a step: w *= factor, which is above 0 and at most 1.
  void shrink(double factor) {
    scale_ *= factor;
    if (scale_ < kSmallest) rescale();
  }
  // Changes of the step: add(rate, values) has to add rate times the change wanted to its argument;
  // called once or twice.
  template <class Add>
  void change(double rate, Add&& add) {
    add(rate / scale_, std::span<double>(values_));
    if (averaging_ && scales_ != 0) add(rate / scale_ * scales_, std::span<double>(missed_));
  }
  void end_step() {
    if (!averaging_) return;
    scales_ += scale_;
    ++steps_;
  }

  // One weight averaged; as it is now if no step was averaged.
  double average(std::size_t i) const {
    if (steps_ == 0) return weight(i);
    return (scales_ * values_[i] - missed_[i]) / static_cast<double>(steps_);
  }
  // Another set of weights as the values; the average begins anew if it was kept.
  void replace(std::vector<double> weights) {
    values_ = std::move(weights);
    scale_ = 1;
    if (averaging_) begin_average();
  }

  // All of it, for learning to go on from.
  struct State {
    std::vector<double> values, missed;
    double scale = 1, scales = 0;
    std::uint64_t steps = 0;
    bool averaging = false;
  };
  State state() const { return {values_, missed_, scale_, scales_, steps_, averaging_}; }
  explicit DecayedWeights(State state)
      : values_(std::move(state.values)),
        missed_(std::move(state.missed)),
        scale_(state.scale),
        scales_(state.scales),
        steps_(state.steps),
        averaging_(state.averaging) {}

 private:
  // Values grow as the scale shrinks, and the average is a difference of two such numbers: at this
  // scale it has lost four digits of sixteen.
  static constexpr double kSmallest = 1e-4;

  // Settles the sum so far, then gives the values the size of the weights; S begins anew.
  void rescale() {
    for (std::size_t i = 0; i < missed_.size(); ++i) missed_[i] -= scales_ * values_[i];
    for (double& value : values_) value *= scale_;
    scales_ = 0;
    scale_ = 1;
  }

  std::vector<double> values_, missed_;
  double scale_ = 1, scales_ = 0;
  std::uint64_t steps_ = 0;
  bool averaging_ = false;
};

}  // namespace copse
