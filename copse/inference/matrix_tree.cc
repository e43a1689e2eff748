#include "copse/inference/matrix_tree.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "copse/inference/spanning_tree.h"
#include "copse/inference/tree_elimination.h"

namespace copse {
namespace {

// Arcs this far below the best of their modifier are dropped from the plain weights.
constexpr double kLowestExponent = -690;
// Trees that dropping or underflow may lose must weigh less than e^-40 of all together.
constexpr double kLossMargin = 40;

Eigen::Map<Eigen::ArrayXd> as_array(std::span<double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}
Eigen::Map<const Eigen::ArrayXd> as_array(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

double log_sum(std::span<const double> scores) {
  const double most = *std::max_element(scores.begin(), scores.end());
  if (most == kMinusInfinity) return most;
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - most);
  return most + std::log(sum);
}

}  // namespace

struct MatrixTree::Scratch {
  ArcScores exponent;     // theta(h, m, l) - c_m; minus infinity if forbidden
  Eigen::VectorXd shift;  // c_m
  double shift_sum = 0;
  Eigen::MatrixXd weight;     // column m: A(h, m), h = 0..n
  bool dropped = false;       // some allowed arc has become zero
  Eigen::MatrixXd laplacian;  // M
  Eigen::MatrixXd inverse;    // B transposed
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  ArcMarginals shares;  // exp(exponent), which sum to A(h, m); if there are labels
  ArcMarginals arc;     // mu(h, m), labels summed
  TreeElimination<double> plain;
  TreeElimination<WideWeight> wide;

  bool find_exponents(const ArcScores& scores, const ArcMask& mask);
  void exponentiate();
  void fill_laplacian(RootRule root);
  bool run_lu(const MatrixTreeOptions& options, double& log_det);
  bool read_marginals(RootRule root, double tolerance);
  bool run_elimination(const MatrixTreeOptions& options, double& log_det);
  bool loses_nothing(double log_det, double root_weight) const;
  bool run_wide(const MatrixTreeOptions& options, double& log_det);
  std::optional<MatrixTreeRoute> take_a_route(const MatrixTreeOptions& options, double& log_det);
  void share_out(MatrixTreeRoute route, ArcMarginals& out);
};

// theta - c_m; false if a word has no head at all.
bool MatrixTree::Scratch::find_exponents(const ArcScores& scores, const ArcMask& mask) {
  const int n = scores.words();
  const int labels = scores.labels();
  exponent.reset(n, labels, 0);
  shift.setZero(n + 1);
  shift_sum = 0;
  for (int m = 1; m <= n; ++m) {
    const double* theta = scores.heads(m).data();
    double* target = exponent.heads(m).data();
    double most = kMinusInfinity;
    for (int h = 0; h <= n; ++h) {
      const bool allowed = mask.allowed(h, m);
      for (int l = 0; l < labels; ++l, ++theta, ++target) {
        *target = kMinusInfinity;
        if (allowed) *target = *theta;
        most = std::max(most, *target);
      }
    }
    if (most == kMinusInfinity) return false;
    as_array(exponent.heads(m)) -= most;
    shift[m] = most;
    shift_sum += most;
  }
  return true;
}

// A(h, m), and in `shares` the terms it is the sum of, if there are several.
void MatrixTree::Scratch::exponentiate() {
  const int n = exponent.words();
  const int labels = exponent.labels();
  weight.resize(n + 1, n + 1);
  if (labels > 1) shares.reset(n, labels, 0);
  dropped = false;
  for (int m = 1; m <= n; ++m) {
    const std::span<double> column(weight.col(m).data(), static_cast<std::size_t>(n) + 1);
    const std::span<double> terms = labels > 1 ? shares.heads(m) : column;
    const std::span<const double> x = std::as_const(exponent).heads(m);
    as_array(terms) = as_array(x).exp();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] > kLowestExponent) continue;
      terms[i] = 0;
      dropped |= x[i] > kMinusInfinity;
    }
    if (labels > 1)
      for (int h = 0; h <= n; ++h) column[h] = as_array(shares.row(h, m)).sum();
  }
}

void MatrixTree::Scratch::fill_laplacian(RootRule root) {
  const Eigen::Index n = weight.cols() - 1;
  laplacian.resize(n, n);
  laplacian = -weight.bottomRightCorner(n, n);
  for (Eigen::Index m = 0; m < n; ++m) {
    const double words_sum = weight.col(m + 1).tail(n).sum();
    laplacian(m, m) = root == RootRule::multi ? words_sum + weight(0, m + 1) : words_sum;
  }
  if (root == RootRule::single) laplacian.row(n - 1) = weight.row(0).tail(n);
}

