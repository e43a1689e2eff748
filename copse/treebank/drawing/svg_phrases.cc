// Phrase-structure trees as SVG: upright if that fits the width, else sideways, one word a line.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/phrase_layout.h"
#include "copse/treebank/drawing/svg_body.h"

namespace copse::drawing {
namespace {

constexpr double kPhraseSize = 13;
constexpr double kTagSize = 10.5;
constexpr double kWordSize = 17;
constexpr int kCorner = 7;

// Upright.
constexpr int kGap = 16;       // between words
constexpr int kLevel = 40;     // between phrases and their parents
constexpr int kStem = 8;       // from a label's baseline down to where its line begins
constexpr int kBar = 15;       // and on to the line that the children hang on
constexpr int kLabelTop = 13;  // from a label's baseline up to its line
constexpr int kWordDrop = 22;  // from tag to word

// Sideways.
constexpr int kPitch = 25;
constexpr int kColumnGap = 26;

struct NodeText {
  std::string label;
  std::string word;  // of a leaf
  bool trace = false;
  int width = 0;
};

std::vector<NodeText> node_texts(const PhraseTree& tree, const DrawingOptions& options) {
  std::vector<NodeText> texts(static_cast<std::size_t>(tree.size()));
  for (int node = 0; node < tree.size(); ++node) {
    NodeText& text = texts[static_cast<std::size_t>(node)];
    const bool leaf = tree.is_leaf(node);
    text.trace = leaf && tree.label(node) == "-NONE-";
    if (!leaf || options.show_tags) {
      text.label = abbreviate(drawable(tree.label(node)), options.max_form);
    }
    if (leaf) text.word = abbreviate(drawable(tree.word(node)), options.max_form);
    text.width = std::max({1, type_width(text.label, leaf ? kTagSize : kPhraseSize),
                           type_width(text.word, kWordSize)});
  }
  return texts;
}

void append_leaf(std::string& out, const NodeText& text, int x, int y) {
  if (!text.label.empty()) append_text(out, "tag", x, y, xml_escape(text.label));
  append_text(out, text.trace ? "trace" : "form", x, y + kWordDrop, xml_escape(text.word));
}

SvgBody draw_upright(const PhraseTree& tree, const std::vector<NodeText>& texts,
                     const PhraseLayout& layout) {
  SvgBody body;
  body.width = layout.extent;
  body.height = layout.levels * kLevel + 8;
  const auto baseline = [&](int node) {
    const int level = layout.nodes[static_cast<std::size_t>(node)].level;
    return body.height - kWordDrop - 7 - level * kLevel - (level > 0 ? 2 : 0);
  };
  auto out = std::back_inserter(body.elements);
  for (int node = 1; node < tree.size(); ++node) {
    const int parent = tree.parent(node);
    const int from = layout.nodes[static_cast<std::size_t>(parent)].centre;
    const int to = layout.nodes[static_cast<std::size_t>(node)].centre;
    const int top = baseline(parent) + kStem - 3;
    const int end = baseline(node) - kLabelTop;
    const int corner = std::min(kCorner, std::abs(to - from));
    if (corner == 0) {
      fmt::format_to(out, "<path class=\"edge\" d=\"M{} {}V{}\"/>\n", from, top, end);
    } else {
      const int bar = baseline(parent) + kBar - 2;
      fmt::format_to(out, "<path class=\"edge\" d=\"M{} {}V{}H{}Q{} {} {} {}V{}\"/>\n", from, top,
                     bar, from < to ? to - corner : to + corner, to, bar, to, bar + corner, end);
    }
  }
  for (int node = 0; node < tree.size(); ++node) {
    const NodeText& text = texts[static_cast<std::size_t>(node)];
    const int x = layout.nodes[static_cast<std::size_t>(node)].centre;
    if (tree.is_leaf(node)) {
      append_leaf(body.elements, text, x, baseline(node));
    } else {
      append_text(body.elements, "phrase", x, baseline(node), xml_escape(text.label));
    }
    body.elements += '\n';
  }
  return body;
}

// Left edge of each depth's labels; behind the last, the edges of tags and words.
std::vector<int> column_edges(const PhraseTree& tree, const std::vector<NodeText>& texts,
                              const PhraseLayout& layout) {
  std::vector<int> widths(static_cast<std::size_t>(layout.levels), 0);
  int tags = 0;
  for (int node = 0; node < tree.size(); ++node) {
    const NodeText& text = texts[static_cast<std::size_t>(node)];
    if (tree.is_leaf(node)) {
      tags = std::max(tags, type_width(text.label, kTagSize));
      continue;
    }
    int& width =
        widths[static_cast<std::size_t>(layout.nodes[static_cast<std::size_t>(node)].level)];
    width = std::max(width, type_width(text.label, kPhraseSize));
  }
  std::vector<int> edges;
  int x = 0;
  for (const int width : widths) {
    edges.push_back(x);
    if (width > 0) x += width + kColumnGap;
  }
  edges.push_back(x);
  edges.push_back(x + tags + 12);
  return edges;
}

SvgBody draw_sideways(const PhraseTree& tree, const std::vector<NodeText>& texts) {
  const PhraseLayout layout = lay_out_sideways(tree, kPitch);
  const std::vector<int> edges = column_edges(tree, texts, layout);
  const int tags = edges[edges.size() - 2];
  const int words = edges.back();
  SvgBody body;
  body.height = layout.extent;
  auto out = std::back_inserter(body.elements);
  const auto left = [&](int node) {
    if (tree.is_leaf(node)) return tags;
    return edges[static_cast<std::size_t>(layout.nodes[static_cast<std::size_t>(node)].level)];
  };
  for (int node = 1; node < tree.size(); ++node) {
    const int parent = tree.parent(node);
    const int parent_right =
        left(parent) + type_width(texts[static_cast<std::size_t>(parent)].label, kPhraseSize) + 5;
    const int from = layout.nodes[static_cast<std::size_t>(parent)].centre;
    const int to = layout.nodes[static_cast<std::size_t>(node)].centre;
    // The bar stands just before the column of the next depth.
    const int depth = layout.nodes[static_cast<std::size_t>(parent)].level + 1;
    const int bar = edges[static_cast<std::size_t>(depth)] - 13;
    const int corner = std::min(kCorner, std::abs(to - from));
    if (corner == 0) {
      fmt::format_to(out, "<path class=\"edge\" d=\"M{} {}H{}\"/>\n", parent_right, from,
                     left(node) - 5);
    } else {
      fmt::format_to(out, "<path class=\"edge\" d=\"M{} {}H{}V{}Q{} {} {} {}H{}\"/>\n",
                     parent_right, from, bar, from < to ? to - corner : to + corner, bar, to,
                     bar + corner, to, left(node) - 5);
    }
  }
  for (int node = 0; node < tree.size(); ++node) {
    const NodeText& text = texts[static_cast<std::size_t>(node)];
    const int y = layout.nodes[static_cast<std::size_t>(node)].centre;
    if (tree.is_leaf(node)) {
      if (!text.label.empty()) {
        append_text(body.elements, "tag", tags, y + 4, xml_escape(text.label), "start");
      }
      append_text(body.elements, text.trace ? "trace" : "form", words, y + 6, xml_escape(text.word),
                  "start");
      body.width = std::max(body.width, words + type_width(text.word, kWidestFont * kWordSize));
    } else {
      append_text(body.elements, "phrase", left(node), y + 4, xml_escape(text.label), "start");
      body.width = std::max(body.width, left(node) + type_width(text.label, kPhraseSize));
    }
    body.elements += '\n';
  }
  return body;
}

}  // namespace

SvgBody draw_phrases(const PhraseTree& tree, const DrawingOptions& options) {
  if (tree.empty()) return {};
  const std::vector<NodeText> texts = node_texts(tree, options);
  std::vector<int> widths;
  widths.reserve(texts.size());
  for (const NodeText& text : texts) widths.push_back(text.width);
  const PhraseLayout upright = lay_out_upright(tree, widths, kGap);
  const int limit = options.width > 0 ? options.width : kDefaultSvgWidth;
  return upright.extent <= limit ? draw_upright(tree, texts, upright) : draw_sideways(tree, texts);
}

}  // namespace copse::drawing
