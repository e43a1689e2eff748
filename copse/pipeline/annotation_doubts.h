// Where a parser that has not seen a sentence is sure that its annotation is another: heads and
// relations that are likely to be mistakes.
//
// The sentences are cut into folds; a parser of the first order learns from the others and gives the
// probability of every arc of the fold. A word is doubtful by
//   P(best head) - P(annotated head)      if the two differ
//   P(best relation | arc)                if the head is right and the relation is another
// Punctuation counts like anything else. With a model that is given nothing is learnt.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "copse/pipeline/sentence_models.h"
#include "copse/treebank/sentence.h"

namespace copse {

struct AnnotationDoubt {
  std::size_t sentence = 0;  // its number from 0
  int word = 0;
  double doubt = 0;              // 0..1
  int head = 0;                  // that the parser would have chosen
  std::string relation;          // likewise; empty if it knows none
  double probability_here = 0;   // of the annotated head
  double probability_there = 0;  // of the parser's, or of its relation
};

struct DoubtOptions {
  int folds = 4;
  int passes = 6;  // of the parsers over the other folds
  int threads = 1;
  std::function<void(const std::string&)> step = {};
};

// By sentence and word; one for each word that the parser would annotate in another way. Sentences
// whose heads are no tree are passed over.
std::vector<AnnotationDoubt> doubts_of(const SentenceParser& parser,
                                       std::span<const Sentence> sentences, int threads);
std::vector<AnnotationDoubt> cross_validated_doubts(std::span<const Sentence> sentences,
                                                    const DoubtOptions& options);

}  // namespace copse
