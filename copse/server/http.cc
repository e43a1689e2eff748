#include "copse/server/http.h"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <iterator>

#include "copse/treebank/json.h"

namespace copse::server {
namespace {

struct Status {
  int number;
  std::string_view reason;
};
constexpr Status kStatuses[] = {{200, "OK"},
                                {204, "No Content"},
                                {304, "Not Modified"},
                                {400, "Bad Request"},
                                {401, "Unauthorized"},
                                {404, "Not Found"},
                                {405, "Method Not Allowed"},
                                {406, "Not Acceptable"},
                                {408, "Request Timeout"},
                                {411, "Length Required"},
                                {413, "Payload Too Large"},
                                {414, "URI Too Long"},
                                {415, "Unsupported Media Type"},
                                {422, "Unprocessable Entity"},
                                {431, "Request Header Fields Too Large"},
                                {500, "Internal Server Error"},
                                {501, "Not Implemented"},
                                {503, "Service Unavailable"},
                                {505, "HTTP Version Not Supported"}};

// The page loads nothing from elsewhere and is shown in nobody's frame; what is no page needs even
// less, and the same line does for both.
constexpr std::string_view kSafety =
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Permissions-Policy: camera=(), geolocation=(), microphone=()\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n";

// "Sun, 06 Nov 1994 08:49:37 GMT", whatever the locale.
std::string http_date(std::time_t now) {
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm tm{};
  gmtime_r(&now, &tm);
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT",
                     kDays[static_cast<std::size_t>(tm.tm_wday)], tm.tm_mday,
                     kMonths[static_cast<std::size_t>(tm.tm_mon)], tm.tm_year + 1900, tm.tm_hour,
                     tm.tm_min, tm.tm_sec);
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

Refusal::Refusal(int status, std::string code, std::string message, Fields headers)
    : status_(status),
      code_(std::move(code)),
      message_(std::move(message)),
      headers_(std::move(headers)) {}

Response Refusal::response() const {
  Response out;
  out.status = status_;
  out.body = fmt::format("{{\"error\": {{\"status\": {}, \"code\": {}, \"message\": {}}}}}\n",
                         status_, json_string(code_), json_string(message_));
  out.headers = headers_;
  return out;
}

std::string_view reason_of(int status) {
  for (const Status& each : kStatuses) {
    if (each.number == status) return each.reason;
  }
  return "Unknown";
}

std::string wire_bytes(const Response& response, bool keep_alive, bool head) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "HTTP/1.1 {} {}\r\nServer: copse\r\nDate: {}\r\n", response.status,
                 reason_of(response.status), http_date(std::time(nullptr)));
  if (response.status != 204 && response.status != 304) {
    fmt::format_to(to, "Content-Type: {}\r\nContent-Length: {}\r\n", response.type,
                   response.body.size());
  }
  fmt::format_to(to, "Connection: {}\r\n", keep_alive ? "keep-alive" : "close");
  bool cached = false;
  for (const auto& [name, value] : response.headers) {
    fmt::format_to(to, "{}: {}\r\n", name, value);
    cached = cached || name == "Cache-Control";
  }
  if (!cached) fmt::format_to(to, "Cache-Control: no-store\r\n");
  fmt::format_to(to, "{}\r\n", kSafety);
  if (!head) out.append(response.body);
  return {out.data(), out.size()};
}

}  // namespace copse::server
