// The generative companion model (Roark 2001; Collins & Roark 2004, section 4.4): the probability of a
// tree and its words is the product over everything that is built,
//
//   P(t, x) = prod over phrases, tags and ends P(label | context)  prod over words P(word | context)
//
// Contexts are lines of tables that grow by one atom each (templates/companion_*.templates), and
// probabilities are interpolated from the shortest to the longest:
//
//   P_m(y | c_m) = l ML(y | c_m) + (1 - l) P_(m-1)(y | c_(m-1)),   l = n(c_m) / (n(c_m) + a u(c_m))
//
// with n how often and u with how many outcomes a context was seen; below the shortest stands the
// uniform distribution. A rare word is generated as what it looks like (Lexicon::form), and then as
// itself by its share of the words that look so.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "copse/base/huge_pages.h"
#include "copse/constituency/incremental/features.h"
#include "copse/constituency/spinal/lexicon.h"
#include "copse/model/frozen_weights.h"
#include "copse/model/model_file.h"

namespace copse::incremental {

struct CompanionOptions {
  double node_diversity = 2;  // a, for phrases, tags and ends
  double word_diversity = 2;  // for words
};

// A tree to count.
struct CountedTree {
  std::span<const ParserWord> words;
  std::span<const Move> moves;
};

class Companion {
 public:
  // Of trees whose labels and chains the grammar has.
  static Companion count(std::span<const CountedTree> trees, const Grammar& grammar,
                         const HeadRules& heads, const spinal::Lexicon& lexicon,
                         const CompanionOptions& options);

  // As sections under a prefix.
  void save(ModelWriter& writer, const std::string& prefix) const;
  // Throws data_error for sections that do not fit the grammar.
  static Companion load(const ModelFile& file, const std::string& prefix, const Grammar& grammar,
                        const spinal::Lexicon& lexicon);

  const CompanionOptions& options() const { return options_; }
  // What node() sees of a context.
  const TemplateGroup& node_group() const { return contexts_.all_node_lines(); }
  // P(label | context) for all labels. `keys` is scratch.
  void node(const NodeContext& context, const SentenceWords& words, int position,
            Features::Keys& keys, std::span<float> out) const;
  // ln P(what the word looks like | context).
  double word(const WordContext& context, const SentenceWords& words, int position,
              Features::Keys& keys) const;
  // ln P(the word | what it looks like): the same for all trees of a sentence.
  double spelling(std::string_view word, const spinal::Lexicon& lexicon) const;

 private:
  Companion(const CompanionOptions& options, const TemplateTexts& texts, std::string nodes,
            std::string words, const Grammar& grammar, const spinal::Lexicon& lexicon,
            const std::string& file);
  void count_spellings(const spinal::Lexicon& lexicon);

  CompanionOptions options_;
  Features contexts_;
  std::string node_bytes_, word_bytes_;  // as saved
  HugePageCopy node_table_, word_table_;
  FrozenWeights nodes_;  // context -> how often with each label
  FrozenWeights words_;  // context -> kAll and kKinds; context and word -> kAll
  double classes_ = 1;   // of words, for the uniform distribution
  double kinds_ = 1;     // of words
  struct Shape {
    double words = 0, kinds = 0;
  };
  std::unordered_map<std::string, Shape> shapes_;
};

}  // namespace copse::incremental
