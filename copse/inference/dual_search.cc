#include "copse/inference/dual_search.h"

#include <algorithm>

#include "copse/inference/k_best_spanning_trees.h"
#include "copse/inference/tree_parts.h"

namespace copse {
namespace {

// Steps after which the relaxation has told what there is to tell about single arcs.
constexpr int kArcIterations = 200;
// Spanning trees looked at for each tree of a list, and at least.
constexpr int kCandidates = 4;
constexpr int kFewestCandidates = 32;

double score_of(const PartIndex& index, const PartScores& scores, const ProjectiveTree& tree) {
  std::vector<PartIndex::Id> parts;
  append_parts_of_tree(index, tree.heads, parts);
  double sum = 0;
  for (const PartIndex::Id part : parts) sum += double{scores[part]};
  for (std::size_t m = 1; m < tree.labels.size(); ++m) {
    const int a = index.find_arc(tree.heads[m], static_cast<int>(m));
    sum += double{scores.label_row(a)[static_cast<std::size_t>(tree.labels[m])]};
  }
  return sum;
}

}  // namespace

BestTree DualSearch::take(DualAnswer&& answer) {
  certificate_ = answer.certificate;
  BestTree best;
  best.status = answer.status;
  best.culprit = std::move(answer.culprit);
  best.tree = {std::move(answer.heads), std::move(answer.labels)};
  best.score = answer.score;
  return best;
}

BestTree DualSearch::best(const PartIndex& index, const PartScores& scores) {
  return take(search_.best(index, scores, options_));
}

bool DualSearch::fill_arcs(const PartIndex& index, const PartScores& scores, BestTree& best) {
  DualOptions options = options_;
  options.iterations = std::min(options.iterations, kArcIterations);
  DualAnswer answer;
  search_.arc_scores(index, scores, options, answer, weight_);
  best = take(std::move(answer));
  if (best.status != SearchStatus::ok) return false;
  arcs_.reset(index.words(), std::max(1, scores.labels()), kMinusInfinity);
  mask_ = ArcMask::none(index.words());
  for (int a = 0; a < index.arcs(); ++a) {
    if (weight_[static_cast<std::size_t>(a)] == kMinusInfinity) continue;
    const auto [h, m, side] = index.arc(a);
    mask_.allow(h, m);
    const auto row = scores.label_row(a);
    const double weight = weight_[static_cast<std::size_t>(a)];
    if (row.empty()) arcs_(h, m) = weight;
    const double highest = row.empty() ? 0.0 : double{*std::max_element(row.begin(), row.end())};
    for (std::size_t l = 0; l < row.size(); ++l) {
      arcs_(h, m, static_cast<int>(l)) = weight + double{row[l]} - highest;
    }
  }
  return true;
}

TreeList DualSearch::k_best(const PartIndex& index, const PartScores& scores, int k) {
  TreeList list;
  BestTree best;
  const bool found = fill_arcs(index, scores, best);
  list.status = best.status;
  list.culprit = best.culprit;
  if (!found) return list;
  best = this->best(index, scores);  // with all its iterations, and the certificate
  const int candidates = std::max(kFewestCandidates, kCandidates * k);
  auto others = k_best_spanning_trees(arcs_, mask_, index.rule(), candidates);
  for (auto& [arcs, score] : others.trees) {
    ProjectiveTree tree{std::move(arcs.heads), std::move(arcs.labels)};
    if (scores.labels() == 1) tree.labels.assign(tree.heads.size(), 0);
    if (tree == best.tree) continue;
    const double own = score_of(index, scores, tree);
    if (own > kMinusInfinity) list.trees.push_back({std::move(tree), own});
  }
  std::stable_sort(list.trees.begin(), list.trees.end(),
                   [](const auto& x, const auto& y) { return x.score > y.score; });
  // A tree that was not certified may turn out not to be the best.
  const auto place = std::find_if(list.trees.begin(), list.trees.end(),
                                  [&](const auto& other) { return other.score <= best.score; });
  const auto at = certificate_.optimal ? list.trees.begin() : place;
  list.trees.insert(at, {std::move(best.tree), best.score});
  if (list.trees.size() > static_cast<std::size_t>(k)) {
    list.trees.erase(list.trees.begin() + k, list.trees.end());
  }
  return list;
}

Marginals DualSearch::marginals(const PartIndex& index, const PartScores& scores) {
  Marginals out;
  BestTree best;
  const bool is_there = fill_arcs(index, scores, best);
  out.status = best.status;
  out.culprit = best.culprit;
  if (!is_there) return out;
  const auto found = matrix_tree_.run(arcs_, mask_, {.root = index.rule()});
  out.status = found.status;
  if (found.status != SearchStatus::ok) return out;
  out.entropy = entropy(arcs_, found);
  double own = 0;  // of the best tree among the others
  for (int m = 1; m <= index.words(); ++m) {
    const auto at = static_cast<std::size_t>(m);
    const int label = best.tree.labels.empty() ? 0 : best.tree.labels[at];
    own += arcs_(best.tree.heads[at], m, label);
  }
  out.log_z = found.log_z - own + best.score;
  out.mu.reset(index, scores.labels());
  for (int a = 0; a < index.arcs(); ++a) {
    if (!mask_.allowed(index.arc(a).h, index.arc(a).m)) continue;
    double sum = 0;
    for (const double mu : found.marginals.row(index.arc(a).h, index.arc(a).m)) sum += mu;
    out.mu.add(index.dep(a), std::min(sum, 1.0));
  }
  if (scores.labels() > 0) out.mu.split_labels(index, scores);
  return out;
}

}  // namespace copse
