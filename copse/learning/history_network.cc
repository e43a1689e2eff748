#include "copse/learning/history_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "copse/base/random.h"
#include "copse/learning/dense_kernels.h"

namespace copse {
namespace {

using Histories = std::span<const HistorySteps* const>;

template <class T>
void transpose(const T* from, std::size_t rows, std::size_t columns, T* to) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
}

// C += A B, all of them dense.
template <class T>
void multiply(const T* a, std::size_t m, std::size_t k, const T* b, std::size_t n, T* c) {
  dense_kernels<T>().multiply_add({m, k, n, a, k, 1, b, n, c, n});
}

}  // namespace

std::size_t NetworkShape::rows(std::size_t factor) const {
  return std::accumulate(factors[factor].begin(), factors[factor].end(), std::size_t{0});
}

NetworkLayout::NetworkLayout(const NetworkShape& s) {
  std::size_t at = 0;
  const auto take = [&](std::size_t count) { return std::exchange(at, at + count); };
  bias = take(s.width());
  features = take(s.features * s.width());
  table = take(s.table * s.embedding);
  places = take(s.places * s.embedding * s.width());
  roles = take(s.roles * s.hidden * s.joint());
  forget = take(s.gated ? s.roles * s.hidden * s.hidden : 0);
  absent = take(s.roles * s.joint());
  for (std::size_t f = 0; f < s.factors.size(); ++f) {
    theta.push_back(take(s.hidden * s.rows(f)));
    theta_bias.push_back(take(s.rows(f)));
  }
  size = at;
}

std::span<const std::uint32_t> HistorySteps::features_of(std::size_t step) const {
  const std::uint32_t begin = step == 0 ? 0 : feature_end[step - 1];
  return std::span(features).subspan(begin, feature_end[step] - begin);
}

std::span<const std::uint32_t> HistorySteps::rows_of(std::size_t item) const {
  const std::uint32_t begin = item == 0 ? 0 : item_end[item - 1];
  return std::span(item_rows).subspan(begin, item_end[item] - begin);
}

template <class T>
void HistoryNetwork<T>::start(std::uint64_t seed, double range) {
  Random random(seed);
  const auto fill = [&](std::size_t from, std::size_t count, double inputs, double outputs) {
    const double most = range > 0 ? range : std::sqrt(6 / (inputs + outputs));
    for (std::size_t i = from; i < from + count; ++i) {
      weights_[i] = static_cast<T>((2 * random.uniform() - 1) * most);
    }
  };
  const auto h = static_cast<double>(shape_.hidden), d = static_cast<double>(shape_.embedding);
  fill(0, layout_.features, h, h);
  fill(layout_.features, layout_.table - layout_.features, h, h);
  fill(layout_.table, layout_.places - layout_.table, d, d);
  fill(layout_.places, layout_.roles - layout_.places, d, h);
  fill(layout_.roles, layout_.forget - layout_.roles, 2 * h, h);
  fill(layout_.forget, layout_.absent - layout_.forget, h, h);
  fill(layout_.absent, shape_.roles * shape_.joint(), h, h);
  for (std::size_t f = 0; f < shape_.factors.size(); ++f) {
    const auto rows = static_cast<double>(shape_.rows(f));
    fill(layout_.theta[f], shape_.hidden * shape_.rows(f), h, rows);
    fill(layout_.theta_bias[f], shape_.rows(f), h, rows);
  }
}

template <class T>
void TransposedWeights<T>::make(const HistoryNetwork<T>& network) {
  const NetworkShape& s = network.shape();
  const NetworkLayout& at = network.layout();
  roles.resize(s.roles * s.hidden * s.joint());
  transpose(network.at(at.roles), s.roles * s.hidden, s.joint(), roles.data());
  forget.resize(at.absent - at.forget);
  for (std::size_t r = 0; s.gated && r < s.roles; ++r) {
    const std::size_t offset = r * s.hidden * s.hidden;
    transpose(network.at(at.forget) + offset, s.hidden, s.hidden, forget.data() + offset);
  }
  places.resize(s.places * s.embedding * s.width());
  for (std::size_t q = 0; q < s.places; ++q) {
    const std::size_t offset = q * s.embedding * s.width();
    transpose(network.at(at.places) + offset, s.embedding, s.width(), places.data() + offset);
  }
  theta.resize(s.factors.size());
  for (std::size_t f = 0; f < theta.size(); ++f) {
    theta[f].resize(s.hidden * s.rows(f));
    transpose(network.at(at.theta[f]), s.hidden, s.rows(f), theta[f].data());
  }
}

