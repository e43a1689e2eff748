// The vectors of many hypotheses that share their histories: what DecisionPass does for a history that
// is known, one step at a time for steps that a search comes upon, several of them at once.
//
// R_r s_j is made when a role asks for it first and kept with s_j, so that a new step costs sums of
// vectors and the few products that are new: PROJECTs of one state to all labels share theirs.
// Memory is that of the vectors in use (keep()). For one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/learning/decision_network.h"

namespace copse {

// A step to be made.
struct StepInput {
  std::span<const std::uint32_t> features;
  std::span<const std::int32_t> places;  // items
  std::span<const std::int32_t> roles;   // numbers of vectors
};

template <class T>
class DecisionStates {
 public:
  // Forgets all vectors; the items are those of `items`. The network must outlive this.
  void start(const DecisionNetwork<T>& network, const DecisionSteps& items);

  // Makes the vectors of steps; gives their numbers.
  void add(std::span<const StepInput> steps, std::vector<std::int32_t>& numbers);
  // Scores of all rows of a factor, for each of the vectors: theta s + bias.
  void scores(std::size_t factor, std::span<const std::int32_t> vectors, std::vector<T>& out);
  // Vectors other than these are not asked for any more; their numbers are given out again.
  void keep(std::span<const std::int32_t> vectors);

  const T* hidden(std::int32_t vector) const {
    return hidden_.data() + static_cast<std::size_t>(vector) * shape_->hidden;
  }

 private:
  std::int32_t take();
  void make_products(std::span<const StepInput> steps);
  std::size_t product_width() const {
    return shape_->joint() + (shape_->gated ? shape_->hidden : 0);
  }
  T* product(std::size_t vector, std::size_t role) {
    return products_.data() + (vector * shape_->roles + role) * product_width();
  }

  const DecisionNetwork<T>* network_ = nullptr;
  const NetworkShape* shape_ = nullptr;
  std::vector<T> placed_;  // [place][item][G]
  std::size_t items_ = 0;
  std::vector<T> hidden_, cells_;   // by vector
  std::vector<T> products_;         // by vector and role: R_r s, and F_r s of gated cells
  std::vector<std::uint8_t> made_;  // by vector: a bit for each role
  std::vector<std::int32_t> free_;
  std::size_t count_ = 0;           // vectors that there is memory for
  std::vector<std::uint8_t> kept_;  // of keep()
  std::vector<T> left_, out_, gates_;
  std::vector<std::size_t> wanted_;
};

}  // namespace copse
