#include "copse/treebank/drawing/terminal.h"

#include <algorithm>
#include <string>

#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/terminal_body.h"

namespace copse {
namespace {

// Running text in lines of at most `columns` cells, broken at spaces.
std::string wrap(std::string_view text, int columns) {
  std::string out;
  int used = 0;
  while (!text.empty()) {
    const auto space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    const int width = drawing::cell_width(word);
    if (used > 0) {
      const bool fits = used + 1 + width <= columns;
      out += fits ? ' ' : '\n';
      used = fits ? used + 1 : 0;
    }
    out += word;
    used += width;
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return out.empty() ? out : out + "\n";
}

std::string words_of(const PhraseTree& tree) {
  std::string text;
  for (const int leaf : tree.leaves()) {
    if (tree.label(leaf) == "-NONE-") continue;
    if (!text.empty()) text += ' ';
    text += drawing::drawable(tree.word(leaf));
  }
  return text;
}

class TerminalWriter final : public Writer {
 public:
  explicit TerminalWriter(const DrawingOptions& options) : options_(options) {}

  void write(const Entry& entry, std::string& out) const override {
    const drawing::Scene scene = drawing::make_scene(entry.sentence, options_);
    if (!scene.arcs.empty() || entry.tree.empty()) write_dependencies(scene, out);
    if (!entry.tree.empty()) write_phrases(drawing::drawn_tree(entry.tree), out);
  }

 private:
  // Where the words of a drawing do not stand in one line the running text comes first.
  void write_dependencies(const drawing::Scene& scene, std::string& out) const {
    if (const auto above = drawing::draw_arcs_above(scene, options_)) {
      out += *above;
    } else {
      out += wrap(scene.text, drawing::columns_of(options_));
      out += drawing::draw_arcs_beside(scene, options_);
    }
    out += '\n';
  }

  void write_phrases(const PhraseTree& tree, std::string& out) const {
    if (const auto upright = drawing::draw_phrases_upright(tree, options_)) {
      out += *upright;
    } else {
      out += wrap(words_of(tree), drawing::columns_of(options_));
      out += drawing::draw_phrases_sideways(tree, options_);
    }
    out += '\n';
  }

  DrawingOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_terminal_writer(const DrawingOptions& options) {
  return std::make_unique<TerminalWriter>(options);
}

}  // namespace copse
