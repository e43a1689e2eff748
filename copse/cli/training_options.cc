#include "copse/cli/training_options.h"

#include <CLI/CLI.hpp>

namespace copse {

void declare_training_files(CLI::App& app, TrainingFiles& files) {
  app.add_option("--train", files.train, "The treebank to learn from")
      ->required()
      ->type_name("FILE");
  app.add_option("--dev", files.dev, "Held-out data; what is best on it is kept")
      ->type_name("FILE");
  app.add_option("--from", files.format, "Format of the files; told by the files if not given")
      ->type_name("FORMAT");
}

void add_text_option(CLI::App& app, const OptionText& text,
                     const std::function<void(const std::string&)>& take) {
  const auto call = [take](const std::string& given) {
    try {
      take(given);
    } catch (const Error& error) {
      throw ::CLI::ValidationError(std::string(error.what()));
    }
  };
  auto* const option = app.real().add_option_function<std::string>(text.name, call, text.help);
  std::string names;
  for (const std::string& value : text.values) names += (names.empty() ? "" : ",") + value;
  option->type_name(names.empty() ? "TEXT" : "TEXT:{" + names + "}");
  if (!text.shown_default.empty()) option->default_str(text.shown_default);
  if (!text.group.empty()) option->group(text.group);
}

void add_off_flag(CLI::App& app, const OptionText& text, bool& value) {
  auto* const flag = app.real().add_flag_callback(
      text.name, [&value] { value = false; }, text.help);
  if (!text.group.empty()) flag->group(text.group);
}

}  // namespace copse
