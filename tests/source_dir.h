// Where the fixtures are. A function in a library of its own, so that no other object holds a path
// and checkouts share what a compiler cache keeps.
#pragma once

#include <string>

namespace copse {

std::string source_dir();

}  // namespace copse
