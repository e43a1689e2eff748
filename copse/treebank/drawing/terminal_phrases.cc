#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/phrase_layout.h"
#include "copse/treebank/drawing/terminal_body.h"

namespace copse::drawing {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

struct NodeText {
  std::string label;
  std::string word;  // of a leaf
  bool trace = false;
};

std::vector<NodeText> node_texts(const PhraseTree& tree, const DrawingOptions& options) {
  const std::string_view ellipsis = options.unicode ? "\u2026" : "...";
  std::vector<NodeText> texts(at(tree.size()));
  for (int node = 0; node < tree.size(); ++node) {
    const bool leaf = tree.is_leaf(node);
    if (!leaf || options.show_tags) {
      texts[at(node)].label = abbreviate(drawable(tree.label(node)), options.max_form, ellipsis);
    }
    if (leaf) {
      texts[at(node)].word = abbreviate(drawable(tree.word(node)), options.max_form, ellipsis);
    }
    texts[at(node)].trace = leaf && tree.label(node) == "-NONE-";
  }
  return texts;
}

Ink word_ink(const NodeText& text) {
  return text.trace ? Ink::faint : Ink::bold;
}

// Columns that an uncut sideways drawing takes.
int sideways_width(const PhraseTree& tree, const std::vector<NodeText>& texts, int connector) {
  std::vector<int> after(texts.size(), 0);
  int width = 0;
  for (int node = 0; node < tree.size(); ++node) {
    const int parent = tree.parent(node);
    after[at(node)] =
        (parent < 0 ? 0 : after[at(parent)] + connector) + cell_width(texts[at(node)].label);
    width = std::max(width, after[at(node)] + 1 + cell_width(texts[at(node)].word));
  }
  return width;
}

// The first child stands on its parent's line, its sisters on lines of their own. In a tree too
// wide for the terminal, phrases whose labels leave no room for a word are drawn by themselves
// below, under a number.
//
//   S─┬─NP─┬─DT the
//     │    ╰─NN cat
//     ╰─VP [1]
class Sideways {
 public:
  Sideways(const PhraseTree& tree, const std::vector<NodeText>& texts,
           const DrawingOptions& options)
      : tree_(tree),
        texts_(texts),
        x_(texts.size(), 0),
        line_(texts.size(), 0),
        canvas_(options.unicode, options.color) {
    const int columns = columns_of(options);
    connector_ = sideways_width(tree, texts, kWide) <= columns ? kWide : kNarrow;
    const bool fits = sideways_width(tree, texts, connector_) <= columns;
    last_column_ = fits ? std::numeric_limits<int>::max() : columns - kRoomForWord;
  }

  std::string draw() {
    draw_subtree(0, 0, 0);
    for (int number = 1; !waiting_.empty(); ++number) {
      const int root = waiting_.front();
      waiting_.pop_front();
      const std::string mark = fmt::format("[{}]", number);
      const int line = canvas_.height() + 1;
      canvas_.text(0, line, mark, Ink::faint);
      draw_subtree(root, cell_width(mark) + 1, line);
    }
    return canvas_.str();
  }

 private:
  static constexpr int kWide = 3;    // "─┬─" between a label and its children, ...
  static constexpr int kNarrow = 1;  // ... or "┬"
  static constexpr int kRoomForWord = 16;

  void draw_subtree(int root, int x, int line) {
    x_[at(root)] = x;
    line_[at(root)] = line;
    for (int node = root; node < tree_.next(root);) {
      if (node != root) connect(node, line);
      const bool leaf = tree_.is_leaf(node);
      const int after = x_[at(node)] + cell_width(texts_[at(node)].label);
      canvas_.text(x_[at(node)], line, texts_[at(node)].label, leaf ? Ink::faint : Ink::core);
      if (leaf) draw_word(node, after, line);
      const bool defers = !leaf && node != root && after > last_column_;
      if (defers) {
        waiting_.push_back(node);
        canvas_.text(after + 1, line, fmt::format("[{}]", ++deferred_), Ink::faint);
      }
      const bool ends_line = defers || tree_.first_child(node) == tree_.next(node);
      line += ends_line ? 1 : 0;
      node = defers ? tree_.next(node) : node + 1;
    }
  }

  void draw_word(int leaf, int x, int line) {
    const NodeText& text = texts_[at(leaf)];
    canvas_.text(text.label.empty() ? x : x + 1, line, text.word, word_ink(text));
  }

  // Places a node behind its parent and draws the line between them.
  void connect(int node, int line) {
    const int parent = tree_.parent(node);
    const int after_parent = x_[at(parent)] + cell_width(texts_[at(parent)].label);
    const int bar = after_parent + connector_ / 2;
    x_[at(node)] = after_parent + connector_;
    if (node == parent + 1) {
      canvas_.horizontal(line, after_parent - 1, x_[at(node)], Ink::faint);
    } else {
      canvas_.vertical(bar, line_[at(parent)], line, Ink::faint);
      canvas_.horizontal(line, bar, x_[at(node)], Ink::faint);
    }
    line_[at(parent)] = line_[at(node)] = line;
  }

  const PhraseTree& tree_;
  const std::vector<NodeText>& texts_;
  int connector_ = kWide;
  int last_column_ = 0;      // for the end of a phrase's label
  std::vector<int> x_;       // of each node
  std::vector<int> line_;    // of each node's last child so far
  std::deque<int> waiting_;  // phrases to draw below
  int deferred_ = 0;
  Canvas canvas_;
};

}  // namespace

std::optional<std::string> draw_phrases_upright(const PhraseTree& tree,
                                                const DrawingOptions& options) {
  if (tree.empty()) return std::nullopt;
  const std::vector<NodeText> texts = node_texts(tree, options);
  std::vector<int> widths;
  widths.reserve(texts.size());
  for (const NodeText& text : texts) {
    widths.push_back(std::max({1, cell_width(text.label), cell_width(text.word)}));
  }
  const PhraseLayout layout = lay_out_upright(tree, widths, 2);
  if (layout.extent > columns_of(options)) return std::nullopt;

  Canvas canvas(options.unicode, options.color);
  const auto line = [&](int node) {
    return 2 * (layout.levels - 1 - layout.nodes[at(node)].level);
  };
  const auto centred = [&](std::string_view text, int node, int y, Ink ink) {
    canvas.text(std::max(0, layout.nodes[at(node)].centre - cell_width(text) / 2), y, text, ink);
  };
  for (int node = 1; node < tree.size(); ++node) {
    const int parent = tree.parent(node);
    const int bar = line(parent) + 1;
    canvas.vertical(layout.nodes[at(parent)].centre, line(parent), bar, Ink::faint);
    canvas.horizontal(bar, layout.nodes[at(parent)].centre, layout.nodes[at(node)].centre,
                      Ink::faint);
    canvas.vertical(layout.nodes[at(node)].centre, bar, line(node), Ink::faint);
  }
  for (int node = 0; node < tree.size(); ++node) {
    const NodeText& text = texts[at(node)];
    centred(text.label, node, line(node), tree.is_leaf(node) ? Ink::faint : Ink::core);
    if (tree.is_leaf(node)) centred(text.word, node, line(node) + 1, word_ink(text));
  }
  return canvas.str();
}

std::string draw_phrases_sideways(const PhraseTree& tree, const DrawingOptions& options) {
  if (tree.empty()) return {};
  const std::vector<NodeText> texts = node_texts(tree, options);
  return Sideways(tree, texts, options).draw();
}

}  // namespace copse::drawing
