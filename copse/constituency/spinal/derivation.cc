#include "copse/constituency/spinal/derivation.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>

#include "copse/base/error.h"
#include "copse/treebank/label.h"

namespace copse::spinal {
namespace {

LabelId number(Symbols& labels, std::string_view text) {
  const Symbols::Id id = labels.add(text);
  if (id >= std::numeric_limits<LabelId>::max()) {
    throw data_error("the trees have more than 65535 different labels");
  }
  return static_cast<LabelId>(id);
}

// Walks every maximal path of heads bottom up; the modifiers found on the way are paths of their
// own, and wait on a list: trees may be deeper than the stack.
class Projection {
 public:
  Projection(const PhraseTree& tree, const HeadRules& heads, Levels levels, Symbols& labels)
      : tree_(tree), heads_(heads), levels_(levels), labels_(labels) {
    const auto size = static_cast<std::size_t>(tree.words()) + 1;
    out_.spines.resize(size);
    out_.adjunctions.resize(size);
    head_word_ = heads.head_words(tree);
    out_.spines[0] = {number(labels, kRootTag), {number(labels, kTopLabel)}};
  }

  Derivation run() {
    int root = 0;
    while (!tree_.is_leaf(root) && is_outer_label(tree_.label(root)) &&
           tree_.child_count(root) == 1) {
      root = tree_.first_child(root);
    }
    add(root, {0, 1, 0});
    while (!waiting_.empty()) {
      const int node = waiting_.back();
      waiting_.pop_back();
      project(node);
    }
    return std::move(out_);
  }

 private:
  int word_of(int node) const { return head_word_[static_cast<std::size_t>(node)] + 1; }
  std::string_view label(int node) const {
    const std::string_view text = tree_.label(node);
    return !tree_.is_leaf(node) && is_outer_label(text) ? kTopLabel : text;
  }

  void add(int node, const Adjunction& adjunction) {
    out_.adjunctions[static_cast<std::size_t>(word_of(node))] = adjunction;
    waiting_.push_back(node);
  }

  void project(int top) {
    std::vector<int> path;  // phrases, top down, then the leaf
    for (int node = top;; node = heads_.head_child(tree_, node)) {
      path.push_back(node);
      if (tree_.is_leaf(node)) break;
    }
    const int h = word_of(top);
    Spine& spine = out_.spines[static_cast<std::size_t>(h)];
    spine.tag = number(labels_, tree_.label(path.back()));
    int level = 0;
    std::array<int, 2> reached{};  // the last level with a modifier, on each side
    for (std::size_t at = path.size() - 1; at-- > 0;) {
      const int node = path[at];
      const bool is_new = spine.phrases.empty() || label(node) != label(path[at + 1]);
      if (is_new) {
        spine.phrases.push_back(number(labels_, label(node)));
        level = 0;
        reached = {};
      } else {
        ++level;
      }
      adjoin(node, path[at + 1], h, spine.size(), level, reached);
    }
  }

  // The children of a level, on each side from the head outwards.
  void adjoin(int node, int head_child, int h, int position, int level,
              std::array<int, 2>& reached) {
    std::array<std::vector<int>, 2> sides;
    for (const int child : tree_.children(node)) {
      if (child != head_child) sides[child < head_child ? 0 : 1].push_back(child);
    }
    std::reverse(sides[0].begin(), sides[0].end());
    for (const std::size_t side : {0U, 1U}) {
      for (const int child : sides[side]) {
        const int up = level - reached[side];
        reached[side] = level;
        add(child, {h, position, levels_ == Levels::exact ? up : std::min(up, 1)});
      }
    }
  }

  const PhraseTree& tree_;
  const HeadRules& heads_;
  Levels levels_;
  Symbols& labels_;
  std::vector<int> head_word_;
  std::vector<int> waiting_;
  Derivation out_;
};

// Writes the tree of a derivation in preorder. What is still to be written waits on a stack, the
// next on top: words with their whole tree, single leaves, ends of phrases and beginnings of them.
class Recovery {
 public:
  Recovery(const Derivation& derivation, std::span<const std::string> words, const Symbols& labels)
      : derivation_(derivation), words_(words), labels_(labels), sides_(derivation.sides()) {}

  PhraseTree run() {
    push({Step::tree, root()});
    while (!steps_.empty()) {
      const Step step = steps_.back();
      steps_.pop_back();
      switch (step.kind) {
        case Step::tree:
          expand(step.value);
          break;
        case Step::leaf:
          write_leaf(step.value);
          break;
        case Step::open:
          builder_.open(labels_.text(static_cast<Symbols::Id>(step.value)));
          break;
        case Step::close:
          builder_.close();
          break;
      }
    }
    if (written_ != derivation_.words()) throw bad("is no tree", written_ + 1);
    return std::move(builder_).finish();
  }

 private:
  struct Step {
    enum Kind { tree, leaf, open, close } kind;
    int value = 0;  // a word or a label
  };

  static Error bad(std::string_view what, int word) {
    return data_error(fmt::format("the derivation {} at word {}", what, word));
  }
  void push(Step step) { steps_.push_back(step); }

