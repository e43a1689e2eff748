// Graphviz: one digraph per tree.
#pragma once

#include <memory>

#include "copse/treebank/drawing/options.h"
#include "copse/treebank/format.h"

namespace copse {

// Dependency trees top down, dependents in sentence order; phrase trees with all words on one
// line at the bottom.
std::unique_ptr<Writer> make_dot_writer(const DrawingOptions& options = {});

}  // namespace copse
