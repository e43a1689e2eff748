// Streaming a treebank through a command: blocks are read one after the other, worked on by
// several threads, and given out in order; unusable sentences are reported and counted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "copse/cli/command.h"
#include "copse/treebank/formats.h"

namespace copse {

// Where a treebank comes from: files, or standard input when there are none.
struct TreebankInput {
  std::vector<std::string> paths;
  std::string format_name;  // empty: by the file's ending, else CoNLL-U

  void declare_options(CLI::App& app);
  Format format_of(const std::string& path) const;
};

// One block after the work on it.
template <class Result>
struct BlockResult {
  Result result;
  std::vector<Error> errors;
  std::vector<Warning> warnings;
  std::size_t sentences = 0;
};

// Reports what went wrong on standard error, a bounded number of lines, and counts it.
class ProblemLog {
 public:
  explicit ProblemLog(const CommonOptions& common) : common_(common) {}

  // Prints; with --strict throws the first error instead.
  void take(const std::vector<Error>& errors, const std::vector<Warning>& warnings);
  // The last line of the report ("12 sentences were unusable ..."), and the exit code.
  ExitCode finish(std::string_view what_became_of_them) const;
  std::size_t errors() const { return errors_; }

 private:
  CommonOptions common_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

// What a command does with the sentences.
struct TreebankVisitor {
  // Called by many threads: the text that this sentence adds to the output.
  std::function<void(Entry&& entry, std::string& out)> write;
  // Called by many threads for an unusable sentence; may pass its bytes through.
  std::function<void(const std::string& raw, std::string& out)> write_unusable;
  // Called by one thread, in order.
  std::function<void(std::string&& text)> sink;
};

// Streams every input through the visitor. Errors thrown by visitor.write (a data_error: this
// sentence cannot be written) are reported like unusable sentences.
void stream_treebank(const TreebankInput& input, const CommonOptions& common,
                     std::string_view title, const TreebankVisitor& visitor, ProblemLog& log);

}  // namespace copse
