// Two systems against the same gold: the difference of a score and how sure one can be of it.
#pragma once

#include <string>
#include <string_view>

#include "copse/treebank/evaluation/attachment.h"
#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/evaluation/significance.h"

namespace copse {

enum class Stratum { sentence, word };

// Who is better how often, and the exact two-sided p of that.
struct SignTest {
  long a_only = 0;
  long b_only = 0;
  double p = 1;
};

struct Comparison {
  std::string metric;  // uas, las, f1
  double a = 0;
  double b = 0;
  double difference() const { return b - a; }
  long n = 0;         // words (uas, las) or sentences (f1) that are compared
  long left_out = 0;  // f1: sentences that are no valid comparison for one of the two
  // Words on which exactly one system is right (uas, las only). Words of a sentence are right and
  // wrong together, so this test is too sure of itself.
  SignTest words;
  SignTest sentences;  // for which one system has more right words, or the higher F
  Stratum stratum = Stratum::sentence;
  ShufflingResult shuffling;
  BootstrapInterval interval;  // of the difference, sentences resampled
  RandomTestOptions random;
};

struct CompareOptions {
  Stratum stratum = Stratum::sentence;  // what shuffling swaps; words only for uas and las
  RandomTestOptions random;
};

// `labeled`: LAS, else UAS.
Comparison compare_attachment(const AttachmentReport& a, const AttachmentReport& b, bool labeled,
                              const CompareOptions& options = {});
// Throws data_error when one of the runs was stopped by MAX_ERROR or misses lines.
Comparison compare_constituency(const EvalbReport& a, const EvalbReport& b,
                                const CompareOptions& options = {});

}  // namespace copse
