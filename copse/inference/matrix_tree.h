// Sums over all non-projective trees by the Matrix-Tree theorem (Tutte 1948; Koo, Globerson,
// Carreras & Collins 2007): log Z and the marginal of every arc, first order, O(n^3).
//
//   c_m = max_h theta(h,m)      A(h,m) = exp(theta(h,m) - c_m), 0 if forbidden      r_m = A(0,m)
//   Lap(m,m) = sum over h >= 1 of A(h,m)          Lap(h,m) = -A(h,m)       rows h, columns m
//   multi root:   M = Lap + diag(r)               single root:  M = Lap, row n replaced by r
//   log Z = sum_m c_m + log det M                 B = M^-1
//
//   multi root:   mu(0,m) = r_m B(m,m)    mu(h,m) = A(h,m) (B(m,m) - B(m,h))
//   single root:  mu(0,m) = r_m B(m,n)    mu(h,m) = A(h,m) ([m != n] B(m,m) - [h != n] B(m,h))
//   labels:       A(h,m) = sum_l exp(theta(h,m,l) - c_m), c_m over h and l
//                 mu(h,m,l) = mu(h,m) exp(theta(h,m,l) - c_m) / A(h,m)
//
// Any row can make room for r; the paper takes the first. The last is used here because then the
// rows before it are those of a diagonally dominant matrix, which LU seldom has to swap.
//
// Three routes to the same numbers; the answer says which one was taken.
//
//   lu               as above, with Eigen's LU in double. Fast, but M is a difference of sums: with
//                    peaked scores digits cancel. Kept only if the answer proves itself: det > 0;
//                    to lu_tolerance, sum_h mu(h,m) = 1 (single root: sum_m mu(0,m) = 1) and no
//                    mu < 0; the a-priori growth of rounding errors, eps times the largest
//                    |M(m,m) B(m,h)|, is below it too; and no arc that underflowed could matter.
//   elimination      subtraction-free (tree_elimination.h): as many digits for scores of deviation
//                    1000 as for 1. Used when LU fails its check, and when only log Z is wanted.
//   wide_elimination the same steps on numbers with a 64-bit exponent (wide_weight.h), which do
//                    what logarithms would, faster and to more digits. Used when arcs or products
//                    that underflowed could matter: an upper bound decides, not a guess.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "copse/inference/arc_mask.h"
#include "copse/inference/arc_scores.h"
#include "copse/inference/search_answer.h"

namespace copse {

enum class MatrixTreeRoute { lu, elimination, wide_elimination };

struct MatrixTreeOptions {
  RootRule root = RootRule::single;
  bool marginals = true;  // false: log Z alone
  // Take this route and no other, as tests and benchmarks do; then an answer that LU would have
  // thrown away is handed out as it is.
  std::optional<MatrixTreeRoute> only = std::nullopt;
  double lu_tolerance = 1e-10;  // 0: LU is not tried
  // Memory for the matrices of the elimination's way back, beyond a dozen n x n matrices.
  std::size_t scratch_bytes = std::size_t{4} << 20;
  ArcSearchLimits limits = {};
};

struct MatrixTreeResult : SearchAnswer {
  MatrixTreeRoute route = MatrixTreeRoute::lu;
  double log_z = 0;  // minus infinity unless ok
  // c_m, and log Z - sum_m c_m: for differences of log Z in which the large terms cancel.
  std::vector<double> maxima;
  double log_z_above_maxima = 0;
  ArcMarginals marginals;  // in [0, 1]; of zero words unless ok and asked for
};

// Scratch memory of one thread; keep it from sentence to sentence.
class MatrixTree {
 public:
  MatrixTree();
  ~MatrixTree();
  MatrixTree(MatrixTree&&) noexcept;
  MatrixTree& operator=(MatrixTree&&) noexcept;

  // Throws a usage error if scores and mask have different numbers of words.
  MatrixTreeResult run(const ArcScores& scores, const ArcMask& mask,
                       const MatrixTreeOptions& options = {});

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

// H = log Z - sum theta mu, in nats; 0 <= H <= log(number of trees). `result` must hold the
// marginals of these scores.
double entropy(const ArcScores& scores, const MatrixTreeResult& result);

// KL(p || q) = sum mu_p (theta_p - theta_q) - log Z_p + log Z_q, both over the same trees. Infinite
// if q gives no weight to an arc that p uses.
double kl_divergence(const ArcScores& p_scores, const MatrixTreeResult& p,
                     const ArcScores& q_scores, const MatrixTreeResult& q);

}  // namespace copse