  int root() const {
    const auto& top = sides_[0];
    if (!top.left.empty() || top.right.size() != 1) throw bad("has not one root", 0);
    return top.right[0];
  }

  void write_leaf(int word) {
    if (word != written_ + 1) throw bad("has crossing arcs", word);
    ++written_;
    builder_.leaf(labels_.text(derivation_.spines[static_cast<std::size_t>(word)].tag),
                  words_[static_cast<std::size_t>(word) - 1]);
  }

  // The modifiers of one side of one position by level; `next` moves on to the next position's.
  std::vector<std::vector<int>> levels(const std::vector<int>& side, int position,
                                       std::size_t& next) const {
    std::vector<std::vector<int>> out(1);
    for (; next < side.size(); ++next) {
      const Adjunction& each = derivation_.adjunctions[static_cast<std::size_t>(side[next])];
      if (each.position != position) break;
      if (each.rise < 0 || each.rise > derivation_.words()) throw bad("has a bad rise", side[next]);
      out.resize(out.size() + static_cast<std::size_t>(each.rise));
      out.back().push_back(side[next]);
    }
    return out;
  }

  // The steps of a word's whole tree, made inside out: what is put before comes first.
  void expand(int word) {
    const Spine& spine = derivation_.spines[static_cast<std::size_t>(word)];
    const Derivation::Sides& sides = sides_[static_cast<std::size_t>(word)];
    std::vector<Step> before, after;  // before: nearest to the head first
    std::size_t left = 0, right = 0;
    for (int p = 1; p <= spine.size(); ++p) {
      const auto lefts = levels(sides.left, p, left);
      const auto rights = levels(sides.right, p, right);
      for (std::size_t j = 0; j < std::max(lefts.size(), rights.size()); ++j) {
        if (j < lefts.size()) {
          for (const int m : lefts[j]) before.push_back({Step::tree, m});
        }
        if (j < rights.size()) {
          for (const int m : rights[j]) after.push_back({Step::tree, m});
        }
        before.push_back({Step::open, spine.at(p)});
        after.push_back({Step::close, 0});
      }
    }
    if (left < sides.left.size()) throw bad("has a bad position", sides.left[left]);
    if (right < sides.right.size()) throw bad("has a bad position", sides.right[right]);
    steps_.insert(steps_.end(), after.rbegin(), after.rend());
    push({Step::leaf, word});
    steps_.insert(steps_.end(), before.begin(), before.end());
  }

  const Derivation& derivation_;
  std::span<const std::string> words_;
  const Symbols& labels_;
  std::vector<Derivation::Sides> sides_;
  std::vector<Step> steps_;
  PhraseTreeBuilder builder_;
  int written_ = 0;
};

void add_grammar(const Derivation& derivation, int h, const std::vector<int>& side,
                 std::vector<Grammar>& out) {
  const Spine& spine = derivation.spines[static_cast<std::size_t>(h)];
  int position = 0;
  bool raised = false;
  for (const int m : side) {
    const Adjunction& each = derivation.adjunctions[static_cast<std::size_t>(m)];
    if (each.position != position) raised = false;
    position = each.position;
    raised = raised || each.rise > 0;
    const LabelId x = spine.at(position);
    out[static_cast<std::size_t>(m)] = {x, raised ? x : spine.at(position - 1),
                                        derivation.spines[static_cast<std::size_t>(m)].top(),
                                        static_cast<std::uint16_t>(each.rise)};
  }
}

}  // namespace

std::vector<Derivation::Sides> Derivation::sides() const {
  std::vector<Sides> out(spines.size());
  const int n = words();
  for (int m = 1; m <= n; ++m) {
    const int h = adjunctions[static_cast<std::size_t>(m)].head;
    if (h < 0 || h > n || h == m) throw data_error(fmt::format("word {} has no head", m));
    Sides& of = out[static_cast<std::size_t>(h)];
    (m < h ? of.left : of.right).push_back(m);
  }
  for (Sides& each : out) std::reverse(each.left.begin(), each.left.end());
  return out;
}

Derivation derivation_of(const PhraseTree& tree, const HeadRules& heads, Levels levels,
                         Symbols& labels) {
  if (tree.words() == 0) throw data_error("the tree has no words");
  return Projection(tree, heads, levels, labels).run();
}

PhraseTree tree_of(const Derivation& derivation, std::span<const std::string> words,
                   const Symbols& labels) {
  if (static_cast<int>(words.size()) != derivation.words() || words.empty()) {
    throw data_error("the derivation is of another number of words");
  }
  return Recovery(derivation, words, labels).run();
}

std::vector<Grammar> grammar_of(const Derivation& derivation) {
  std::vector<Grammar> out(derivation.spines.size());
  const auto sides = derivation.sides();
  for (int h = 0; h <= derivation.words(); ++h) {
    add_grammar(derivation, h, sides[static_cast<std::size_t>(h)].left, out);
    add_grammar(derivation, h, sides[static_cast<std::size_t>(h)].right, out);
  }
  return out;
}

}  // namespace copse::spinal
