#include "copse/learning/decision_pass.h"

#include <algorithm>
#include <numeric>

#include "copse/learning/dense_kernels.h"

namespace copse {
namespace {

// C += A B, all of them dense.
template <class T>
void multiply(const T* a, std::size_t m, std::size_t k, const T* b, std::size_t n, T* c) {
  dense_kernels<T>().multiply_add({m, k, n, a, k, 1, b, n, c, n});
}

}  // namespace

template <class T>
void DecisionPass<T>::lay_out(Histories histories) {
  begin_.assign(1, 0);
  item_begin_.assign(1, 0);
  decision_begin_.assign(1, 0);
  for (const DecisionSteps* each : histories) {
    begin_.push_back(begin_.back() + each->steps());
    item_begin_.push_back(item_begin_.back() + each->items());
    decision_begin_.push_back(decision_begin_.back() + each->decisions.size());
  }
  order_.resize(histories.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
    return histories[a]->steps() > histories[b]->steps();
  });
  losses_.assign(histories.size(), 0.0);
  decision_losses_.resize(decision_begin_.back());
  const std::size_t rows = begin_.back();
  hidden_.assign(rows * shape_->hidden, T{0});
  if (shape_->gated) cells_.assign(rows * shape_->hidden, T{0});
  inputs_.assign(rows * shape_->roles * shape_->hidden, T{0});
  gates_.resize(rows * shape_->width());
}

template <class T>
void DecisionPass<T>::embed(Histories histories) {
  const std::size_t d = shape_->embedding, items = item_begin_.back(), g = shape_->width();
  if (shape_->places == 0) return;
  embedded_.assign(items * d, T{0});
  const T* table = network_->at(network_->layout().table);
  each_item_row(histories, [&](std::size_t item, std::uint32_t row, T factor) {
    dense_kernels<T>().axpy(embedded_.data() + item * d, table + row * d, factor, d);
  });
  mask(masks_.items, 0, embedded_.data(), embedded_.size());
  placed_.resize(shape_->places);
  for (std::size_t q = 0; q < shape_->places; ++q) {
    placed_[q].assign(items * g, T{0});
    multiply(embedded_.data(), items, d, network_->at(network_->layout().places) + q * d * g, g,
             placed_[q].data());
  }
}

// The part of the gates that does not depend on other steps.
template <class T>
void DecisionPass<T>::sum_inputs(Histories histories) {
  const std::size_t g = shape_->width(), j = shape_->joint();
  const NetworkLayout& at = network_->layout();
  const auto& kernels = dense_kernels<T>();
  for (std::size_t b = 0; b < histories.size(); ++b) {
    const DecisionSteps& history = *histories[b];
    for (std::size_t t = 0; t < history.steps(); ++t) {
      T* x = gates_.data() + (begin_[b] + t) * g;
      std::copy_n(network_->at(at.bias), g, x);
      for (const std::uint32_t row : history.features_of(t)) {
        kernels.add(x, network_->at(at.features) + row * g, g);
      }
      for (std::size_t q = 0; q < shape_->places; ++q) {
        const std::int32_t item = history.places[t * shape_->places + q];
        if (item == kNoStep) continue;
        kernels.add(x, placed_[q].data() + (item_begin_[b] + static_cast<std::size_t>(item)) * g,
                    g);
      }
      for (std::size_t r = 0; r < shape_->roles; ++r) {
        if (history.roles[t * shape_->roles + r] != kNoStep) continue;
        kernels.add(x, network_->at(at.absent) + r * j, j);
      }
    }
  }
}

// All histories side by side: step t of those that have one.
template <class T>
void DecisionPass<T>::forward(Histories histories) {
  const std::size_t h = shape_->hidden, g = shape_->width(), j = shape_->joint();
  const std::size_t roles = shape_->roles, in = roles * h;
  const NetworkLayout& at = network_->layout();
  std::vector<const T*> cells(roles);
  std::size_t active = histories.size();
  for (std::size_t t = 0;; ++t) {
    while (active > 0 && histories[order_[active - 1]]->steps() <= t) --active;
    if (active == 0) break;
    block_.assign(active * (in + g), T{0});
    T *left = block_.data(), *sums = left + active * in;
    for (std::size_t k = 0; k < active; ++k) {
      const std::size_t b = order_[k], row = begin_[b] + t;
      T* s = inputs_.data() + row * in;
      for (std::size_t r = 0; r < roles; ++r) {
        const std::int32_t from = histories[b]->roles[t * roles + r];
        if (from == kNoStep) continue;
        std::copy_n(hidden(begin_[b] + static_cast<std::size_t>(from)), h, s + r * h);
      }
      mask(masks_.roles, b * in, s, in);
      std::copy_n(s, in, left + k * in);
      std::copy_n(gates_.data() + row * g, g, sums + k * g);
    }
    dense_kernels<T>().multiply_add(
        {active, in, j, left, in, 1, network_->at(at.roles), j, sums, g});
    for (std::size_t r = 0; shape_->gated && r < roles; ++r) {
      dense_kernels<T>().multiply_add({active, h, h, left + r * h, in, 1,
                                       network_->at(at.forget) + r * h * h, h, sums + (3 + r) * h,
                                       g});
    }
    for (std::size_t k = 0; k < active; ++k) {
      const std::size_t b = order_[k], row = begin_[b] + t;
      T* x = gates_.data() + row * g;
      std::copy_n(sums + k * g, g, x);
      for (std::size_t r = 0; shape_->gated && r < roles; ++r) {
        const std::int32_t from = histories[b]->roles[t * roles + r];
        cells[r] = from == kNoStep
                       ? nullptr
                       : cells_.data() + (begin_[b] + static_cast<std::size_t>(from)) * h;
      }
      T* cell = shape_->gated ? cells_.data() + row * h : nullptr;
      run_cell<T>(*shape_, {x, cell, hidden_.data() + row * h}, cells);
    }
  }
}

