#include "copse/learning/block_gradient.h"

#include <cstring>

#include "copse/base/error.h"

namespace copse {

double BlockWeights::penalty_change(std::span<const FeatureValue> change, double scale) const {
  double sum = 0;
  for (const auto& [feature, value] : change) {
    const double by = scale * value;
    sum += by * (w_[feature] + blocks_ * (change_[feature] + by / 2));
  }
  return sum;
}

void BlockWeights::add(std::span<const FeatureValue> change, double scale) {
  for (const auto& [feature, value] : change) {
    change_[feature] += scale * value;
    rounded_[feature] = static_cast<float>(w_[feature] + blocks_ * change_[feature]);
  }
}

namespace detail {
namespace {

template <class T>
void keep_range(std::vector<T>& values, Range range) {
  values.resize(range.end);
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(range.begin));
}

template <class T>
std::vector<T> joined(const std::vector<std::string>& pieces) {
  std::vector<T> out;
  for (const std::string& piece : pieces) {
    const std::size_t before = out.size();
    out.resize(before + piece.size() / sizeof(T));
    if (!piece.empty()) std::memcpy(out.data() + before, piece.data(), piece.size());
  }
  return out;
}

template <class T>
std::string text_of(std::span<const T> values) {
  std::string out;
  append_values(out, values);
  return out;
}

template <class T>
void gather_values(Group& group, std::vector<T>& values) {
  const auto pieces = gather(group, text_of(std::span<const T>(values)));
  if (group.leads()) values = joined<T>(pieces);
}

}  // namespace

void keep_own(ExponentiatedGradientState& state, Range parts) {
  keep_range(state.theta, parts);
  keep_range(state.marginals, parts);
}

void gather_state(Group& group, ExponentiatedGradientState& state, Range examples) {
  gather_values(group, state.theta);
  gather_values(group, state.marginals);
  if (state.rates.empty()) return;  // max-margin has one for all
  keep_range(state.rates, examples);
  gather_values(group, state.rates);
}

void complete(Group& group, std::vector<double>& values, Range own) {
  if (group.size() == 1) return;
  const auto mine = std::span<const double>(values).subspan(own.begin, own.size());
  values = joined<double>(gather_for_all(group, text_of(mine)));
}

}  // namespace detail
}  // namespace copse
