// The page and its parts, and the OpenAPI file: bytes that are in the program.
#pragma once

#include <span>
#include <string_view>

#include "copse/server/http.h"

namespace copse::server {

struct Asset {
  std::string_view path;  // "/app.js"
  std::string_view type;
  std::string_view bytes;
};

std::span<const Asset> all_assets();
const Asset* find_asset(std::string_view path);  // null if there is none
// With an entity tag: 304 if the client has it.
Response asset_answer(const Asset& asset, const Request& request);
Response openapi_answer();

}  // namespace copse::server
