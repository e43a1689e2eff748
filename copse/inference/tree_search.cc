#include "copse/inference/tree_search.h"

#include <algorithm>

#include "copse/inference/k_best_spanning_trees.h"
#include "copse/inference/spanning_tree_risk.h"

namespace copse {
namespace {

// A table of one label knows no labels; part scores of one label do.
void name_only_label(ArcTree& tree, int labels) {
  if (labels == 1) tree.labels.assign(tree.heads.size(), 0);
}

BestTree with_labels(BestTree&& found, int labels) {
  name_only_label(found.tree, labels);
  return std::move(found);
}

// Every word reaches 0. Words on the way to a word that does are not walked twice.
bool is_acyclic(std::span<const int> heads) {
  std::vector<int> seen_by(heads.size(), 0);
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    int at = m;
    while (at != 0 && seen_by[static_cast<std::size_t>(at)] == 0) {
      seen_by[static_cast<std::size_t>(at)] = m;
      at = heads[static_cast<std::size_t>(at)];
    }
    if (at != 0 && seen_by[static_cast<std::size_t>(at)] == m) return false;
  }
  return true;
}

// With the root at the left end, arcs that do not cross make a projective tree.
bool has_crossing(std::span<const int> heads) {
  for (std::size_t a = 1; a < heads.size(); ++a) {
    const int low = std::min(static_cast<int>(a), heads[a]);
    const int high = std::max(static_cast<int>(a), heads[a]);
    for (std::size_t b = a + 1; b < heads.size(); ++b) {
      const int other_low = std::min(static_cast<int>(b), heads[b]);
      const int other_high = std::max(static_cast<int>(b), heads[b]);
      if (low < other_low && other_low < high && high < other_high) return true;
      if (other_low < low && low < other_high && other_high < high) return true;
    }
  }
  return false;
}

}  // namespace

bool TreeKind::holds(std::span<const int> heads) const {
  if (heads.size() <= 1) return true;
  const auto roots = std::count(heads.begin() + 1, heads.end(), 0);
  if (roots == 0 || (root == RootRule::single && roots > 1)) return false;
  return is_acyclic(heads) && !(projective && has_crossing(heads));
}

void TreeSearch::take_arcs(const PartIndex& index, const PartScores& scores) {
  arcs_.reset(index.words(), std::max(1, scores.labels()), kMinusInfinity);
  mask_ = ArcMask::none(index.words());
  for (int a = 0; a < index.arcs(); ++a) {
    const auto [h, m, side] = index.arc(a);
    mask_.allow(h, m);
    const double score = scores[index.dep(a)];
    if (scores.labels() == 0) arcs_(h, m) = score;
    const auto row = scores.label_row(a);
    for (std::size_t l = 0; l < row.size(); ++l) arcs_(h, m, static_cast<int>(l)) = score + row[l];
  }
}

BestTree TreeSearch::best(const TreeKind& kind, const PartIndex& index, const PartScores& scores) {
  if (kind.projective) return ProjectiveSearch(index).best(scores, workspace_);
  if (kind.is_dual()) return dual_.best(index, scores);
  take_arcs(index, scores);
  return with_labels(spanning_tree_.best(arcs_, mask_, kind.root), scores.labels());
}

TreeList TreeSearch::k_best(const TreeKind& kind, const PartIndex& index, const PartScores& scores,
                            int k) {
  if (kind.projective) return ProjectiveSearch(index).k_best(scores, k, workspace_);
  if (kind.is_dual()) return dual_.k_best(index, scores, k);
  take_arcs(index, scores);
  TreeList list = k_best_spanning_trees(arcs_, mask_, kind.root, k);
  for (auto& [tree, score] : list.trees) name_only_label(tree, scores.labels());
  return list;
}

Marginals TreeSearch::marginals(const TreeKind& kind, const PartIndex& index,
                                const PartScores& scores) {
  if (kind.projective) return ProjectiveSearch(index).marginals(scores, workspace_);
  if (kind.is_dual()) return dual_.marginals(index, scores);
  take_arcs(index, scores);
  const MatrixTreeResult found = matrix_tree_.run(arcs_, mask_, {.root = kind.root});
  Marginals out;
  static_cast<SearchAnswer&>(out) = found;
  if (found.status != SearchStatus::ok) return out;
  out.log_z = found.log_z;
  out.entropy = entropy(arcs_, found);
  out.mu.reset(index, scores.labels());
  for (int a = 0; a < index.arcs(); ++a) {
    const auto row = found.marginals.row(index.arc(a).h, index.arc(a).m);
    double sum = 0;
    for (const double mu : row) sum += mu;
    out.mu.add(index.dep(a), std::min(sum, 1.0));
  }
  if (scores.labels() > 0) out.mu.split_labels(index, scores);
  return out;
}

BestTree TreeSearch::minimum_risk(const TreeKind& kind, const PartIndex& index,
                                  const PartMarginals& mu) {
  if (kind.projective) return minimum_risk_tree(index, mu, workspace_);
  arcs_.reset(index.words(), std::max(1, mu.labels()), 0);
  mask_ = ArcMask::none(index.words());
  for (int a = 0; a < index.arcs(); ++a) {
    const auto [h, m, side] = index.arc(a);
    mask_.allow(h, m);
    if (mu.labels() == 0) arcs_(h, m) = mu[index.dep(a)];
    for (int l = 0; l < mu.labels(); ++l) {
      arcs_(h, m, l) = mu.label_row(a)[static_cast<std::size_t>(l)];
    }
  }
  return with_labels(minimum_risk_spanning_tree(arcs_, mask_, kind.root), mu.labels());
}

}  // namespace copse
