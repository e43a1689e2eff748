#include "copse/inference/tree_sampling.h"

#include <algorithm>
#include <cmath>

#include "copse/base/error.h"
#include "copse/inference/matrix_tree.h"

namespace copse {
namespace {

double plain(double x) {
  return x;
}
double plain(WideWeight x) {
  return x.plain();
}

template <class Number>
const Number kOne{};
template <>
const double kOne<double> = 1;
template <>
const WideWeight kOne<WideWeight> = WideWeight::exp(0);

// The tree found by putting words back, by place; see the head of tree_sampling.h.
template <class Number>
class EliminationDraw {
 public:
  // root_child is the word that must hang from the root, 0 in multi-root trees.
  EliminationDraw(const TreeElimination<Number>& elimination, int words, int root_child,
                  Random& random)
      : elimination_(elimination),
        words_(words),
        random_(random),
        root_start_(static_cast<std::size_t>(words) + 1),
        root_into_(static_cast<std::size_t>(words) + 1),
        head_(static_cast<std::size_t>(words) + 1, 0),
        via_(static_cast<std::size_t>(words) + 1, 0),
        weights_(static_cast<std::size_t>(words) + 1, 0) {
    if (root_child > 0)
      take_root_child(root_child);
    else
      for (int p = 1; p <= words; ++p) {
        root_start_[p] = elimination.start_weight(0, p);
        root_into_[p] = elimination.factor_into(0, p);
      }
  }

  // heads[word], by word again.
  void run(std::vector<int>& heads) {
    const int first = elimination_.first_pivot_place();
    if (first == 2 && words_ > 0) attach(1, 0, 1);  // single root: the last word left is its child
    for (int k = first; k <= words_; ++k) put_back(k);
    for (int p = 1; p <= words_; ++p)
      heads[elimination_.word_at(p)] = elimination_.word_at(head_[p]);
  }

 private:
  // In single-root trees the elimination among words does not depend on the root arcs. With one
  // root arc of weight 1 and no other, only the root's own weights are computed anew, in O(n^2).
  void take_root_child(int word) {
    for (int p = 1; p <= words_; ++p)
      if (elimination_.word_at(p) == word) root_into_[p] = kOne<Number>;
    root_start_ = root_into_;
    for (int k = words_; k >= elimination_.first_pivot_place(); --k)
      for (int m = 1; m < k; ++m) root_into_[m] = root_into_[m] + term(0, m, k);
  }

  void put_back(int k) {
    std::vector<int> through;  // S
    for (int m = 1; m < k; ++m)
      if (via_[m] == k) through.push_back(m);
    attach(k, through.empty() ? leaf_head(k) : head_above(k, through), k);
    for (const int m : through) attach(m, k, k);
  }

  // Makes h the head of m among the places up to `live`, and draws what that arc goes via when
  // later words come back: a place above `live`, or 0 if nothing.
  void attach(int m, int h, int live) {
    head_[m] = h;
    const Number direct = h == 0 ? root_start_[m] : elimination_.start_weight(h, m);
    Number total = direct;
    for (int k = live + 1; k <= words_; ++k) total = total + term(h, m, k);
    std::fill(weights_.begin(), weights_.end(), 0.0);
    weights_[0] = plain(direct / total);
    for (int k = live + 1; k <= words_; ++k) weights_[k] = plain(term(h, m, k) / total);
    via_[m] = static_cast<int>(random_.draw(weights_));
  }
  Number term(int h, int m, int k) const {
    return into(h, k) * elimination_.factor_out_of(k, m) / elimination_.pivot(k);
  }
  Number into(int h, int k) const {
    return h == 0 ? root_into_[k] : elimination_.factor_into(h, k);
  }

  int leaf_head(int k) {
    std::fill(weights_.begin(), weights_.end(), 0.0);
    for (int h = elimination_.first_pivot_place() - 1; h < k; ++h)
      weights_[h] = plain(into(h, k) / elimination_.pivot(k));
    return static_cast<int>(random_.draw(weights_));
  }

  int head_above(int k, const std::vector<int>& through) const {
    for (const int m : through) {
      int ancestor = head_[m];
      while (ancestor != 0 && via_[ancestor] != k) ancestor = head_[ancestor];
      if (ancestor == 0) return head_[m];
    }
    return 0;  // not reached: the topmost word of S has no other above it
  }

