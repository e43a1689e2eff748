// Why a parser chose an arc, as data: what speaks for the best tree against the best tree in which a
// word hangs elsewhere.
//
// A score is a sum over parts, and that of a part a sum over features. Parts that both trees have
// cancel out; what is left of both, taken apart into features, adds up to the difference of the two
// scores:
//
//   score(best) - score(other) = sum of part scores only in best - sum of part scores only in other
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "copse/inference/part.h"

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
  std::string name;                        // "sib(saw,dog,-)", with the forms of the words
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

// "sib(saw,dog,-)"; `word` gives the text of a position.
std::string part_text(const Part& part, const std::function<std::string(int)>& word);
// "-" for nobody, "root", or the form of a word.
std::string word_text(int position, const std::function<std::string_view(int)>& form);

// Throws usage_error when there is no such word, or no such head for it, or it has that head in the
// best tree already.
void check_question(const std::vector<int>& best_heads, int word, std::optional<int> head);

}  // namespace copse
