// What people and programs see of an evaluation: tables for a terminal, JSON for scripts. In
// JSON accuracies are percentages at full precision.
#pragma once

#include <cstddef>
#include <string>

#include "copse/treebank/evaluation/attachment.h"
#include "copse/treebank/evaluation/comparison.h"
#include "copse/treebank/evaluation/conll18.h"
#include "copse/treebank/evaluation/entities.h"
#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/evaluation/tagging.h"

namespace copse {

// EVALB's own output, column for column: one row per sentence (if `rows`), totals, the two
// summaries. For a run that was stopped: the rows only.
std::string evalb_text(const EvalbReport& report, bool rows);
// Precision, recall and F of every label, most frequent first, and by length of the sentence.
std::string evalb_details_text(const EvalbReport& report);
std::string evalb_json(const EvalbReport& report, bool rows);

// The table of the official script with -v, or with -c its counts.
std::string conll18_text(const Conll18Report& report, bool counts = false);
std::string conll18_json(const Conll18Report& report);

// `details`: also by relation, distance, direction, tag and length.
std::string attachment_text(const AttachmentReport& report, bool details);
// `rows`: the counts of every sentence, too.
std::string attachment_json(const AttachmentReport& report, bool rows = false);

// With up to `confusions` pairs of tags for UPOS and for XPOS.
std::string tags_text(const TagReport& report, std::size_t confusions);
std::string tags_json(const TagReport& report);

std::string entities_text(const EntityReport& report);
std::string entities_json(const EntityReport& report);

std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace copse
