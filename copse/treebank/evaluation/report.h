// What people and programs see of an evaluation: tables for a terminal, JSON for scripts. In
// JSON accuracies are percentages at full precision.
#pragma once

#include <string>

#include "copse/treebank/evaluation/conll18.h"
#include "copse/treebank/evaluation/evalb.h"

namespace copse {

// EVALB's own output, column for column: one row per sentence (if `rows`), totals, the two
// summaries. For a run that was stopped: the rows only.
std::string evalb_text(const EvalbReport& report, bool rows);
// Precision, recall and F of every label, most frequent first.
std::string evalb_labels_text(const EvalbReport& report);
std::string evalb_json(const EvalbReport& report, bool rows);

// The table of the official script with -v, or with -c its counts.
std::string conll18_text(const Conll18Report& report, bool counts = false);
std::string conll18_json(const Conll18Report& report);

}  // namespace copse
