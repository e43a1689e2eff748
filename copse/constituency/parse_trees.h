// The words of many trees parsed by several threads, as n-best lists in the order of the trees.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "copse/constituency/phrase_parser.h"
#include "copse/treebank/format.h"

namespace copse {

struct ParseTreesOptions {
  PhraseQuestion question;
  bool use_tags = false;       // those of the trees, instead of choosing them
  int threads = 0;             // 0: every core; the result does not depend on it
  bool show_progress = false;  // on standard error, if that is a terminal
};

// `take` is called in order, from one thread at a time. The list's id is the number of the tree
// from 1.
using TakeList = std::function<void(NBestList&& list, bool fallback, const Entry& entry)>;
void parse_trees(const PhraseParser& parser, std::span<const Entry> entries,
                 const ParseTreesOptions& options, const std::string& title, const TakeList& take);

}  // namespace copse
