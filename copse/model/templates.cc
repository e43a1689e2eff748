#include "copse/model/templates.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "copse/base/error.h"

namespace copse {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return fields;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

Template parse_line(std::span<const std::string_view> fields, const AtomNames& names) {
  if (fields.size() < 3 || fields[1] != "=") {
    throw data_error("not a template; expected 'name = atom atom ...'");
  }
  Template row{std::string(fields[0]), atom_of(fields[0]), {}, {}};
  std::vector<AtomSlot>* target = &row.atoms;
  for (const std::string_view field : fields.subspan(2)) {
    if (field == "when" && target == &row.atoms) {
      target = &row.guards;
      continue;
    }
    const auto slot = names(field);
    if (!slot) throw data_error(fmt::format("template '{}': no atom '{}'", row.name, field));
    target->push_back(*slot);
  }
  if (row.atoms.empty()) {
    throw data_error(fmt::format("template '{}' has no atom before 'when'", row.name));
  }
  if (target == &row.guards && row.guards.empty()) {
    throw data_error(fmt::format("template '{}': nothing follows 'when'", row.name));
  }
  return row;
}

}  // namespace

std::vector<Template> parse_templates(std::string_view text, const std::string& file,
                                      const AtomNames& names) {
  std::vector<Template> rows;
  std::unordered_set<std::uint64_t> seeds;  // two templates of one seed would share their weights
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    const auto fields = fields_of(line);
    if (fields.empty()) continue;
    try {
      Template row = parse_line(fields, names);
      if (!seeds.insert(row.seed).second) {
        throw data_error(fmt::format("a second template named '{}'", row.name));
      }
      rows.push_back(std::move(row));
    } catch (const Error& error) {
      throw error.at({file, number});
    }
  }
  return rows;
}

}  // namespace copse
