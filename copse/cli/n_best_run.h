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
  std::string form_name;  // empty: by the ending of the path

  // "text" or "binary"; a path that ends in .nbl is binary.
  NBestForm form() const;
};

// Lists are numbered from 1 unless the input has ids.
ExitCode write_n_best(const PhraseParser& parser, const TreebankInput& input,
                      const PhraseRunOptions& options, const NBestOutput& output,
                      const CommonOptions& common);

// Says on standard error how many sentences got a flat tree because nothing else was found.
void report_fallbacks(std::size_t fallbacks, const CommonOptions& common);

}  // namespace copse
