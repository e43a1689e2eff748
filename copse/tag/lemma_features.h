// What the choice of a lemma's rule looks at: the word with its tags (templates/lemma.templates), and
// what a rule would make of it.
#pragma once

#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/frozen_weights.h"
#include "copse/tag/word_atoms.h"

namespace copse {

struct LemmaExample {
  std::string_view form;
  std::string_view upos;
  std::string_view feats;
  std::string_view lemma;
};

// The keys of a word with its tags, those of templates that do not fire left out.
class LemmaKeys {
 public:
  std::span<const FeatureKey> of(std::string_view form, std::string_view upos,
                                 std::string_view feats);

 private:
  SentenceAtoms atoms_;
  std::array<AtomValue, kWordAtoms + 2> values_{};
  std::vector<FeatureKey> keys_;
};

// The keys of a lemma that came out: how many forms of it are known, how it ends.
inline constexpr std::size_t kResultKeys = 6;
std::array<FeatureKey, kResultKeys> result_keys(std::string_view lemma, std::string_view upos,
                                                int forms);

// The forms that training had of each lemma with a UPOS.
class FormsOfLemmas {
 public:
  explicit FormsOfLemmas(std::span<const LemmaExample> examples);

  // Those other than `form`.
  int count(std::string_view lemma, std::string_view upos, std::string_view form) const;
  // The numbers of forms, for KnownLemmas.
  std::string frozen() const;

 private:
  std::map<AtomValue, std::set<std::string_view>> forms_;
};

class KnownLemmas {
 public:
  KnownLemmas() = default;
  explicit KnownLemmas(const FrozenWeights& counts) : counts_(counts), empty_(false) {}

  bool empty() const { return empty_; }
  int forms(std::string_view lemma, std::string_view upos) const;

 private:
  FrozenWeights counts_;
  bool empty_ = true;
};

// The rules with the best scores, best first, ties by number.
class BestRules {
 public:
  // So many are worth to look at what they make of the word.
  static constexpr std::size_t kMost = 12;
  std::span<const Label> choose(std::span<const float> scores, std::size_t most = kMost);

 private:
  std::vector<Label> order_;
};

}  // namespace copse
