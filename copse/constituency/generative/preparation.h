// Treebank trees as the generative model sees them, and back.
//
// The steps of Collins (1999, ch. 7) and Bikel (2004), in this order:
//   subjectless   S with a VP head and a subject that is only a trace becomes SG
//   traces        removed, and the phrases over nothing else; X over X collapsed
//   terminators   leaves tagged `` '' . are deleted
//   base NPs      an NP without NP children (possessive ones apart) becomes NPB; an NP is put over
//                 it unless it heads an NP that is no coordination
//   NPB repair    a clause at the end of an NPB becomes its right sister
//   punctuation   leaves tagged , : move up until they stand between sisters; those at the edge of
//                 the sentence are deleted
//   complements   get the suffix -A; an SG with a complement before its head is S again
// Labels of the result are base labels, NPB, SG, and complements with -A.
//
// restore() undoes it: deleted tokens come back as high as possible. On trees whose punctuation is
// left out of account it is exact, but for the NP level that NPB repair adds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::generative {

inline constexpr std::string_view kBaseNounPhrase = "NPB";
inline constexpr std::string_view kSubjectless = "SG";

struct PreparationOptions {
  bool npb_repair = true;
};

struct PreparedTree {
  PhraseTree tree;               // without outer bracket
  std::vector<int> head_child;   // of each node; the node itself for leaves
  std::vector<bool> complement;  // of each node; labels do not show it
  std::vector<int> tokens;  // of each leaf of `tree`: its number among the words of the sentence
  std::vector<std::string> words, tags;  // of the whole sentence, deleted tokens included
};

// Which tokens the model never sees.
bool is_terminator_tag(std::string_view tag);  // `` '' .
bool is_raised_tag(std::string_view tag);      // , :
// Clauses and conjunctions as the steps need them.
bool is_conjunction_label(std::string_view label);  // CC CONJP

// Throws data_error for a tree that cannot be prepared: no words left, or several trees in one
// outer bracket.
PreparedTree prepare(const PhraseTree& tree, const HeadRules& heads,
                     const PreparationOptions& options = {});

// The tree with labels as in the treebank under an outer TOP. `tree` has prepared labels (with or
// without -A) and `tokens` tells the number of each of its leaves in the sentence `words`; the
// missing tokens are put back with their `tags`. A node that covers both neighbours of a missing
// token takes it; at the edges of the sentence the phrase below TOP does.
std::string_view treebank_label(std::string_view label);  // NPB is NP, SG is S, no -A

PhraseTree restore(const PhraseTree& tree, const std::vector<int>& tokens,
                   const std::vector<std::string>& words, const std::vector<std::string>& tags);

}  // namespace copse::generative
