// What the spinal parser learns from: trees as derivations.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "copse/constituency/spinal/derivation.h"
#include "copse/tag/perceptron_tagger.h"
#include "copse/treebank/format.h"

namespace copse::spinal {

struct Example {
  std::vector<std::string> words, tags;  // tags: of the tree
  Derivation derivation;
};

// Of every tree with words, in their order.
std::vector<Example> read_examples(std::span<const std::span<const Entry>> runs,
                                   const HeadRules& heads, Levels levels, Symbols& labels);

// Their words and tags, for taggers.
std::vector<TagExample> tag_examples(std::span<const Example> examples);

}  // namespace copse::spinal
