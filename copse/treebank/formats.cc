#include "copse/treebank/formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "copse/treebank/columns.h"
#include "copse/treebank/conll.h"
#include "copse/treebank/drawing/dot.h"
#include "copse/treebank/drawing/html.h"
#include "copse/treebank/drawing/latex.h"
#include "copse/treebank/drawing/svg.h"
#include "copse/treebank/drawing/terminal.h"
#include "copse/treebank/json.h"

namespace copse {
namespace {

constexpr FormatInfo kFormats[] = {
    {Format::conllu, "conllu", "CoNLL-U: ten columns, Universal Dependencies", true},
    {Format::conllx, "conllx", "CoNLL-X: ten columns, CoNLL 2006 and 2007", true},
    {Format::ptb, "ptb", "Penn Treebank brackets", true},
    {Format::json, "json", "JSON lines: one object per sentence, columns and trees", true},
    {Format::text, "text", "one sentence per line, words separated by blanks", true},
    {Format::columns, "columns", "one word per line, word and tag, an empty line per sentence",
     true},
    {Format::svg, "svg", "drawings as one SVG picture", false},
    {Format::html, "html", "drawings as one web page", false},
    {Format::latex, "latex", "drawings for LaTeX: tikz-dependency and forest", false},
    {Format::dot, "dot", "drawings for Graphviz", false},
    {Format::ascii, "ascii", "drawings in character cells", false},
};

constexpr std::pair<std::string_view, Format> kEndings[] = {
    {".conllu", Format::conllu}, {".conllx", Format::conllx}, {".conll", Format::conllx},
    {".mrg", Format::ptb},       {".ptb", Format::ptb},       {".json", Format::json},
    {".jsonl", Format::json},    {".txt", Format::text},      {".svg", Format::svg},
    {".html", Format::html},     {".tex", Format::latex},     {".dot", Format::dot},
    {".gv", Format::dot},        {".bio", Format::columns},   {".iob", Format::columns},
    {".iob2", Format::columns},  {".tsv", Format::columns},   {".columns", Format::columns},
};

const FormatInfo& info_of(Format format) {
  return *std::find_if(std::begin(kFormats), std::end(kFormats),
                       [&](const FormatInfo& info) { return info.format == format; });
}

}  // namespace

std::span<const FormatInfo> all_formats() {
  return kFormats;
}

Format format_named(std::string_view name) {
  std::string names;
  for (const FormatInfo& info : kFormats) {
    if (info.name == name) return info.format;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  throw usage_error(fmt::format("unknown format '{}'; expected one of {}", name, names));
}

std::string_view name_of(Format format) {
  return info_of(format).name;
}

bool is_readable(Format format) {
  return info_of(format).readable;
}

std::optional<Format> format_of_file(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  for (const auto& [ending, format] : kEndings) {
    if (path.ends_with(ending)) return format;
  }
  return std::nullopt;
}

std::unique_ptr<Reader> make_reader(Format format, const Limits& limits) {
  switch (format) {
    case Format::conllu:
      return make_conll_reader(Dialect::conllu, limits);
    case Format::conllx:
      return make_conll_reader(Dialect::conllx, limits);
    case Format::ptb:
      return make_ptb_reader(limits);
    case Format::json:
      return make_json_reader(limits);
    case Format::text:
      return make_text_reader(limits);
    case Format::columns:
      return make_columns_reader(limits);
    case Format::svg:
    case Format::html:
    case Format::latex:
    case Format::dot:
    case Format::ascii:
      break;
  }
  throw usage_error(fmt::format("{} can be written but not read", name_of(format)));
}

std::unique_ptr<Writer> make_writer(Format format, const WriteOptions& options) {
  switch (format) {
    case Format::conllu:
      return make_conll_writer(Dialect::conllu);
    case Format::conllx:
      return make_conll_writer(Dialect::conllx);
    case Format::ptb:
      return make_ptb_writer(options.ptb);
    case Format::json:
      return make_json_writer();
    case Format::text:
      return make_text_writer(options.text);
    case Format::columns:
      return make_columns_writer();
    case Format::svg:
      return make_svg_writer(options.drawing);
    case Format::html:
      return make_html_writer(options.drawing);
    case Format::latex:
      return make_latex_writer(options.drawing);
    case Format::dot:
      return make_dot_writer(options.drawing);
    case Format::ascii:
      return make_terminal_writer(options.drawing);
  }
  throw usage_error(fmt::format("{} cannot be written", name_of(format)));
}

}  // namespace copse
