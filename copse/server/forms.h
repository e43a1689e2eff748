// Forms as browsers, curl and clients of UDPipe send them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "copse/server/http.h"

namespace copse::server {

inline constexpr std::size_t kMostFields = 100;

// "%41" and, in forms, '+'. Nothing for a '%' that two hexadecimal digits do not follow.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank);

// application/x-www-form-urlencoded, and the query of an address. Throws Refusal 400.
Fields urlencoded_fields(std::string_view text);

// multipart/form-data (RFC 7578). Line ends may be bare LF: Python's email package, which clients of
// UDPipe use, writes them. Throws Refusal 400.
Fields multipart_fields(std::string_view body, std::string_view content_type);

// "text/html; charset=utf-8" -> "text/html", in small letters.
std::string media_type(std::string_view content_type);
// The value of "charset" in it; empty if there is none.
std::string parameter_of(std::string_view header, std::string_view name);

std::string lower_ascii(std::string_view text);

}  // namespace copse::server
