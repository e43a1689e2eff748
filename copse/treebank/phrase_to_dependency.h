// Dependencies from phrase-structure trees with a head table.
//
//   lexhead(leaf) = leaf;  lexhead(n) = lexhead(head child of n)
//   every other child c of n:  head[lexhead(c)] = lexhead(n), label LAB(n, c)
//   head[lexhead(root)] = 0, label ROOT
//
// LAB is the first rule that fits, on base labels; F are the function tags of c. The twelve labels
// are those of Penn2Malt; the order of the rules is a reconstruction.
//
//   P     c is a punctuation leaf                NMOD  n in NP NX NAC NML WHNP
//   SUB   SBJ in F                               AMOD  n in ADJP ADVP QP WHADJP WHADVP CONJP PRT
//   PRD   PRD in F                               PMOD  n in PP WHPP
//   OBJ   n = VP, c = NP, F without adverbials   DEP   otherwise
//   VC    n = VP, c = VP                         ROOT  of the whole tree
//   SBAR  n = SBAR, c = S
//   VMOD  n in VP S SQ SINV SBAR SBARQ
//
// Traces are removed first; function tags are needed, so convert before cleaning. The result is
// a projective tree with one root.
#pragma once

#include "copse/treebank/dependency_tree.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_tree.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Over the words that are not traces. Without `labelled` every label is "_".
DependencyTree dependencies_from_tree(const PhraseTree& tree, const HeadRules& rules,
                                      bool labelled = true);

struct ConversionOptions {
  bool labelled = true;
  bool provenance = true;  // a comment line "# head_rules = NAME HASH"
  Dialect dialect = Dialect::conllu;
};

// Words, tags and dependencies of the tree.
Sentence dependency_sentence_from_tree(const PhraseTree& tree, const HeadRules& rules,
                                       const ConversionOptions& options = {});

}  // namespace copse
