// Text made safe to draw, and how wide it will be.
//
// Any bytes go in. What comes out is valid UTF-8 without control characters: bad bytes become
// U+FFFD, controls their pictures (U+2400 block), direction overrides and non-characters U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace copse::drawing {

std::string drawable(std::string_view bytes);

// At most `cells` character cells of drawable text, with an ellipsis if something was cut off.
std::string abbreviate(std::string_view text, int cells, std::string_view ellipsis = "\u2026");

// Character cells in a terminal: East Asian wide characters and emoji take two, combining marks
// none. Needs drawable text.
int cell_width(std::string_view text);

// Width in thousandths of the font size, for a proportional sans-serif face: the metrics of
// Helvetica and its metric twins for ASCII, estimates for the rest. Needs drawable text.
int type_width(std::string_view text);
// The same, in whole units (rounded up), set at `font_size`.
int type_width(std::string_view text, double font_size);

// The next user-visible character (grapheme cluster) of drawable text; removes it from `text`.
std::string_view take_cluster(std::string_view& text);

// Most letters with a direction run from right to left.
bool reads_right_to_left(std::string_view text);

// Text for XML and HTML content and attribute values. Needs drawable text.
std::string xml_escape(std::string_view text);

}  // namespace copse::drawing
