#include "copse/inference/spanning_tree.h"

#include <algorithm>
#include <string>

#include "copse/base/error.h"

namespace copse {

void Arborescence::start(int words) {
  words_ = words;
  const auto side = static_cast<std::size_t>(words) + 1;
  weight_.resize(side * side);
  modifier_.resize(side * side);
  slot_of_.resize(side);
  path_.clear();
  path_position_.assign(side, -1);
  done_.assign(side, 0);
  node_of_.resize(side);
  head_.assign(side, -1);
  parent_.assign(side, 0);
  enter_.assign(side, Entry{});
  for (int m = 0; m <= words; ++m) {
    slot_of_[m] = m;
    node_of_[m] = m;
    std::fill_n(modifier_.begin() + static_cast<std::ptrdiff_t>(offset(m)), side, m);
  }
}

bool Arborescence::solve(RootRule root) {
  root_ = root;
  for (int m = 1; m <= words_; ++m) row(m)[m] = kMinusInfinity;
  done_[0] = 1;
  int root_arcs = 0;
  for (int m = 1; m <= words_; ++m)
    if (!done_[slot_of_[m]] && !finish_from(m, root_arcs)) return false;
  if (root == RootRule::single && root_arcs > 1) return false;
  expand();
  return true;
}

// Walks from an unfinished word until its component hangs below finished ones.
bool Arborescence::finish_from(int start, int& root_arcs) {
  path_.assign(1, start);
  path_position_[start] = 0;
  for (;;) {
    const int top = path_.back();
    const int h = best_head(top);
    if (h < 0) return false;
    enter_[node_of_[top]] = {h, modifier_[offset(top) + h], weight_[offset(top) + h]};
    const int next = slot_of_[h];
    if (done_[next]) {
      root_arcs += h == 0;
      break;
    }
    if (path_position_[next] < 0) {
      path_position_[next] = static_cast<int>(path_.size());
      path_.push_back(next);
    } else {
      contract(path_position_[next]);
    }
  }
  for (const int slot : path_) {
    done_[slot] = 1;
    path_position_[slot] = -1;
  }
  return true;
}

// The head with the largest (root part, weight) pair; -1 if none is left.
int Arborescence::best_head(int slot) const {
  const double* row = weight_.data() + offset(slot);
  int best = -1;
  double best_weight = kMinusInfinity;
  if (root_ == RootRule::multi && row[0] > best_weight) {
    best = 0;
    best_weight = row[0];
  }
  for (int h = 1; h <= words_; ++h) {
    if (row[h] > best_weight) {
      best = h;
      best_weight = row[h];
    }
  }
  return best < 0 && row[0] > kMinusInfinity ? 0 : best;
}

// The cycle is the path from position `bottom` to its top; its component takes the bottom's slot.
void Arborescence::contract(int bottom) {
  const int slot = path_[bottom];
  const int top = static_cast<int>(path_.size()) - 1;
  const int node = static_cast<int>(parent_.size());
  // The slot's own entry is subtracted along with the first merge; every cycle has one.
  double slot_entry = enter_[node_of_[slot]].weight;
  parent_[node_of_[slot]] = node;
  for (int i = bottom + 1; i <= top; ++i) {
    const int member = node_of_[path_[i]];
    parent_[member] = node;
    merge_rows(slot, slot_entry, path_[i], enter_[member].weight);
    slot_entry = 0;
  }
  parent_.push_back(0);
  enter_.push_back({});
  node_of_[slot] = node;

  // The words inside now belong to the new component, and arcs from them are loops.
  double* row = weight_.data() + offset(slot);
  for (int h = 1; h <= words_; ++h) {
    if (path_position_[slot_of_[h]] < bottom) continue;
    slot_of_[h] = slot;
    row[h] = kMinusInfinity;
  }
  for (int i = bottom + 1; i <= top; ++i) path_position_[path_[i]] = -1;
  path_.resize(static_cast<std::size_t>(bottom) + 1);
}

void Arborescence::merge_rows(int into, double into_entry, int from, double from_entry) {
  double* weight = weight_.data() + offset(into);
  std::int32_t* modifier = modifier_.data() + offset(into);
  const double* other_weight = weight_.data() + offset(from);
  const std::int32_t* other_modifier = modifier_.data() + offset(from);
  for (int h = 0; h <= words_; ++h) {
    const double mine = weight[h] - into_entry;
    const double other = other_weight[h] - from_entry;
    const bool take = other > mine;
    weight[h] = take ? other : mine;
    modifier[h] = take ? other_modifier[h] : modifier[h];
  }
}

// Outer components first (their nodes are younger). The arc entering a component enters one word;
// all components around that word are broken open there, and their other members keep their arcs.
void Arborescence::expand() {
  broken_.assign(parent_.size(), 0);
  for (int node = static_cast<int>(parent_.size()) - 1; node > 0; --node) {
    if (broken_[node]) continue;
    const Entry& arc = enter_[node];
    head_[arc.modifier] = arc.head;
    for (int inner = arc.modifier; inner != node; inner = parent_[inner]) broken_[inner] = 1;
  }
}

// Numbers the words so that those of one component lie together: sizes bottom-up, places top-down.
void Arborescence::order_leaves() {
  const std::size_t nodes = parent_.size();
  std::vector<int> size(nodes, 0);
  std::fill_n(size.begin() + 1, words_, 1);
  for (std::size_t node = 1; node < nodes; ++node) size[parent_[node]] += size[node];
  leaf_begin_.assign(nodes, 0);
  leaf_end_.assign(nodes, 0);
  std::vector<int> next(nodes, 0);  // where the next member of a node goes
  for (std::size_t node = nodes - 1; node > 0; --node) {
    const int up = parent_[node];
    leaf_begin_[node] = next[node] = next[up];
    leaf_end_[node] = next[up] += size[node];
  }
  leaves_.resize(static_cast<std::size_t>(words_));
  for (int m = 1; m <= words_; ++m) leaves_[leaf_begin_[m]] = m;
}

// The least reduced cost over all other heads of m, component by component outwards.
double Arborescence::loss_of_change(int m, std::span<const double> row) const {
  double least = -kMinusInfinity;
  double duals = 0;
  for (int node = m;; node = parent_[node]) {
    const int up = parent_[node];
    const int begin = up == 0 ? 0 : leaf_begin_[up];
    const int end = up == 0 ? words_ : leaf_end_[up];
    duals += enter_[node].weight;
    least = std::min({least, duals - best_alternative(m, row, begin, leaf_begin_[node]),
                      duals - best_alternative(m, row, leaf_end_[node], end)});
    if (up != 0) continue;
    // A second root arc is never an alternative in a single-root tree.
    const bool root_is_open = root_ == RootRule::multi || enter_[node].head == 0;
    if (root_is_open && head(m) != 0) least = std::min(least, duals - row[0]);
    return std::max(0.0, least);
  }
}

// The largest weight among the leaves [first, last) other than m's own head.
double Arborescence::best_alternative(int m, std::span<const double> row, int first,
                                      int last) const {
  double best = kMinusInfinity;
  for (int i = first; i < last; ++i)
    if (leaves_[i] != head(m)) best = std::max(best, row[leaves_[i]]);
  return best;
}

void require_same_words(int scores_words, int mask_words) {
  if (scores_words != mask_words)
    throw usage_error("the scores are of " + std::to_string(scores_words) +
                      " words, the arc mask is of " + std::to_string(mask_words));
}

template <class Real>
void best_label_scores(const ArcTable<Real>& scores, const ArcMask& mask, int m,
                       std::span<double> row) {
  const int words = scores.words();
  const Real* score = scores.heads(m).data();
  if (scores.labels() == 1) {
    for (int h = 0; h <= words; ++h)
      row[h] = mask.allowed(h, m) ? static_cast<double>(score[h]) : kMinusInfinity;
    return;
  }
  for (int h = 0; h <= words; ++h, score += scores.labels())
    row[h] = mask.allowed(h, m)
                 ? static_cast<double>(*std::max_element(score, score + scores.labels()))
                 : kMinusInfinity;
}

template <class Real>
int best_label(const ArcTable<Real>& scores, int h, int m) {
  const auto row = scores.row(h, m);
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

template <class Real>
BestTree SpanningTreeSearch::best(const ArcTable<Real>& scores, const ArcMask& mask, RootRule root,
                                  const ArcSearchLimits& limits) {
  const int words = scores.words();
  require_same_words(words, mask.words());
  BestTree result;
  if (words > limits.words) {
    result.status = SearchStatus::too_long;
    return result;
  }
  if (const auto bad = find_bad_score(scores, mask)) {
    result.status = SearchStatus::bad_score;
    result.culprit = *bad;
    return result;
  }
  arborescence_.start(words);
  for (int m = 1; m <= words; ++m) best_label_scores(scores, mask, m, arborescence_.row(m));
  if (!arborescence_.solve(root)) {
    result.status = SearchStatus::no_tree;
    return result;
  }
  const bool labelled = scores.labels() > 1;
  const auto side = static_cast<std::size_t>(words) + 1;
  result.tree.heads.assign(side, -1);
  if (labelled) result.tree.labels.assign(side, -1);
  for (int m = 1; m <= words; ++m) {
    const int at = m;
    const int h = result.tree.heads[at] = arborescence_.head(m);
    const int l = labelled ? best_label(scores, h, m) : 0;
    if (labelled) result.tree.labels[at] = l;
    result.score += static_cast<double>(scores(h, m, l));
  }
  return result;
}

template BestTree SpanningTreeSearch::best(const ArcTable<double>&, const ArcMask&, RootRule,
                                           const ArcSearchLimits&);
template BestTree SpanningTreeSearch::best(const ArcTable<float>&, const ArcMask&, RootRule,
                                           const ArcSearchLimits&);
template void best_label_scores(const ArcTable<double>&, const ArcMask&, int, std::span<double>);
template void best_label_scores(const ArcTable<float>&, const ArcMask&, int, std::span<double>);
template int best_label(const ArcTable<double>&, int, int);
template int best_label(const ArcTable<float>&, int, int);

}  // namespace copse
