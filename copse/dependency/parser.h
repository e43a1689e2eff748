// The dependency parser in use: a sentence in, a tree out, or several, or probabilities.
//
//   columns -> atoms -> arcs that have a chance (arc_pruner.h) -> scores of their parts
//   (part_scorer.h) -> search (inference/tree_search.h) -> heads and labels
//
// Immutable: shared by threads, each with a scratch of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "copse/base/stop.h"
#include "copse/cluster/word_clusters.h"
#include "copse/dependency/arc_pruner.h"
#include "copse/dependency/calibration.h"
#include "copse/dependency/parser_demands.h"
#include "copse/dependency/parser_words.h"
#include "copse/dependency/part_scorer.h"
#include "copse/inference/search_plan.h"
#include "copse/inference/tree_search.h"
#include "copse/model/model_file.h"
#include "copse/treebank/pseudo_projective.h"
#include "copse/treebank/sentence.h"

namespace copse {

inline constexpr std::string_view kDependencyKind = "dependency";

struct DependencyParseOptions {
  int k = 1;               // how many trees
  bool marginals = false;  // probabilities of arcs and trees
  bool mbr = false;        // the tree with the least expected error instead of the best
  // Heads and labels that the sentence has are kept, and its other demands (tree_demands.h) met.
  bool constraints = false;
  int most_words = 20'000;  // longer sentences are refused
  SearchLimits limits = {};
  DualOptions dual = {};  // non-projective trees of higher order
  Stop stop = {};         // asked between and inside the steps of the work; throws Stopped
};

struct ArcProbability {
  int head = 0, word = 0;
  double probability = 0;
};

struct ParsedTree {
  std::vector<int> heads;   // [0] unused
  std::vector<int> labels;  // [0] unused; empty if the parser knows none
  double score = 0;
  double probability = 0;  // with marginals; of the tree with its labels, see tree_probabilities()
  // With marginals: of each word's arc, and of the arc with its label; [0] unused.
  std::vector<double> arc_probability, label_probability;
};

struct Parse {
  std::vector<ParsedTree> trees;  // best first
  // With marginals: of all arcs that were looked at, by word, most probable first.
  std::vector<ArcProbability> arcs;
  // How sure it is that there is no better tree: of non-projective trees of higher order only.
  std::optional<DualCertificate> certificate;
  double search_seconds = 0;  // of which the search took
  // What the search had to give up for lack of room or time: a lower order, fewer or nearer heads;
  // or the sentence was parsed in pieces (long_sentences.cc). Empty if nothing.
  std::string degraded;
};

// What is searched for a sentence: the arcs that may be used and the parts made of them.
struct SearchSpace {
  TreeKind kind;
  ArcMask mask;
  PartIndex index;
  std::string degraded;  // as in Parse
};

class DependencyParser {
 public:
  struct Parts {
    TreeKind kind;
    TagScheme scheme;
    LexicalLimit limit;
    std::vector<std::string> labels;
    KeyScheme keys = KeyScheme::chained;  // of the features of scorer and pruner
    bool lifted = false;  // labels carry marks of the pseudo-projective transformation
    // For probabilities: all scores are divided by the first for those of trees, whatever their
    // labels; those of the labels of an arc by the second for P(label | arc).
    double temperature = 1, label_temperature = 1;
    // For those of whole trees both are multiplied by this: words of a sentence are right or wrong
    // together more often than their own probabilities say.
    double tree_temperature = 1;
    TreeOdds tree_odds;  // what is then made of the probability of the best tree
    std::shared_ptr<const WordClusters> clusters;
    ArcPruner pruner;
    PartScorer scorer;
    std::shared_ptr<const void> owner;  // of the bytes that the weights look at
  };
  // Scratch memory of one thread.
  struct Scratch {
    ParserWords words;
    PositionAtoms atoms;
    ArcPruner::Scratch pruner;
    PartScorer::Scratch scorer;
    PartScores scores;
    TreeSearch search;
  };

