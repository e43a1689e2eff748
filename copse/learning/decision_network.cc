#include "copse/learning/decision_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "copse/base/random.h"
#include "copse/learning/dense_kernels.h"

namespace copse {
namespace {

template <class T>
void transpose(const T* from, std::size_t rows, std::size_t columns, T* to) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
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

std::span<const std::uint32_t> DecisionSteps::features_of(std::size_t step) const {
  const std::uint32_t begin = step == 0 ? 0 : feature_end[step - 1];
  return std::span(features).subspan(begin, feature_end[step] - begin);
}

std::span<const std::uint32_t> DecisionSteps::rows_of(std::size_t item) const {
  const std::uint32_t begin = item == 0 ? 0 : item_end[item - 1];
  return std::span(item_rows).subspan(begin, item_end[item] - begin);
}

template <class T>
void DecisionNetwork<T>::start(std::uint64_t seed, double range) {
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
void TransposedWeights<T>::make(const DecisionNetwork<T>& network) {
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

template class DecisionNetwork<float>;
template class DecisionNetwork<double>;
template struct TransposedWeights<float>;
template struct TransposedWeights<double>;
template void run_cell<float>(const NetworkShape&, const CellPlace<float>&,
                              std::span<const float* const>);
template void run_cell<double>(const NetworkShape&, const CellPlace<double>&,
                               std::span<const double* const>);
template double softmax<float>(const std::vector<std::size_t>&, std::uint32_t, std::span<float>);
template double softmax<double>(const std::vector<std::size_t>&, std::uint32_t, std::span<double>);

}  // namespace copse
