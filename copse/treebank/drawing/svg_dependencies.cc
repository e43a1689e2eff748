// Dependency trees as SVG: arcs over words, tags and surface tokens under them.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "copse/treebank/drawing/arc_layout.h"
#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/relation_class.h"
#include "copse/treebank/drawing/svg_body.h"

namespace copse::drawing {
namespace {

constexpr double kFormSize = 17;
constexpr double kTagSize = 10.5;
constexpr double kLabelSize = 11.5;
constexpr double kTokenSize = 13;

constexpr int kLevel = 21;       // height of a level of arcs
constexpr int kRootLabel = 15;   // room for labels over arrows from above
constexpr int kRootStem = 14;    // what such an arrow shows over the highest arc
constexpr int kFirstLevel = 24;  // from the ground to the first level
constexpr int kCorner = 9;       // radius of the bends
constexpr int kTip = 7;          // length of an arrow head
constexpr int kFormDrop = 20;    // from the ground to the baseline of the words
constexpr int kTagDrop = 17;     // and on to that of the tags, ...
constexpr int kNumberDrop = 13;
constexpr int kTokenDrop = 24;
constexpr int kBracket = 15;  // from a token's baseline up to its bracket
constexpr int kRowGap = 26;

std::string name_of(const Scene& scene, int word) {
  return fmt::format("{} {}", word, abbreviate(scene.word(word).form, 14));
}

ArcSpacing svg_spacing(const DrawingOptions& options) {
  ArcSpacing spacing;
  spacing.word_gap = 16;
  spacing.leg_pitch = 8;
  spacing.label_margin = kCorner + 4;
  spacing.name_gap = 6;
  spacing.max_width = options.width > 0 ? options.width : kDefaultSvgWidth;
  return spacing;
}

ArcLayout lay_out(const Scene& scene, const DrawingOptions& options) {
  std::vector<WordShape> words;
  for (int i = 1; i <= static_cast<int>(scene.words.size()); ++i) {
    const SceneWord& word = scene.word(i);
    words.push_back({std::max(type_width(word.form, kFormSize), type_width(word.tag, kTagSize)),
                     type_width(name_of(scene, i), kWidestFont * kTagSize)});
  }
  std::vector<ArcShape> arcs;
  for (const SceneArc& arc : scene.arcs) {
    arcs.push_back({arc.head, arc.modifier, type_width(arc_text(arc), kLabelSize)});
  }
  std::vector<TokenShape> tokens;
  for (const SceneToken& token : scene.tokens) {
    tokens.push_back({token.first, token.last, type_width(token.form, kTokenSize)});
  }
  return lay_out_arcs(words, arcs, tokens, svg_spacing(options));
}

class DependencyPainter {
 public:
  DependencyPainter(const Scene& scene, const DrawingOptions& options)
      : scene_(scene), layout_(lay_out(scene, options)) {
    has_tags_ = std::any_of(scene.words.begin(), scene.words.end(),
                            [](const SceneWord& word) { return !word.tag.empty(); });
  }

  SvgBody paint() {
    for (const ArcRow& row : layout_.rows) {
      if (body_.height > 0) body_.height += kRowGap;
      paint_row(row);
    }
    body_.width = layout_.width;
    return std::move(body_);
  }

 private:
  // Mirrored for text that runs from right to left.
  int x(int position) const { return scene_.right_to_left ? layout_.width - position : position; }

  void paint_row(const ArcRow& row);
  void paint_arc(const ArcRow& row, const PlacedArc& placed, int ground);
  void paint_arrow_from_above(const PlacedArc& placed, int ground);
  void paint_stub_name(const ArcRow& row, const PlacedArc& placed, int y);
  void paint_words(const ArcRow& row, int ground);
  void paint_tokens(const ArcRow& row, int baseline);
  void open_arc(const SceneArc& arc);
  void paint_label(const SceneArc& arc, int x, int y);
  void paint_tip(int x, int ground);

