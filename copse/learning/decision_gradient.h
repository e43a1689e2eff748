// The gradient of ln P of a history by the output weights theta of a network, each with its bias:
// row a of the gradient is a multiple of (s, 1).
//
//   exact     g_a = sum over steps of ([d = a] - P(a)) (s, 1)       over rows that are allowed
//   frozen    g_a = sum over steps with d = a of (s, 1)              the normaliser taken as a constant
#pragma once

#include <cstdint>
#include <vector>

#include "copse/learning/decision_pass.h"

namespace copse {

// Rows of a matrix, those that are not 0.
struct SparseRows {
  std::vector<std::uint64_t> rows;  // rising
  std::vector<float> values;        // as many for each row as the matrix has columns
};

double dot_product(const SparseRows& left, const SparseRows& right, std::size_t columns);

// Rows of all factors are counted through; hidden + 1 columns. Of each history, and its ln P.
struct DecisionGradient {
  double log_probability = 0;
  SparseRows rows;
};
std::vector<DecisionGradient> output_gradients(const DecisionNetwork<float>& network,
                                               std::span<const DecisionSteps* const> histories,
                                               bool exact, DecisionPass<float>& pass);

}  // namespace copse
