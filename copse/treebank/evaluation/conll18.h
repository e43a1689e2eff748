// The metrics of the CoNLL 2018 shared task, as its official script defines them.
//
// The two files may cut the same text into different sentences, tokens and words. The text is
// the FORMs one after the other without spaces (any Zs character); it must be the same on both
// sides. A token is a span of it. Words of one token align when their spans are the same; words
// of multiword tokens align by longest common subsequence of their lower-cased FORMs inside the
// smallest span that cuts no multiword token of either side. Then, for each metric,
//   precision = correct / system words, recall = correct / gold words,
//   aligned accuracy = correct / aligned words
// over the words that the metric looks at. DEPREL is compared without its subtype, FEATS by the
// universal features only; empty nodes are ignored.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

struct Conll18Score {
  long gold = 0;
  long system = 0;
  long correct = 0;
  std::optional<long> aligned;  // not for Tokens, Sentences and Words

  // Fractions, 0 where there is nothing to divide by.
  double precision() const;
  double recall() const;
  double f1() const;
  std::optional<double> aligned_accuracy() const;
};

inline constexpr std::array<std::string_view, 13> kConll18Metrics = {
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags",
    "Lemmas", "UAS",       "LAS",   "CLAS", "MLAS", "BLEX"};

struct Conll18Report {
  std::array<Conll18Score, kConll18Metrics.size()> scores;  // in the order of kConll18Metrics

  const Conll18Score& operator[](std::string_view metric) const;
};

// The names are for messages. Throws data_error, with file and line, for what the official
// script refuses: other than ten columns, ids out of order, no root or several, a cycle, a last
// sentence without its empty line, different text.
Conll18Report evaluate_conll18(std::string_view gold_text, std::string_view system_text,
                               const std::string& gold_name = "gold",
                               const std::string& system_name = "system");

}  // namespace copse
