// The generative parser: words in, the k most probable trees out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/constituency/generative/coarse_chart.h"
#include "copse/constituency/generative/coarse_grammar.h"
#include "copse/constituency/generative/lexical_chart.h"
#include "copse/constituency/generative/model.h"
#include "copse/constituency/generative/root_model.h"
#include "copse/constituency/generative/sentence_tagger.h"
#include "copse/constituency/phrase_parser.h"
#include "copse/treebank/n_best_list.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::generative {

struct ParseOptions : PhraseQuestion, SearchOptions {};

// Memory of one thread.
struct ParserWorkspace {
  CoarseChart coarse;
  LexicalChart chart;
  TagScratch tags;
};

class GenerativeParser {
 public:
  static constexpr double kFallbackLogProbability = -1e4;

  GenerativeParser(GenerativeModel model, CoarseGrammar coarse, RootModel roots,
                   std::optional<SentenceTagger> tagger, SpanModel spans)
      : model_(std::move(model)),
        coarse_(std::move(coarse)),
        roots_(std::move(roots)),
        tagger_(std::move(tagger)),
        spans_(std::move(spans)) {}
  static GenerativeParser train(const std::vector<PreparedTree>& trees,
                                const ModelOptions& options = {});

  const GenerativeModel& model() const { return model_; }

  // Scores of trees are more sure of themselves than they should be: several models speak of the same
  // words. Probabilities of brackets, and those of tags, are those of trees with exp(score * sharpness),
  // factors fitted on other trees (calibration.h).
  struct Sharpness {
    double brackets = 1, tags = 1;
  };
  const Sharpness& sharpness() const { return sharpness_; }
  void set_sharpness(const Sharpness& value) { sharpness_ = value; }

  // Thread-safe with a workspace per thread.
  PhraseAnswer parse(const WordsToParse& sentence, const ParseOptions& options,
                     ParserWorkspace& workspace) const;

  struct Beliefs {
    std::vector<Bracket> brackets, tags;
  };
  // Of a sentence at several sharpnesses, from one search; empty if it found no tree.
  std::vector<Beliefs> beliefs_at(const WordsToParse& sentence, const SearchOptions& options,
                                  std::span<const double> sharpness,
                                  ParserWorkspace& workspace) const;

 private:
  friend class ParserFile;
  struct Task;
  // With limits so many times wider than asked.
  bool search(Task& task, double wider, ParserWorkspace& workspace) const;
  void list_trees(Task& task, ParserWorkspace& workspace) const;
  void weigh_brackets(Task& task, double sharpness, ParserWorkspace& workspace) const;
  void weigh_tags(Task& task, double sharpness, const ParserWorkspace& workspace) const;
  void read_words(Task& task, TagScratch& scratch) const;
  PhraseTree flat_tree(const Task& task) const;

  GenerativeModel model_;
  CoarseGrammar coarse_;
  RootModel roots_;
  std::optional<SentenceTagger> tagger_;
  SpanModel spans_;
  Sharpness sharpness_;
};

}  // namespace copse::generative
