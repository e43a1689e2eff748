// Words of any bytes made fit to be looked at.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Valid UTF-8 without control characters: bad bytes become U+FFFD, controls their pictures (from
// U+2400 on), what would break a line or turn its direction U+FFFD; long words are cut short.
std::string visible_text(std::string_view word);
// The same, for XML.
std::string visible_xml(std::string_view word);

}  // namespace copse
