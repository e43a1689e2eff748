#include "copse/treebank/projectivity.h"

#include <algorithm>
#include <utility>

#include "copse/base/error.h"

namespace copse {
namespace {

std::size_t index(int word) {
  return static_cast<std::size_t>(word);
}

// A maximal run of neighbouring words in the yield of `owner`.
struct Run {
  int begin;
  int end;  // inclusive
  int owner;
};

// Whether the runs of different owners, sorted, nest like brackets: a run may return to an owner
// only when every owner opened since is finished. `remaining` is all zero before and after.
bool runs_nest(const std::vector<Run>& runs, std::vector<int>& remaining) {
  for (const Run& run : runs) ++remaining[index(run.owner)];
  std::vector<int> open;  // owners with runs to come, or the one of the run before
  bool nested = true;
  for (const Run& run : runs) {
    while (!open.empty() && remaining[index(open.back())] == 0) open.pop_back();
    if (open.empty() || open.back() != run.owner) {
      nested = nested && std::find(open.begin(), open.end(), run.owner) == open.end();
      open.push_back(run.owner);
    }
    --remaining[index(run.owner)];
  }
  for (const Run& run : runs) remaining[index(run.owner)] = 0;
  return nested;
}

}  // namespace

Dominance::Dominance(const DependencyTree& tree) {
  if (!tree.is_tree()) throw data_error("the heads do not form a tree");
  const std::size_t size = index(tree.words()) + 1;
  // Children are pushed on the stack from right to left, so that the leftmost is popped first.
  std::vector<int> last_child(size, 0);
  std::vector<int> left_sister(size, 0);
  for (int word = 1; word <= tree.words(); ++word) {
    left_sister[index(word)] = std::exchange(last_child[index(tree.head(word))], word);
  }
  preorder_.reserve(size);
  rank_.assign(size, 0);
  end_.assign(size, 0);
  std::vector<int> stack = {0};
  while (!stack.empty()) {
    const int word = stack.back();
    stack.pop_back();
    rank_[index(word)] = static_cast<int>(preorder_.size());
    preorder_.push_back(word);
    for (int child = last_child[index(word)]; child != 0; child = left_sister[index(child)]) {
      stack.push_back(child);
    }
  }
  for (std::size_t i = size; i-- > 0;) {
    const int word = preorder_[i];
    end_[index(word)] = std::max(end_[index(word)], static_cast<int>(i) + 1);
    if (word != 0) {
      int& end = end_[index(tree.head(word))];
      end = std::max(end, end_[index(word)]);
    }
  }
}

bool is_projective(const DependencyTree& tree) {
  // A subtree whose span is wider than its size has a gap.
  const Dominance dominance(tree);
  const std::vector<int>& order = dominance.preorder();
  std::vector<int> first(order.size());
  std::vector<int> last(order.size());
  std::vector<int> size(order.size(), 1);
  for (std::size_t word = 0; word < order.size(); ++word) {
    first[word] = last[word] = static_cast<int>(word);
  }
  for (std::size_t i = order.size(); i-- > 1;) {
    const std::size_t word = index(order[i]);
    if (last[word] - first[word] + 1 != size[word]) return false;
    const std::size_t head = index(tree.head(order[i]));
    first[head] = std::min(first[head], first[word]);
    last[head] = std::max(last[head], last[word]);
    size[head] += size[word];
  }
  return true;
}

bool is_projective_arc(const DependencyTree& tree, const Dominance& dominance, int word) {
  const int head = tree.head(word);
  const int last = std::max(head, word);
  for (int between = std::min(head, word) + 1; between < last; ++between)
    if (!dominance.dominates(head, between)) return false;
  return true;
}

std::vector<int> nonprojective_words(const DependencyTree& tree) {
  std::vector<int> words;
  const Dominance dominance(tree);
  for (int word = 1; word <= tree.words(); ++word)
    if (!is_projective_arc(tree, dominance, word)) words.push_back(word);
  return words;
}

GapProfile gap_profile(const DependencyTree& tree) {
  // Bottom-up, the runs of a word's yield are those of its children and itself, joined. Two
  // disjoint subtrees interleave only if the children of their lowest common ancestor above
  // them do, so it is enough to look at sisters.
  GapProfile profile;
  const Dominance dominance(tree);
  const std::vector<int>& order = dominance.preorder();
  std::vector<std::vector<Run>> below(order.size());  // runs of the children of each word
  std::vector<int> remaining(order.size(), 0);
  for (std::size_t i = order.size(); i-- > 0;) {
    const int word = order[i];
    std::vector<Run> runs = std::exchange(below[index(word)], {});
    const auto by_begin = [](const Run& a, const Run& b) { return a.begin < b.begin; };
    std::sort(runs.begin(), runs.end(), by_begin);
    profile.well_nested = profile.well_nested && runs_nest(runs, remaining);
    const Run self{word, word, word};
    runs.insert(std::upper_bound(runs.begin(), runs.end(), self, by_begin), self);
    std::vector<Run> joined;
    for (const Run& run : runs) {
      if (!joined.empty() && joined.back().end + 1 == run.begin) {
        joined.back().end = run.end;
      } else {
        joined.push_back({run.begin, run.end, word});
      }
    }
    profile.gap_degree = std::max(profile.gap_degree, static_cast<int>(joined.size()) - 1);
    if (word == 0) break;
    auto& siblings = below[index(tree.head(word))];
    siblings.insert(siblings.end(), joined.begin(), joined.end());
  }
  return profile;
}

}  // namespace copse
