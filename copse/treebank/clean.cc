#include "copse/treebank/clean.h"

#include <utility>

#include "copse/treebank/label.h"

namespace copse {
namespace {

class Cleaner {
 public:
  Cleaner(const PhraseTree& tree, const CleanOptions& options) : tree_(tree), options_(options) {
    kept_before_.reserve(static_cast<std::size_t>(tree.size()) + 1);
    kept_before_.push_back(0);
    for (int node = 0; node < tree.size(); ++node) {
      const bool kept = tree.is_leaf(node) && !is_removed_trace(node);
      kept_before_.push_back(kept_before_.back() + (kept ? 1 : 0));
    }
  }

  CleanTree run() {
    if (tree_.empty() || !is_kept(0)) return {};
    const auto nodes = static_cast<std::size_t>(tree_.size());
    builder_.reserve(nodes, static_cast<std::size_t>(tree_.words()), 6 * nodes);
    result_.source.reserve(nodes);
    std::vector<int> ends;  // next() of the open phrases, outermost first
    int source = -1;        // top of the X -> X chain being collapsed
    for (int node = 0; node < tree_.size(); ++node) {
      for (; !ends.empty() && ends.back() <= node; ends.pop_back()) builder_.close();
      if (!is_kept(node)) {
        node = tree_.next(node) - 1;
        continue;
      }
      if (source < 0) source = node;
      if (is_collapsed(node)) continue;
      result_.source.push_back(std::exchange(source, -1));
      if (tree_.is_leaf(node)) {
        builder_.leaf(tree_.label(node), tree_.word(node));
      } else {
        builder_.open(label(node));
        ends.push_back(tree_.next(node));
      }
    }
    for (; !ends.empty(); ends.pop_back()) builder_.close();
    result_.tree = std::move(builder_).finish();
    return std::move(result_);
  }

 private:
  bool is_removed_trace(int leaf) const {
    return options_.remove_traces && tree_.label(leaf) == kTraceTag;
  }
  // Phrases without any leaf go the way of those over traces only.
  bool is_kept(int node) const {
    return kept_before_[static_cast<std::size_t>(tree_.next(node))] >
           kept_before_[static_cast<std::size_t>(node)];
  }
  std::string_view label(int phrase) const {
    return options_.strip_labels ? base_label(tree_.label(phrase)) : tree_.label(phrase);
  }
  bool is_collapsed(int node) const {
    if (!options_.collapse_same_unaries || tree_.is_leaf(node)) return false;
    int only = -1;
    for (int child : tree_.children(node)) {
      if (!is_kept(child)) continue;
      if (only >= 0) return false;
      only = child;
    }
    return !tree_.is_leaf(only) && label(only) == label(node);
  }

  const PhraseTree& tree_;
  const CleanOptions& options_;
  std::vector<int> kept_before_;  // kept leaves before each node
  PhraseTreeBuilder builder_;
  CleanTree result_;
};

}  // namespace

CleanTree clean(const PhraseTree& tree, const CleanOptions& options) {
  return Cleaner(tree, options).run();
}

PhraseTree remove_traces(const PhraseTree& tree) {
  return clean(tree, {.strip_labels = false, .collapse_same_unaries = false}).tree;
}

}  // namespace copse
