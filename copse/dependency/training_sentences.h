// A treebank made ready for learning: its columns as the parser will see them, its trees as the
// search can find them (one root, projective), its labels as numbers.
#pragma once

#include <span>
#include <vector>

#include "copse/dependency/parser.h"
#include "copse/dependency/parser_words.h"
#include "copse/treebank/dependency_tree.h"

namespace copse {

// The words are views into the Sentence, which must outlive this.
struct TrainingSentence {
  ParserWords words;
  DependencyTree gold;      // as annotated
  std::vector<int> heads;   // what the search can find; empty if nothing is learnt from it
  std::vector<int> labels;  // likewise, as numbers; empty if unlabelled
};

// Sentences without words, or with more than `longest`, are passed over. Kind, tag scheme, lexical limit and lifting as the parts
// say; with `labelled` the labels of the trees become theirs, in the order of their bytes.
std::vector<TrainingSentence> sentences_to_learn(std::span<const Sentence> sentences, bool labelled,
                                                 int longest, DependencyParser::Parts& parts);
// Only to measure on.
std::vector<TrainingSentence> sentences_to_judge(std::span<const Sentence> sentences, int longest,
                                                 const DependencyParser::Parts& parts);

}  // namespace copse
