#include "copse/rerank/tree_views.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "copse/base/error.h"
#include "copse/treebank/label.h"

namespace copse {
namespace {

using Part = TreeListBuilder::Part;

struct NamedView {
  TreeView view;
  std::string_view name;
};
constexpr std::array<NamedView, 4> kViews = {{{TreeView::tree, "tree"},
                                              {TreeView::binary, "binary"},
                                              {TreeView::heads, "heads"},
                                              {TreeView::spans, "spans"}}};
constexpr std::string_view kNothing = "-";

std::string_view class_of(int words) {
  struct Class {
    int most;
    std::string_view name;
  };
  constexpr std::array<Class, 7> kClasses = {
      {{0, "0"}, {1, "1"}, {2, "2"}, {3, "3"}, {5, "4-5"}, {10, "6-10"}, {20, "11-20"}}};
  for (const Class& each : kClasses) {
    if (words <= each.most) return each.name;
  }
  return "more";
}

// One parse, with what all views want to know of it.
class Viewed {
 public:
  Viewed(const PhraseTree& tree, const HeadRules& heads, TreeListBuilder& builder)
      : tree_(tree), heads_(heads), builder_(builder) {}

  void add(TreeView view) {
    switch (view) {
      case TreeView::tree:
        builder_.grow(tree_);
        break;
      case TreeView::binary:
        find_heads();
        add_binary();
        break;
      case TreeView::heads:
        find_heads();
        add_heads();
        break;
      case TreeView::spans:
        add_spans();
        break;
    }
  }

 private:
  void find_heads() {
    if (!words_.empty()) return;
    words_ = heads_.head_words(tree_);
    head_.assign(words_.size(), -1);
    for (int node = 0; node < tree_.size(); ++node) {
      if (tree_.is_leaf(node)) continue;
      // The child that has the head word is the head.
      for (const int child : tree_.children(node)) {
        if (word_of(child) >= 0 && word_of(child) == word_of(node)) head_[index(node)] = child;
      }
    }
  }
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }
  int word_of(int node) const { return words_[index(node)]; }
  int head_of(int node) const { return head_[index(node)]; }

  void add_binary() {
    std::vector<std::uint32_t> made(index(tree_.size()), TreeForest::kNone);
    std::vector<Part> parts;
    std::vector<int> children;
    std::string inner;
    const auto part = [&](int node) { return Part{tree_.label(node), made[index(node)]}; };
    for (int node = tree_.size() - 1; node >= 0; --node) {
      if (tree_.is_leaf(node)) {
        made[index(node)] = builder_.leaf(tree_.label(node), tree_.word(node));
        continue;
      }
      children.clear();
      for (const int child : tree_.children(node)) children.push_back(child);
      if (children.size() < 2 || head_of(node) < 0) {
        parts.clear();
        for (const int child : children) parts.push_back(part(child));
        made[index(node)] = builder_.phrase(tree_.label(node), parts);
        continue;
      }
      inner = std::string(tree_.label(node)) + '|';
      const auto head =
          static_cast<std::size_t>(std::ranges::find(children, head_of(node)) - children.begin());
      Part grown = part(children[head]);
      std::size_t left = children.size() - 1;  // children that are still to come
      const auto join = [&](const Part& first, const Part& second) {
        const std::string_view label = --left == 0 ? tree_.label(node) : std::string_view(inner);
        grown = {label, builder_.phrase(label, std::array{first, second})};
      };
      for (std::size_t c = head + 1; c < children.size(); ++c) join(grown, part(children[c]));
      for (std::size_t c = head; c-- > 0;) join(part(children[c]), grown);
      made[index(node)] = grown.node;
    }
  }

  // A slot with a name: "(@c NP)".
  Part slot(std::string_view name, std::string_view value) {
    return {name, builder_.leaf(name, value)};
  }
  // A slot with a word: "(@h (NN dog))"; outside of the sentence "(@h -)".
  Part word_slot(std::string_view name, int word) {
    if (word < 0 || word >= tree_.words()) return slot(name, kNothing);
    const Part leaf{tree_.tag(word), builder_.leaf(tree_.tag(word), tree_.word_at(word))};
    return {name, builder_.phrase(name, std::array{leaf})};
  }

