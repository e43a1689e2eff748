// Explanations of arcs (explanation.h) as people and programs read them: lines, a page, JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "copse/dependency/explanation.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Of one sentence; it and the labels must outlive this.
class ExplanationViews {
 public:
  // `labels` by the numbers that explanations have.
  ExplanationViews(const std::vector<std::string>& labels, const Sentence& sentence)
      : labels_(labels), sentence_(sentence) {}

  // One line for each word:
  //   4 dog <- 2 saw (obj)  not 3 the     1.2345  dep words
  std::string lines(const std::vector<ArcExplanation>& words) const;
  // One arc with the parts that speak for it and against it, and the `top` weightiest templates.
  std::string page(const ArcExplanation& explained, std::size_t top) const;
  // Everything: {"word": .., "form": .., "best": {..}, "other": {..}, "parts": [..], ..}
  nlohmann::json json(const ArcExplanation& explained) const;

 private:
  std::string word(int position) const;
  std::string label(const ExplainedTree& tree, int m) const;
  std::string arc(int m, const ExplainedTree& tree) const;
  std::string rival(const ArcExplanation& explained) const;
  void add_moved_words(const ArcExplanation& explained, std::string& out) const;
  void add_parts(const ArcExplanation& explained, std::string& out) const;
  nlohmann::json tree_json(int m, const ExplainedTree& tree) const;
  nlohmann::json part_json(const ExplainedPart& part) const;

  const std::vector<std::string>& labels_;
  const Sentence& sentence_;
};

}  // namespace copse
