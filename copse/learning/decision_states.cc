#include "copse/learning/decision_states.h"

#include <algorithm>

#include "copse/learning/dense_kernels.h"

namespace copse {

template <class T>
void DecisionStates<T>::start(const DecisionNetwork<T>& network, const DecisionSteps& items) {
  network_ = &network;
  shape_ = &network.shape();
  const std::size_t d = shape_->embedding, g = shape_->width();
  items_ = items.items();
  placed_.assign(shape_->places * items_ * g, T{0});
  left_.assign(items_ * d, T{0});
  for (std::size_t i = 0; i < items_; ++i) {
    for (const std::uint32_t row : items.rows_of(i)) {
      dense_kernels<T>().add(left_.data() + i * d, network.at(network.layout().table) + row * d, d);
    }
  }
  for (std::size_t q = 0; q < shape_->places; ++q) {
    dense_kernels<T>().multiply_add({items_, d, g, left_.data(), d, 1,
                                     network.at(network.layout().places) + q * d * g, g,
                                     placed_.data() + q * items_ * g, g});
  }
  count_ = 0;
  free_.clear();
  made_.clear();
}

template <class T>
std::int32_t DecisionStates<T>::take() {
  if (free_.empty()) {
    constexpr std::size_t kMore = 256;
    for (std::size_t i = kMore; i-- > 0;) free_.push_back(static_cast<std::int32_t>(count_ + i));
    count_ += kMore;
    const std::size_t h = shape_->hidden;
    if (hidden_.size() < count_ * h) {
      hidden_.resize(count_ * h);
      if (shape_->gated) cells_.resize(count_ * h);
    }
    if (products_.size() < count_ * shape_->roles * product_width()) {
      products_.resize(count_ * shape_->roles * product_width());
    }
    made_.resize(count_, 0);
  }
  const std::int32_t number = free_.back();
  free_.pop_back();
  made_[static_cast<std::size_t>(number)] = 0;
  return number;
}

// Those that the steps ask for and that were never made, role by role.
template <class T>
void DecisionStates<T>::make_products(std::span<const StepInput> steps) {
  const std::size_t h = shape_->hidden, j = shape_->joint(), width = product_width();
  const NetworkLayout& at = network_->layout();
  for (std::size_t r = 0; r < shape_->roles; ++r) {
    wanted_.clear();
    for (const StepInput& each : steps) {
      if (each.roles[r] == kNoStep) continue;
      const auto vector = static_cast<std::size_t>(each.roles[r]);
      if ((made_[vector] >> r & 1) != 0) continue;
      made_[vector] = static_cast<std::uint8_t>(made_[vector] | 1U << r);
      wanted_.push_back(vector);
    }
    const std::size_t m = wanted_.size();
    if (m == 0) continue;
    left_.resize(m * h);
    out_.assign(m * width, T{0});
    for (std::size_t i = 0; i < m; ++i) {
      std::copy_n(hidden_.data() + wanted_[i] * h, h, left_.data() + i * h);
    }
    dense_kernels<T>().multiply_add(
        {m, h, j, left_.data(), h, 1, network_->at(at.roles) + r * h * j, j, out_.data(), width});
    if (shape_->gated) {
      dense_kernels<T>().multiply_add({m, h, h, left_.data(), h, 1,
                                       network_->at(at.forget) + r * h * h, h, out_.data() + j,
                                       width});
    }
    for (std::size_t i = 0; i < m; ++i) {
      std::copy_n(out_.data() + i * width, width, product(wanted_[i], r));
    }
  }
}

template <class T>
void DecisionStates<T>::add(std::span<const StepInput> steps, std::vector<std::int32_t>& numbers) {
  const std::size_t h = shape_->hidden, g = shape_->width(), j = shape_->joint();
  const NetworkLayout& at = network_->layout();
  const auto& kernels = dense_kernels<T>();
  make_products(steps);
  numbers.clear();
  gates_.resize(g);
  std::vector<const T*> cells(shape_->roles);
  for (const StepInput& step : steps) {
    const std::int32_t number = take();
    numbers.push_back(number);
    T* x = gates_.data();
    std::copy_n(network_->at(at.bias), g, x);
    for (const std::uint32_t row : step.features) {
      kernels.add(x, network_->at(at.features) + row * g, g);
    }
    for (std::size_t q = 0; q < shape_->places; ++q) {
      if (step.places[q] == kNoStep) continue;
      kernels.add(x, placed_.data() + (q * items_ + static_cast<std::size_t>(step.places[q])) * g,
                  g);
    }
    for (std::size_t r = 0; r < shape_->roles; ++r) {
      if (step.roles[r] == kNoStep) {
        kernels.add(x, network_->at(at.absent) + r * j, j);
        cells[r] = nullptr;
        continue;
      }
      const auto from = static_cast<std::size_t>(step.roles[r]);
      const T* made = product(from, r);
      kernels.add(x, made, j);
      if (!shape_->gated) continue;
      kernels.add(x + (3 + r) * h, made + j, h);
      cells[r] = cells_.data() + from * h;
    }
    const std::size_t to = static_cast<std::size_t>(number) * h;
    run_cell<T>(*shape_, {x, cells_.data() + (shape_->gated ? to : 0), hidden_.data() + to}, cells);
  }
}

template <class T>
void DecisionStates<T>::scores(std::size_t factor, std::span<const std::int32_t> vectors,
                               std::vector<T>& out) {
  const std::size_t h = shape_->hidden, n = shape_->rows(factor), m = vectors.size();
  const NetworkLayout& at = network_->layout();
  left_.resize(m * h);
  out.resize(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    std::copy_n(hidden(vectors[i]), h, left_.data() + i * h);
    std::copy_n(network_->at(at.theta_bias[factor]), n, out.data() + i * n);
  }
  dense_kernels<T>().multiply_add(
      {m, h, n, left_.data(), h, 1, network_->at(at.theta[factor]), n, out.data(), n});
}

template <class T>
void DecisionStates<T>::keep(std::span<const std::int32_t> vectors) {
  kept_.assign(count_, 0);
  for (const std::int32_t each : vectors) {
    if (each != kNoStep) kept_[static_cast<std::size_t>(each)] = 1;
  }
  free_.clear();
  for (std::size_t i = count_; i-- > 0;) {
    if (kept_[i] == 0) free_.push_back(static_cast<std::int32_t>(i));
  }
}

template class DecisionStates<float>;
template class DecisionStates<double>;

}  // namespace copse
