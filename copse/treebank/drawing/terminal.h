// Drawings in character cells, for terminals, logs and mail.
#pragma once

#include <memory>

#include "copse/treebank/drawing/options.h"
#include "copse/treebank/format.h"

namespace copse {

// Dependency trees with arcs over the words, or, where the width does not allow it, one word a
// line with arcs on the left. Phrase trees upright or, if too wide, sideways.
std::unique_ptr<Writer> make_terminal_writer(const DrawingOptions& options = {});

}  // namespace copse
