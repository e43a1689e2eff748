#include "copse/cli/treebank_stream.h"

#include <fmt/format.h>

#include <cstdio>

#include "copse/base/input.h"
#include "copse/base/progress.h"
#include "copse/base/stream.h"
#include "copse/treebank/block_reader.h"

namespace copse {
namespace {

constexpr std::size_t kProblemsShown = 50;

using TextBlock = BlockResult<std::string>;

TextBlock work_on(const Block& block, const Reader& reader, const TreebankVisitor& visitor) {
  TextBlock done;
  Parsed parsed = reader.parse(block);
  done.warnings = std::move(parsed.warnings);
  done.sentences = parsed.items.size();
  done.result.reserve(block.bytes.size() + block.bytes.size() / 16);
  for (ReadItem& item : parsed.items) {
    if (item.error) {
      done.errors.push_back(std::move(*item.error));
      visitor.write_unusable(item.raw, done.result);
      continue;
    }
    try {
      visitor.write(std::move(item.entry), done.result);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      done.errors.push_back(error.at({block.file, block.first_line}));
    }
  }
  return done;
}

void stream_file(Input& input, const Reader& reader, const CommonOptions& common,
                 Progress& progress, const TreebankVisitor& visitor, ProblemLog& log) {
  BlockReader blocks(input, reader, common.limits);
  std::size_t sentences = 0;
  stream_in_order<Block, TextBlock>(
      common.threads, [&] { return blocks.next(); },
      [&](const Block& block) { return work_on(block, reader, visitor); },
      [&](TextBlock&& done) {
        log.take(done.errors, done.warnings);
        visitor.sink(std::move(done.result));
        sentences += done.sentences;
        const auto size = input.file_size();
        progress.update(sentences, size && *size > 0
                                       ? std::optional(static_cast<double>(input.bytes_consumed()) /
                                                       static_cast<double>(*size))
                                       : std::nullopt);
      });
}

}  // namespace

void TreebankInput::declare_options(CLI::App& app) {
  app.add_option("IN", paths,
                 "Files to read; standard input when there are none. "
                 ".gz and .zst are unpacked");
  std::string names;
  for (const FormatInfo& info : all_formats()) {
    if (info.readable) names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  app.add_option("--from", format_name,
                 fmt::format("Format of the input: {}. By the file's ending if not given", names))
      ->type_name("FORMAT");
}

Format TreebankInput::format_of(const std::string& path) const {
  if (!format_name.empty()) return format_named(format_name);
  return format_of_file(path).value_or(Format::conllu);
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

void stream_treebank(const TreebankInput& input, const CommonOptions& common,
                     std::string_view title, const TreebankVisitor& visitor, ProblemLog& log) {
  const std::vector<std::string> standard_input{"-"};
  for (const std::string& path : input.paths.empty() ? standard_input : input.paths) {
    const auto reader = make_reader(input.format_of(path), common.limits);
    Input file = Input::open(path);
    Progress progress(std::string(title), "sentences", !common.quiet);
    stream_file(file, *reader, common, progress, visitor, log);
  }
}

}  // namespace copse
