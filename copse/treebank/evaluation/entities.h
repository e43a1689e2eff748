// Named entities (or chunks) by exact span and type, as conlleval counts them.
//
// Input: one word per line, "word<TAB>label" or "word POS ... label" (the label comes last), an
// empty line after each sentence. Encodings, recognised per file: IOB1, IOB2 (BIO), BIOES (also
// written BILOU or BMEWO: L and E, U, W and S, M and I are the same) and SCO (S start, C continue,
// O outside), each with or without a type ("B-PER", "B"). An entity also begins at an I- that
// nothing precedes, and where the type changes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/evaluation/attachment.h"

namespace copse {

struct EntityReport {
  FoundCounts total;
  std::map<std::string, FoundCounts> types;  // "" for labels without a type
  long words = 0;
  long correct_labels = 0;  // words with the same label on both sides
  long sentences = 0;
  // Entities that begin with a label of continuation: usual in IOB1, an error elsewhere.
  long gold_unmarked = 0;
  long system_unmarked = 0;

  double accuracy() const;
};

// Throws data_error, with the place, for a line without a label, a label of no known encoding, or
// where the two files are not the same words.
EntityReport evaluate_entities(std::string_view gold_text, std::string_view system_text,
                               const std::string& gold_name = "gold",
                               const std::string& system_name = "system");

}  // namespace copse
