// Streaming a treebank through a command: blocks are read one after the other, worked on by
// several threads, and given out in order; unusable sentences are reported and counted.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "copse/base/input.h"
#include "copse/base/progress.h"
#include "copse/base/stream.h"
#include "copse/cli/command.h"
#include "copse/treebank/block_reader.h"
#include "copse/treebank/formats.h"

namespace copse {

// Where a treebank comes from: files, or standard input when there are none.
struct TreebankInput {
  std::vector<std::string> paths;
  std::string format_name;  // empty: by the file's ending, else by its first lines
  bool unbuffered = false;  // answer each sentence as it comes
  bool heads_count = true;  // false: the command puts other heads in their place

  void declare_options(CLI::App& app);
  // Looks into the file where its name does not tell. What was looked at stays to be read by
  // open(): a pipe has only one reading in it.
  Format format_of(const std::string& path) const;
  // The same where the first bytes can be nothing else than some format; nothing for running text.
  std::optional<Format> told_format_of(const std::string& path) const;
  Input open(const std::string& path) const;
  std::unique_ptr<Reader> reader(Format format, const Limits& limits) const;
  // The files, or "-" for standard input.
  std::vector<std::string> sources() const;
  bool all_are(Format format) const;
  // Somebody waits for each answer: asked for, or a person at a terminal.
  bool is_interactive(const std::string& path) const;

  // Pipes that were looked into, by their names.
  std::shared_ptr<std::map<std::string, Input>> looked_into =
      std::make_shared<std::map<std::string, Input>>();
};

// A format that is named, else told by the input.
Format format_or_guess(const std::string& format_name, Input& input, bool wait_for_more = true);

// The books of every command: a sentence that came in went out or was reported. Throws if one got lost,
// which is our own fault.
void check_books(std::size_t in, std::size_t out, std::size_t reported);

// Reports what went wrong on standard error, a bounded number of lines.
class ProblemLog {
 public:
  explicit ProblemLog(const CommonOptions& common) : common_(common) {}

  // Prints; with --strict throws the first error instead.
  void take(const std::vector<Error>& errors, const std::vector<Warning>& warnings);
  // The last line of the report ("12 sentences were unusable ..."), and the exit code.
  ExitCode finish(std::string_view what_became_of_them) const;

 private:
  CommonOptions common_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

namespace detail {

// A sentence that fails half-way leaves nothing behind in the text of its block.
template <class Result>
std::size_t text_size(const Result& result) {
  if constexpr (std::is_same_v<Result, std::string>) {
    return result.size();
  } else if constexpr (requires { result.text.size(); }) {
    return result.text.size();
  } else {
    return 0;
  }
}

template <class Result>
void cut_text(Result& result, std::size_t size) {
  if constexpr (std::is_same_v<Result, std::string>) {
    result.resize(size);
  } else if constexpr (requires { result.text.resize(size); }) {
    result.text.resize(size);
  }
}

}  // namespace detail

// Throws data_error when not one of the first sentences can be read and the bytes do not look like
// the format either: such a file is refused before it is copied anywhere.
void refuse_wrong_format(const Block& block, const Parsed& parsed, Format format);

// Streams every input. For each block of sentences a `Result` is made by one of many threads:
//   use(Entry&&, Result&)               a sentence; a data_error it throws is reported
//   skip(const std::string&, Result&)   the bytes, as they were read, of a sentence that cannot be
//                                       read or that use() refused
// and given to sink(Result&&), one at a time, in the order of the input. Where a sentence takes
// long, smaller blocks keep all threads busy.
template <class Result, class Use, class Skip, class Sink>
void stream_treebank(const TreebankInput& input, const CommonOptions& common,
                     std::string_view title, ProblemLog& log, Use&& use, Skip&& skip, Sink&& sink,
                     std::size_t block_bytes = std::size_t{1} << 20) {
  struct Done {
    Result result;
    std::vector<Error> errors;
    std::vector<Warning> warnings;
    std::size_t sentences = 0;
    std::size_t used = 0;
  };
  for (const std::string& path : input.sources()) {
    const Format format = input.format_of(path);
    const auto reader = input.reader(format, common.limits);
    Input file = input.open(path);
    Progress progress(std::string(title), "sentences", !common.quiet);
    BlockReader blocks(file, *reader, common.limits, block_bytes, input.is_interactive(path));
    std::size_t sentences = 0;
    const auto work = [&](const Block& block) {
      Done done;
      Parsed parsed = reader->parse(block);
      if (block.first_line == 1) refuse_wrong_format(block, parsed, format);
      done.warnings = std::move(parsed.warnings);
      done.sentences = parsed.items.size();
      for (ReadItem& item : parsed.items) {
        const std::size_t before = detail::text_size(done.result);
        if (!item.error) {
          try {
            use(std::move(item.entry), done.result);
            ++done.used;
            continue;
          } catch (const Error& error) {
            if (error.kind() != ErrorKind::data) throw;
            item.error = error.at({block.file, item.first_line});
            detail::cut_text(done.result, before);
          }
        }
        done.errors.push_back(std::move(*item.error));
        skip(raw_bytes(block, item), done.result);
      }
      return done;
    };
    const auto give = [&](Done&& done) {
      log.take(done.errors, done.warnings);
      check_books(done.sentences, done.used, done.errors.size());
      sink(std::move(done.result));
      sentences += done.sentences;
      std::optional<double> share;
      if (const auto size = file.file_size(); size && *size > 0) {
        share = static_cast<double>(file.bytes_consumed()) / static_cast<double>(*size);
      }
      progress.update(sentences, share);
    };
    stream_in_order<Block, Done>(
        common.threads, [&] { return blocks.next(); }, work, give);
  }
}

}  // namespace copse