// mu(h, m) from A and B. False if it cannot be trusted to `tolerance`. Row m of B is wanted, and
// `inverse` holds B transposed for that.
bool MatrixTree::Scratch::read_marginals(RootRule root, double tolerance) {
  const auto n = static_cast<int>(weight.cols()) - 1;
  const bool single = root == RootRule::single;
  double root_sum = 0;
  double growth = 1;
  bool trusted = true;
  for (int m = 1; m <= n; ++m) {
    const double* a = weight.col(m).data();
    const double* b = inverse.col(m - 1).data() - 1;  // b[h] = B(m, h)
    double* mu = arc.heads(m).data();
    const double own = single && m == n ? 0 : b[m];
    const double root_arc = a[0] * (single ? b[n] : b[m]);
    for (int h = 1; h <= n; ++h) mu[h] = a[h] * (own - b[h]);
    if (single) mu[n] = a[n] * own;
    mu[0] = root_arc;
    root_sum += root_arc;
    const Eigen::Map<Eigen::ArrayXd> column(mu, n + 1);
    // Negated comparisons, so that NaN is not trusted.
    if (!(std::abs(column.sum() - 1) <= tolerance) || !(column.minCoeff() >= -tolerance))
      trusted = false;
    const Eigen::Map<const Eigen::ArrayXd> inverse_row(b + 1, n);
    growth = std::max(growth, std::abs(laplacian(m - 1, m - 1)) * inverse_row.abs().maxCoeff());
  }
  if (single && !(std::abs(root_sum - 1) <= tolerance)) trusted = false;
  return trusted && growth * std::numeric_limits<double>::epsilon() <= tolerance;
}

bool MatrixTree::Scratch::run_lu(const MatrixTreeOptions& options, double& log_det) {
  fill_laplacian(options.root);
  lu.compute(laplacian);
  // det M > 0 always; another sign, a zero or a NaN means that all digits are gone.
  const auto diagonal = lu.matrixLU().diagonal().array();
  const bool odd_swaps = lu.permutationP().determinant() < 0;
  const bool odd_signs = (diagonal < 0).count() % 2 == 1;
  log_det = diagonal.abs().log().sum();
  if (odd_swaps != odd_signs || !std::isfinite(log_det)) return false;
  inverse = lu.inverse();
  inverse.transposeInPlace();
  return read_marginals(options.root, options.lu_tolerance);
}

bool MatrixTree::Scratch::run_elimination(const MatrixTreeOptions& options, double& log_det) {
  const auto n = static_cast<int>(weight.cols()) - 1;
  plain.start(n, options.root);
  for (int m = 1; m <= n; ++m) std::copy_n(weight.col(m).data(), n + 1, plain.row(m).data());
  if (!plain.eliminate()) return false;
  log_det = plain.log_z();
  if (!options.only && !loses_nothing(log_det, plain.largest_root_weight())) return false;
  if (options.marginals) plain.marginals(arc, options.scratch_bytes);
  return true;
}

// Could what underflow has taken away matter? An arc (h, m) lost, or a product lost on the way,
// weighs at most e^kLowestExponent, and all trees through it together at most that times
// the column sums of all other words (times the root weight, which grows in single-root trees);
// at most n^3 numbers can be lost. That must be little against Z.
bool MatrixTree::Scratch::loses_nothing(double log_det, double root_weight) const {
  const Eigen::Index n = weight.cols() - 1;
  double column_sums = 0;
  for (Eigen::Index m = 1; m <= n; ++m) column_sums += std::log(weight.col(m).sum());
  const double words = static_cast<double>(n);
  const double losses =
      kLowestExponent + 4 * std::log(words + 1) + column_sums + std::log(root_weight);
  return log_det - losses > kLossMargin;
}

bool MatrixTree::Scratch::run_wide(const MatrixTreeOptions& options, double& log_det) {
  const int n = exponent.words();
  wide.start(n, options.root);
  for (int m = 1; m <= n; ++m)
    for (int h = 0; h <= n; ++h) {
      WideWeight sum;
      for (const double x : exponent.row(h, m)) sum = sum + WideWeight::exp(x);
      wide.row(m)[h] = sum;
    }
  if (!wide.eliminate()) return false;
  log_det = wide.log_z();
  if (options.marginals) wide.marginals(arc, options.scratch_bytes);
  return true;
}

