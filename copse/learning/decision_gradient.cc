#include "copse/learning/decision_gradient.h"

#include <algorithm>
#include <map>

#include "copse/learning/dense_kernels.h"

namespace copse {
namespace {

// Rows that grow while steps are added up.
class Rows {
 public:
  explicit Rows(std::size_t hidden) : hidden_(hidden) {}

  void add(std::uint64_t row, float times, const float* s) {
    std::vector<float>& to = rows_[row];
    if (to.empty()) to.assign(hidden_ + 1, 0.0F);
    dense_kernels<float>().axpy(to.data(), s, times, hidden_);
    to[hidden_] += times;
  }
  SparseRows finish() const {
    SparseRows out;
    for (const auto& [row, values] : rows_) {
      out.rows.push_back(row);
      out.values.insert(out.values.end(), values.begin(), values.end());
    }
    return out;
  }

 private:
  std::size_t hidden_;
  std::map<std::uint64_t, std::vector<float>> rows_;
};

// Probabilities of all rows of the factor of a decision.
void predict(const DecisionNetwork<float>& network, const StepDecision& decision, const float* s,
             std::vector<float>& out) {
  const NetworkShape& shape = network.shape();
  const std::size_t h = shape.hidden, n = shape.rows(decision.factor);
  const NetworkLayout& at = network.layout();
  const float* bias = network.at(at.theta_bias[decision.factor]);
  out.assign(bias, bias + n);
  dense_kernels<float>().multiply_add(
      {1, h, n, s, h, 1, network.at(at.theta[decision.factor]), n, out.data(), n});
  softmax<float>(shape.factors[decision.factor], decision.groups, out);
}

}  // namespace

double dot_product(const SparseRows& left, const SparseRows& right, std::size_t columns) {
  double sum = 0;
  std::size_t i = 0, j = 0;
  while (i < left.rows.size() && j < right.rows.size()) {
    if (left.rows[i] < right.rows[j]) {
      ++i;
    } else if (right.rows[j] < left.rows[i]) {
      ++j;
    } else {
      const float *a = left.values.data() + i++ * columns, *b = right.values.data() + j++ * columns;
      for (std::size_t k = 0; k < columns; ++k) sum += static_cast<double>(a[k]) * b[k];
    }
  }
  return sum;
}

std::vector<DecisionGradient> output_gradients(const DecisionNetwork<float>& network,
                                               std::span<const DecisionSteps* const> histories,
                                               bool exact, DecisionPass<float>& pass) {
  const NetworkShape& shape = network.shape();
  std::vector<std::uint64_t> first(shape.factors.size() + 1, 0);
  for (std::size_t f = 0; f < shape.factors.size(); ++f) first[f + 1] = first[f] + shape.rows(f);
  pass.run(network, histories);
  std::vector<DecisionGradient> out(histories.size());
  std::vector<float> probabilities;
  for (std::size_t b = 0; b < histories.size(); ++b) {
    Rows rows(shape.hidden);
    for (const StepDecision& decision : histories[b]->decisions) {
      const float* s = pass.hidden(pass.begin_of(b) + decision.step);
      rows.add(first[decision.factor] + decision.row, 1, s);
      if (!exact) continue;
      predict(network, decision, s, probabilities);
      for (std::size_t a = 0; a < probabilities.size(); ++a) {
        if (probabilities[a] > 0) rows.add(first[decision.factor] + a, -probabilities[a], s);
      }
    }
    out[b] = {-pass.loss(b), rows.finish()};
  }
  return out;
}

}  // namespace copse
