// The way back: from the slopes of the decisions' states to those of all weights.
#include <algorithm>

#include "copse/learning/decision_pass.h"
#include "copse/learning/dense_kernels.h"

namespace copse {

// From the slopes of s and c to those of the sums of all gates; c of roles get theirs.
template <class T>
void DecisionPass<T>::cell_back(std::size_t row, const DecisionSteps& history, std::size_t step,
                                T* slopes) {
  const std::size_t h = shape_->hidden, roles = shape_->roles;
  const T* x = gates_.data() + row * shape_->width();
  const T* ds = hidden_slope_.data() + row * h;
  if (!shape_->gated) {
    for (std::size_t k = 0; k < h; ++k) slopes[k] = ds[k] * x[k] * (1 - x[k]);
    return;
  }
  T* dc = cell_slope_.data() + row * h;
  const T *in = x, *out = x + h, *update = x + 2 * h, *c = cells_.data() + row * h;
  for (std::size_t k = 0; k < h; ++k) {
    slopes[h + k] = ds[k] * c[k] * out[k] * (1 - out[k]);
    dc[k] += ds[k] * out[k];
    slopes[k] = dc[k] * in[k] * (update[k] - c[k]);
    slopes[2 * h + k] = dc[k] * in[k] * (1 - update[k] * update[k]);
  }
  for (std::size_t r = 0; r < roles; ++r) {
    const std::int32_t from = history.roles[step * roles + r];
    T* slope = slopes + (3 + r) * h;
    if (from == kNoStep) {
      std::fill_n(slope, h, T{0});
      continue;
    }
    const T* gate = x + (3 + r) * h;
    const std::size_t before = (row - step + static_cast<std::size_t>(from)) * h;
    for (std::size_t k = 0; k < h; ++k) {
      slope[k] = dc[k] * gate[k] * (cells_[before + k] - c[k]);
      cell_slope_[before + k] += dc[k] * gate[k];
    }
  }
}

template <class T>
void DecisionPass<T>::backward(Histories histories, const TransposedWeights<T>& transposed) {
  const std::size_t h = shape_->hidden, g = shape_->width(), j = shape_->joint();
  const std::size_t roles = shape_->roles, in = roles * h;
  if (histories.empty()) return;
  std::size_t active = 0;
  for (std::size_t t = histories[order_[0]]->steps(); t-- > 0;) {
    while (active < histories.size() && histories[order_[active]]->steps() > t) ++active;
    slopes_.resize(active * g);
    role_slopes_.assign(active * in, T{0});
    for (std::size_t k = 0; k < active; ++k) {
      const std::size_t b = order_[k];
      cell_back(begin_[b] + t, *histories[b], t, slopes_.data() + k * g);
    }
    dense_kernels<T>().multiply_add({active, j, in, slopes_.data(), g, 1, transposed.roles.data(),
                                     in, role_slopes_.data(), in});
    for (std::size_t r = 0; shape_->gated && r < roles; ++r) {
      dense_kernels<T>().multiply_add({active, h, h, slopes_.data() + (3 + r) * h, g, 1,
                                       transposed.forget.data() + r * h * h, h,
                                       role_slopes_.data() + r * h, in});
    }
    for (std::size_t k = 0; k < active; ++k) {
      const std::size_t b = order_[k];
      std::copy_n(slopes_.data() + k * g, g, gates_.data() + (begin_[b] + t) * g);
      for (std::size_t r = 0; r < roles; ++r) {
        const std::int32_t from = histories[b]->roles[t * roles + r];
        if (from == kNoStep) continue;
        T* slope = role_slopes_.data() + k * in + r * h;
        mask(masks_.roles, b * in + r * h, slope, h);
        dense_kernels<T>().add(
            hidden_slope_.data() + (begin_[b] + static_cast<std::size_t>(from)) * h, slope, h);
      }
    }
  }
}

template <class T>
void DecisionPass<T>::add_weight_gradients(Histories histories,
                                           const TransposedWeights<T>& transposed,
                                           std::span<T> gradient) {
  const std::size_t h = shape_->hidden, g = shape_->width(), j = shape_->joint();
  const std::size_t roles = shape_->roles, in = roles * h, d = shape_->embedding;
  const std::size_t rows = begin_.back(), items = item_begin_.back();
  const NetworkLayout& at = network_->layout();
  const auto& kernels = dense_kernels<T>();
  kernels.multiply_add(
      {in, rows, j, inputs_.data(), 1, in, gates_.data(), g, gradient.data() + at.roles, j});
  for (std::size_t r = 0; shape_->gated && r < roles; ++r) {
    kernels.multiply_add({h, rows, h, inputs_.data() + r * h, 1, in, gates_.data() + (3 + r) * h, g,
                          gradient.data() + at.forget + r * h * h, h});
  }
  for (auto& placed : placed_) placed.assign(items * g, T{0});
  for (std::size_t b = 0; b < histories.size(); ++b) {
    const DecisionSteps& history = *histories[b];
    for (std::size_t t = 0; t < history.steps(); ++t) {
      const T* slope = gates_.data() + (begin_[b] + t) * g;
      kernels.add(gradient.data() + at.bias, slope, g);
      for (const std::uint32_t row : history.features_of(t)) {
        kernels.add(gradient.data() + at.features + row * g, slope, g);
      }
      for (std::size_t q = 0; q < shape_->places; ++q) {
        const std::int32_t item = history.places[t * shape_->places + q];
        if (item == kNoStep) continue;
        kernels.add(placed_[q].data() + (item_begin_[b] + static_cast<std::size_t>(item)) * g,
                    slope, g);
      }
      for (std::size_t r = 0; r < roles; ++r) {
        if (history.roles[t * roles + r] != kNoStep) continue;
        kernels.add(gradient.data() + at.absent + r * j, slope, j);
      }
    }
  }
  if (shape_->places == 0) return;
  std::vector<T>& back = block_;
  back.assign(items * d, T{0});
  for (std::size_t q = 0; q < shape_->places; ++q) {
    kernels.multiply_add({d, items, g, embedded_.data(), 1, d, placed_[q].data(), g,
                          gradient.data() + at.places + q * d * g, g});
    kernels.multiply_add({items, g, d, placed_[q].data(), g, 1,
                          transposed.places.data() + q * d * g, d, back.data(), d});
  }
  mask(masks_.items, 0, back.data(), back.size());
  each_item_row(histories, [&](std::size_t item, std::uint32_t row, T factor) {
    kernels.axpy(gradient.data() + at.table + row * d, back.data() + item * d, factor, d);
  });
}

template void DecisionPass<float>::backward(Histories, const TransposedWeights<float>&);
template void DecisionPass<float>::add_weight_gradients(Histories, const TransposedWeights<float>&,
                                                        std::span<float>);
template void DecisionPass<double>::backward(Histories, const TransposedWeights<double>&);
template void DecisionPass<double>::add_weight_gradients(Histories,
                                                         const TransposedWeights<double>&,
                                                         std::span<double>);

}  // namespace copse