  void add_heads() {
    std::string label;
    for (int node = 0; node < tree_.size(); ++node) {
      const int head = tree_.is_leaf(node) ? -1 : head_of(node);
      if (head < 0) continue;
      int before = -1;
      for (const int child : tree_.children(node)) {
        if (child == head) {
          before = child;
          continue;
        }
        const bool right = child > head;
        label = fmt::format("{}{}{}", tree_.label(node), right ? '>' : '<', tree_.label(child));
        const int neighbour = right ? before : tree_.next(child);
        const int between =
            right ? tree_.begin(child) - tree_.end(head) : tree_.begin(head) - tree_.end(child);
        builder_.phrase(
            label, std::array{slot("@c", tree_.label(head)), slot("@s", tree_.label(neighbour)),
                              slot("@u", node == 0 ? kNothing : tree_.label(tree_.parent(node))),
                              slot("@d", class_of(between)), word_slot("@h", word_of(head)),
                              word_slot("@m", word_of(child)), word_slot("@o", object_of(child))});
        before = child;
      }
    }
  }
  // The head word of the last child of a prepositional phrase that does not head it; -1 if none.
  int object_of(int node) const {
    if (tree_.is_leaf(node) || base_label(tree_.label(node)) != "PP") return -1;
    int object = -1;
    for (const int child : tree_.children(node)) {
      if (child != head_of(node)) object = word_of(child);
    }
    return object;
  }

  void add_spans() {
    std::string label;
    for (int node = 0; node < tree_.size(); ++node) {
      if (tree_.is_leaf(node) || is_outer_label(tree_.label(node))) continue;
      const int begin = tree_.begin(node), end = tree_.end(node);
      if (begin == end) continue;
      label = fmt::format("{}:", tree_.label(node));
      builder_.phrase(label, std::array{slot("@n", class_of(end - begin)),
                                        slot("@e", class_of(tree_.words() - end)),
                                        word_slot("@b", begin - 1), word_slot("@f", begin),
                                        word_slot("@l", end - 1), word_slot("@a", end)});
    }
  }

  const PhraseTree& tree_;
  const HeadRules& heads_;
  TreeListBuilder& builder_;
  std::vector<int> words_;  // head word of a node
  std::vector<int> head_;   // head child of a phrase; -1 for a leaf, or without words
};

}  // namespace

std::string_view name_of(TreeView view) {
  return std::ranges::find(kViews, view, &NamedView::view)->name;
}

TreeView tree_view(std::string_view name) {
  const auto found = std::ranges::find(kViews, name, &NamedView::name);
  if (found == kViews.end()) throw usage_error(fmt::format("no view '{}' of trees", name));
  return found->view;
}

std::vector<std::string> tree_view_names() {
  std::vector<std::string> names;
  names.reserve(kViews.size());
  for (const NamedView& each : kViews) names.emplace_back(each.name);
  return names;
}

TreeViews::TreeViews(std::vector<TreeView> views, HeadRules heads)
    : views_(std::move(views)), heads_(std::move(heads)) {
  if (views_.empty()) throw usage_error("there must be a view of the trees");
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (std::ranges::count(views_, views_[i]) > 1) {
      throw usage_error(fmt::format("the view '{}' is there twice", name_of(views_[i])));
    }
  }
}

TreeViews::TreeViews(std::vector<TreeView> views, const std::string& head_table)
    : TreeViews(std::move(views), HeadRules::load(head_table)) {}

TreeViews TreeViews::from(std::span<const std::string> names, const std::string& head_table) {
  try {
    std::vector<TreeView> views;
    for (const std::string& name : names) views.push_back(tree_view(name));
    return {std::move(views), HeadRules::parse(head_table, "the model's head table")};
  } catch (const Error& error) {
    throw data_error(error.message());
  }
}

std::vector<std::string> TreeViews::names() const {
  std::vector<std::string> names;
  for (const TreeView view : views_) names.emplace_back(name_of(view));
  return names;
}

void TreeViews::add(const PhraseTree& tree, TreeListBuilder& builder) const {
  Viewed viewed(tree, heads_, builder);
  for (const TreeView view : views_) viewed.add(view);
  builder.end_candidate();
}

}  // namespace copse
