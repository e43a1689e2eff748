#include "copse/cli/treebank_stream.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "copse/cli/terminal.h"
#include "copse/treebank/word_reader.h"

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
  app.add_flag("--unbuffered", unbuffered,
               "Answer each sentence as it comes, for a program that waits for the answer");
}

Format format_or_guess(const std::string& format_name, Input& input, bool wait_for_more) {
  return format_name.empty() ? guess_format(input, wait_for_more) : format_named(format_name);
}

bool TreebankInput::is_interactive(const std::string& path) const {
  return unbuffered || (path == "-" && ::isatty(STDIN_FILENO) == 1);
}

Format TreebankInput::format_of(const std::string& path) const {
  if (!format_name.empty()) return format_named(format_name);
  if (const auto known = looked_into->find(path); known != looked_into->end()) {
    return format_or_guess({}, known->second, !is_interactive(path));
  }
  if (const auto format = format_of_file(path)) return *format;
  Input input = Input::open(path);
  const Format format = format_or_guess({}, input, !is_interactive(path));
  // A plain file is opened again when its turn comes: thousands may be named on one line.
  if (!input.file_size() || path == "-") looked_into->emplace(path, std::move(input));
  return format;
}

std::optional<Format> TreebankInput::told_format_of(const std::string& path) const {
  constexpr std::size_t kLook = std::size_t{1} << 16;
  Input input = open(path);
  const std::string_view begin = is_interactive(path) ? input.peek_line(kLook) : input.peek(kLook);
  const bool blank = begin.find_first_not_of(" \t\r\n") == std::string_view::npos;
  const auto format = blank ? std::nullopt : format_of_bytes(begin);
  looked_into->insert_or_assign(path, std::move(input));
  return format;
}

Input TreebankInput::open(const std::string& path) const {
  const auto known = looked_into->find(path);
  if (known == looked_into->end()) return Input::open(path);
  Input input = std::move(known->second);
  looked_into->erase(known);
  return input;
}

std::unique_ptr<Reader> TreebankInput::reader(Format format, const Limits& limits) const {
  return heads_count ? make_reader(format, limits) : make_word_reader(format, limits);
}

std::vector<std::string> TreebankInput::sources() const {
  return paths.empty() ? std::vector<std::string>{"-"} : paths;
}

bool TreebankInput::all_are(Format format) const {
  const auto all = sources();
  return std::all_of(all.begin(), all.end(),
                     [&](const std::string& path) { return format_of(path) == format; });
}

void refuse_wrong_format(const Block& block, const Parsed& parsed, Format format) {
  const auto unusable = [](const ReadItem& item) { return item.error.has_value(); };
  if (parsed.items.empty() || !std::all_of(parsed.items.begin(), parsed.items.end(), unusable)) {
    return;
  }
  constexpr std::size_t kLook = std::size_t{1} << 16;
  const auto looks_like = format_of_bytes(std::string_view(block.bytes).substr(0, kLook));
  const auto is_conll = [](Format each) {
    return each == Format::conllu || each == Format::conllx;
  };
  const bool strict_format = is_conll(format) || format == Format::ptb || format == Format::json;
  if (!strict_format || looks_like == format ||
      (looks_like && is_conll(*looks_like) && is_conll(format))) {
    return;
  }
  const Error& first = *parsed.items.front().error;
  throw data_error(fmt::format("this is not {}: {}", name_of(format), first.message()),
                   first.place(),
                   looks_like ? fmt::format("it looks like {0}: --from {0}", name_of(*looks_like))
                              : "name the format it has with --from");
}

void ProblemLog::take(const std::vector<Error>& errors, const std::vector<Warning>& warnings) {
  if (common_.strict && !errors.empty()) throw Error(errors.front());
  for (const Error& error : errors) {
    if (errors_++ < kProblemsShown) fmt::print(stderr, "{} {}\n", error_mark(), message_of(error));
  }
  for (const Warning& warning : warnings) {
    if (warnings_++ < kProblemsShown && !common_.quiet) {
      fmt::print(stderr, "{} {}: {}\n", warning_mark(), warning.place.str(), warning.message);
    }
  }
}

void check_books(std::size_t in, std::size_t out, std::size_t reported) {
  if (in == out + reported) return;
  throw std::logic_error(
      fmt::format("{} sentences came in, {} went out and {} were reported", in, out, reported));
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
