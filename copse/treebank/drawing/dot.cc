#include "copse/treebank/drawing/dot.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/scene.h"

namespace copse {
namespace {

constexpr std::string_view kStyle =
    "  graph [ordering=out, nodesep=0.25, ranksep=0.4];\n"
    "  node [shape=plain, fontname=\"Helvetica\"];\n"
    "  edge [fontname=\"Helvetica\", fontsize=10, color=\"#717b87\", fontcolor=\"#59636e\"";

// The inside of a quoted string. Needs drawable text.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void write_dependencies(const drawing::Scene& scene, std::string& out) {
  auto end = std::back_inserter(out);
  fmt::format_to(end, "digraph dependencies {{\n{}, arrowsize=0.7];\n", kStyle);
  bool root = false;
  for (std::size_t i = 0; i < scene.words.size(); ++i) {
    const drawing::SceneWord& word = scene.words[i];
    fmt::format_to(end, "  w{} [label=\"{}{}{}\"];\n", i + 1, quoted(word.form),
                   word.tag.empty() ? "" : "\\n", quoted(word.tag));
  }
  for (const drawing::SceneArc& arc : scene.arcs) {
    if (arc.head == 0 && !root) out += "  w0 [label=\"\", shape=point];\n";
    root = root || arc.head == 0;
    fmt::format_to(end, "  w{} -> w{} [label=\" {}\"];\n", arc.head, arc.modifier,
                   quoted(arc_text(arc)));
  }
  out += "}\n";
}

void write_phrases(const PhraseTree& tree, std::string& out) {
  auto end = std::back_inserter(out);
  fmt::format_to(end, "digraph phrases {{\n{}, arrowhead=none];\n", kStyle);
  std::string words;
  for (int node = 0; node < tree.size(); ++node) {
    std::string text = quoted(drawing::drawable(tree.label(node)));
    if (tree.is_leaf(node)) {
      text += "\\n" + quoted(drawing::drawable(tree.word(node)));
      words += fmt::format(" n{};", node);
    }
    fmt::format_to(end, "  n{} [label=\"{}\"];\n", node, text);
    if (node > 0) fmt::format_to(end, "  n{} -> n{};\n", tree.parent(node), node);
  }
  fmt::format_to(end, "  {{ rank=same;{} }}\n}}\n", words);
}

class DotWriter final : public Writer {
 public:
  explicit DotWriter(const DrawingOptions& options) : options_(options) { options_.unicode = true; }

  void write(const Entry& entry, std::string& out) const override {
    const drawing::Scene scene = drawing::make_scene(entry.sentence, options_);
    if (!scene.arcs.empty() || entry.tree.empty()) write_dependencies(scene, out);
    if (!entry.tree.empty()) write_phrases(drawing::drawn_tree(entry.tree), out);
  }

 private:
  DrawingOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_dot_writer(const DrawingOptions& options) {
  return std::make_unique<DotWriter>(options);
}

}  // namespace copse
