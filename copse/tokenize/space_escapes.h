// White space and odd bytes in the MISC column. The escapes are those of UDPipe and of Universal
// Dependencies (\s blank, \t, \n, \r, \p for |, \\), and two more, so that every byte can be said:
// \uHHHH for other white space, \xHH for a byte that is no UTF-8.
//
//   SpaceAfter=No     nothing follows the token; without it and SpacesAfter: one blank
//   SpacesAfter=...   what follows, when it is neither nothing nor one blank
//   SpacesBefore=...  what stands before the first token of a text
//   RawForm=...       the token's own bytes when FORM cannot be: invalid UTF-8, line ends in it
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace copse {

void append_escaped(std::string_view bytes, std::string& out);
// Escapes that are not known stand for themselves.
std::string unescape(std::string_view text);

// The value of "key=value" among the items of a MISC column.
std::optional<std::string_view> misc_value(std::string_view misc, std::string_view key);
// What follows a token whose MISC this is.
std::string spaces_after(std::string_view misc);

}  // namespace copse
