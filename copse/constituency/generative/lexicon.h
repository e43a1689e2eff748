// Words of the generative model: which are rare, what stands for them, and which tags they take.
//
// As something to condition on, a word is itself. As something to generate, a rare word (seen less
// than `rare_below` times) is its signature: capitals, digits, hyphen and suffix class, such as
// "UNK+Cap+dash+s". That a tag generates this very word and not another of the signature is told by
//     spelling(w, t) = P(t | w) / P(t | signature of w)
// which is P(w | t, signature) up to a factor that depends on the word alone.
//
// P(t | w) of a rare or unknown word leans on its endings, each longer one corrected by a share of
// its own evidence (Samuelsson 1993; Brants 2000, TnT):
//     P_l(t) = (count_l(t) + strength * P_{l-1}(t)) / (count_l + strength)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/constituency/generative/labels.h"

namespace copse {

using WordId = std::uint32_t;
inline constexpr WordId kUnknownWord = 0;

struct LexiconOptions {
  int rare_below = 6;           // words seen less often are generated as their signature
  double suffix_strength = 10;  // weight of the shorter ending against the longer one's counts
  double guess_strength = 1;    // weight of the endings against the counts of a word itself
  double least_share = 1e-3;    // tags of smaller P(t | w) than this share of the best are left out
};

// A tag that a word may have.
struct TagCandidate {
  LabelId tag = 0;
  double emission = 0;   // P(word | tag) up to a factor of the word: P(t | w) / P(t)
  double log_spelling = 0;  // see above; 0 for words that are not rare
};

// A word of a sentence as the model sees it.
struct WordReading {
  WordId word = kUnknownWord;  // to condition on
  WordId future = 0;           // to generate: the word or its signature
  std::vector<TagCandidate> tags;  // most probable first
};

// Shape of a word, for words seldom or never seen. `initial`: at the beginning of the sentence.
std::string word_signature(std::string_view word, bool initial);

class Lexicon {
 public:
  Lexicon() = default;
  // Counts the words of all sentences; `labels` must have all their tags.
  Lexicon(const std::vector<PreparedTree>& trees, const LabelSet& labels,
          const LexiconOptions& options);

  // Words and signatures have one range of numbers.
  WordId words() const { return static_cast<WordId>(symbols_.size()); }
  WordId word(std::string_view text) const;
  // The word itself, or its signature.
  WordId future(std::string_view text, bool initial) const;
  // P(future | tag) from counts alone; signatures share a small mass with all tags.
  double emission(WordId future, LabelId tag) const;
  // All that is known of a word; its tags if `tag` is kNoLabel, else that tag alone.
  WordReading read(std::string_view text, bool initial, LabelId tag = kNoLabel) const;
  // The most frequent tag of a word, kNoLabel if it was never seen.
  LabelId usual_tag(std::string_view text) const;
  double tag_share(LabelId tag) const { return tag_share_[tag]; }

 private:
  friend class ParserFile;
  struct TagCount {
    LabelId tag;
    std::uint32_t count;
  };
  struct WordEntry {
    std::uint32_t count = 0;
    std::vector<TagCount> tags;
  };

  void count(WordId word, LabelId tag);
  static void count(std::vector<TagCount>& counts, LabelId tag);
  void finish();
  const WordEntry* entry(WordId word) const {
    return word == kUnknownWord ? nullptr : &entries_[word];
  }
  // P(t | ending) for all tags.
  std::vector<double> guess(std::string_view text, bool initial) const;
  std::vector<double> tag_shares(std::string_view text, bool initial, const WordEntry* seen) const;

  LexiconOptions options_;
  int tags_ = 0;
  Symbols symbols_;  // 0 is the unknown word; words and signatures, the latter with a leading blank
  std::vector<WordEntry> entries_;
  std::vector<double> tag_count_, tag_share_;
  std::size_t signatures_ = 0;
  WordId any_signature_ = 0;
  std::unordered_map<std::string, std::vector<TagCount>> suffixes_;
};

}  // namespace copse
