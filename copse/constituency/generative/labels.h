// Tags and phrase labels as small numbers, with what the model needs to know of each.
//
//   0 .. tags()-1            tags, the labels of words
//   tags() .. size()-1       phrases
// Complements have no labels of their own: a modifier is a label and a flag.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/constituency/generative/preparation.h"

namespace copse::generative {

using LabelId = std::uint16_t;
inline constexpr LabelId kNoLabel = UINT16_MAX;

// What a modifier is to the one that follows it.
enum class Previous : std::uint8_t { start, conjunction, punctuation, other };
inline constexpr int kPreviousClasses = 4;

// Complements still to be generated on one side: a bag over {NP, S, SG, SBAR, VP, other}, two bits
// of count each.
using Subcat = std::uint16_t;
inline constexpr int kSubcatSlots = 6;
inline Subcat subcat_of_slot(int slot) {
  return static_cast<Subcat>(1U << (2 * slot));
}
inline int subcat_count(Subcat bag, int slot) {
  return (bag >> (2 * slot)) & 3;
}

class LabelSet {
 public:
  LabelSet() = default;
  // Sorted by name within tags and phrases, so that the same trees give the same numbers.
  LabelSet(const std::vector<std::string>& tags, const std::vector<std::string>& phrases);
  static LabelSet of(const std::vector<PreparedTree>& trees);

  int tags() const { return static_cast<int>(tags_.size()); }
  int phrases() const { return static_cast<int>(phrases_.size()); }
  int size() const { return tags() + phrases(); }
  bool is_tag(LabelId label) const { return label < tags_.size(); }
  // kNoLabel when there is none.
  LabelId tag(std::string_view name) const;
  LabelId phrase(std::string_view name) const;
  LabelId label(std::string_view name, bool leaf) const { return leaf ? tag(name) : phrase(name); }
  std::string_view name(LabelId label) const;
  // Number of a phrase among phrases.
  int phrase_index(LabelId label) const { return label - tags(); }
  LabelId phrase_at(int index) const { return static_cast<LabelId>(tags() + index); }

  bool is_base_noun_phrase(LabelId label) const { return label == npb_; }
  LabelId base_noun_phrase() const { return npb_; }  // kNoLabel if the treebank has none
  Previous previous_class(LabelId label) const { return properties_[label].previous; }
  int subcat_slot(LabelId label) const { return properties_[label].slot; }
  bool is_verb(LabelId tag) const { return properties_[tag].verb; }
  bool is_terminator(LabelId tag) const { return properties_[tag].terminator; }
  bool is_raised(LabelId tag) const { return properties_[tag].raised; }

 private:
  struct Properties {
    Previous previous = Previous::other;
    std::uint8_t slot = 0;
    bool verb = false, terminator = false, raised = false;
  };
  Symbols tags_, phrases_;
  std::vector<Properties> properties_;
  LabelId npb_ = kNoLabel;
};

}  // namespace copse::generative
