#include "copse/treebank/drawing/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/svg_body.h"
#include "copse/treebank/label.h"

namespace copse {
namespace {

constexpr int kMargin = 14;
constexpr std::string_view kOpen = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"copse\"";
constexpr std::string_view kClose = "</svg>\n";

std::string size_attributes(int width, int height) {
  return fmt::format(" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\"", width, height);
}

// What the colours of the arcs mean, for those that are there; nothing where all are grey.
constexpr int kLegend = 28;
constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
    {"core", "subjects, objects, clauses"},
    {"modifier", "modifiers"},
    {"coordination", "coordination"},
    {"expression", "compounds, expressions"}};

struct Legend {
  std::string elements;
  int width = 0;
};

Legend legend_for(std::string_view drawing, int y) {
  Legend legend;
  int x = kMargin;
  for (const auto& [name, meaning] : kMeanings) {
    if (drawing.find(fmt::format("class=\"arc {}\"", name)) == std::string_view::npos) continue;
    fmt::format_to(std::back_inserter(legend.elements),
                   "<g class=\"arc {0}\"><path d=\"M{1} {2}h16\"/><text class=\"label\" x=\"{3}\" "
                   "y=\"{4}\" text-anchor=\"start\">{5}</text></g>\n",
                   name, x, y + 14, x + 21, y + 18, meaning);
    // Faces that stand in for the one measured may be an eighth wider.
    const int width = drawing::type_width(meaning, 11.5);
    x += 21 + width + width / 8 + 16;
  }
  legend.width = legend.elements.empty() ? 0 : x;
  return legend;
}

// One document of write(), taken apart again.
struct Document {
  int width = 0;
  int height = 0;
  std::string_view inside;  // without the style sheet
};

int attribute(std::string_view tag, std::string_view name) {
  const auto found = tag.find(name);
  int value = 0;
  if (found != std::string_view::npos) {
    std::from_chars(tag.data() + found + name.size(), tag.data() + tag.size(), value);
  }
  return value;
}

// Text inside the documents is escaped, so their opening and closing tags are found as they are.
std::vector<Document> split(std::string_view documents) {
  std::vector<Document> parts;
  while (documents.substr(0, kOpen.size()) == kOpen) {
    const auto tag_end = documents.find(">\n");
    const auto end = documents.find(kClose);
    const std::string_view tag = documents.substr(0, tag_end);
    std::string_view inside = documents.substr(tag_end + 2, end - tag_end - 2);
    inside.remove_prefix(drawing::svg_style().size());
    parts.push_back({attribute(tag, " width=\""), attribute(tag, " height=\""), inside});
    documents.remove_prefix(end + kClose.size());
  }
  return parts;
}

class SvgWriter final : public Writer {
 public:
  explicit SvgWriter(const DrawingOptions& options) : options_(options) { options_.unicode = true; }

  void write(const Entry& entry, std::string& out) const override {
    const drawing::SvgBody body = drawing::draw_entry(entry, options_);
    fmt::format_to(std::back_inserter(out),
                   "{}{}>\n{}{}<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
                   "<g transform=\"translate({} {})\">\n{}</g>\n{}",
                   kOpen, size_attributes(body.width + 2 * kMargin, body.height + 2 * kMargin),
                   drawing::svg_style(), title_of(entry), kMargin, kMargin, body.elements, kClose);
  }

  bool needs_assembly() const override { return true; }

  std::string assemble(std::string sentences) const override {
    const std::vector<Document> parts = split(sentences);
    int width = 2 * kMargin;
    int height = parts.empty() ? 2 * kMargin : 0;
    std::string inside;
    for (const Document& part : parts) {
      fmt::format_to(std::back_inserter(inside),
                     "<svg y=\"{}\" width=\"{}\" height=\"{}\">\n{}</svg>\n", height, part.width,
                     part.height, part.inside);
      width = std::max(width, part.width);
      height += part.height;
    }
    const Legend legend = legend_for(inside, height - kMargin);
    if (legend.width > 0) height += kLegend;
    return fmt::format("{}{}>\n{}<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}{}{}",
                       kOpen, size_attributes(std::max(width, legend.width), height),
                       drawing::svg_style(), inside, legend.elements, kClose);
  }

 private:
  // The running text, for whoever searches the picture or hears it read.
  static std::string title_of(const Entry& entry) {
    std::string text;
    if (const auto comment = entry.sentence.comment("text")) {
      text = *comment;
    } else if (entry.sentence.words() > 0) {
      text = entry.sentence.surface_text();
    } else {
      for (const int leaf : entry.tree.leaves()) {
        if (entry.tree.label(leaf) == kTraceTag) continue;
        text += (text.empty() ? "" : " ") + std::string(entry.tree.word(leaf));
      }
    }
    return fmt::format("<title>{}</title>\n", drawing::xml_escape(drawing::drawable(text)));
  }

  DrawingOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_svg_writer(const DrawingOptions& options) {
  return std::make_unique<SvgWriter>(options);
}

}  // namespace copse
