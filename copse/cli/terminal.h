// Whether the other end of a descriptor is a terminal that wants colour.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// A terminal that is not "dumb", and NO_COLOR (https://no-color.org) is not set.
bool color_wanted(int descriptor);

// Of the terminal behind standard output; 0 when there is none.
int terminal_columns();

// "copse: error:" on standard error, in red on a terminal; the same for warnings, in yellow.
std::string error_mark();
std::string warning_mark();

}  // namespace copse
