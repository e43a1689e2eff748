#include "copse/pipeline/page.h"

#include <fmt/format.h>

#include <utility>

#include "copse/treebank/drawing/drawable.h"
#include "copse/treebank/treebank.h"

namespace copse {

namespace {

std::string html_text(std::string_view text) {
  return drawing::xml_escape(drawing::drawable(text));
}

}  // namespace

Page::Page(std::string_view title) {
  const std::string name = html_text(title);
  out_ = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n"
      "<style>body{{font:16px/1.5 sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}}"
      "table{{border-collapse:collapse}}td,th{{padding:.2rem .8rem;text-align:left;"
      "border-bottom:1px solid #8884}}svg{{max-width:100%;height:auto}}"
      "figure{{margin:0 0 1rem;overflow-x:auto}}figcaption{{opacity:.7}}</style>\n<h1>{}</h1>\n",
      name, name);
}

void Page::heading(std::string_view text) {
  out_ += fmt::format("<h2>{}</h2>\n", html_text(text));
}

void Page::paragraph(std::string_view text) {
  out_ += fmt::format("<p>{}</p>\n", html_text(text));
}

void Page::table(const std::vector<std::string>& head,
                 const std::vector<std::vector<std::string>>& rows) {
  const auto add = [&](const std::vector<std::string>& cells, std::string_view tag) {
    out_ += "<tr>";
    for (const std::string& cell : cells) {
      out_ += fmt::format("<{}>{}</{}>", tag, html_text(cell), tag);
    }
    out_ += "</tr>\n";
  };
  out_ += "<table>\n";
  add(head, "th");
  for (const auto& row : rows) add(row, "td");
  out_ += "</table>\n";
}

void Page::drawing(std::string_view caption, const Entry& entry) {
  out_ += fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", html_text(caption),
                      to_string(entry, Format::svg));
}

void Page::html(std::string_view text) {
  out_ += text;
  out_ += '\n';
}

std::string Page::finish() && {
  out_ += "</html>\n";
  return std::move(out_);
}

}  // namespace copse
