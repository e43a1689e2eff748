// The unlexicalised shadow of the model, which tells where the lexicalised chart need not look.
//
// Phrases grow from the head outwards as in the full model, but know only their label and the
// class of the last modifier:
//   P(expansion) = P(H | P) prod over sides, modifiers, STOP last:  P(M | P, side, previous class)
// Whatever the full model can generate has a positive probability here: modifiers are smoothed
// with P(M | P, side).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "copse/constituency/generative/events.h"
#include "copse/constituency/generative/labels.h"
#include "copse/constituency/generative/preparation.h"

namespace copse::generative {

class CoarseGrammar {
 public:
  static constexpr int kClasses = kPreviousClasses - 1;  // of modifiers that are there
  static constexpr int kLanes = 8;                       // rows of phrases are padded to this

  // A rule as the chart applies it: from a complete label to place `target`.
  struct Rule {
    std::uint32_t target;
    float probability;
  };

  CoarseGrammar() = default;
  CoarseGrammar(const std::vector<PreparedTree>& trees, const LabelSet& labels,
                const Lexicon& lexicon);

  int tags() const { return tags_; }
  int phrases() const { return phrases_; }
  int row() const { return row_; }  // phrases, padded

  // Rules by label (tags first, then phrases).
  //   openings: P begins with this head child, target = P
  const std::vector<Rule>& openings(std::size_t label) const { return openings_[label]; }
  //   modifiers: target = (previous * kClasses + class - 1) * row() + P
  const std::vector<Rule>& modifiers(Side side, std::size_t label) const {
    return modifiers_[static_cast<std::size_t>(side)][label];
  }
  //   one step of a chain: P over this label and nothing else
  const std::vector<Rule>& steps(std::size_t label) const { return steps_[label]; }
  static constexpr int kLongestChain = 4;  // steps over a phrase or over the first phrase of a tag

  // P(STOP | P, side, previous) as rows of phrases by previous class.
  const float* stops(Side side, Previous previous) const {
    return stops_[static_cast<std::size_t>(side)].data() +
           static_cast<std::size_t>(previous) * static_cast<std::size_t>(row_);
  }
  float top(std::size_t label) const { return top_[label]; }

 private:
  friend class ParserFile;
  class Counter;
  void set_size(const LabelSet& labels);
  void set_modifiers(const Counter& counts, const LabelSet& labels, Side side, std::size_t p);
  void set_steps();  // from openings and stops

  int tags_ = 0, phrases_ = 0, row_ = 0;
  std::vector<std::vector<Rule>> openings_, steps_;
  std::vector<std::vector<Rule>> modifiers_[2];
  std::vector<float> stops_[2];
  std::vector<float> top_;
};

}  // namespace copse::generative
