#include "copse/server/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "server/page_api_js.h"
#include "server/page_app_js.h"
#include "server/page_arcs_js.h"
#include "server/page_boxes_js.h"
#include "server/page_dialog_js.h"
#include "server/page_downloads_js.h"
#include "server/page_icon_svg.h"
#include "server/page_index_html.h"
#include "server/page_lists_js.h"
#include "server/page_openapi_json.h"
#include "server/page_state_js.h"
#include "server/page_stops_js.h"
#include "server/page_style_css.h"
#include "server/page_text_js.h"

namespace copse::server {
namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kCss = "text/css; charset=utf-8";
constexpr std::string_view kScript = "text/javascript; charset=utf-8";

constexpr Asset kAssets[] = {
    {"/", kHtml, embedded::page_index_html},
    {"/style.css", kCss, embedded::page_style_css},
    {"/icon.svg", "image/svg+xml", embedded::page_icon_svg},
    {"/app.js", kScript, embedded::page_app_js},
    {"/api.js", kScript, embedded::page_api_js},
    {"/arcs.js", kScript, embedded::page_arcs_js},
    {"/boxes.js", kScript, embedded::page_boxes_js},
    {"/dialog.js", kScript, embedded::page_dialog_js},
    {"/downloads.js", kScript, embedded::page_downloads_js},
    {"/lists.js", kScript, embedded::page_lists_js},
    {"/state.js", kScript, embedded::page_state_js},
    {"/stops.js", kScript, embedded::page_stops_js},
    {"/text.js", kScript, embedded::page_text_js},
};

}  // namespace

std::span<const Asset> all_assets() {
  return kAssets;
}

const Asset* find_asset(std::string_view path) {
  const auto* const found = std::ranges::find(kAssets, path, &Asset::path);
  return found == std::end(kAssets) ? nullptr : found;
}

Response asset_answer(const Asset& asset, const Request& request) {
  Response out;
  out.type = asset.type;
  // The same bytes have the same tag, whichever program they came from.
  const std::string tag =
      fmt::format("\"{:x}-{:x}\"", asset.bytes.size(), std::hash<std::string_view>()(asset.bytes));
  out.headers = {{"ETag", tag}, {"Cache-Control", "no-cache"}};
  if (request.header("if-none-match") == tag) {
    out.status = 304;
  } else {
    out.body = asset.bytes;
  }
  return out;
}

Response openapi_answer() {
  Response out;
  out.body = embedded::page_openapi_json;
  return out;
}

}  // namespace copse::server
