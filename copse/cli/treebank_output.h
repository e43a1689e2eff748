// Where a treebank goes: a file or standard output, in one of the formats.
#pragma once

#include <memory>
#include <string>

#include "copse/base/output.h"
#include "copse/cli/command.h"
#include "copse/treebank/formats.h"

namespace copse {

struct TreebankOutputOptions {
  std::string path = "-";
  std::string format_name;  // empty: by the file's ending, else CoNLL-U

  void declare_options(CLI::App& app);
  Format format() const;
};

class TreebankOutput {
 public:
  TreebankOutput(const TreebankOutputOptions& options, const WriteOptions& write_options);

  // Makes the text of a sentence; safe to call from many threads.
  const Writer& writer() const { return *writer_; }
  // Takes text that writer() made, in order.
  void take(std::string&& text);
  // The end of the document; the file appears under its name.
  void finish();

 private:
  std::unique_ptr<Writer> writer_;
  Output output_;
  std::string whole_;  // of formats that cannot stream
};

}  // namespace copse