  explicit DependencyParser(Parts parts) : parts_(std::move(parts)) {}
  static DependencyParser load(const ModelFile& file);

  const Parts& parts() const { return parts_; }
  const std::vector<std::string>& labels() const { return parts_.labels; }
  // Throws usage_error if the model has no pruner, unless the threshold is 0.
  void set_prune_threshold(double threshold);
  // Searches such trees from now on, whichever it was trained for: its weights are those of parts,
  // which both kinds have. Temperatures stay as they are. Throws usage_error for lifted trees, and
  // where there is no search for non-projective trees of this order.
  void search_projective(bool projective);

  // Throws data_error: too long, constraints that contradict each other.
  Parse parse(const Sentence& sentence, const DependencyParseOptions& options,
              Scratch& scratch) const;

  // The first steps of parse(), for a sentence with words; leaves the words and atoms in the
  // scratch. Throws as parse() does.
  SearchSpace search_space(const Sentence& sentence, const DependencyParseOptions& options,
                           Scratch& scratch) const;
  // The scores of its parts, for the atoms in the scratch.
  void score(const PartIndex& index, Scratch& scratch, PartScores& scores) const {
    parts_.scorer.score(index, scratch.atoms, scratch.scorer, scores);
  }

  // Heads and labels of one of the trees, marks of lifted arcs undone.
  DependencyTree tree_of(const ParsedTree& parsed) const;

 private:
  std::optional<ParserDemands> demands_of(const Sentence& sentence,
                                          const DependencyParseOptions& options) const;
  Parse parse_under(const ParserDemands* demands, const ArcMask* mask,
                    const DependencyParseOptions& options, Scratch& scratch) const;
  Parse parse_with_spans(const ParserDemands& demands, const DependencyParseOptions& options,
                         Scratch& scratch) const;
  std::optional<Parse> solve(const ParserDemands& demands, const ArcMask& mask,
                             const DependencyParseOptions& options, Scratch& scratch) const;
  static bool has_forbidden_phrases(const std::vector<SpanDemand>& spans);
  void read(const Sentence& sentence, const DependencyParseOptions& options,
            Scratch& scratch) const;
  SearchSpace space_of(std::span<const ParserWord> words, const ArcMask* demanded,
                       const SearchLimits& limits, Scratch& scratch) const;
  bool needs_pieces(int words, const SearchLimits& limits) const;
  Parse parse_in_pieces(const DependencyParseOptions& options, Scratch& scratch) const;
  void join_piece(ParsedTree piece, int begin, int top, ParsedTree& out) const;
  void add_trees(const SearchSpace& space, Scratch& scratch, const DependencyParseOptions& options,
                 Parse& parse) const;
  void add_probabilities(const SearchSpace& space, Scratch& scratch,
                         const DependencyParseOptions& options, Parse& parse) const;
  void add_word_probabilities(const PartIndex& index, const PartScores& scores,
                              const Marginals& found, ParsedTree& tree) const;

  Parts parts_;
};

// All scores divided by a temperature.
void divide_scores(const PartIndex& index, double temperature, PartScores& scores);
// ln of P(tree) P(labels | tree), by scores that have been divided by the temperature of the parts;
// those of the labels are divided by `warmth` once more.
double log_tree_probability(const PartIndex& index, const PartScores& scores, double log_z,
                            const ParsedTree& tree, double warmth);
// Of a label among those of its arc, by their scores divided by a temperature.
double log_label_probability(std::span<const float> row, int label, double temperature);

// Sections and config of the model file; weights already frozen.
struct FrozenParserWeights {
  std::string parts, labels, pruner;
};
struct ParserTemplates {
  std::string parts, pruner;  // as text
};
void save_parser(const DependencyParser::Parts& parts, const ParserTemplates& templates,
                 const FrozenParserWeights& weights, ModelWriter& writer);
nlohmann::json parser_config(const DependencyParser::Parts& parts);

Factorisation parse_order(const std::string& name);  // throws usage_error

// Throws usage_error for kinds of trees that have no search.
void require_search(const TreeKind& kind);

}  // namespace copse