template <class T>
void run_cell(const NetworkShape& shape, const CellPlace<T>& place,
              std::span<const T* const> cells) {
  const auto& kernels = dense_kernels<T>();
  const std::size_t h = shape.hidden;
  if (!shape.gated) {
    kernels.sigmoid(place.x, h);
    std::copy_n(place.x, h, place.hidden);
    return;
  }
  T *in = place.x, *out = in + h, *update = in + 2 * h, *forget = in + 3 * h;
  kernels.sigmoid(out, h);
  kernels.tanh(update, h);
  // Shares of the update and of each role that is there, by their exponentials.
  T* largest = place.cell;
  std::copy_n(in, h, largest);
  for (std::size_t r = 0; r < shape.roles; ++r) {
    if (cells[r] == nullptr) continue;
    for (std::size_t j = 0; j < h; ++j) largest[j] = std::max(largest[j], forget[r * h + j]);
  }
  T* sum = place.hidden;
  for (std::size_t j = 0; j < h; ++j) in[j] -= largest[j];
  kernels.exp_less(in, T{0}, h);
  std::copy_n(in, h, sum);
  for (std::size_t r = 0; r < shape.roles; ++r) {
    T* gate = forget + r * h;
    if (cells[r] == nullptr) {
      std::fill_n(gate, h, T{0});
      continue;
    }
    for (std::size_t j = 0; j < h; ++j) gate[j] -= largest[j];
    kernels.exp_less(gate, T{0}, h);
    kernels.add(sum, gate, h);
  }
  for (std::size_t j = 0; j < h; ++j) sum[j] = 1 / sum[j];
  for (std::size_t j = 0; j < h; ++j) in[j] *= sum[j];
  for (std::size_t j = 0; j < h; ++j) place.cell[j] = in[j] * update[j];
  for (std::size_t r = 0; r < shape.roles; ++r) {
    if (cells[r] == nullptr) continue;
    T* gate = forget + r * h;
    for (std::size_t j = 0; j < h; ++j) gate[j] *= sum[j];
    for (std::size_t j = 0; j < h; ++j) place.cell[j] += gate[j] * cells[r][j];
  }
  for (std::size_t j = 0; j < h; ++j) place.hidden[j] = out[j] * place.cell[j];
}

template <class T>
double softmax(const std::vector<std::size_t>& groups, std::uint32_t allowed, std::span<T> x) {
  T largest = std::numeric_limits<T>::lowest();
  const auto each_group = [&](auto&& work) {
    std::size_t begin = 0;
    for (std::size_t g = 0; g < groups.size(); begin += groups[g++]) {
      work(x.subspan(begin, groups[g]), (allowed >> g & 1) != 0);
    }
  };
  each_group([&](std::span<T> rows, bool is_allowed) {
    if (is_allowed) {
      for (const T value : rows) largest = std::max(largest, value);
    }
  });
  double sum = 0;
  each_group([&](std::span<T> rows, bool is_allowed) {
    if (!is_allowed) {
      std::ranges::fill(rows, T{0});
      return;
    }
    dense_kernels<T>().exp_less(rows.data(), largest, rows.size());
    for (const T value : rows) sum += static_cast<double>(value);
  });
  const T scale = static_cast<T>(1 / sum);
  for (T& value : x) value *= scale;
  return static_cast<double>(largest) + std::log(sum);
}

template <class T>
void HistoryPass<T>::lay_out(Histories histories) {
  begin_.assign(1, 0);
  item_begin_.assign(1, 0);
  for (const HistorySteps* each : histories) {
    begin_.push_back(begin_.back() + each->steps());
    item_begin_.push_back(item_begin_.back() + each->items());
  }
  order_.resize(histories.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
    return histories[a]->steps() > histories[b]->steps();
  });
  losses_.assign(histories.size(), 0.0);
  const std::size_t rows = begin_.back();
  hidden_.assign(rows * shape_->hidden, T{0});
  if (shape_->gated) cells_.assign(rows * shape_->hidden, T{0});
  inputs_.assign(rows * shape_->roles * shape_->hidden, T{0});
  gates_.resize(rows * shape_->width());
}

template <class T>
void HistoryPass<T>::draw_masks(Histories histories, const Dropout& dropout) {
  masked_ = dropout.share > 0;
  if (!masked_) return;
  const std::size_t h = shape_->hidden, d = shape_->embedding;
  item_mask_.resize(item_begin_.back() * d);
  hidden_mask_.resize(begin_.back() * h);
  const T kept = static_cast<T>(1 / (1 - dropout.share));
  for (std::size_t b = 0; b < histories.size(); ++b) {
    Random random(dropout.seed + b);
    const auto draw = [&](std::vector<T>& mask, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) mask[i] = random.chance(dropout.share) ? T{0} : kept;
    };
    draw(item_mask_, item_begin_[b] * d, item_begin_[b + 1] * d);
    draw(hidden_mask_, begin_[b] * h, begin_[b + 1] * h);
  }
}

