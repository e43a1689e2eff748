// What somebody meant who typed something else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// How many letters must be added, left out, changed or swapped with their neighbour.
int typing_distance(std::string_view a, std::string_view b);

// The candidate nearest to `typed`, if one is near enough to be meant: a third of its letters may
// be wrong, or one is the beginning of the other. The first of several.
std::optional<std::string> nearest(std::string_view typed,
                                   const std::vector<std::string>& candidates);

}  // namespace copse
