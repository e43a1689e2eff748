// What the commands that run phrase-structure parsers share: options of the search.
#pragma once

#include <string>

#include "copse/cli/command.h"
#include "copse/cli/options.h"
#include "copse/constituency/phrase_parser.h"

namespace copse {

// What is asked of a parser and how it searches.
struct PhraseRunOptions {
  PhraseQuestion question = {};
  PhraseSearch search = {};
  bool use_tags = false;
  std::string beam_rule = "fixed";  // of the incremental parser, until take_limits() reads it
  bool demands = false;             // those of the input are to be met

  void declare_options(CLI::App& app);
  // --max-words, if it was given, is a limit of the search: longer sentences get a flat tree. What is
  // left is for the reading, which then refuses none of them.
  CommonOptions take_limits(const CommonOptions& common);
  // What is asked for a sentence. Throws data_error for demands that cannot be met.
  PhraseQuestion question_for(const Entry& entry) const;
};

// Sentences take milliseconds each, so that threads get work in small blocks.
inline constexpr std::size_t kParseBlockBytes = std::size_t{1} << 13;

}  // namespace copse
