#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>
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

// One drawing of draw_phrases_sideways: the first child stands on its parent's line, its sisters
// on lines of their own.
//
//   S─┬─NP─┬─DT the
//     │    └─NN cat
//     └─VP───VBD sat
class Sideways {
 public:
  Sideways(const PhraseTree& tree, const std::vector<NodeText>& texts,
           const DrawingOptions& options, int connector)
      : tree_(tree),
        texts_(texts),
        options_(options),
        connector_(connector),
        x_(texts.size(), 0),
        line_(texts.size(), 0),
        canvas_(options.unicode, options.color) {}

  // Draws the subtree of `root`, from column x on. Phrases whose labels do not leave room for a
  // word are left out and told to `defer`, which returns what to write in their place.
  template <class Defer>
  void draw(int root, int x, Defer defer) {
    x_[at(root)] = x;
    line_[at(root)] = canvas_.height();
    int line = canvas_.height();
    for (int node = root; node < tree_.next(root);) {
      if (node != root) place(node, line);
      const bool leaf = tree_.is_leaf(node);
      const int after = x_[at(node)] + cell_width(texts_[at(node)].label);
      canvas_.text(x_[at(node)], line, texts_[at(node)].label, leaf ? Ink::faint : Ink::core);
      if (leaf) {
        const int gap = texts_[at(node)].label.empty() ? 0 : 1;
        canvas_.text(after + gap, line, texts_[at(node)].word, word_ink(texts_[at(node)]));
      }
      const bool defers = !leaf && node != root && after + kRoomForWord > columns_of(options_);
      if (defers) canvas_.text(after + 1, line, defer(node), Ink::faint);
      const bool terminal = tree_.first_child(node) == tree_.next(node);
      if (terminal || defers) ++line;
      node = defers ? tree_.next(node) : node + 1;
    }
  }

  void label_line(int line, std::string_view text) { canvas_.text(0, line, text, Ink::faint); }
  int height() const { return canvas_.height(); }
  std::string str() const { return canvas_.str(); }

 private:
  static constexpr int kRoomForWord = 16;

  // Column and connection of a node below the root of the drawing.
  void place(int node, int line) {
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
    line_[at(parent)] = line;  // where the next sister's line begins
    line_[at(node)] = line;
  }

  const PhraseTree& tree_;
  const std::vector<NodeText>& texts_;
  const DrawingOptions& options_;
  int connector_;
  std::vector<int> x_;
  std::vector<int> line_;  // of a node's last child so far
  Canvas canvas_;
};

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

}  // namespace

std::optional<std::string> draw_phrases_upright(const PhraseTree& tree,
                                                const DrawingOptions& options) {
  if (tree.empty()) return std::nullopt;
  const std::vector<NodeText> texts = node_texts(tree, options);
  std::vector<int> widths;
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
  const int wide = sideways_width(tree, texts, 3);
  Sideways page(tree, texts, options, wide <= columns_of(options) ? 3 : 1);
  std::deque<std::pair<int, std::string>> waiting;  // phrases to draw below, and their marks
  waiting.emplace_back(0, "");
  int deferred = 0;
  while (!waiting.empty()) {
    const auto [root, mark] = waiting.front();
    waiting.pop_front();
    if (!mark.empty()) page.label_line(page.height() + 1, mark);
    page.draw(root, mark.empty() ? 0 : cell_width(mark) + 1, [&](int node) {
      waiting.emplace_back(node, fmt::format("[{}]", ++deferred));
      return waiting.back().second;
    });
  }
  return page.str();
}

}  // namespace copse::drawing
