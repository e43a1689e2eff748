// What the commands that run the generative parser share: its options, and sentences as it wants
// them.
#pragma once

#include <string>
#include <vector>

#include "copse/cli/options.h"
#include "copse/constituency/generative/parser.h"
#include "copse/treebank/format.h"

namespace copse {

struct GenerativeOptions {
  ParseOptions parse;
  bool use_tags = false;

  void declare_options(CLI::App& app);
};

struct SentenceToParse {
  std::string id;  // "# sent_id" of CoNLL-U, else empty
  std::vector<std::string> words;
  std::vector<std::string> tags;  // empty unless the tags of the input are to be used
};

// Words of the columns, or of the tree when there are none, traces left out. A word that the
// model knows only in its treebank spelling ("-LRB-" for "(") gets that spelling.
SentenceToParse sentence_to_parse(const Entry& entry, bool use_tags, const Lexicon& lexicon);

// Sentences take milliseconds each, so that threads get work in small blocks.
inline constexpr std::size_t kParseBlockBytes = std::size_t{1} << 13;

}  // namespace copse
