#include "copse/treebank/drawing/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "copse/treebank/drawing/svg_body.h"

namespace copse {
namespace {

constexpr int kMargin = 14;
constexpr std::string_view kOpen = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"copse\"";
constexpr std::string_view kClose = "</svg>\n";

std::string size_attributes(int width, int height) {
  return fmt::format(" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\"", width, height);
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
                   "{}{}>\n{}<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
                   "<g transform=\"translate({} {})\">\n{}</g>\n{}",
                   kOpen, size_attributes(body.width + 2 * kMargin, body.height + 2 * kMargin),
                   drawing::svg_style(), kMargin, kMargin, body.elements, kClose);
  }

  bool needs_assembly() const override { return true; }

  std::string assemble(std::string sentences) const override {
    const std::vector<Document> parts = split(sentences);
    if (parts.size() == 1) return sentences;
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
    return fmt::format("{}{}>\n{}<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}{}",
                       kOpen, size_attributes(width, height), drawing::svg_style(), inside, kClose);
  }

 private:
  DrawingOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_svg_writer(const DrawingOptions& options) {
  return std::make_unique<SvgWriter>(options);
}

}  // namespace copse
