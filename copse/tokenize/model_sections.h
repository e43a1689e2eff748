// The sections of a tokeniser's model file.
#pragma once

#include <string_view>

namespace copse::sections {

inline constexpr std::string_view kTemplates = "templates";
inline constexpr std::string_view kBoundaries = "boundaries";
inline constexpr std::string_view kLowerWords = "lower-words";
inline constexpr std::string_view kWeights = "weights";
inline constexpr std::string_view kMultiwords = "multiwords";
inline constexpr std::string_view kEndings = "multiword-endings";
inline constexpr std::string_view kSpacedForms = "spaced-forms";

}  // namespace copse::sections
