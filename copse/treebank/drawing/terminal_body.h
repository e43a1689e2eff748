// The drawings behind the terminal writer, one function per layout.
#pragma once

#include <optional>
#include <string>

#include "copse/treebank/drawing/canvas.h"
#include "copse/treebank/drawing/options.h"
#include "copse/treebank/drawing/scene.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::drawing {

inline constexpr int kDefaultColumns = 100;
inline int columns_of(const DrawingOptions& options) {
  return options.width > 0 ? options.width : kDefaultColumns;
}

Ink ink_of(const SceneArc& arc);

// Arcs over the words; nothing when that is wider than the terminal.
std::optional<std::string> draw_arcs_above(const Scene& scene, const DrawingOptions& options);
// One word a line, arcs on the left, relations on the right; any sentence fits.
std::string draw_arcs_beside(const Scene& scene, const DrawingOptions& options);

// Root on top; nothing when that is wider than the terminal.
std::optional<std::string> draw_phrases_upright(const PhraseTree& tree,
                                                const DrawingOptions& options);
// Root on the left, one word a line; phrases that start too far right are drawn below, by number.
std::string draw_phrases_sideways(const PhraseTree& tree, const DrawingOptions& options);

}  // namespace copse::drawing
