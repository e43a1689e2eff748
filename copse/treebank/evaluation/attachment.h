// Attachment scores of dependency trees over the same words: UAS (right head), LAS (right head
// and label), label accuracy, and where the errors are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/treebank/evaluation/same_sentences.h"

namespace copse {

// Which words are left out as punctuation; always by what gold says.
enum class PunctuationPolicy {
  all,     // none is left out
  ptb,     // tag `` '' , : or . (XPOS, or UPOS where XPOS is "_")
  ud,      // UPOS PUNCT
  conllx,  // every character of FORM is Unicode punctuation (P*)
};
// "all" (also "none"), "ptb", "ud", "conllx"; else usage_error.
PunctuationPolicy punctuation_policy_named(std::string_view name);
std::string_view name_of(PunctuationPolicy policy);

struct AttachmentOptions {
  PunctuationPolicy punctuation = PunctuationPolicy::all;
  bool ignore_subtypes = false;  // compare labels up to the first ':'
};

// Words of one kind and how many of them are right.
struct AttachmentCounts {
  long words = 0;
  long heads = 0;   // right head
  long labels = 0;  // right label, whatever the head
  long both = 0;

  double uas() const;
  double las() const;
  double la() const;
};

// Things found against things there.
struct FoundCounts {
  long gold = 0;
  long system = 0;
  long correct = 0;

  double precision() const;
  double recall() const;
  double f1() const;
};

template <class Counts>
using Breakdown = std::vector<std::pair<std::string, Counts>>;

struct AttachmentReport {
  AttachmentOptions options;
  AttachmentCounts total;
  long sentences = 0;
  long scored_sentences = 0;  // with at least one word that counts
  long complete_heads = 0;    // every head right
  long complete = 0;          // every head and label right
  AttachmentCounts roots;     // words that gold hangs from the root
  long without_head = 0;      // words for which the system gives no head; they are wrong

  Breakdown<FoundCounts> relations;     // label; correct means head and label; most frequent first
  Breakdown<FoundCounts> distances;     // |head - word|: root, 1, 2, 3-6, 7-; correct heads
  Breakdown<FoundCounts> directions;    // head to the left, to the right, root; correct heads
  Breakdown<AttachmentCounts> tags;     // gold UPOS, or XPOS where UPOS is "_"; most frequent first
  Breakdown<AttachmentCounts> lengths;  // words of the sentence: 1-10, ..., 41-

  // For significance tests: the counts of every sentence, and of every scored word whether its
  // head (bit 0) and its head and label (bit 1) are right.
  std::vector<AttachmentCounts> per_sentence;
  std::vector<unsigned char> per_word;

  double root_accuracy() const { return roots.uas(); }
  double complete_match() const;  // percentages of the sentences
  double complete_unlabeled_match() const;
};

// Throws data_error when the files are not the same words or gold lacks a head.
AttachmentReport evaluate_attachment(const ScoredFile& gold, const ScoredFile& system,
                                     const AttachmentOptions& options = {});

}  // namespace copse
