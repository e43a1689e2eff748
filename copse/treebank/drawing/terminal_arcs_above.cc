#include <algorithm>
#include <vector>

#include "copse/treebank/drawing/arc_layout.h"
#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/relation_class.h"
#include "copse/treebank/drawing/terminal_body.h"

namespace copse::drawing {
namespace {

ArcLayout lay_out(const Scene& scene) {
  std::vector<WordShape> words;
  for (const SceneWord& word : scene.words) {
    words.push_back({std::max({1, cell_width(word.form), cell_width(word.tag)}), 0});
  }
  std::vector<ArcShape> arcs;
  for (const SceneArc& arc : scene.arcs) {
    arcs.push_back({arc.head, arc.modifier, cell_width(arc_text(arc))});
  }
  std::vector<TokenShape> tokens;
  for (const SceneToken& token : scene.tokens) {
    tokens.push_back({token.first, token.last, cell_width(token.form)});
  }
  ArcSpacing spacing;
  spacing.word_gap = 1;
  spacing.leg_pitch = 1;
  spacing.label_margin = 2;
  spacing.max_width = 0;
  return lay_out_arcs(words, arcs, tokens, spacing);
}

class ArcsAbove {
 public:
  ArcsAbove(const Scene& scene, const ArcLayout& layout, const DrawingOptions& options)
      : scene_(scene),
        layout_(layout),
        options_(options),
        canvas_(options.unicode, options.color) {}

  std::string draw() {
    const ArcRow& row = layout_.rows.front();
    top_ = row.roots ? 1 : 0;  // the labels of arrows from above
    ground_ = top_ + row.levels + (row.arcs.empty() ? -1 : 0);
    for (auto arc = row.arcs.rbegin(); arc != row.arcs.rend(); ++arc) draw_lines(row, *arc);
    for (const PlacedArc& arc : row.arcs) draw_text(row, arc);
    draw_words();
    return canvas_.str();
  }

 private:
  const SceneArc& arc_of(const PlacedArc& placed) const {
    return scene_.arcs[static_cast<std::size_t>(placed.arc)];
  }
  int y_of(const ArcRow& row, const PlacedArc& placed) const {
    return placed.from_above() ? 0 : top_ + row.levels - placed.level;
  }

  void draw_lines(const ArcRow& row, const PlacedArc& placed) {
    const int y = y_of(row, placed);
    const Ink ink = ink_of(arc_of(placed));
    canvas_.vertical(placed.left, y, ground_, ink);
    canvas_.vertical(placed.right, y, ground_, ink);
    canvas_.horizontal(y, placed.left, placed.right, ink);
  }

  void draw_text(const ArcRow& row, const PlacedArc& placed) {
    const Ink ink = ink_of(arc_of(placed));
    const std::string_view tip = options_.unicode ? "▼" : "v";
    const std::string_view stem = options_.unicode ? "│" : "|";
    canvas_.text(placed.left, ground_, placed.arrow_left ? tip : stem, ink);
    canvas_.text(placed.right, ground_, placed.arrow_right ? tip : stem, ink);
    centred(arc_text(arc_of(placed)), placed.label_x, y_of(row, placed), ink);
  }

  void draw_words() {
    bool tags = false;
    for (int i = 1; i <= static_cast<int>(scene_.words.size()); ++i) {
      const int x = layout_.word_x[static_cast<std::size_t>(i)];
      centred(scene_.word(i).form, x, ground_ + 1, Ink::bold);
      centred(scene_.word(i).tag, x, ground_ + 2, Ink::faint);
      tags = tags || !scene_.word(i).tag.empty();
    }
    for (const SceneToken& token : scene_.tokens) draw_token(token, ground_ + (tags ? 3 : 2));
  }

  void draw_token(const SceneToken& token, int y) {
    const int left = start_of(token.first);
    const SceneWord& last = scene_.word(token.last);
    const int right =
        start_of(token.last) + std::max({1, cell_width(last.form), cell_width(last.tag)}) - 1;
    canvas_.vertical(left, y - 1, y, Ink::faint);
    canvas_.vertical(right, y - 1, y, Ink::faint);
    canvas_.horizontal(y, left, right, Ink::faint);
    centred(token.form, (left + right) / 2, y + 1, Ink::plain);
  }

  int start_of(int word) const {
    const SceneWord& shown = scene_.word(word);
    const int width = std::max({1, cell_width(shown.form), cell_width(shown.tag)});
    return layout_.word_x[static_cast<std::size_t>(word)] - width / 2;
  }

  void centred(std::string_view text, int x, int y, Ink ink) {
    canvas_.text(std::max(0, x - cell_width(text) / 2), y, text, ink);
  }

  const Scene& scene_;
  const ArcLayout& layout_;
  const DrawingOptions& options_;
  Canvas canvas_;
  int top_ = 0;
  int ground_ = 0;  // the row of arrow heads
};

}  // namespace

Ink ink_of(const SceneArc& arc) {
  switch (relation_class(arc.label)) {
    case RelationClass::core:
      return Ink::core;
    case RelationClass::modifier:
      return Ink::modifier;
    case RelationClass::coordination:
      return Ink::coordination;
    case RelationClass::expression:
      return Ink::expression;
    default:
      return Ink::plain;
  }
}

std::optional<std::string> draw_arcs_above(const Scene& scene, const DrawingOptions& options) {
  if (scene.empty()) return std::nullopt;
  // Each word and gap takes two cells at least: no need to lay out what cannot fit.
  if (static_cast<int>(scene.words.size()) > columns_of(options) / 2) return std::nullopt;
  const ArcLayout layout = lay_out(scene);
  // Terminals that reorder text by direction would reorder the line of words, not the arcs.
  if (layout.width > columns_of(options) || scene.right_to_left) return std::nullopt;
  return ArcsAbove(scene, layout, options).draw();
}

}  // namespace copse::drawing
