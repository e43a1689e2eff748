// SVG drawings of dependency trees and phrase-structure trees.
#pragma once

#include <memory>

#include "copse/treebank/drawing/options.h"
#include "copse/treebank/format.h"

namespace copse {

// Each sentence is a complete SVG document; several are stacked into one by Writer::assemble.
// Light and dark pages, no scripts, no outside resources.
std::unique_ptr<Writer> make_svg_writer(const DrawingOptions& options = {});

}  // namespace copse