// Softmax and, with a gradient, its slopes: factor by factor, all decisions of one at once.
template <class T>
double DecisionPass<T>::predict(Histories histories, const TransposedWeights<T>* transposed,
                                std::span<T> gradient) {
  const std::size_t h = shape_->hidden;
  const NetworkLayout& at = network_->layout();
  struct StepPlace {
    std::size_t row, history, number;  // the number among the decisions of all histories
    const StepDecision* decision;
  };
  std::vector<std::vector<StepPlace>> places(shape_->factors.size());
  for (std::size_t b = 0; b < histories.size(); ++b) {
    std::size_t number = decision_begin_[b];
    for (const StepDecision& each : histories[b]->decisions) {
      places[each.factor].push_back({begin_[b] + each.step, b, number++, &each});
    }
  }
  std::vector<T> states, back, scores;
  double total = 0;
  for (std::size_t f = 0; f < places.size(); ++f) {
    const std::size_t m = places[f].size(), n = shape_->rows(f);
    if (m == 0) continue;
    states.resize(m * h);
    scores.resize(m * n);
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t row = places[f][i].row;
      std::copy_n(hidden(row), h, states.data() + i * h);
      mask(masks_.hidden, row * h, states.data() + i * h, h);
      std::copy_n(network_->at(at.theta_bias[f]), n, scores.data() + i * n);
    }
    multiply(states.data(), m, h, network_->at(at.theta[f]), n, scores.data());
    for (std::size_t i = 0; i < m; ++i) {
      const StepDecision& decision = *places[f][i].decision;
      const std::span<T> x(scores.data() + i * n, n);
      const auto score = static_cast<double>(x[decision.row]);
      const double loss = softmax(shape_->factors[f], decision.groups, x) - score;
      total += loss;
      losses_[places[f][i].history] += loss;
      decision_losses_[places[f][i].number] = loss;
      x[decision.row] -= T{1};
    }
    if (gradient.empty()) continue;
    back.assign(m * h, T{0});
    multiply(scores.data(), m, n, transposed->theta[f].data(), h, back.data());
    dense_kernels<T>().multiply_add(
        {h, m, n, states.data(), 1, h, scores.data(), n, gradient.data() + at.theta[f], n});
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t row = places[f][i].row;
      dense_kernels<T>().add(gradient.data() + at.theta_bias[f], scores.data() + i * n, n);
      T* slope = back.data() + i * h;
      mask(masks_.hidden, row * h, slope, h);
      dense_kernels<T>().add(hidden_slope_.data() + row * h, slope, h);
    }
  }
  return total;
}

template <class T>
double DecisionPass<T>::run(const DecisionNetwork<T>& network, Histories histories,
                            const TransposedWeights<T>* transposed, std::span<T> gradient,
                            const Dropout& dropout) {
  network_ = &network;
  shape_ = &network.shape();
  lay_out(histories);
  masks_.draw(histories, *shape_, dropout);
  embed(histories);
  sum_inputs(histories);
  forward(histories);
  if (!gradient.empty()) {
    hidden_slope_.assign(hidden_.size(), T{0});
    cell_slope_.assign(cells_.size(), T{0});
  }
  const double loss = predict(histories, transposed, gradient);
  if (!gradient.empty()) {
    backward(histories, *transposed);
    add_weight_gradients(histories, *transposed, gradient);
  }
  return loss;
}

template double DecisionPass<float>::run(const DecisionNetwork<float>&, Histories,
                                         const TransposedWeights<float>*, std::span<float>,
                                         const Dropout&);
template double DecisionPass<double>::run(const DecisionNetwork<double>&, Histories,
                                          const TransposedWeights<double>*, std::span<double>,
                                          const Dropout&);

}  // namespace copse
