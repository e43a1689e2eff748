#include "copse/server/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace copse::server {
namespace {

[[noreturn]] void bad_form(const std::string& message) {
  throw Refusal(400, "bad_form", message);
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

void add(Fields& fields, std::string name, std::string value) {
  if (fields.size() == kMostFields) bad_form(fmt::format("more than {} fields", kMostFields));
  fields.emplace_back(std::move(name), std::move(value));
}

// The next line without its end, taken off `rest`.
std::string_view take_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Where the next line that is a boundary begins; npos if there is none.
std::size_t find_boundary(std::string_view text, std::string_view mark) {
  for (std::size_t at = text.find(mark); at != std::string_view::npos;
       at = text.find(mark, at + 1)) {
    if (at == 0 || text[at - 1] == '\n') return at;
  }
  return std::string_view::npos;
}

// Headers up to the empty line; the name of the field.
std::string name_of_part(std::string_view& part) {
  std::string name;
  bool named = false;
  for (;;) {
    if (part.empty()) bad_form("a part of the form has no end of its headers");
    const std::string_view line = take_line(part);
    if (line.empty()) break;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) bad_form("a header of a part has no colon");
    if (lower_ascii(trimmed(line.substr(0, colon))) != "content-disposition") continue;
    name = parameter_of(line.substr(colon + 1), "name");
    named = !name.empty();
  }
  if (!named) bad_form("a part of the form has no name");
  return name;
}

}  // namespace

std::string lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      unsigned value = 0;
      const char* end = text.data() + i + 3;
      const auto read = std::from_chars(text.data() + i + 1, end, value, 16);
      if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

Fields urlencoded_fields(std::string_view text) {
  Fields fields;
  while (!text.empty()) {
    const auto end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    auto name = percent_decoded(pair.substr(0, equals), true);
    auto value = percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!name || !value) bad_form("a '%' is not followed by two hexadecimal digits");
    add(fields, std::move(*name), std::move(*value));
  }
  return fields;
}

Fields multipart_fields(std::string_view body, std::string_view content_type) {
  const std::string boundary = parameter_of(content_type, "boundary");
  if (boundary.empty() || boundary.size() > 200) bad_form("the form names no boundary");
  const std::string mark = "--" + boundary;
  Fields fields;
  std::size_t at = find_boundary(body, mark);
  if (at == std::string_view::npos) bad_form("the form does not have its boundary");
  for (;;) {
    body.remove_prefix(at + mark.size());
    if (body.starts_with("--")) return fields;
    if (!trimmed(take_line(body)).empty()) bad_form("a boundary is followed by something else");
    at = find_boundary(body, mark);
    if (at == std::string_view::npos) bad_form("the form has no end");
    std::string_view part = body.substr(0, at);
    std::string name = name_of_part(part);
    if (part.ends_with('\n')) part.remove_suffix(1);
    if (part.ends_with('\r')) part.remove_suffix(1);
    add(fields, std::move(name), std::string(part));
  }
}

std::string media_type(std::string_view content_type) {
  return lower_ascii(trimmed(content_type.substr(0, content_type.find(';'))));
}

std::string parameter_of(std::string_view header, std::string_view name) {
  std::size_t at = header.find(';');
  while (at != std::string_view::npos) {
    header.remove_prefix(at + 1);
    const auto equals = header.find_first_of("=;");
    if (equals == std::string_view::npos) return {};
    const bool wanted =
        header[equals] == '=' && lower_ascii(trimmed(header.substr(0, equals))) == name;
    if (header[equals] == ';') {
      at = equals;
      continue;
    }
    header.remove_prefix(equals + 1);
    std::string value;
    std::size_t i = header.find_first_not_of(" \t");
    if (i != std::string_view::npos && header[i] == '"') {
      for (++i; i < header.size() && header[i] != '"'; ++i) {
        if (header[i] == '\\' && i + 1 < header.size()) ++i;
        value += header[i];
      }
      at = header.find(';', std::min(i, header.size()));
    } else {
      at = header.find(';');
      value = trimmed(header.substr(0, at));
    }
    if (wanted) return value;
  }
  return {};
}

}  // namespace copse::server