// mu(h, m, l) = mu(h, m) * the label's part of A(h, m).
void MatrixTree::Scratch::share_out(MatrixTreeRoute route, ArcMarginals& out) {
  const int n = exponent.words();
  const int labels = exponent.labels();
  as_array(arc.values()) = as_array(arc.values()).max(0.0).min(1.0);
  if (labels == 1) {
    out = arc;
    return;
  }
  out.reset(n, labels, 0);
  for (int m = 1; m <= n; ++m)
    for (int h = 0; h <= n; ++h) {
      const double mu = arc(h, m);
      if (mu == 0) continue;
      // In wide numbers A(h, m) may be out of range; the parts of it are not.
      const bool in_range = route != MatrixTreeRoute::wide_elimination;
      const double log_sum_of_labels = in_range ? 0 : log_sum(exponent.row(h, m));
      for (int l = 0; l < labels; ++l)
        out(h, m, l) = mu * (in_range ? shares(h, m, l) / weight(h, m)
                                      : std::exp(exponent(h, m, l) - log_sum_of_labels));
    }
}

// The first route that can be trusted. Nothing if there is no tree.
std::optional<MatrixTreeRoute> MatrixTree::Scratch::take_a_route(const MatrixTreeOptions& options,
                                                                 double& log_det) {
  const auto only = options.only;
  arc.reset(exponent.words(), 1, 0);
  if (only != MatrixTreeRoute::wide_elimination) exponentiate();
  const bool lu_may_do = options.marginals && options.lu_tolerance > 0 && exponent.words() > 0;
  if (only == MatrixTreeRoute::lu || (!only && lu_may_do)) {
    const bool trusted = run_lu(options, log_det);
    if (only || (trusted && (!dropped || loses_nothing(log_det, 1)))) return MatrixTreeRoute::lu;
  }
  if (!only || only == MatrixTreeRoute::elimination) {
    if (run_elimination(options, log_det)) return MatrixTreeRoute::elimination;
    if (only) return std::nullopt;
  }
  // Here zero means zero: only a mask without trees ends in one.
  if (!run_wide(options, log_det)) return std::nullopt;
  return MatrixTreeRoute::wide_elimination;
}

MatrixTree::MatrixTree() : scratch_(std::make_unique<Scratch>()) {}
MatrixTree::~MatrixTree() = default;
MatrixTree::MatrixTree(MatrixTree&&) noexcept = default;
MatrixTree& MatrixTree::operator=(MatrixTree&&) noexcept = default;

MatrixTreeResult MatrixTree::run(const ArcScores& scores, const ArcMask& mask,
                                 const MatrixTreeOptions& options) {
  require_same_words(scores.words(), mask.words());
  MatrixTreeResult result;
  result.log_z = kMinusInfinity;
  if (scores.words() > options.limits.words) {
    result.status = SearchStatus::too_long;
    return result;
  }
  if (const auto bad = find_bad_score(scores, mask)) {
    result.status = SearchStatus::bad_score;
    result.culprit = *bad;
    return result;
  }
  double log_det = 0;
  std::optional<MatrixTreeRoute> route;
  if (scratch_->find_exponents(scores, mask)) route = scratch_->take_a_route(options, log_det);
  if (!route) {
    result.status = SearchStatus::no_tree;
    return result;
  }
  result.route = *route;
  result.log_z_above_maxima = log_det;
  result.log_z = scratch_->shift_sum + log_det;
  result.maxima.assign(scratch_->shift.begin(), scratch_->shift.end());
  if (options.marginals) scratch_->share_out(*route, result.marginals);
  return result;
}

namespace {

// sum over all arcs of mu * (theta - c_m), with the c_m of `model`: the expected score, without
// the large terms that cancel against log Z. Minus infinity if mu > 0 where theta forbids.
double expected_above_maxima(const ArcMarginals& mu, const ArcScores& scores,
                             const MatrixTreeResult& model) {
  double total = 0;
  for (int m = 1; m <= scores.words(); ++m) {
    const auto theta = scores.heads(m);
    const auto weight = mu.heads(m);
    for (std::size_t i = 0; i < theta.size(); ++i)
      if (weight[i] > 0) total += weight[i] * (theta[i] - model.maxima[m]);
  }
  return total;
}

}  // namespace

double entropy(const ArcScores& scores, const MatrixTreeResult& result) {
  return std::max(
      0.0, result.log_z_above_maxima - expected_above_maxima(result.marginals, scores, result));
}

double kl_divergence(const ArcScores& p_scores, const MatrixTreeResult& p,
                     const ArcScores& q_scores, const MatrixTreeResult& q) {
  return std::max(0.0, expected_above_maxima(p.marginals, p_scores, p) -
                           expected_above_maxima(p.marginals, q_scores, q) - p.log_z_above_maxima +
                           q.log_z_above_maxima);
}

}  // namespace copse
