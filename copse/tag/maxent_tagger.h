// The maximum-entropy tagger (Ratnaparkhi 1996): at every word a distribution over tags given the
// words and the two tags before,
//
//   P(t | h) = exp(sum over features f of h of lambda[f, t]) / Z(h),
//
// trained by L-BFGS on sum log P - |lambda|^2 / (2 variance) with gold histories. Only pairs
// (feature, tag) that occur in training have a weight. Used with exact search over pairs of tags,
// so that n-best lists and their log-probabilities are exact too.
#pragma once

#include <functional>
#include <vector>

#include "copse/learning/minimise.h"
#include "copse/tag/perceptron_tagger.h"

namespace copse {

struct MaxentTaggerOptions {
  PerceptronTaggerOptions model;  // features, dictionary, candidates; not the perceptron's own
  int min_count = 2;              // rarer features are dropped, except the word itself
  LbfgsOptions lbfgs;
};

// Throws data_error as train_perceptron_tagger does.
TrainedTagger train_maxent_tagger(const std::vector<TagExample>& examples,
                                  const MaxentTaggerOptions& options,
                                  const TagMeasure& measure = {});

}  // namespace copse
