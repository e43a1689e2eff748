// Histories through a network (decision_network.h), forwards to the probabilities of all decisions and
// backwards to the derivatives by all weights: many histories side by side, so that what is done for
// one step is a product of matrices. Sums have a fixed order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/learning/decision_masks.h"
#include "copse/learning/decision_network.h"

namespace copse {

// Goes through some histories at once, step by step side by side. Memory of one thread.
template <class T>
class DecisionPass {
 public:
  using Histories = std::span<const DecisionSteps* const>;

  // The sum of -ln P of all decisions. With a gradient that is not empty its derivatives are added;
  // `transposed` is needed then. Everything is kept until the next call.
  double run(const DecisionNetwork<T>& network, Histories histories,
             const TransposedWeights<T>* transposed = nullptr, std::span<T> gradient = {},
             const Dropout& dropout = {});

  // Of the last run: where the steps of a history begin, s of a step, -ln P of a history.
  std::size_t begin_of(std::size_t history) const { return begin_[history]; }
  const T* hidden(std::size_t row) const { return hidden_.data() + row * shape_->hidden; }
  double loss(std::size_t history) const { return losses_[history]; }
  // -ln P of each decision of a history.
  std::span<const double> decision_losses(std::size_t history) const {
    return std::span(decision_losses_)
        .subspan(decision_begin_[history], decision_begin_[history + 1] - decision_begin_[history]);
  }

 private:
  void lay_out(Histories histories);
  template <class Take>  // take(item, row, factor)
  void each_item_row(Histories histories, Take&& take) const;
  void embed(Histories histories);
  void sum_inputs(Histories histories);
  void forward(Histories histories);
  double predict(Histories histories, const TransposedWeights<T>* transposed,
                 std::span<T> gradient);
  void backward(Histories histories, const TransposedWeights<T>& transposed);
  void cell_back(std::size_t row, const DecisionSteps& history, std::size_t step, T* slopes);
  void add_weight_gradients(Histories histories, const TransposedWeights<T>& transposed,
                            std::span<T> gradient);

  const DecisionNetwork<T>* network_ = nullptr;
  const NetworkShape* shape_ = nullptr;
  std::vector<std::size_t> begin_, item_begin_, decision_begin_;  // of histories, and the end
  std::vector<std::size_t> order_;                                // of histories, the longest first
  std::vector<double> losses_, decision_losses_;
  DecisionMasks<T> masks_;
  std::vector<T> embedded_;             // items x D
  std::vector<std::vector<T>> placed_;  // by place: items x G
  std::vector<T> gates_;                // rows x G: sums, then values, then slopes
  std::vector<T> inputs_;               // rows x (R H): s of the roles
  std::vector<T> hidden_, cells_;       // rows x H
  std::vector<T> hidden_slope_, cell_slope_;
  std::vector<T> block_, slopes_, role_slopes_;
};

template <class T>
template <class Take>
void DecisionPass<T>::each_item_row(Histories histories, Take&& take) const {
  std::size_t number = 0, item = 0;
  for (const DecisionSteps* history : histories) {
    for (std::size_t i = 0; i < history->items(); ++i, ++item) {
      for (const std::uint32_t row : history->rows_of(i)) {
        take(item, row, masks_.rows.empty() ? T{1} : masks_.rows[number]);
        ++number;
      }
    }
  }
}

}  // namespace copse
