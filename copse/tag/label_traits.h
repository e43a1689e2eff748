// What labels of several columns have in common.
//
//   NOUN <tab> NN <tab> Case=Gen|Number=Sing     traits: UPOS NOUN, XPOS NN, Case=Gen, Number=Sing
//
// A feature has a weight for each label and for each trait, and the score of a label is the sum of
// its own weight and those of its traits: what is learnt of Case=Gen holds for every label that has
// it, and a label that was seen twice is no stranger. Labels and traits are numbered together, the
// labels first; a row of weights knows no difference.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "copse/model/weight_rows.h"

namespace copse {

class LabelTraits {
 public:
  LabelTraits() = default;  // none
  // Pieces of a label are separated by tabs, the features in a piece by '|'. A trait that all labels
  // have tells nothing and is left out.
  explicit LabelTraits(std::span<const std::string> labels);

  std::size_t count() const { return count_; }
  // Ascending, from the number of labels up.
  std::span<const Label> of(Label label) const {
    if (count_ == 0) return {};
    return std::span(traits_).subspan(begins_[label], begins_[label + 1U] - begins_[label]);
  }
  // The weight of a label by scores of labels and traits.
  float score(Label label, std::span<const float> scores) const {
    float sum = scores[label];
    for (const Label trait : of(label)) sum += scores[trait];
    return sum;
  }
  // The same for every label, in place.
  void add_to_labels(std::span<float> labels, std::span<const float> scores) const {
    if (count_ == 0) return;
    for (std::size_t label = 0; label < labels.size(); ++label) {
      float sum = scores[label];
      for (std::uint32_t i = begins_[label]; i < begins_[label + 1]; ++i) sum += scores[traits_[i]];
      labels[label] = sum;
    }
  }

 private:
  std::size_t count_ = 0;
  std::vector<Label> traits_;
  std::vector<std::uint32_t> begins_;  // by label, and the end
};

}  // namespace copse
