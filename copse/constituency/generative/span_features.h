// What is seen of a span of a sentence from outside: its edges, the words next to them, its length and
// what it has inside. No phrase is looked at, so a feature of a span costs nothing to the chart.
//
//   b a f l    the tokens before, after, first and last; .t tag, .w word or signature
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "copse/constituency/generative/event_counts.h"
#include "copse/constituency/generative/labels.h"
#include "copse/constituency/generative/lexicon.h"

namespace copse::generative {

// A sentence with all its tokens, also those that the model of trees does not see.
class SpanSentence {
 public:
  SpanSentence(const std::vector<std::string>& words, const std::vector<LabelId>& tags,
               const LabelSet& labels, const Lexicon& lexicon);

  int size() const { return static_cast<int>(tags_.size() - 2 * kEdge); }
  // kNoLabel, and a word of its own, beyond the edges.
  std::uint64_t tag(int token) const { return tags_[slot(token)]; }
  std::uint64_t word(int token) const { return words_[slot(token)]; }

  // Kinds of tokens that are counted inside a span.
  enum Kind : std::uint8_t {
    kVerb,
    kConjunction,
    kComma,
    kColon,
    kOpen,
    kClosing,
    kQuote,
    kUnquote
  };
  static constexpr std::size_t kKinds = 8;
  int count(Kind kind, int begin, int end) const {
    return before_[static_cast<std::size_t>(end)][kind] -
           before_[static_cast<std::size_t>(begin)][kind];
  }

 private:
  static constexpr std::size_t kEdge = 2;
  static std::size_t slot(int token) {
    return static_cast<std::size_t>(std::ptrdiff_t{token} + std::ptrdiff_t{kEdge});
  }
  std::vector<std::uint64_t> tags_, words_;
  std::vector<std::array<std::int16_t, kKinds>> before_;
};

// Keys of the features of the tokens [begin, end); `keys` is overwritten.
void span_features(const SpanSentence& sentence, int begin, int end, std::vector<EventKey>& keys);

}  // namespace copse::generative
