// The inside of SVG drawings, shared by the SVG and the HTML writer.
#pragma once

#include <string>
#include <string_view>

#include "copse/treebank/drawing/options.h"
#include "copse/treebank/drawing/scene.h"
#include "copse/treebank/format.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::drawing {

struct SvgBody {
  std::string elements;
  int width = 0;
  int height = 0;

  bool empty() const { return elements.empty(); }
};

inline constexpr int kDefaultSvgWidth = 1200;
// Fonts can be so much wider than the widths that are reckoned with: what stands at an edge has room
// for that, or it would be cut off.
inline constexpr double kWidestFont = 1.2;

SvgBody draw_dependencies(const Scene& scene, const DrawingOptions& options);
SvgBody draw_phrases(const PhraseTree& tree, const DrawingOptions& options);
// Words with arcs, the phrase tree below them, or what there is of both.
SvgBody draw_entry(const Entry& entry, const DrawingOptions& options);

// Style sheet of the elements, for a light and a dark page.
std::string_view svg_style();

// <text class="..." x y>content</text>, centred unless `anchor` says otherwise.
void append_text(std::string& out, std::string_view css_class, int x, int y,
                 std::string_view content, std::string_view anchor = "");

}  // namespace copse::drawing
