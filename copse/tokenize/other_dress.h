// A training paragraph as other people would have typed it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "copse/base/random.h"
#include "copse/tokenize/gold_text.h"

namespace copse {

// Tokens stay the same tokens.
GoldText in_lower_case(const GoldText& paragraph);
// The two as one paragraph, `gap` between them.
GoldText run_together(const GoldText& first, const GoldText& second, std::string_view gap);
// Single blanks become line ends, so that lines are about `width` bytes long.
GoldText wrapped(const GoldText& paragraph, std::size_t width);

// The marks of . , : / - that stand inside of numbers, dates and times and do not part them: those
// that the training data cut at most once in ten times. A hyphen needs to be seen.
std::string number_marks(std::span<const GoldText> paragraphs);
// Tokens of digits become other numbers, half of them with such marks in them: 7 -> 1999.07.01
GoldText with_other_numbers(const GoldText& paragraph, std::string_view marks, Random& random);

// One of these by chance, for paragraph number i.
GoldText in_other_dress(std::span<const GoldText> paragraphs, std::size_t i, std::string_view marks,
                        Random& random);

}  // namespace copse
