// A training paragraph as other people would have typed it.
#pragma once

#include <span>

#include "copse/base/random.h"
#include "copse/tokenize/gold_text.h"

namespace copse {

// Tokens stay the same tokens.
GoldText in_lower_case(const GoldText& paragraph);
// The two as one paragraph, `gap` between them.
GoldText run_together(const GoldText& first, const GoldText& second, std::string_view gap);
// Single blanks become line ends, so that lines are about `width` bytes long.
GoldText wrapped(const GoldText& paragraph, std::size_t width);

// One of these by chance, for paragraph number i.
GoldText in_other_dress(std::span<const GoldText> paragraphs, std::size_t i, Random& random);

}  // namespace copse
