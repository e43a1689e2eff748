#pragma once

#include <string_view>

namespace copse {

// That of CMakeLists.txt, the only place it is written down.
std::string_view version();

}  // namespace copse
