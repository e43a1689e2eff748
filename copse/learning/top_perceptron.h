// Rerankers whose features are derived from a model: Fisher and TOP kernels, and the perceptron that
// learns with them (Henderson & Titov 2005). It sees numbers alone: for each candidate of a list ln P
// under the model, its quality, and products of its gradient g = d ln P / d theta.
//
//   Fisher    phi_k = (ln P_k, g_k)
//   TOP       phi_k = (v_k, dv_k/dtheta),  v_k = ln P_k - ln sum over t != k of P_t
//             = (v_k, (g_k - gbar) / (1 - p_k))    with p = P over its sum in the list, gbar = sum p g
//
// Both are linear in the gradients, so phi is never built: with a_t = <w_g, g_t>
//
//   F_k = w_0 b_k + sum over t of M_kt a_t       M = 1, or M_kt = ([t = k] - p_t) / (1 - p_k)
//
// The modified perceptron goes through the candidates of a list with y_1 the best of them, and when
// F_k >= F_1 adds (quality_1 - quality_k) (phi_1 - phi_k) to w, which the next k sees at once. In a
// list that is coefficients c_t of the g_t, and the scores move by the Gram matrix Q_tu = <g_t, g_u>.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace copse {

enum class DerivedKernel { fisher, top };

// What of the features of a list does not depend on gradients.
struct DerivedList {
  DerivedKernel kernel = DerivedKernel::top;
  std::vector<double> base;    // ln P, or v
  std::vector<double> share;   // p
  std::vector<double> factor;  // 1 / (1 - p), at most the cap; 1 for Fisher

  std::size_t size() const { return base.size(); }
  // F_k, given a = <w_g, g>.
  double score(std::size_t k, double base_weight, std::span<const double> a) const;
  // Adds times * M_k to coefficients.
  void add(std::size_t k, double times, std::span<double> coefficients) const;
};

// 1 - p is taken from logarithms, never by subtraction. Needs two candidates for TOP; `cap` 0: none,
// factors are then at most 1e30.
DerivedList derived_list(DerivedKernel kernel, std::span<const double> log_probability, double cap);

// The best by quality; ties: higher ln P, then lower index.
std::size_t best_by_quality(std::span<const double> quality,
                            std::span<const double> log_probability);

// What the perceptron learns from a list.
struct DerivedUpdate {
  double base = 0;                   // to be added to w_0
  std::vector<double> coefficients;  // of the g_t, to be added to w_g
  std::size_t updates = 0;
};
// `a` and `gram` as above, gram row by row.
DerivedUpdate learn_list(const DerivedList& list, std::span<const double> quality, std::size_t best,
                         double base_weight, std::span<const double> a,
                         std::span<const double> gram);

}  // namespace copse