  const Scene& scene_;
  ArcLayout layout_;
  bool has_tags_ = false;
  SvgBody body_;
};

void DependencyPainter::paint_row(const ArcRow& row) {
  int ground = body_.height + 2;
  if (row.levels > 0) ground += kFirstLevel + (row.levels - 1) * kLevel + 8;
  if (row.roots) ground += kRootLabel + kRootStem + (row.levels == 0 ? kFirstLevel - kLevel : 0);
  // Long arcs first, so that where lines cross the short ones lie on top.
  for (auto arc = row.arcs.rbegin(); arc != row.arcs.rend(); ++arc) {
    if (arc->from_above()) {
      paint_arrow_from_above(*arc, ground);
    } else {
      paint_arc(row, *arc, ground);
    }
  }
  paint_words(row, ground);
}

void DependencyPainter::open_arc(const SceneArc& arc) {
  // Unlikely arcs fade, but never so far that they cannot be seen.
  const std::string fade =
      arc.probability ? fmt::format(" opacity=\"{:.2f}\"", 0.35 + 0.65 * *arc.probability) : "";
  fmt::format_to(std::back_inserter(body_.elements), "<g class=\"arc {}\"{}>",
                 class_name(relation_class(arc.label)), fade);
}

void DependencyPainter::paint_label(const SceneArc& arc, int x, int y) {
  const std::string text = arc_text(arc);
  if (!text.empty()) append_text(body_.elements, "label", x, y + 4, xml_escape(text));
}

void DependencyPainter::paint_tip(int x, int ground) {
  fmt::format_to(std::back_inserter(body_.elements),
                 "<path class=\"tip\" d=\"M{} {}l-3.5 -{}q3.5 1.6 7 0z\"/>", x, ground, kTip);
}

void DependencyPainter::paint_arrow_from_above(const PlacedArc& placed, int ground) {
  const SceneArc& arc = scene_.arcs[static_cast<std::size_t>(placed.arc)];
  const int top = body_.height + 2 + kRootLabel;
  open_arc(arc);
  const int middle = x(placed.left);
  fmt::format_to(std::back_inserter(body_.elements), "<path d=\"M{} {}V{}\"/>", middle, top,
                 ground - kTip + 1);
  paint_tip(middle, ground);
  paint_label(arc, x(placed.label_x), top - 8);
  body_.elements += "</g>\n";
}

void DependencyPainter::paint_arc(const ArcRow& row, const PlacedArc& placed, int ground) {
  const SceneArc& arc = scene_.arcs[static_cast<std::size_t>(placed.arc)];
  const int y = ground - kFirstLevel - (placed.level - 1) * kLevel;
  const std::string text = arc_text(arc);
  // Faces that stand in for the one measured may be an eighth wider.
  const int width = type_width(text, kLabelSize);
  const int half = text.empty() ? 0 : width / 2 + width / 16 + 3;
  const int corner = std::min(kCorner, std::abs(placed.right - placed.left) / 2);

  // From each end up, around the bend and along to the label, which interrupts the line: no
  // background is needed behind it.
  const auto side = [&](int end, int towards, bool cut, bool arrow) {
    const int from = x(end);
    const int to = x(towards);
    const int bend = from < to ? corner : -corner;
    std::string& out = body_.elements;
    if (cut) {
      fmt::format_to(std::back_inserter(out), "M{} {}H{}", from, y, to);
    } else {
      fmt::format_to(std::back_inserter(out), "M{} {}V{}Q{} {} {} {}H{}", from,
                     arrow ? ground - kTip + 1 : ground, y + corner, from, y, from + bend, y, to);
    }
  };
  open_arc(arc);
  body_.elements += "<path d=\"";
  side(placed.left, placed.label_x - half, placed.cut_left, placed.arrow_left);
  side(placed.right, placed.label_x + half, placed.cut_right, placed.arrow_right);
  body_.elements += "\"/>";
  if (placed.arrow_left) paint_tip(x(placed.left), ground);
  if (placed.arrow_right) paint_tip(x(placed.right), ground);
  paint_label(arc, x(placed.label_x), y);
  paint_stub_name(row, placed, y);
  body_.elements += "</g>\n";
}

void DependencyPainter::paint_stub_name(const ArcRow& row, const PlacedArc& placed, int y) {
  const SceneArc& arc = scene_.arcs[static_cast<std::size_t>(placed.arc)];
  const auto name = [&](int word, int edge, bool left) {
    const bool end = left != scene_.right_to_left;
    const int gap = end ? -5 : 5;
    append_text(body_.elements, "stub", x(edge) + gap, y + 4, xml_escape(name_of(scene_, word)),
                end ? "end" : "start");
  };
  if (placed.cut_left) name(std::min(arc.head, arc.modifier), row.line_left, true);
  if (placed.cut_right) name(std::max(arc.head, arc.modifier), row.line_right, false);
}

void DependencyPainter::paint_words(const ArcRow& row, int ground) {
  int y = ground + kFormDrop;
  const bool numbers = layout_.rows.size() > 1;
  for (int i = row.first; i <= row.last; ++i) {
    const SceneWord& word = scene_.word(i);
    const int centre = x(layout_.word_x[static_cast<std::size_t>(i)]);
    std::string& out = body_.elements;
    fmt::format_to(std::back_inserter(out), "<g><title>{}</title>", xml_escape(word.details));
    append_text(out, "form", centre, y, xml_escape(word.form));
    if (!word.tag.empty()) append_text(out, "tag", centre, y + kTagDrop, xml_escape(word.tag));
    if (numbers) {
      append_text(out, "number", centre, y + (has_tags_ ? kTagDrop : 2) + kNumberDrop,
                  std::to_string(i));
    }
    out += "</g>\n";
  }
  y += has_tags_ ? kTagDrop : 2;
  if (numbers) y += kNumberDrop;
  const bool tokens = std::any_of(scene_.tokens.begin(), scene_.tokens.end(), [&](auto& token) {
    return token.first <= row.last && token.last >= row.first;
  });
  if (tokens) {
    y += kTokenDrop + 4;
    paint_tokens(row, y);
  }
  body_.height = y + 5;
}

void DependencyPainter::paint_tokens(const ArcRow& row, int baseline) {
  const auto half_width = [&](int word) {
    return std::max(type_width(scene_.word(word).form, kFormSize),
                    type_width(scene_.word(word).tag, kTagSize)) /
           2;
  };
  for (const SceneToken& token : scene_.tokens) {
    const int first = std::max(token.first, row.first);
    const int last = std::min(token.last, row.last);
    if (first > last) continue;
    const int from = x(layout_.word_x[static_cast<std::size_t>(first)] - half_width(first));
    const int to = x(layout_.word_x[static_cast<std::size_t>(last)] + half_width(last));
    const int top = baseline - kBracket;
    fmt::format_to(std::back_inserter(body_.elements),
                   "<path class=\"bracket\" d=\"M{} {}V{}H{}V{}\"/>", from, top - 5, top, to,
                   top - 5);
    append_text(body_.elements, "token", (from + to) / 2, baseline, xml_escape(token.form));
    body_.elements += '\n';
  }
}

}  // namespace

SvgBody draw_dependencies(const Scene& scene, const DrawingOptions& options) {
  if (scene.empty()) return {};
  return DependencyPainter(scene, options).paint();
}

}  // namespace copse::drawing
