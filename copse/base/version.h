#pragma once

#include <string_view>

namespace copse {

// "0.1.0"
std::string_view version();

}  // namespace copse
