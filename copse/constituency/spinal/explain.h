// Why the spinal parser adjoined a word where it did (dependency/explanation.h): the best derivation
// against the best one in which the word is adjoined to another head, or otherwise to the same.
//
// The other derivation comes from the same search with that adjunction forbidden; where pruning left
// nothing else, from looser pruning, and at last with every adjunction of the word.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "copse/constituency/spinal/parser.h"
#include "copse/dependency/explanation.h"

namespace copse::spinal {

class AttachmentExplainer {
 public:
  // The parser must outlive it. Throws data_error for a sentence without words, and for one that has
  // no derivation within the limits.
  AttachmentExplainer(const SpinalParser& parser, const WordsToParse& sentence,
                      const SearchOptions& search);

  // `labels` of the trees are kinds of adjunction, whose texts these are.
  static std::vector<std::string> labels(const SpinalParser& parser);
  const ExplainedTree& best() const { return best_tree_; }
  const std::string& note() const { return note_; }  // what the search gave up; or empty

  // `head`: adjoined to this one; the best other adjunction if not given. Throws usage_error when
  // there is no such word, or the head is the one that was chosen; data_error when no derivation has
  // it.
  ArcExplanation explain(int word, std::optional<int> head = std::nullopt);

 private:
  struct Candidate {
    OtherTree where = OtherTree::nowhere;
    Analysis analysis;
  };

  std::optional<Analysis> search(const SpinalParts& parts, SpinalScores& scores, int word,
                                 std::optional<int> head);
  Candidate find_other(int word, std::optional<int> head);
  std::vector<SpinalArc> every_arc(int word) const;
  ExplainedTree explained(const Analysis& analysis) const;
  void add_parts(const std::vector<RolePart>& parts, bool chosen, ArcExplanation& out) const;
  ExplainedPart explained(const RolePart& part, bool chosen) const;
  std::string name_of(const RolePart& part) const;
  std::string phrase_text(const RolePart& edge) const;
  std::string joined_text(const RolePart& part, Label label) const;
  // visit(number, copy, member, label, weight), absent and zero weights left out.
  template <class Visit>
  void for_each_weight(const RolePart& part, Visit&& visit) const;

  const SpinalParser& parser_;
  SearchOptions options_;
  Workspace workspace_;
  PreparedSentence sentence_;
  Rung rung_ = Rung::flat;
  bool second_order_ = false;
  std::string note_;
  std::optional<SpinalParts> parts_;
  SpinalScores scores_;
  Analysis best_;
  ExplainedTree best_tree_;
};

}  // namespace copse::spinal
