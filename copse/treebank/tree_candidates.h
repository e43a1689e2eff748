// Trees in lists of candidates. A file of candidates (candidates.h) whose first line is "# trees" has
// as TEXT a tree on one line: such lists are parses, each with features of its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "copse/treebank/phrase_tree.h"

namespace copse {

inline constexpr std::string_view kHoldsTrees = "# trees";

// The one tree of a line of a file. Throws data_error, with its place, for anything else.
PhraseTree tree_of_line(std::string_view text, const std::string& file, std::size_t line);

}  // namespace copse
