// The linear model while it learns: rows of weights, one per feature, that grow as features and
// labels turn up, and the average over all steps taken, computed lazily and exactly.
//
// A row holds only the labels it has seen an update for; for each (feature, label) the weight and
// its moment (lazy_average.h). Deltas of the perceptron are whole numbers: nothing is rounded until
// the division.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "copse/model/feature_key.h"
#include "copse/model/feature_table.h"
#include "copse/model/lazy_average.h"
#include "copse/model/model_file.h"
#include "copse/model/weight_rows.h"

namespace copse {

class TrainingWeights {
 public:
  using Row = std::uint32_t;
  static constexpr Row kNoRow = std::numeric_limits<Row>::max();

  struct Place {
    Row row = 0;
    Label label = 0;
    auto operator<=>(const Place&) const = default;  // NOLINT(modernize-use-nullptr): false alarm
  };
  struct Cell {
    double moment = 0;
    float weight = 0;
    Label label = 0;
  };

  // The feature's row, made if there is none yet.
  Row intern(FeatureKey key);
  // The feature's row or kNoRow.
  Row find(FeatureKey key) const { return table_.find(key); }
  // The rows of those features that have one, in their order. The memory that they need is asked for
  // ahead of time, so that the waits overlap.
  void find_all(std::span<const FeatureKey> keys, std::vector<Row>& out) const;
  std::size_t rows() const { return rows_.size(); }

  // The labels a row has weights for, in the order in which they turned up.
  std::span<const Cell> cells(Row row) const {
    return {cells_.data() + rows_[row].begin, rows_[row].size};
  }
  // visit(label, weight) for every label of the row.
  template <class Visit>
  void for_each(Row row, Visit visit) const {
    for (const Cell& cell : cells(row)) visit(cell.label, cell.weight);
  }
  // scores[label] += weight, for every label of the row.
  void add_to(Row row, std::span<float> scores) const {
    for (const Cell& cell : cells(row)) scores[cell.label] += cell.weight;
  }
  // The same for many rows at once, none of them kNoRow: the memory they need is asked for ahead of
  // time, so that the waits overlap.
  void add_all_to(std::span<const Row> rows, std::span<float> scores) const;
  float weight(Row row, Label label) const;
  float weight(const Place& place) const { return weight(place.row, place.label); }

  // Changes a weight during the current step.
  void update(Row row, Label label, double delta);
  void change(const Place& place, double by) { update(place.row, place.label, by); }
  // Ends the current step; an average is the mean of the weights after each step.
  void end_step() { ++steps_; }
  std::uint64_t steps() const { return steps_; }

  // All weights other than zero, averaged over the steps ended so far (or as they are now).
  WeightRows averaged() const;
  WeightRows current() const;
  // The average of one weight over the steps ended so far.
  float average(const Cell& cell) const { return average_weight(cell.weight, cell.moment, steps_); }

  std::size_t bytes() const;

  // As they are, for learning to go on from: sections whose names begin with `prefix`. load() throws
  // data_error for what was not saved by save(), and for labels that are not below `labels`.
  void save(ModelWriter& writer, const std::string& prefix) const;
  static TrainingWeights load(const ModelFile& file, const std::string& prefix, std::size_t labels);

 private:
  struct RowPlace {
    std::uint32_t begin = 0;
    std::uint32_t size : 24 = 0;
    std::uint32_t room : 8 = 0;  // no cell for 0, then 1, 2, 4, ... 65536

    std::uint32_t capacity() const { return room == 0 ? 0 : 1U << (room - 1); }
  };

  Cell& cell_of(Row row, Label label);
  void grow(RowPlace& place);

  template <class Value>
  WeightRows collect(Value value) const;

  FeatureTable table_;
  std::vector<FeatureKey> keys_;  // by row
  std::vector<RowPlace> rows_;
  std::vector<Cell> cells_;
  std::array<std::vector<std::uint32_t>, 18> free_;  // outgrown places, by their room
  std::uint64_t steps_ = 0;
};

}  // namespace copse
