#include "copse/treebank/drawing/svg_body.h"

#include <fmt/core.h>

#include <algorithm>

namespace copse::drawing {

void append_text(std::string& out, std::string_view css_class, int x, int y,
                 std::string_view content, std::string_view anchor) {
  fmt::format_to(std::back_inserter(out), "<text class=\"{}\" x=\"{}\" y=\"{}\"{}{}{}>{}</text>",
                 css_class, x, y, anchor.empty() ? "" : " text-anchor=\"", anchor,
                 anchor.empty() ? "" : "\"", content);
}

SvgBody draw_entry(const Entry& entry, const DrawingOptions& options) {
  const Scene scene = make_scene(entry.sentence, options);
  SvgBody phrases = draw_phrases(drawn_tree(entry.tree), options);
  // A phrase tree shows the words itself: without heads nothing else is left to say.
  if (scene.arcs.empty() && !phrases.empty()) return phrases;
  SvgBody body = draw_dependencies(scene, options);
  if (phrases.empty()) return body;
  constexpr int gap = 36;
  const int width = std::max(body.width, phrases.width);
  fmt::format_to(std::back_inserter(body.elements), "<g transform=\"translate(0 {})\">\n{}</g>\n",
                 body.height + gap, phrases.elements);
  body.width = width;
  body.height += gap + phrases.height;
  return body;
}

std::string_view svg_style() {
  // Custom properties would be shorter, but not every renderer of SVG knows them.
  return R"css(<style>
.copse text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; text-anchor: middle; }
.copse text[text-anchor="start"] { text-anchor: start; }
.copse text[text-anchor="end"] { text-anchor: end; }
.copse .paper { fill: #ffffff; }
.copse .form { font-size: 17px; fill: #1b1f24; }
.copse .trace { font-size: 15px; font-style: italic; fill: #8a929c; }
.copse .tag { font-size: 10.5px; fill: #6b7480; }
.copse .number, .copse .stub { font-size: 10.5px; fill: #8a929c; }
.copse .token { font-size: 13px; font-style: italic; fill: #59636e; }
.copse .phrase { font-size: 13px; font-weight: 600; fill: #1f5fa8; }
.copse .label { font-size: 11.5px; }
.copse .edge, .copse .bracket { fill: none; stroke: #a9b2bd; stroke-width: 1.2; }
.copse .arc path { fill: none; stroke-width: 1.4; stroke: #717b87; }
.copse .arc .tip { stroke: none; fill: #717b87; }
.copse .arc .label { fill: #59636e; }
.copse .core path { stroke: #1f6fc4; } .copse .core .tip { fill: #1f6fc4; } .copse .core .label { fill: #175aa3; }
.copse .modifier path { stroke: #24895a; } .copse .modifier .tip { fill: #24895a; } .copse .modifier .label { fill: #1b6f48; }
.copse .coordination path { stroke: #c26a12; } .copse .coordination .tip { fill: #c26a12; } .copse .coordination .label { fill: #a1560b; }
.copse .expression path { stroke: #8a4bb8; } .copse .expression .tip { fill: #8a4bb8; } .copse .expression .label { fill: #763c9f; }
.copse .arc:hover path { stroke-width: 2.4; } .copse .arc:hover .label { font-weight: 600; }
.copse .arc:hover .tip { stroke-width: 0; }
@media (prefers-color-scheme: dark) {
.copse .paper { fill: #14171c; }
.copse .form { fill: #e8ebef; }
.copse .tag, .copse .token, .copse .trace { fill: #9aa4b0; }
.copse .number, .copse .stub { fill: #818b97; }
.copse .phrase { fill: #7fb6f2; }
.copse .edge, .copse .bracket { stroke: #525b66; }
.copse .arc path { stroke: #8b95a1; } .copse .arc .tip { stroke: none; fill: #8b95a1; } .copse .arc .label { fill: #b3bcc6; }
.copse .core path { stroke: #5ba3ee; } .copse .core .tip { fill: #5ba3ee; } .copse .core .label { fill: #8fc1f5; }
.copse .modifier path { stroke: #4fbf8b; } .copse .modifier .tip { fill: #4fbf8b; } .copse .modifier .label { fill: #82d6ae; }
.copse .coordination path { stroke: #e39a4a; } .copse .coordination .tip { fill: #e39a4a; } .copse .coordination .label { fill: #f0b97d; }
.copse .expression path { stroke: #b98be0; } .copse .expression .tip { fill: #b98be0; } .copse .expression .label { fill: #d0aeee; }
}
</style>
)css";
}

}  // namespace copse::drawing
