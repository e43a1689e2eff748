#include "copse/treebank/evaluation/report_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "copse/base/utf8.h"

namespace copse {
namespace {

std::string padded(std::string_view name, int width) {
  std::string text = name.empty() ? "(none)" : replace_invalid_utf8(name);
  const int missing = width - terminal_width(text);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  return text;
}

template <class Counts>
int name_width(std::string_view heading, const Breakdown<Counts>& rows) {
  int width = std::max(terminal_width(heading), 6);
  for (const auto& row : rows) width = std::max(width, terminal_width(row.first));
  return width;
}

}  // namespace

std::string found_table(std::string_view heading, const Breakdown<FoundCounts>& rows) {
  const int width = name_width(heading, rows);
  std::string out =
      fmt::format("{}  precision   recall       f1     gold   system\n", padded(heading, width));
  for (const auto& [name, counts] : rows) {
    fmt::format_to(std::back_inserter(out), "{}  {:9.2f}{:9.2f}{:9.2f}{:9}{:9}\n",
                   padded(name, width), counts.precision(), counts.recall(), counts.f1(),
                   counts.gold, counts.system);
  }
  return out;
}

std::string accuracy_table(std::string_view heading, const Breakdown<AttachmentCounts>& rows) {
  const int width = name_width(heading, rows);
  std::string out = fmt::format("{}      uas      las       la        n\n", padded(heading, width));
  for (const auto& [name, counts] : rows) {
    fmt::format_to(std::back_inserter(out), "{}{:9.2f}{:9.2f}{:9.2f}{:9}\n", padded(name, width),
                   counts.uas(), counts.las(), counts.la(), counts.words);
  }
  return out;
}

}  // namespace copse
