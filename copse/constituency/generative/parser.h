// The generative parser: words in, the k most probable trees out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/constituency/generative/coarse_chart.h"
#include "copse/constituency/generative/coarse_grammar.h"
#include "copse/constituency/generative/lexical_chart.h"
#include "copse/constituency/generative/model.h"
#include "copse/treebank/n_best_list.h"
#include "copse/treebank/phrase_tree.h"

namespace copse {

struct ParseOptions {
  int k = 1;          // distinct trees, best first
  double within = 0;  // > 1: only trees at most this many times less probable than the best
  double beam = 1e4;  // of the lexicalised chart
  double coarse_threshold = 3e-4;  // items with a smaller share of the coarse forest are left out
  int max_length = 250;            // longer sentences get the fallback
  std::size_t max_edges = 20'000'000;  // of the chart; a sentence that needs more gets the fallback
  bool sum_duplicates = false;         // derivations of one tree add up
  bool brackets = false;               // also the probabilities of brackets
  // The tree with the most expected brackets instead of the most probable one, for k = 1.
  bool expected_brackets = false;
  double bracket_cost = 0.5;  // what a bracket must be worth to be put into that tree
};

// A bracket of the output and its expected number in a tree of the sentence: its probability,
// unless a phrase stands over another of the same label and span.
struct Bracket {
  std::string_view label;  // of the treebank
  int begin = 0, end = 0;  // words, deleted ones included
  double probability = 0;
};

struct NBest {
  std::vector<ScoredTree> trees;  // distinct, best first; never empty for a sentence with words
  bool fallback = false;          // one flat tree, because the model found none
  std::vector<Bracket> brackets;  // if asked for: by begin, then larger first, then label
};

// Memory of one thread.
struct ParserWorkspace {
  CoarseChart coarse;
  LexicalChart chart;
};

class GenerativeParser {
 public:
  static constexpr double kFallbackLogProbability = -1e4;

  GenerativeParser(GenerativeModel model, CoarseGrammar coarse)
      : model_(std::move(model)), coarse_(std::move(coarse)) {}
  static GenerativeParser train(const std::vector<PreparedTree>& trees,
                                const ModelOptions& options = {});

  const GenerativeModel& model() const { return model_; }

  // `tags`: empty, or for each word its tag or "" for "not known". A tag that the model has never
  // seen is taken for not known. Thread-safe with a workspace per thread.
  NBest parse(const std::vector<std::string>& words, const std::vector<std::string>& tags,
              const ParseOptions& options, ParserWorkspace& workspace) const;

 private:
  friend class ParserFile;
  struct Task;
  bool search(Task& task, double beam, double threshold, ParserWorkspace& workspace) const;
  void list_trees(Task& task, ParserWorkspace& workspace) const;
  void weigh_brackets(Task& task, ParserWorkspace& workspace) const;
  void read_words(Task& task) const;
  PhraseTree flat_tree(const Task& task) const;

  GenerativeModel model_;
  CoarseGrammar coarse_;
};

}  // namespace copse
