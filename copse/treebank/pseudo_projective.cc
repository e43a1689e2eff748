#include "copse/treebank/pseudo_projective.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "copse/base/error.h"
#include "copse/treebank/lifting.h"
#include "copse/treebank/projectivity.h"

namespace copse {
namespace {

constexpr char kMark = '|';
constexpr std::string_view kLiftedPath = "^";  // in place of the head's label

std::size_t index(int word) {
  return static_cast<std::size_t>(word);
}

// A label taken apart: d, d|h, x| or d|h|.
struct MarkedLabel {
  std::string_view base;
  std::string_view lifted;  // label of the original head, or "^"; empty for arcs not lifted
  bool on_path = false;
};

MarkedLabel parse_marks(std::string_view label, LiftLabels labels) {
  const std::size_t mark = label.find(kMark);
  if (labels == LiftLabels::none || mark == std::string_view::npos) return {label, {}, false};
  MarkedLabel marked{label.substr(0, mark), label.substr(mark + 1), false};
  if (labels == LiftLabels::head) return marked;
  if (marked.lifted.empty() || marked.lifted.back() == kMark) {
    marked.on_path = true;
    marked.lifted = marked.lifted.substr(0, marked.lifted.find(kMark));
  }
  return marked;
}

void check_unmarked(const DependencyTree& tree) {
  for (int word = 1; word <= tree.words(); ++word) {
    if (tree.label(word).find(kMark) == std::string::npos) continue;
    throw data_error(fmt::format("the label \"{}\" of word {} contains '{}', which marks lifted "
                                 "arcs",
                                 tree.label(word), word, kMark),
                     {}, "rename the label, or projectivise without marks (none)");
  }
}

// Searches for the original heads of lifted words.
class Lowering {
 public:
  Lowering(const DependencyTree& tree, LiftLabels labels) : result_(tree) {
    marks_.reserve(index(tree.words()) + 1);
    marks_.emplace_back();
    for (int word = 1; word <= tree.words(); ++word) {
      marks_.push_back(parse_marks(tree.label(word), labels));
    }
    by_path_ = labels == LiftLabels::path || labels == LiftLabels::head_path;
    by_head_ = labels != LiftLabels::path;
  }

  DependencyTree run() {
    if (!has_marks()) return result_;
    std::vector<int> lifted;
    for (int word : breadth_first(0, 0, false))
      if (!marks_[index(word)].lifted.empty()) lifted.push_back(word);
    // A head that was lifted out of the search's reach may be back after a pass.
    while (lower(lifted)) {
    }
    for (int word = 1; word <= result_.words(); ++word) {
      result_.set_label(word, std::string(marks_[index(word)].base));
    }
    return std::move(result_);
  }

 private:
  bool has_marks() const {
    for (const MarkedLabel& mark : marks_)
      if (!mark.lifted.empty() || mark.on_path) return true;
    return false;
  }

  // One pass over the words still to be lowered; false when none of them could be.
  bool lower(std::vector<int>& lifted) {
    return std::erase_if(lifted, [&](int word) {
             const int target = find(word);
             if (target != 0) result_.set_head(word, target);
             return target != 0;
           }) > 0;
  }

  // The words below `top` level by level from left to right, without `left_out` and what is below
  // it; with `path_only`, only words reached along marked arcs.
  std::vector<int> breadth_first(int top, int left_out, bool path_only) const {
    std::vector<std::vector<int>> children(index(result_.words()) + 1);
    for (int word = 1; word <= result_.words(); ++word) {
      if (word == left_out || (path_only && !marks_[index(word)].on_path)) continue;
      children[index(result_.head(word))].push_back(word);
    }
    std::vector<int> found = children[index(top)];
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto& next = children[index(found[i])];
      found.insert(found.end(), next.begin(), next.end());
    }
    return found;
  }

  int find(int word) const {
    const std::string_view wanted = marks_[index(word)].lifted;
    const auto has_label = [&](int candidate) { return marks_[index(candidate)].base == wanted; };
    if (by_path_) {
      const std::vector<int> path = breadth_first(result_.head(word), word, true);
      std::vector<bool> goes_on(index(result_.words()) + 1, false);
      for (int candidate : path) goes_on[index(result_.head(candidate))] = true;
      const auto is_end = [&](int candidate) { return !goes_on[index(candidate)]; };
      if (!by_head_) return first_of(path, is_end);
      const int end =
          first_of(path, [&](int candidate) { return has_label(candidate) && is_end(candidate); });
      if (end != 0) return end;
      if (const int inner = first_of(path, has_label); inner != 0) return inner;
    }
    return first_of(breadth_first(result_.head(word), word, false), has_label);
  }

  template <class Fits>
  static int first_of(const std::vector<int>& candidates, Fits fits) {
    const auto found = std::find_if(candidates.begin(), candidates.end(), fits);
    return found == candidates.end() ? 0 : *found;
  }

  DependencyTree result_;
  std::vector<MarkedLabel> marks_;  // views of the labels of the tree given
  bool by_path_ = false;
  bool by_head_ = false;
};

}  // namespace

LiftLabels parse_lift_labels(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, LiftLabels>, 4> kNames = {{
      {"none", LiftLabels::none},
      {"head", LiftLabels::head},
      {"path", LiftLabels::path},
      {"head+path", LiftLabels::head_path},
  }};
  for (const auto& [known, labels] : kNames)
    if (known == name) return labels;
  throw usage_error(fmt::format("unknown marking of lifted arcs \"{}\"", name),
                    "expected none, head, path or head+path");
}

DependencyTree projectivise(const DependencyTree& tree, LiftLabels labels) {
  if (is_projective(tree)) return tree;
  if (labels != LiftLabels::none) check_unmarked(tree);
  const LiftedTree lifted = lift_arcs(tree);
  DependencyTree result = tree;
  for (int word = 1; word <= tree.words(); ++word) {
    result.set_head(word, lifted.heads[index(word)]);
  }
  if (labels == LiftLabels::none) return result;
  for (int word = 1; word <= tree.words(); ++word) {
    std::string label = tree.label(word);
    if (result.head(word) != tree.head(word)) {
      label += kMark;
      label += labels == LiftLabels::path ? kLiftedPath : tree.label(tree.head(word));
    }
    if (labels != LiftLabels::head && lifted.passed_by[index(word)]) label += kMark;
    result.set_label(word, std::move(label));
  }
  return result;
}

DependencyTree deprojectivise(const DependencyTree& tree, LiftLabels labels) {
  if (!tree.is_tree()) throw data_error("the heads do not form a tree");
  if (labels == LiftLabels::none) return tree;
  return Lowering(tree, labels).run();
}

}  // namespace copse
