// Voting with features derived from a model (Henderson & Titov 2005; learning/voted_perceptron.h): after
// every list of training there was a model, and the candidate that most of them would choose wins. A
// model changes only where something was learnt, so what is kept are the changes, each with the number of
// lists that the model lived after it; applying goes through all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/learning/decision_gradient.h"
#include "copse/learning/top_perceptron.h"
#include "copse/model/model_file.h"

namespace copse {

class VotedRows {
 public:
  explicit VotedRows(std::size_t columns) : columns_(columns) {}
  // Throws data_error for sections that do not fit together.
  static VotedRows load(const ModelFile& file, std::size_t columns);
  void save(ModelWriter& writer) const;

  // A list went by without a change.
  void live();
  // A list brought a change of the base's weight, and sum over t of coefficients_t rows_t of the
  // others.
  void change(double base, std::span<const double> coefficients, std::span<const SparseRows> rows);

  // For each candidate of a list, whose gradients are `rows`.
  std::vector<double> votes(const DerivedList& list, std::span<const SparseRows> rows) const;

 private:
  struct Change {
    double base = 0;
    std::uint64_t survival = 0;
    SparseRows rows;
  };

  std::size_t columns_;
  std::uint64_t silent_ = 0;  // lists before the first change
  std::vector<Change> changes_;
};

}  // namespace copse