template <class T>
void HistoryPass<T>::embed(Histories histories) {
  const std::size_t d = shape_->embedding, items = item_begin_.back(), g = shape_->width();
  if (shape_->places == 0) return;
  embedded_.assign(items * d, T{0});
  for (std::size_t b = 0; b < histories.size(); ++b) {
    for (std::size_t i = 0; i < histories[b]->items(); ++i) {
      T* out = embedded_.data() + (item_begin_[b] + i) * d;
      for (const std::uint32_t row : histories[b]->rows_of(i)) {
        dense_kernels<T>().add(out, network_->at(network_->layout().table) + row * d, d);
      }
    }
  }
  for (std::size_t i = 0; masked_ && i < embedded_.size(); ++i) embedded_[i] *= item_mask_[i];
  placed_.resize(shape_->places);
  for (std::size_t q = 0; q < shape_->places; ++q) {
    placed_[q].assign(items * g, T{0});
    multiply(embedded_.data(), items, d, network_->at(network_->layout().places) + q * d * g, g,
             placed_[q].data());
  }
}

// The part of the gates that does not depend on other steps.
template <class T>
void HistoryPass<T>::sum_inputs(Histories histories) {
  const std::size_t g = shape_->width(), j = shape_->joint();
  const NetworkLayout& at = network_->layout();
  const auto& kernels = dense_kernels<T>();
  for (std::size_t b = 0; b < histories.size(); ++b) {
    const HistorySteps& history = *histories[b];
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
void HistoryPass<T>::forward(Histories histories) {
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
      run_cell<T>(*shape_, {x, cells_.data() + row * h, hidden_.data() + row * h}, cells);
    }
  }
}

// Softmax and, with a gradient, its slopes: factor by factor, all decisions of one at once.
template <class T>
double HistoryPass<T>::predict(Histories histories, const TransposedWeights<T>* transposed,
                               std::span<T> gradient) {
  const std::size_t h = shape_->hidden;
  const NetworkLayout& at = network_->layout();
  struct StepPlace {
    std::size_t row, history;
    const StepDecision* decision;
  };
  std::vector<std::vector<StepPlace>> places(shape_->factors.size());
  for (std::size_t b = 0; b < histories.size(); ++b) {
    for (const StepDecision& each : histories[b]->decisions) {
      places[each.factor].push_back({begin_[b] + each.step, b, &each});
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
      for (std::size_t k = 0; masked_ && k < h; ++k) states[i * h + k] *= hidden_mask_[row * h + k];
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
      T* slope = hidden_slope_.data() + row * h;
      for (std::size_t k = 0; k < h; ++k) {
        slope[k] += masked_ ? back[i * h + k] * hidden_mask_[row * h + k] : back[i * h + k];
      }
    }
  }
  return total;
}

// From the slopes of s and c to those of the sums of all gates; c of roles get theirs.
template <class T>
void HistoryPass<T>::cell_back(std::size_t row, const HistorySteps& history, std::size_t step,
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
void HistoryPass<T>::backward(Histories histories, const TransposedWeights<T>& transposed) {
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
        dense_kernels<T>().add(
            hidden_slope_.data() + (begin_[b] + static_cast<std::size_t>(from)) * h,
            role_slopes_.data() + k * in + r * h, h);
      }
    }
  }
}

template <class T>
void HistoryPass<T>::add_weight_gradients(Histories histories,
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
    const HistorySteps& history = *histories[b];
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
    multiply(placed_[q].data(), items, g, transposed.places.data() + q * d * g, d, back.data());
  }
  for (std::size_t i = 0; masked_ && i < back.size(); ++i) back[i] *= item_mask_[i];
  for (std::size_t b = 0; b < histories.size(); ++b) {
    for (std::size_t i = 0; i < histories[b]->items(); ++i) {
      for (const std::uint32_t row : histories[b]->rows_of(i)) {
        kernels.add(gradient.data() + at.table + row * d, back.data() + (item_begin_[b] + i) * d,
                    d);
      }
    }
  }
}

template <class T>
double HistoryPass<T>::run(const HistoryNetwork<T>& network, Histories histories,
                           const TransposedWeights<T>* transposed, std::span<T> gradient,
                           const Dropout& dropout) {
  network_ = &network;
  shape_ = &network.shape();
  lay_out(histories);
  draw_masks(histories, dropout);
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

template class HistoryNetwork<float>;
template class HistoryNetwork<double>;
template struct TransposedWeights<float>;
template struct TransposedWeights<double>;
template class HistoryPass<float>;
template class HistoryPass<double>;
template void run_cell<float>(const NetworkShape&, const CellPlace<float>&,
                              std::span<const float* const>);
template void run_cell<double>(const NetworkShape&, const CellPlace<double>&,
                               std::span<const double* const>);
template double softmax<float>(const std::vector<std::size_t>&, std::uint32_t, std::span<float>);
template double softmax<double>(const std::vector<std::size_t>&, std::uint32_t, std::span<double>);

}  // namespace copse
