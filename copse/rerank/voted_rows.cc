#include "copse/rerank/voted_rows.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "copse/learning/voted_perceptron.h"

namespace copse {
namespace {

constexpr double kLargest = 1e200;

// Which candidates of a list have a row, and where.
class RowIndex {
 public:
  RowIndex(std::span<const SparseRows> candidates, std::size_t columns) : columns_(columns) {
    for (std::size_t t = 0; t < candidates.size(); ++t) {
      for (std::size_t i = 0; i < candidates[t].rows.size(); ++i) {
        places_[candidates[t].rows[i]].push_back({t, candidates[t].values.data() + i * columns});
      }
    }
  }

  // out_t += <rows, rows of t>
  void add_products(const SparseRows& rows, std::vector<double>& out) const {
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
      const auto found = places_.find(rows.rows[i]);
      if (found == places_.end()) continue;
      const float* left = rows.values.data() + i * columns_;
      for (const Place& place : found->second) {
        double sum = 0;
        for (std::size_t k = 0; k < columns_; ++k) {
          sum += static_cast<double>(left[k]) * static_cast<double>(place.values[k]);
        }
        out[place.candidate] += sum;
      }
    }
  }

 private:
  struct Place {
    std::size_t candidate;
    const float* values;
  };
  std::size_t columns_;
  tsl::robin_map<std::uint64_t, std::vector<Place>> places_;
};

bool is_sound(double value) {
  return std::abs(value) <= kLargest;
}

}  // namespace

void VotedRows::live() {
  ++(changes_.empty() ? silent_ : changes_.back().survival);
}

void VotedRows::change(double base, std::span<const double> coefficients,
                       std::span<const SparseRows> rows) {
  std::map<std::uint64_t, std::vector<double>> sums;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (coefficients[t] == 0) continue;
    for (std::size_t i = 0; i < rows[t].rows.size(); ++i) {
      std::vector<double>& sum = sums[rows[t].rows[i]];
      sum.resize(columns_);
      for (std::size_t k = 0; k < columns_; ++k) {
        sum[k] += coefficients[t] * static_cast<double>(rows[t].values[i * columns_ + k]);
      }
    }
  }
  Change& made = changes_.emplace_back(Change{base, 1, {}});
  for (const auto& [row, sum] : sums) {
    made.rows.rows.push_back(row);
    for (const double value : sum) made.rows.values.push_back(static_cast<float>(value));
  }
}

std::vector<double> VotedRows::votes(const DerivedList& list,
                                     std::span<const SparseRows> rows) const {
  const RowIndex index(rows, columns_);
  Voter voter(list.base, 1);
  voter.begin_chunk(silent_);
  std::vector<double> products, moved(list.size());
  for (const Change& each : changes_) {
    products.assign(list.size(), 0.0);
    index.add_products(each.rows, products);
    for (std::size_t k = 0; k < list.size(); ++k) moved[k] = list.score(k, 0, products);
    voter.update(moved, each.base, each.survival);
  }
  return {voter.votes().begin(), voter.votes().end()};
}

void VotedRows::save(ModelWriter& writer) const {
  std::vector<double> base;
  std::vector<std::uint64_t> survival{silent_}, sizes, rows;
  std::vector<float> values;
  for (const Change& each : changes_) {
    base.push_back(each.base);
    survival.push_back(each.survival);
    sizes.push_back(each.rows.rows.size());
    rows.insert(rows.end(), each.rows.rows.begin(), each.rows.rows.end());
    values.insert(values.end(), each.rows.values.begin(), each.rows.values.end());
  }
  writer.add_array<double>("voter-base", base);
  writer.add_array<std::uint64_t>("voter-survival", survival);
  writer.add_array<std::uint64_t>("voter-sizes", sizes);
  writer.add_array<std::uint64_t>("voter-rows", rows);
  writer.add_array<float>("voter-values", values);
}

VotedRows VotedRows::load(const ModelFile& file, std::size_t columns) {
  const auto base = file.array<double>("voter-base");
  const auto survival = file.array<std::uint64_t>("voter-survival");
  const auto sizes = file.array<std::uint64_t>("voter-sizes");
  auto rows = file.array<std::uint64_t>("voter-rows");
  auto values = file.array<float>("voter-values");
  if (survival.size() != base.size() + 1 || sizes.size() != base.size() ||
      values.size() != rows.size() * columns) {
    throw file.damaged("voter-base", "does not fit the changes");
  }
  if (!std::ranges::all_of(base, is_sound)) throw file.damaged("voter-base", "is out of range");
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) {
    throw file.damaged("voter-values", "has a weight that is none");
  }
  VotedRows out(columns);
  out.silent_ = survival[0];
  for (std::size_t m = 0; m < base.size(); ++m) {
    if (sizes[m] > rows.size()) throw file.damaged("voter-rows", "is shorter than its changes");
    const auto mine = rows.first(sizes[m]);
    const auto weights = values.first(sizes[m] * columns);
    out.changes_.push_back(
        {base[m], survival[m + 1], {{mine.begin(), mine.end()}, {weights.begin(), weights.end()}}});
    rows = rows.subspan(mine.size());
    values = values.subspan(weights.size());
  }
  if (!rows.empty()) throw file.damaged("voter-rows", "is longer than its changes");
  return out;
}

}  // namespace copse
