// Why the parser chose an arc: what speaks for the best tree against the best tree in which the
// word hangs elsewhere.
//
// A score is a sum over parts, and that of a part a sum over features. Parts that both trees have
// cancel out; what is left of both, taken apart into features, adds up to the difference of the two
// scores:
//
//   score(best) - score(other) = sum of part scores only in best - sum of part scores only in other
//
// The other tree comes from the same search with the arc forbidden. Where the pruner left the word
// nothing else, arcs are added until there is another tree; the explanation says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "copse/dependency/feature_text.h"
#include "copse/dependency/parser.h"

namespace copse {

struct ExplainedFeature {
  std::string name;    // section and template: "dep words"
  std::string values;  // "h.w=saw m.w=dog dir=right"
  double weight = 0;
};

// A part, or the label of an arc.
struct ExplainedPart {
  static constexpr int kNoLabel = -1;

  Part part;  // of a label: dep(h,m)
  int label = kNoLabel;
  bool chosen = true;                      // in the best tree; else in the other one
  double score = 0;                        // the sum of the weights
  std::vector<ExplainedFeature> features;  // with a weight
};

struct ExplainedTree {
  std::vector<int> heads;   // [0] unused
  std::vector<int> labels;  // [0] unused; empty if the parser knows none
  double score = 0;         // the sum of the weights of all its features
};

// Where the other tree was found.
enum class OtherTree {
  survived,  // among the arcs that survived the pruner
  filtered,  // among those and the heads that the length filter lets the word have
  added,     // with any head for the word, and neighbours for the others
  nowhere,   // there is none: a single word hangs on the root
};

struct ArcExplanation {
  int word = 0;
  OtherTree where = OtherTree::survived;
  ExplainedTree best, other;         // other: empty if there is none
  std::vector<ExplainedPart> parts;  // that one of the trees has: those of the best one first

  int head() const { return best.heads[static_cast<std::size_t>(word)]; }
  int other_head() const { return other.heads[static_cast<std::size_t>(word)]; }
  double difference() const;  // the sum over parts; never below 0 but for rounding
};

// What features of all parts add up to, for and against.
struct FeatureShare {
  std::string values;
  double chosen = 0, other = 0;
  double difference() const { return chosen - other; }
};
struct TemplateShare {
  std::string name;
  double chosen = 0, other = 0;
  std::vector<FeatureShare> features;  // the largest differences first
  double difference() const { return chosen - other; }
};
// The largest differences first, then by name; features on both sides alike are left out.
std::vector<TemplateShare> shares_by_template(const ArcExplanation& explanation);

// One sentence, taken through the steps of DependencyParser::parse.
class ArcExplainer {
 public:
  // Parser and sentence must outlive it. Of the options the limits are looked at. Throws data_error
  // as parse() does.
  ArcExplainer(const DependencyParser& parser, const Sentence& sentence,
               const DependencyParseOptions& options);

  const ExplainedTree& best() const { return best_; }
  const std::string& degraded() const { return degraded_; }  // what the search gave up; or empty

  // `head`: the head to compare with; the best other one if not given. Throws usage_error when
  // there is no such word, or the head is the one that was chosen; data_error when no tree has it.
  ArcExplanation explain(int word, std::optional<int> head = std::nullopt);

 private:
  // Parts and scores under a mask.
  struct Space {
    ArcMask mask;
    PartIndex index;
    PartScores scores;
  };
  struct Candidate {
    OtherTree where = OtherTree::nowhere;
    ArcTree tree;
  };

  Space space_of(ArcMask mask);
  std::optional<ArcTree> search(Space& space, int word, std::optional<int> head);
  Candidate find_other(int word, std::optional<int> head);
  void check(int word, std::optional<int> head) const;
  ExplainedTree explained(const ArcTree& tree) const;
  std::vector<ExplainedPart> parts_of(const std::vector<int>& heads,
                                      const std::vector<int>& labels) const;
  void weigh(ExplainedPart& part) const;
  void name_features(ExplainedPart& part) const;
  template <class Visit>
  void for_each_weight(const ExplainedPart& part, Visit&& visit) const;

  const DependencyParser& parser_;
  DependencyParser::Scratch scratch_;
  TreeKind kind_;
  std::string degraded_;
  std::optional<Space> space_;
  ExplainedTree best_;
};

}  // namespace copse
