#include "copse/treebank/drawing/html.h"

#include <fmt/core.h>

#include <string>

#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/drawing/svg_body.h"

namespace copse {
namespace {

using drawing::drawable;
using drawing::xml_escape;

// Sentences are numbered by the style sheet: a writer sees them one at a time, in any order.
constexpr std::string_view kHead = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>Trees</title>
<style>
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 80rem; counter-reset: sentence;
  font: 16px/1.5 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif;
  color: #1b1f24; background: #f6f7f9; }
section { counter-increment: sentence; margin: 0 0 1.5rem; padding: 1rem 1.25rem 1.25rem;
  background: #ffffff; border: 1px solid #dfe3e8; border-radius: 10px; }
header { display: flex; gap: .75rem; align-items: baseline; }
header::before { content: counter(sentence); font-weight: 600; color: #8a929c; }
header.named::before { content: none; }
.text { flex: 1; margin: 0; font-size: 1.05rem; }
.id { font-size: .8rem; color: #8a929c; }
.legend { font-size: .85rem; color: #59636e; }
.legend span { margin-left: .75rem; }
.legend .core { color: #175aa3; } .legend .modifier { color: #1b6f48; }
.legend .coordination { color: #a1560b; } .legend .expression { color: #763c9f; }
figure { margin: 1rem 0 0; overflow-x: auto; }
svg { display: block; overflow: visible; }
body:not(:has(.arc)) .legend { display: none; }
@media (prefers-color-scheme: dark) {
  body { color: #e8ebef; background: #0e1014; }
  section { background: #14171c; border-color: #2a3038; }
  .legend { color: #b3bcc6; }
  .legend .core { color: #8fc1f5; } .legend .modifier { color: #82d6ae; }
  .legend .coordination { color: #f0b97d; } .legend .expression { color: #d0aeee; }
}
@media print { section { break-inside: avoid; } }
</style>
)html";

std::string text_of(const Entry& entry) {
  if (const auto text = entry.sentence.comment("text")) return drawable(*text);
  if (entry.sentence.words() > 0) return drawable(entry.sentence.surface_text());
  std::string text;
  for (const int leaf : entry.tree.leaves()) {
    if (entry.tree.label(leaf) == "-NONE-") continue;
    if (!text.empty()) text += ' ';
    text += drawable(entry.tree.word(leaf));
  }
  return text;
}

class HtmlWriter final : public Writer {
 public:
  explicit HtmlWriter(const DrawingOptions& options) : options_(options) {
    options_.unicode = true;
  }

  std::string begin() const override {
    return fmt::format(
        "{}{}</head>\n<body>\n<p class=\"legend\">Arcs: <span class=\"core\">subjects, objects and "
        "clauses</span> <span class=\"modifier\">modifiers</span> <span "
        "class=\"coordination\">coordination</span> <span class=\"expression\">compounds and fixed "
        "expressions</span> <span>function words and the rest</span></p>\n",
        kHead, drawing::svg_style());
  }

  void write(const Entry& entry, std::string& out) const override {
    const drawing::SvgBody body = drawing::draw_entry(entry, options_);
    auto end = std::back_inserter(out);
    // A sentence with a name of its own needs no number beside it.
    const auto id = entry.sentence.comment("sent_id");
    fmt::format_to(end, "<section>\n<header{}><p class=\"text\" dir=\"auto\">{}</p>",
                   id ? " class=\"named\"" : "", xml_escape(text_of(entry)));
    if (id) {
      fmt::format_to(end, "<span class=\"id\">{}</span>", xml_escape(drawable(*id)));
    }
    out += "</header>\n";
    if (!body.empty()) {
      fmt::format_to(end,
                     "<figure><svg class=\"copse\" width=\"{0}\" height=\"{1}\" "
                     "viewBox=\"-4 -4 {0} {1}\">\n{2}</svg></figure>\n",
                     body.width + 8, body.height + 8, body.elements);
    }
    out += "</section>\n";
  }

  std::string end() const override { return "</body>\n</html>\n"; }

 private:
  DrawingOptions options_;
};

}  // namespace

std::unique_ptr<Writer> make_html_writer(const DrawingOptions& options) {
  return std::make_unique<HtmlWriter>(options);
}

}  // namespace copse
