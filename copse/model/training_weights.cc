#include "copse/model/training_weights.h"

#include <algorithm>
#include <bit>

namespace copse {

TrainingWeights::Row TrainingWeights::intern(FeatureKey key) {
  const auto [row, is_new] = table_.add(key);
  if (is_new) {
    keys_.push_back(key);
    rows_.emplace_back();
  }
  return row;
}

float TrainingWeights::weight(Row row, Label label) const {
  for (const Cell& cell : cells(row)) {
    if (cell.label == label) return cell.weight;
  }
  return 0;
}

void TrainingWeights::update(Row row, Label label, float delta) {
  Cell& cell = cell_of(row, label);
  cell.weight += delta;
  cell.moment += static_cast<double>(steps_) * delta;
}

TrainingWeights::Cell& TrainingWeights::cell_of(Row row, Label label) {
  RowPlace& place = rows_[row];
  Cell* const begin = cells_.data() + place.begin;
  Cell* const end = begin + place.size;
  Cell* const found = std::find_if(begin, end, [&](const Cell& c) { return c.label == label; });
  if (found != end) return *found;
  if (place.size == place.capacity) grow(place);
  Cell& cell = cells_[place.begin + place.size++];
  cell = {0, 0, label};
  return cell;
}

// Doubles a row's room, in a place that another row has outgrown if there is one.
void TrainingWeights::grow(RowPlace& place) {
  const auto capacity = static_cast<std::uint16_t>(
      place.capacity == 0 ? 1 : std::min<std::uint32_t>(place.capacity * 2U, UINT16_MAX));
  auto& places = free_[static_cast<std::size_t>(std::bit_width(capacity)) - 1];
  std::uint32_t begin = 0;
  if (places.empty() || capacity == UINT16_MAX) {
    begin = static_cast<std::uint32_t>(cells_.size());
    cells_.resize(cells_.size() + capacity);
  } else {
    begin = places.back();
    places.pop_back();
  }
  std::copy_n(cells_.begin() + place.begin, place.size, cells_.begin() + begin);
  if (place.capacity > 0) {
    free_[static_cast<std::size_t>(std::bit_width(place.capacity)) - 1].push_back(place.begin);
  }
  place = {begin, place.size, capacity};
}

template <class Value>
WeightRows TrainingWeights::collect(Value value) const {
  WeightRows result;
  std::vector<LabelWeight> weights;
  for (Row row = 0; row < rows_.size(); ++row) {
    weights.clear();
    for (const Cell& cell : cells(row)) {
      if (const float weight = value(cell); weight != 0) weights.push_back({cell.label, weight});
    }
    std::ranges::sort(weights, {}, &LabelWeight::label);
    if (!weights.empty()) result.add(keys_[row], weights);
  }
  return result;
}

WeightRows TrainingWeights::averaged() const {
  return collect([this](const Cell& cell) { return average(cell); });
}

WeightRows TrainingWeights::current() const {
  return collect([](const Cell& cell) { return cell.weight; });
}

std::size_t TrainingWeights::bytes() const {
  return table_.bytes() + keys_.capacity() * sizeof(FeatureKey) +
         rows_.capacity() * sizeof(RowPlace) + cells_.capacity() * sizeof(Cell);
}

}  // namespace copse
