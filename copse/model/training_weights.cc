#include "copse/model/training_weights.h"

#include <algorithm>

#include "copse/base/error.h"
#include "copse/model/finite_array.h"

namespace copse {

TrainingWeights::Row TrainingWeights::intern(FeatureKey key) {
  const auto [row, is_new] = table_.add(key);
  if (is_new) {
    keys_.push_back(key);
    rows_.emplace_back();
  }
  return row;
}

void TrainingWeights::find_all(std::span<const FeatureKey> keys, std::vector<Row>& out) const {
  out.clear();
  for (const FeatureKey key : keys) table_.prefetch(key);
  for (const FeatureKey key : keys) {
    if (const Row row = find(key); row != kNoRow) out.push_back(row);
  }
}

void TrainingWeights::add_all_to(std::span<const Row> rows, std::span<float> scores) const {
  for (const Row row : rows) __builtin_prefetch(rows_.data() + row);
  for (const Row row : rows) __builtin_prefetch(cells_.data() + rows_[row].begin);
  for (const Row row : rows) add_to(row, scores);
}

float TrainingWeights::weight(Row row, Label label) const {
  for (const Cell& cell : cells(row)) {
    if (cell.label == label) return cell.weight;
  }
  return 0;
}

void TrainingWeights::update(Row row, Label label, double delta) {
  Cell& cell = cell_of(row, label);
  change_weight(cell.weight, cell.moment, delta, steps_);
}

TrainingWeights::Cell& TrainingWeights::cell_of(Row row, Label label) {
  RowPlace& place = rows_[row];
  Cell* const begin = cells_.data() + place.begin;
  Cell* const end = begin + place.size;
  Cell* const found = std::find_if(begin, end, [&](const Cell& c) { return c.label == label; });
  if (found != end) return *found;
  if (place.size == place.capacity()) grow(place);
  Cell& cell = cells_[place.begin + place.size++];
  cell = {0, 0, label};
  return cell;
}

// Doubles a row's room, in a place that another row has outgrown if there is one.
void TrainingWeights::grow(RowPlace& place) {
  RowPlace larger = place;
  ++larger.room;
  auto& places = free_[larger.room];
  if (places.empty()) {
    if (cells_.size() + larger.capacity() > UINT32_MAX) {
      throw machine_error("too many weights to train at once (4 * 10^9)");
    }
    larger.begin = static_cast<std::uint32_t>(cells_.size());
    cells_.resize(cells_.size() + larger.capacity());
  } else {
    larger.begin = places.back();
    places.pop_back();
  }
  std::copy_n(cells_.begin() + place.begin, place.size, cells_.begin() + larger.begin);
  if (place.room > 0) free_[place.room].push_back(place.begin);
  place = larger;
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

void TrainingWeights::save(ModelWriter& writer, const std::string& prefix) const {
  std::vector<std::uint32_t> sizes;
  std::vector<Label> labels;
  std::vector<float> weights;
  std::vector<double> moments;
  for (Row row = 0; row < rows_.size(); ++row) {
    sizes.push_back(rows_[row].size);
    for (const Cell& cell : cells(row)) {
      labels.push_back(cell.label);
      weights.push_back(cell.weight);
      moments.push_back(cell.moment);
    }
  }
  writer.add_array<FeatureKey>(prefix + "keys", keys_);
  writer.add_array<std::uint32_t>(prefix + "sizes", sizes);
  writer.add_array<Label>(prefix + "labels", labels);
  writer.add_array<float>(prefix + "weights", weights);
  writer.add_array<double>(prefix + "moments", moments);
  writer.add_array<std::uint64_t>(prefix + "steps", std::span(&steps_, 1));
}

TrainingWeights TrainingWeights::load(const ModelFile& file, const std::string& prefix,
                                      std::size_t label_count) {
  const auto keys = file.array<FeatureKey>(prefix + "keys");
  const auto sizes = file.array<std::uint32_t>(prefix + "sizes");
  const auto labels = file.array<Label>(prefix + "labels");
  const auto weights = finite_array<float>(file, prefix + "weights");
  const auto moments = finite_array<double>(file, prefix + "moments");
  const auto steps = file.array<std::uint64_t>(prefix + "steps");
  if (sizes.size() != keys.size() || weights.size() != labels.size() ||
      moments.size() != labels.size() || steps.size() != 1) {
    throw file.damaged(prefix + "sizes", "does not fit the weights");
  }
  TrainingWeights out;
  std::size_t next = 0;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (sizes[k] > labels.size() - next) throw file.damaged(prefix + "sizes", "is too large");
    if (out.intern(keys[k]) != k) throw file.damaged(prefix + "keys", "has a key twice");
    for (const std::size_t end = next + sizes[k]; next < end; ++next) {
      const auto row = static_cast<Row>(k);
      const std::uint32_t before = out.rows_[row].size;
      if (labels[next] >= label_count) throw file.damaged(prefix + "labels", "names no label");
      out.cell_of(row, labels[next]) = {moments[next], weights[next], labels[next]};
      if (out.rows_[row].size == before) throw file.damaged(prefix + "labels", "has a label twice");
    }
  }
  if (next != labels.size()) throw file.damaged(prefix + "sizes", "is too small");
  out.steps_ = steps[0];
  return out;
}

}  // namespace copse
