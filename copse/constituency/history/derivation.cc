#include "copse/constituency/history/derivation.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "copse/base/error.h"

namespace copse::history {
namespace {

// The node whose derivation it is.
int start_of(const PhraseTree& tree) {
  const bool outer = tree.label(0) == kTopName && !tree.is_leaf(0) && tree.child_count(0) == 1;
  return outer ? 1 : 0;
}

// visit(X c1 ... cn) = visit(c1), PROJECT(X), visit(ci), ATTACH for the others; without recursion.
template <class Number>
std::vector<Action> visit(const PhraseTree& tree, Number&& number) {
  std::vector<Action> out;
  const int start = start_of(tree);
  const auto last_child_of = [&](int node) {
    return tree.next(node) == tree.next(tree.parent(node));
  };
  int node = start;
  for (;;) {
    while (!tree.is_leaf(node)) {
      if (tree.first_child(node) == tree.next(node)) throw data_error("a phrase without words");
      node = tree.first_child(node);
    }
    out.push_back({Kind::shift, 0});
    // `node` is complete: it becomes a child, until one has a sister to the right.
    for (;;) {
      if (node == start) {
        out.push_back({Kind::attach, 0});
        return out;
      }
      const int parent = tree.parent(node);
      if (node == tree.first_child(parent)) {
        out.push_back({Kind::project, number(tree.label(parent))});
      } else {
        out.push_back({Kind::attach, 0});
      }
      if (!last_child_of(node)) break;
      node = parent;
    }
    node = tree.next(node);
  }
}

struct Node {
  std::uint32_t label = 0;
  int word = -1;  // of a leaf
  std::vector<int> children;
};

void write(const std::vector<Node>& nodes, int root, const Symbols& labels,
           std::span<const std::string> tags, std::span<const std::string> words,
           PhraseTreeBuilder& builder) {
  struct Open {
    int node;
    std::size_t child;
  };
  std::vector<Open> open{{root, 0}};
  while (!open.empty()) {
    const Node& node = nodes[static_cast<std::size_t>(open.back().node)];
    if (node.word >= 0) {
      const auto word = static_cast<std::size_t>(node.word);
      builder.leaf(tags[word], words[word]);
      open.pop_back();
      continue;
    }
    if (open.back().child == 0) builder.open(labels.text(node.label));
    if (open.back().child == node.children.size()) {
      builder.close();
      open.pop_back();
      continue;
    }
    open.push_back({node.children[open.back().child++], 0});
  }
}

}  // namespace

std::uint32_t allowed_kinds(const TopView& top, int longest_chain, WordsLeft words_left) {
  std::uint32_t out = 0;
  if (!top.leaf && words_left != WordsLeft::none) out |= bit(Kind::shift);
  if (top.root) return out;
  if (top.chain < longest_chain) out |= bit(Kind::project);
  if (!top.below_root || words_left != WordsLeft::some) out |= bit(Kind::attach);
  return out;
}

std::vector<Action> actions_of(const PhraseTree& tree, Symbols& labels) {
  return visit(tree, [&](std::string_view label) { return labels.add(label); });
}

std::vector<Action> actions_of(const PhraseTree& tree, const Symbols& labels) {
  return visit(tree, [&](std::string_view label) {
    const Symbols::Id id = labels.find(label);
    if (id == Symbols::kUnknown) {
      throw data_error(fmt::format("the label \"{}\" is new to the model", label));
    }
    return id;
  });
}

int longest_chain(std::span<const Action> actions) {
  int longest = 0, now = 0;
  for (const Action& each : actions) {
    now = each.kind == Kind::project ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  return longest;
}

PhraseTree tree_of(std::span<const Action> actions, const Symbols& labels,
                   std::span<const std::string> tags, std::span<const std::string> words) {
  std::vector<Node> nodes;
  std::vector<int> stack;
  int next_word = 0, root = -1;
  const auto refuse = [](const char* what) { throw data_error(what); };
  for (const Action& each : actions) {
    const int top = stack.empty() ? -1 : stack.back();
    if (root >= 0) refuse("an action after the end of a derivation");
    if (each.kind == Kind::shift) {
      if (top >= 0 && nodes[static_cast<std::size_t>(top)].word >= 0) refuse("SHIFT on a leaf");
      if (next_word == static_cast<int>(words.size())) refuse("SHIFT without a word");
      stack.push_back(static_cast<int>(nodes.size()));
      nodes.push_back({0, next_word++, {}});
    } else if (top < 0) {
      refuse("nothing to project or attach");
    } else if (each.kind == Kind::project) {
      if (each.label >= labels.size()) refuse("PROJECT of a label that is not known");
      stack.back() = static_cast<int>(nodes.size());
      nodes.push_back({each.label, -1, {top}});
    } else {
      stack.pop_back();
      if (stack.empty()) {
        root = top;
      } else {
        nodes[static_cast<std::size_t>(stack.back())].children.push_back(top);
      }
    }
  }
  if (root < 0 || next_word != static_cast<int>(words.size())) {
    refuse("a derivation that is not complete");
  }
  PhraseTreeBuilder builder;
  const Node& first = nodes[static_cast<std::size_t>(root)];
  const bool is_top = first.word < 0 && labels.text(first.label) == kTopName;
  if (!is_top) builder.open(kTopName);
  write(nodes, root, labels, tags, words, builder);
  if (!is_top) builder.close();
  return std::move(builder).finish();
}

}  // namespace copse::history
