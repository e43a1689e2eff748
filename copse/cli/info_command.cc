// copse info: what is in a model file.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/model/model_file.h"

namespace copse {
namespace {

// Strings as they are, unless they hold what could steer a terminal; figures with two decimals,
// other numbers as short as they can be said.
std::string plain(const nlohmann::json& value, bool figure = false) {
  if (value.is_number_float()) {
    return figure ? fmt::format("{:.2f}", value.get<double>())
                  : fmt::format("{:.6g}", value.get<double>());
  }
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7F; })) {
      return text;
    }
  }
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// An object as indented lines, "key: value".
void describe(const nlohmann::json& value, int depth, bool figures, std::string& out) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  for (const auto& [key, entry] : value.items()) {
    if (entry.is_object() || (entry.is_array() && !entry.empty() && entry[0].is_object())) {
      out += fmt::format("{}{}:\n", indent, plain(key));
      describe(entry, depth + 1, figures || key == "figures", out);
    } else {
      out += fmt::format("{}{}: {}\n", indent, plain(key), plain(entry, figures));
    }
  }
}

std::string as_text(const ModelFile& model) {
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

std::string as_json(const ModelFile& model) {
  nlohmann::json all = model.config();
  all["format"] = kModelFormat;
  all["bytes"] = model.size();
  nlohmann::json sections = nlohmann::json::array();
  for (const auto& section : model.sections()) {
    sections.push_back({{"name", section.name}, {"bytes", section.bytes.size()}});
  }
  all["sections"] = std::move(sections);
  return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

class InfoCommand : public Command {
 public:
  std::string_view name() const override { return "info"; }
  std::string_view summary() const override {
    return "What is in a model file: kind, options, data, figures, sections";
  }
  std::vector<Example> examples() const override {
    return {{"info english.copse", "where a model comes from and how good it was"},
            {"info english.copse --json", "the same for a program"}};
  }

  void declare_options(CLI::App& app) override {
    app.add_option("model", path_, "The model file")->required()->type_name("MODEL");
    app.add_flag("--json", json_, "Print one JSON object");
  }

  ExitCode run(const CommonOptions&) override {
    const ModelFile model = ModelFile::open(path_);
    Output output = Output::open("-");
    output.write(json_ ? as_json(model) : as_text(model));
    output.commit();
    return ExitCode::fine;
  }

 private:
  std::string path_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_info_command() {
  return std::make_unique<InfoCommand>();
}

}  // namespace copse
