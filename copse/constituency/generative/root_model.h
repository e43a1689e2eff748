// What a sentence is as a whole: a clause, a heading, a caption, a fragment.
//
// The label under the outer bracket decides little inside the sentence and is decided by much that
// the head-driven model does not see: how the sentence ends (the model never meets the full stop),
// how it begins, how long it is, which words it has. A log-linear model of the label given these,
//     P(X | sentence) = exp(sum over features f : w[f,X]) / Z,
// trained by L-BFGS under a Gaussian prior, takes the place of the share of X among roots:
//     P_top(X, t) P(X | sentence) / P(X).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "copse/constituency/generative/labels.h"
#include "copse/constituency/generative/preparation.h"

namespace copse::generative {

class RootModel {
 public:
  RootModel() = default;
  RootModel(const std::vector<PreparedTree>& trees, const LabelSet& labels);

  // log P(X | sentence) - log P(X) by plain phrase number; 0 for labels that were no roots.
  std::vector<double> bonus(const std::vector<std::string>& words, int phrases) const;

 private:
  friend class ParserFile;

  std::vector<std::uint16_t> roots_;  // phrase numbers of the labels
  std::vector<double> log_share_;     // of each among the roots
  std::unordered_map<std::string, std::uint32_t> features_;
  std::vector<double> weights_;  // feature * roots + root
};

// Names of the features of a sentence.
std::vector<std::string> root_features(const std::vector<std::string>& words);

}  // namespace copse::generative
