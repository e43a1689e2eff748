// What a parser found, written into the sentence.
#pragma once

#include "copse/dependency/parser.h"
#include "copse/treebank/sentence.h"

namespace copse {

struct TreeColumns {
  bool probabilities = false;  // of each arc and of it with its label, in MISC as Prob, LabelProb
  bool confidence = false;     // of the tree, in a comment
  bool certificate = false;    // how sure it is the best, in a comment, where the parser can say
};

// Heads and labels; a parser that knows no labels leaves them as they are. What the columns ask for
// must have been asked of the parse.
void write_tree(const DependencyParser& parser, const ParsedTree& tree, const TreeColumns& columns,
                Sentence& sentence);

void write_certificate(const DualCertificate& certificate, Sentence& sentence);

}  // namespace copse
