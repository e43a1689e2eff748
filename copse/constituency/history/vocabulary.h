// The symbols of the history parser: labels, tags, tag-word pairs that are predicted, and the traits
// by which words are read.
//
//   pair    a tag with a word that was seen with it at least `pair_threshold` times; other words of
//           the tag are its UNKNOWN, row 0
//   trait   tag, form, form in small letters, endings, shape, prefixes of the word's cluster, runs of
//           three letters: each that was seen often enough has a vector of its own
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/cluster/word_clusters.h"
#include "copse/model/model_file.h"

namespace copse::history {

struct VocabularyOptions {
  int pair_threshold = 20;
  bool traits = true;    // words by their traits; else by pairs alone
  bool letters = false;  // runs of three letters among the traits
  int trait_threshold = 2;
};

class Vocabulary {
 public:
  explicit Vocabulary(const VocabularyOptions& options = {}) : options_(options) {}

  // While trees are read; words with the tags that are learnt from.
  Symbols& labels() { return labels_; }
  void count(std::span<const std::string> tags, std::span<const std::string> words,
             const WordClusters* clusters);
  void add_tag(std::string_view tag) { tags_.add(tag); }
  // After the last.
  void finish();

  const VocabularyOptions& options() const { return options_; }
  const Symbols& labels() const { return labels_; }
  const Symbols& tags() const { return tags_; }
  // Rows of the words of a tag, UNKNOWN included; the number of all of them.
  std::size_t words_of(std::uint32_t tag) const { return pair_end_[tag + 1] - pair_end_[tag]; }
  std::size_t pairs() const { return pair_end_.back(); }
  std::uint32_t pair_begin(std::uint32_t tag) const {
    return static_cast<std::uint32_t>(pair_end_[tag]);
  }
  // The row of a word among those of its tag, and among all.
  std::uint32_t word_row(std::uint32_t tag, std::string_view word) const;
  std::uint32_t pair(std::uint32_t tag, std::string_view word) const {
    return pair_begin(tag) + word_row(tag, word);
  }

  std::size_t traits() const { return traits_.size(); }
  // Appends the numbers of a word's traits; those of the end of a sentence.
  void add_traits(std::string_view tag, std::string_view word, const WordClusters* clusters,
                  std::vector<std::uint32_t>& out) const;
  void add_end(std::vector<std::uint32_t>& out) const { out.push_back(kEndTrait); }
  bool knows(std::string_view word) const { return forms_.find(word) != Symbols::kUnknown; }

  void save(ModelWriter& writer, const std::string& prefix) const;
  // Throws data_error when sections do not fit together.
  static Vocabulary load(const ModelFile& file, const std::string& prefix,
                         const VocabularyOptions& options);

 private:
  static constexpr std::uint32_t kEndTrait = 0;
  template <class Take>
  void each_trait(std::string_view tag, std::string_view word, const WordClusters* clusters,
                  Take&& take) const;
  void index_pairs();

  VocabularyOptions options_;
  Symbols labels_, tags_, forms_;
  Symbols traits_;
  std::vector<std::string> pair_words_;  // by tag: those that are no UNKNOWN
  std::vector<std::uint32_t> pair_tags_;
  std::vector<std::size_t> pair_end_{0};  // rows before each tag, and the end
  Symbols pair_index_;                    // "tag word" in the order of pair_words_
  // While counting.
  Symbols seen_pairs_, seen_traits_;
  std::vector<std::uint32_t> pair_counts_, trait_counts_;
};

}  // namespace copse::history
