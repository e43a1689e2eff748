// A treebank made ready for the generative parser, with a report of what could not be used.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/generative/preparation.h"
#include "copse/treebank/format.h"

namespace copse::generative {

struct PreparationReport {
  std::size_t sentences = 0;
  std::size_t words = 0;
  std::map<std::string, std::size_t> left_out;  // trees, by reason
  std::map<std::string, std::size_t> no_rule;   // phrases, by label that the head table lacks
  std::size_t base_noun_phrases = 0;
  std::size_t complements = 0;
  std::size_t deleted_tokens = 0;  // punctuation the model does not see

  // A few lines for people.
  std::string str() const;
};

// The trees of all entries that can be prepared, in order. Entries without a tree are left out
// with a reason, too.
std::vector<PreparedTree> prepare_treebank(std::span<const Entry> entries, const HeadRules& heads,
                                           const PreparationOptions& options,
                                           PreparationReport& report);

}  // namespace copse::generative