  const TreeElimination<Number>& elimination_;
  int words_;
  Random& random_;
  std::vector<Number> root_start_,
      root_into_;                // A(0, p) before any step, and when p was summed out
  std::vector<int> head_, via_;  // by place
  std::vector<double> weights_;
};

// Forbidden arcs as scores of minus infinity.
ArcScores masked(const ArcScores& scores, const ArcMask& mask) {
  ArcScores result = scores;
  for (int m = 1; m <= scores.words(); ++m)
    for (int h = 0; h <= scores.words(); ++h)
      for (int l = 0; l < scores.labels(); ++l)
        if (!mask.allowed(h, m)) result(h, m, l) = kMinusInfinity;
  return result;
}

}  // namespace

TreeSampler::TreeSampler(const ArcScores& scores, const ArcMask& mask,
                         const TreeSamplerOptions& options)
    : options_(options) {
  MatrixTree matrix_tree;
  const bool single = options.root == RootRule::single;
  // Without LU: a root child that no tree has must have the probability zero, not 1e-17.
  const auto sums = matrix_tree.run(
      scores, mask,
      {.root = options.root, .marginals = single, .lu_tolerance = 0, .limits = options.limits});
  status_ = sums.status;
  culprit_ = sums.culprit;
  if (status_ != SearchStatus::ok) return;
  scores_ = masked(scores, mask);
  in_range_ = sums.route != MatrixTreeRoute::wide_elimination;
  const auto side = static_cast<std::size_t>(scores.words()) + 1;
  heads_.assign(side, -1);
  if (single) {
    root_child_.assign(side, 0);
    for (int m = 1; m <= scores.words(); ++m)
      for (const double mu : sums.marginals.row(0, m)) root_child_[m] += mu;
  }
  if (in_range_) fill_walk_tables();
}

// exp(theta - max) summed over labels and over heads up to h.
void TreeSampler::fill_walk_tables() {
  const int n = scores_.words();
  const int first_head = options_.root == RootRule::single ? 1 : 0;
  cumulative_.reset(n, 1, 0);
  for (int m = 1; m <= n; ++m) {
    double most = kMinusInfinity;
    for (int h = first_head; h <= n; ++h)
      for (const double score : scores_.row(h, m)) most = std::max(most, score);
    double sum = 0;
    for (int h = first_head; h <= n; ++h) {
      for (const double score : scores_.row(h, m))
        if (score > kMinusInfinity) sum += std::exp(score - most);
      cumulative_(h, m) = sum;
    }
  }
}

// -1 if m has no head to walk to.
int TreeSampler::step_from(int m, Random& random) const {
  const auto sums = cumulative_.heads(m);
  const double target = random.uniform() * sums.back();
  const auto found = std::upper_bound(sums.begin(), sums.end(), target);
  return found == sums.end() ? -1 : static_cast<int>(found - sums.begin());
}

// Wilson's algorithm into heads_; false if it has been given up.
bool TreeSampler::walk(int root_child, Random& random) {
  const int n = scores_.words();
  std::int64_t steps = std::int64_t{options_.walk_steps_per_word} * n;
  in_tree_.assign(heads_.size(), 0);
  in_tree_[0] = 1;
  if (root_child > 0) {
    heads_[root_child] = 0;
    in_tree_[root_child] = 1;
  }
  for (int start = 1; start <= n; ++start) {
    for (int m = start; !in_tree_[m]; m = heads_[m]) {
      if (--steps < 0) return false;
      heads_[m] = step_from(m, random);
      if (heads_[m] < 0) return false;
    }
    for (int m = start; !in_tree_[m]; m = heads_[m]) in_tree_[m] = 1;
  }
  return true;
}

void TreeSampler::prepare_elimination() {
  if (elimination_ready_) return;
  const int n = scores_.words();
  plain_.start(in_range_ ? n : 0, options_.root);
  wide_.start(in_range_ ? 0 : n, options_.root);
  for (int m = 1; m <= n; ++m) {
    const auto scores = std::as_const(scores_).heads(m);
    const double most = *std::max_element(scores.begin(), scores.end());
    for (int h = 0; h <= n; ++h)
      for (const double score : scores_.row(h, m)) {
        const WideWeight weight = WideWeight::exp(score - most);
        if (in_range_)
          plain_.row(m)[h] += weight.plain();
        else
          wide_.row(m)[h] = wide_.row(m)[h] + weight;
      }
  }
  // MatrixTree has found trees by the same steps.
  in_range_ ? plain_.eliminate() : wide_.eliminate();
  elimination_ready_ = true;
}

ArcTree TreeSampler::draw(Random& random) {
  if (status_ != SearchStatus::ok) throw usage_error("there is no tree to draw");
  if (scores_.words() == 0) return finish(random);
  const bool single = options_.root == RootRule::single;
  const int root_child = single ? static_cast<int>(random.draw(root_child_)) : 0;
  if (!in_range_ || !walk(root_child, random)) {
    ++drawn_by_elimination_;
    prepare_elimination();
    if (in_range_)
      EliminationDraw<double>(plain_, scores_.words(), root_child, random).run(heads_);
    else
      EliminationDraw<WideWeight>(wide_, scores_.words(), root_child, random).run(heads_);
  }
  return finish(random);
}

// A label for every arc, in proportion to exp(theta(h, m, l)).
ArcTree TreeSampler::finish(Random& random) const {
  ArcTree tree{heads_, {}};
  if (scores_.labels() == 1) return tree;
  tree.labels.assign(heads_.size(), -1);
  std::vector<double> weights(static_cast<std::size_t>(scores_.labels()));
  for (int m = 1; m <= scores_.words(); ++m) {
    const auto row = scores_.row(heads_[m], m);
    const double most = *std::max_element(row.begin(), row.end());
    for (std::size_t l = 0; l < row.size(); ++l) weights[l] = std::exp(row[l] - most);
    tree.labels[m] = static_cast<int>(random.draw(weights));
  }
  return tree;
}

}  // namespace copse
