// Parsing a stream of sentences into n-best lists, for `copse nbest` and `copse parse --nbest`.
#pragma once

#include <string>

#include "copse/cli/command.h"
#include "copse/cli/generative_options.h"
#include "copse/cli/treebank_stream.h"
#include "copse/treebank/n_best_list.h"

namespace copse {

struct NBestOutput {
  std::string path = "-";
  std::string form_name = {};  // empty: by the ending of the path

  // By its name, else by the ending of the path: .nbl is binary, .json is json, all else text.
  // Throws usage_error for a name that is neither.
  NBestForm form() const;  // of lists that can be read back; not of json
  bool json() const;
  // What a file of lists consists of.
  std::string begin() const;
  std::string text_of(const NBestList& list) const;
  std::string end() const;
};

// Lists are numbered from 1 unless the input has ids.
ExitCode write_n_best(const PhraseParser& parser, const TreebankInput& input,
                      const PhraseRunOptions& options, const NBestOutput& output,
                      const CommonOptions& common);

// Says on standard error how many sentences got a flat tree because nothing else was found.
void report_fallbacks(std::size_t fallbacks, const CommonOptions& common);

}  // namespace copse
