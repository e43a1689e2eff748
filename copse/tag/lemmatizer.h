// Lemmas by rule. What training has seen decides first: the most frequent rule of (form, UPOS,
// FEATS), of (form, UPOS), of the form in lower case with UPOS; for other words a perceptron
// chooses among the rules that were seen with at least two different words and that apply. It sees
// the word and what would come out: whether other forms of such a lemma are known, how it ends.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/frozen_weights.h"
#include "copse/model/model_file.h"
#include "copse/model/templates.h"
#include "copse/tag/lemma_features.h"
#include "copse/tag/lemma_rule.h"

namespace copse {

struct LemmatizerOptions {
  int epochs = 10;
  std::uint64_t seed = 1;
  int min_words = 2;  // different words that make a rule one for unseen words
};

class Lemmatizer {
 public:
  static Lemmatizer train(std::span<const LemmaExample> examples,
                          const LemmatizerOptions& options = {});
  static Lemmatizer load(const ModelFile& file, const std::string& prefix);
  void save(ModelWriter& writer, const std::string& prefix) const;

  std::string lemma(std::string_view form, std::string_view upos, std::string_view feats) const;

  std::size_t rules() const { return rules_.size(); }

 private:
  struct Tables;

  void view_tables();
  std::size_t outputs() const;
  float result_score(std::string_view lemma, std::string_view upos) const;
  std::string classify(std::string_view form, std::string_view upos, std::string_view feats) const;

  std::vector<LemmaRule> rules_;
  std::size_t general_ = 0;  // rules for unseen words come first
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> dictionary_bytes_, weight_bytes_, known_bytes_;
  FrozenWeights dictionary_, weights_;
  KnownLemmas known_;  // empty in models of before there were any: results then do not count
};

}  // namespace copse
