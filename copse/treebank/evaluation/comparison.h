// Two systems against the same gold: the difference of a score and how sure one can be of it.
#pragma once

#include <string>
#include <string_view>

#include "copse/treebank/evaluation/attachment.h"
#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/evaluation/significance.h"

namespace copse {

enum class Stratum { sentence, word };

struct Comparison {
  std::string metric;  // uas, las, f1
  double a = 0;
  double b = 0;
  double difference() const { return b - a; }
  long n = 0;         // words (uas, las) or sentences (f1) that are compared
  long left_out = 0;  // f1: sentences that are no valid comparison for one of the two
  // Decisions on which exactly one system is right (uas, las), or sentences for which one has
  // the higher F (f1).
  long a_only = 0;
  long b_only = 0;
  double p_sign = 1;
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
