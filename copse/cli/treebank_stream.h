// Streaming a treebank through a command: blocks are read one after the other, worked on by
// several threads, and given out in order; unusable sentences are reported and counted.
#pragma once

#include <functional>
#include <string>
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
  std::string format_name;  // empty: by the file's ending, else CoNLL-U

  void declare_options(CLI::App& app);
  Format format_of(const std::string& path) const;
  // The files, or "-" for standard input.
  std::vector<std::string> sources() const;
  bool all_are(Format format) const;
};

// Reports what went wrong on standard error, a bounded number of lines, and counts it.
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

// Streams every input. For each block of sentences a `Result` is made by one of many threads:
//   use(Entry&&, Result&)               a sentence; a data_error it throws is reported
//   skip(const std::string&, Result&)   the bytes of an unusable sentence
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
  };
  for (const std::string& path : input.sources()) {
    const auto reader = make_reader(input.format_of(path), common.limits);
    Input file = Input::open(path);
    Progress progress(std::string(title), "sentences", !common.quiet);
    BlockReader blocks(file, *reader, common.limits, block_bytes);
    std::size_t sentences = 0;
    const auto work = [&](const Block& block) {
      Done done;
      Parsed parsed = reader->parse(block);
      done.warnings = std::move(parsed.warnings);
      done.sentences = parsed.items.size();
      for (ReadItem& item : parsed.items) {
        if (item.error) {
          done.errors.push_back(std::move(*item.error));
          skip(item.raw, done.result);
          continue;
        }
        try {
          use(std::move(item.entry), done.result);
        } catch (const Error& error) {
          if (error.kind() != ErrorKind::data) throw;
          done.errors.push_back(error.at({block.file, item.first_line}));
        }
      }
      return done;
    };
    const auto give = [&](Done&& done) {
      log.take(done.errors, done.warnings);
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
