// What the commands that train have in common.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "copse/base/error.h"
#include "copse/cli/command.h"
#include "copse/cli/treebank_stream.h"
#include "copse/pipeline/training_files.h"

namespace copse {

// --train, --dev, --from.
void declare_training_files(CLI::App& app, TrainingFiles& files);

// Unusable sentences go to the log, which must outlive this.
inline ReadReport report_to(ProblemLog& log) {
  return [&log](const std::vector<Error>& errors, const std::vector<Warning>& warnings) {
    log.take(errors, warnings);
  };
}

struct OptionText {
  std::string name;
  std::string shown_default;  // empty: none is shown
  std::string help;
  std::string group = {};
  std::vector<std::string> values = {};  // the names there are, for help and completion
};

// An option whose text `take` makes something of; its usage_error is that of the command.
void add_text_option(CLI::App& app, const OptionText& text,
                     const std::function<void(const std::string&)>& take);
// The same for a value and a function of the library that reads it.
template <class T, class Parse>
void add_parsed_option(CLI::App& app, const OptionText& text, T& value, Parse parse) {
  add_text_option(app, text, [&value, parse](const std::string& given) { value = parse(given); });
}
// A flag that turns something off.
void add_off_flag(CLI::App& app, const OptionText& text, bool& value);

// For options with few spellings.
template <class T>
auto one_of(std::initializer_list<std::pair<std::string, T>> values) {
  return [values = std::vector<std::pair<std::string, T>>(values)](const std::string& text) {
    std::string names;
    for (const auto& [name, value] : values) {
      if (name == text) return value;
      names += (names.empty() ? "" : ", ") + name;
    }
    throw usage_error("unknown \"" + text + "\"", "expected one of " + names);
  };
}

}  // namespace copse
