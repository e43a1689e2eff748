#include "copse/cli/treebank_stream.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

namespace copse {
namespace {

constexpr std::size_t kProblemsShown = 50;

}  // namespace

void TreebankInput::declare_options(CLI::App& app) {
  app.add_option("IN", paths,
                 "Files to read; standard input when there are none. .gz and .zst are unpacked");
  std::string names;
  for (const FormatInfo& info : all_formats()) {
    if (info.readable) names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  app.add_option(
         "--from", format_name,
         fmt::format(
             "Format of the input: {}. By the file's ending or its first lines if not given",
             names))
      ->type_name("FORMAT");
}

Format TreebankInput::format_of(const std::string& path) const {
  if (!format_name.empty()) return format_named(format_name);
  return guess_format(path);
}

std::vector<std::string> TreebankInput::sources() const {
  return paths.empty() ? std::vector<std::string>{"-"} : paths;
}

bool TreebankInput::all_are(Format format) const {
  const auto all = sources();
  return std::all_of(all.begin(), all.end(),
                     [&](const std::string& path) { return format_of(path) == format; });
}

void ProblemLog::take(const std::vector<Error>& errors, const std::vector<Warning>& warnings) {
  if (common_.strict && !errors.empty()) throw Error(errors.front());
  for (const Error& error : errors) {
    if (errors_++ < kProblemsShown) fmt::print(stderr, "copse: error: {}\n", error.what());
  }
  for (const Warning& warning : warnings) {
    if (warnings_++ < kProblemsShown && !common_.quiet) {
      fmt::print(stderr, "copse: warning: {}: {}\n", warning.place.str(), warning.message);
    }
  }
}

ExitCode ProblemLog::finish(std::string_view what_became_of_them) const {
  if (errors_ > kProblemsShown) {
    fmt::print(stderr, "copse: {} more errors are not shown\n", errors_ - kProblemsShown);
  }
  if (errors_ > 0) {
    fmt::print(stderr, "copse: {} {} unusable and {}\n", errors_,
               errors_ == 1 ? "sentence was" : "sentences were", what_became_of_them);
  }
  return errors_ > 0 ? ExitCode::bad_data : ExitCode::fine;
}

}  // namespace copse
