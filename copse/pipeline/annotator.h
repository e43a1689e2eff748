// A sentence in, the annotated sentence out: tags by a tagger if there is one, then heads and
// labels by a dependency parser. What the command line, a server and a program hold.
//
// Immutable: shared by threads, each with a scratch of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "copse/dependency/annotate.h"
#include "copse/dependency/explain.h"
#include "copse/dependency/parser.h"
#include "copse/tag/tagger.h"
#include "copse/treebank/sentence.h"

namespace copse {

struct AnnotationOptions {
  DependencyParseOptions parse;  // of its k: see n_best
  // Trees per sentence, best first, each with its rank and score in comments; 0: the best alone,
  // without them.
  int n_best = 0;
  TreeColumns columns;
};

struct Annotated {
  std::vector<Sentence> sentences;
  // What the search had to give up for lack of room, also a comment "degraded" of the sentences;
  // else empty.
  std::string degraded;
  // As in Parse.
  std::optional<DualCertificate> certificate = {};
  double search_seconds = 0;
};

class Annotator {
 public:
  // Scratch memory of one thread.
  struct Scratch {
    TagScratch tagger;
    DependencyParser::Scratch parser;
  };

  explicit Annotator(DependencyParser parser, std::optional<Tagger> tagger = std::nullopt)
      : parser_(std::move(parser)), tagger_(std::move(tagger)) {}
  // Model files; an empty name: no tagger.
  static Annotator load(const std::string& parser, const std::string& tagger = "");

  const DependencyParser& parser() const { return parser_; }
  DependencyParser& parser() { return parser_; }
  const std::optional<Tagger>& tagger() const { return tagger_; }

  // Throws data_error where the parser refuses the sentence, usage_error for options that do not go
  // together.
  Annotated annotate(const Sentence& sentence, const AnnotationOptions& options,
                     Scratch& scratch) const;
  // The sentence with its tags, as the parser sees it.
  Sentence tagged(const Sentence& sentence, Scratch& scratch) const;
  // Why its arcs were chosen; all words, or one of them against the best other head or `head`.
  // Throws as ArcExplainer does. `degraded` as in Annotated.
  std::vector<ArcExplanation> explain(const Sentence& tagged, std::optional<int> word,
                                      std::optional<int> head, std::string& degraded) const;

 private:
  DependencyParser parser_;
  std::optional<Tagger> tagger_;
};

}  // namespace copse
