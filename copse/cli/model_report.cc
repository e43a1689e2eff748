#include "copse/cli/model_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace copse {
namespace {

// Accuracies are percentages and have two decimals, errors are shares and have four.
std::string figure(std::string_view name, double value) {
  return name.ends_with("error") ? fmt::format("{:.4f}", value) : fmt::format("{:.2f}", value);
}

// Strings as they are, unless they hold what could steer a terminal; numbers as short as they can
// be said.
std::string plain(const nlohmann::json& value) {
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7F; })) {
      return text;
    }
  }
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// "train: en.conllu, 100 sentences, 2000 words, checksum 0123456789abcdef"
std::string source_line(const nlohmann::json& source) {
  const auto text = [&](const char* key) {
    return source.contains(key) ? plain(source[key]) : std::string();
  };
  std::string line = fmt::format("{}: {}", text("role"), text("name"));
  for (const char* key : {"sentences", "words"}) {
    if (const std::string count = text(key); !count.empty() && count != "0") {
      line += fmt::format(", {} {}", count, key);
    }
  }
  return line + fmt::format(", checksum {}", text("checksum"));
}

bool is_source(const nlohmann::json& value) {
  return value.is_object() && value.contains("role") && value.contains("checksum");
}

// An object as indented lines, "key: value".
void describe(const nlohmann::json& value, int depth, bool figures, std::string& out) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  for (const auto& [key, entry] : value.items()) {
    if (is_source(entry)) {
      out += fmt::format("{}{}\n", indent, source_line(entry));
    } else if (entry.is_object() || (entry.is_array() && !entry.empty() && entry[0].is_object())) {
      out += fmt::format("{}{}:\n", indent, plain(key));
      describe(entry, depth + 1, figures || key == "figures", out);
    } else {
      const bool accuracy = figures && entry.is_number_float();
      out += fmt::format("{}{}: {}\n", indent, plain(key),
                         accuracy ? figure(key, entry.get<double>()) : plain(entry));
    }
  }
}

}  // namespace

std::string model_as_text(const ModelFile& model) {
  std::string out = fmt::format("kind: {}\nformat: {}\nsize: {:.1f} MB\n", plain(model.kind()),
                                kModelFormat, static_cast<double>(model.size()) / 1e6);
  nlohmann::json rest = model.config();
  rest.erase("kind");
  describe(rest, 0, false, out);
  out += "sections:\n";
  for (const auto& section : model.sections()) {
    out += fmt::format("  {:<28}{:>12} bytes\n", section.name, section.bytes.size());
  }
  return out;
}

std::string model_as_json(const ModelFile& model, const std::string& name) {
  nlohmann::json all = model.config();
  if (!name.empty()) all["model"] = name;
  all["format"] = kModelFormat;
  all["bytes"] = model.size();
  nlohmann::json sections = nlohmann::json::array();
  for (const auto& section : model.sections()) {
    sections.push_back({{"name", section.name}, {"bytes", section.bytes.size()}});
  }
  all["sections"] = std::move(sections);
  return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string figures_line(const nlohmann::json& figures) {
  std::string line;
  for (const auto& [key, value] : figures.items()) {
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", plain(key),
                        value.is_number_float() ? figure(key, value.get<double>()) : plain(value));
  }
  return line;
}

}  // namespace copse
