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
  std::string format_name;  // empty: by the file's ending

  void declare_options(CLI::App& app);
  // `otherwise` where neither an option nor an ending tells; an ending that nobody knows throws
  // usage_error: a picture asked for as "trees.png" must not be text.
  Format format(Format otherwise = Format::conllu) const;
};

class TreebankOutput {
 public:
  TreebankOutput(const TreebankOutputOptions& options, const WriteOptions& write_options);
  ~TreebankOutput();

  // Makes the text of a sentence; safe to call from many threads.
  const Writer& writer() const;
  // Takes text that writer() made, in order.
  void take(std::string&& text);
  // The end of the document; the file appears under its name. Says, unless `quiet`, how many words
  // the format could not keep as they were.
  void finish(bool quiet = false);

 private:
  // The words that text, split at blanks, cannot keep in one piece; counted by many threads.
  class CountingWriter;

  std::unique_ptr<CountingWriter> writer_;
  Output output_;
  std::string whole_;  // of formats that cannot stream
};

}  // namespace copse
