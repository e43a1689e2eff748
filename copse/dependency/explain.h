// Why the dependency parser chose an arc (explanation.h). The other tree comes from the same search
// with the arc forbidden. Where the pruner left the word nothing else, arcs are added until there is
// another tree; the explanation says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "copse/dependency/explanation.h"
#include "copse/dependency/feature_text.h"
#include "copse/dependency/parser.h"

namespace copse {

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
  ExplainedTree explained(const ArcTree& tree) const;
  std::vector<ExplainedPart> parts_of(const std::vector<int>& heads,
                                      const std::vector<int>& labels) const;
  void weigh(ExplainedPart& part) const;
  void name_features(ExplainedPart& part) const;
  template <class Visit>
  void for_each_weight(const ExplainedPart& part, Visit&& visit) const;

  const DependencyParser& parser_;
  const Sentence& sentence_;
  DependencyParser::Scratch scratch_;
  TreeKind kind_;
  std::string degraded_;
  std::optional<Space> space_;
  ExplainedTree best_;
};

}  // namespace copse
