// Treebanks sampled from a grammar, as large as wanted: words, tags, features, a dependency tree
// and a phrase-structure tree for each sentence. For property tests, benchmarks and curves.
#pragma once

#include <cstdint>

#include "copse/treebank/format.h"
#include "copse/treebank/grammar.h"

namespace copse {

struct SamplerOptions {
  std::uint64_t seed = 1;
  int max_words = 100;  // longer sentences are drawn again
};

// Sentence `number` of the treebank with this seed. A function of its arguments alone, so that
// any part of a treebank can be made by any thread. Throws data_error if a thousand draws all
// exceed max_words: the grammar then grows without end.
Entry sample_sentence(const Grammar& grammar, const SamplerOptions& options, std::uint64_t number);

}  // namespace copse
