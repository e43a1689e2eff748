// LaTeX: tikz-dependency for dependency trees, forest for phrase-structure trees.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "copse/treebank/drawing/options.h"
#include "copse/treebank/format.h"

namespace copse {

// A document of class standalone: one page per drawing, cut to its size. The body of a page can
// be pasted into a paper as it is.
std::unique_ptr<Writer> make_latex_writer(const DrawingOptions& options = {});

// Any bytes as LaTeX text: specials escaped, controls made visible.
std::string latex_escape(std::string_view bytes);

}  // namespace copse
