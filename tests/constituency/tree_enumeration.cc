#include "tests/constituency/tree_enumeration.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace copse::generative::constituency_testing {
namespace {

constexpr int kLongestChain = 5;

struct Node {
  LabelId label = 0;
  int word = -1;  // of a leaf
  std::vector<std::shared_ptr<const Node>> children;
  std::vector<bool> complement;
  std::size_t head = 0;
  int chain = 0;  // phrases without modifiers on top
  int head_word = 0;
  LabelId tag = 0;
};
using NodePtr = std::shared_ptr<const Node>;

class Enumerator {
 public:
  Enumerator(const GenerativeModel& model, const std::vector<std::string>& words)
      : model_(model), words_(words) {}

  std::vector<EnumeratedTree> run() {
    std::vector<EnumeratedTree> result;
    for (const NodePtr& root : trees(0, static_cast<int>(words_.size()))) {
      EnumeratedTree made{as_prepared(*root), 0};
      made.log_probability = model_.log_probability(made.tree);
      if (std::isfinite(made.log_probability)) result.push_back(std::move(made));
    }
    std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
      return a.log_probability > b.log_probability;
    });
    return result;
  }

 private:
  using Children = std::vector<NodePtr>;

  const std::vector<NodePtr>& trees(int i, int j) {
    const auto known = trees_.find({i, j});
    if (known != trees_.end()) return known->second;
    std::vector<NodePtr> all;
    if (j == i + 1) {
      const WordReading reading =
          model_.lexicon().read(words_[static_cast<std::size_t>(i)], i == 0);
      for (const TagCandidate& tag : reading.tags) {
        auto leaf = std::make_shared<Node>();
        leaf->label = leaf->tag = tag.tag;
        leaf->word = leaf->head_word = i;
        all.push_back(leaf);
      }
    }
    std::vector<Children> sequences;
    Children so_far;
    for (int first = i + 1; first < j; ++first) extend(i, first, j, so_far, sequences);
    for (const Children& children : sequences) add_phrases(children, all);
    for (std::size_t at = 0; at < all.size(); ++at) {  // chains; `all` grows
      if (all[at]->chain < kLongestChain) add_phrases({all[at]}, all);
    }
    return trees_[{i, j}] = std::move(all);
  }

  // All sequences of trees over [i, j) that begin with one over [i, k).
  void extend(int i, int k, int j, Children& so_far, std::vector<Children>& sequences) {
    for (const NodePtr& child : trees(i, k)) {
      so_far.push_back(child);
      if (k == j) {
        sequences.push_back(so_far);
      } else {
        for (int next = k + 1; next <= j; ++next) extend(k, next, j, so_far, sequences);
      }
      so_far.pop_back();
    }
  }

  void add_phrases(const Children& children, std::vector<NodePtr>& all) {
    const std::size_t count = children.size();
    for (int p = 0; p < model_.labels().phrases(); ++p) {
      for (std::size_t head = 0; head < count; ++head) {
        const LabelId label = model_.labels().phrase_at(p);
        const Node& child = *children[head];
        if (count == 1 && child.label == label) continue;
        // A step that is impossible by itself makes the whole tree impossible.
        if (model_.head(label, kUnknownWord, child.tag, child.label) == 0) continue;
        for (unsigned marks = 0; marks < 1U << count; ++marks) {
          if ((marks >> head & 1U) != 0) continue;
          if (marks != 0 && model_.labels().is_base_noun_phrase(label)) continue;
          auto node = std::make_shared<Node>();
          node->label = label;
          node->children = children;
          node->head = head;
          node->chain = count == 1 ? child.chain + 1 : 0;
          node->head_word = child.head_word;
          node->tag = child.tag;
          for (std::size_t c = 0; c < count; ++c)
            node->complement.push_back((marks >> c & 1U) != 0);
          if (possible(*node)) all.push_back(std::move(node));
        }
      }
    }
  }

  // Told by the probability of the part as if it were the whole, where it could be the whole; parts
  // that cannot are kept and told by the trees they end up in.
  bool possible(const Node& node) const {
    return std::isfinite(model_.log_probability(as_prepared(node))) || !top_possible(node);
  }
  bool top_possible(const Node& node) const { return model_.top(node.label, node.tag) > 0; }

  PreparedTree as_prepared(const Node& root) const {
    PreparedTree result;
    PhraseTreeBuilder builder;
    std::vector<std::pair<int, int>> heads;
    const std::function<int(const Node&, bool)> add = [&](const Node& node, bool complement) {
      if (node.word >= 0) {
        const int number = builder.leaf(model_.labels().name(node.label),
                                        words_[static_cast<std::size_t>(node.word)]);
        result.tokens.push_back(node.word);
        result.head_child.push_back(number);
        result.complement.push_back(complement);
        return number;
      }
      const int number = builder.open(model_.labels().name(node.label));
      result.head_child.push_back(number);
      result.complement.push_back(complement);
      for (std::size_t c = 0; c < node.children.size(); ++c) {
        const int child = add(*node.children[c], node.complement[c]);
        if (c == node.head) result.head_child[static_cast<std::size_t>(number)] = child;
      }
      builder.close();
      return number;
    };
    add(root, false);
    result.tree = std::move(builder).finish();
    result.words = words_;
    return result;
  }

  const GenerativeModel& model_;
  const std::vector<std::string>& words_;
  std::map<std::pair<int, int>, std::vector<NodePtr>> trees_;
};

}  // namespace

std::vector<EnumeratedTree> all_trees(const GenerativeModel& model,
                                      const std::vector<std::string>& words) {
  return Enumerator(model, words).run();
}

}  // namespace copse::generative::constituency_testing
