// Analyses as answers: JSON (the treebank format of docs/formats.md with more members), CoNLL-U,
// brackets, drawings.
#pragma once

#include <string>
#include <vector>

#include "copse/server/analysis.h"

namespace copse::server {

// {"tokens": [...], "tree": {...}, "text": ..., "dependency": {...}, "phrase": {...}}
std::string analysis_json(const ParsedSentence& sentence, const Work& work);

// The same sentence with its lists: {"tokens": ..., "dependency": [...], "phrase": [...]}
std::string n_best_json(const ParsedSentence& sentence, const Work& work);

// {"model": ..., "sentences": [...]}; `sentences` are JSON.
std::string document_json(const ServedModel& model, const std::vector<std::string>& sentences);

// Columns and best trees alone.
std::vector<Entry> entries_of(std::vector<ParsedSentence> sentences);

// All entries in a format, as one document. Throws Refusal 422 where the format shows what an entry
// lacks.
std::string document_in(Format format, const std::vector<Entry>& entries);
std::string_view media_type_of(AnswerForm form);

// A number as JSON has it: finite, with as many digits as make sense.
std::string json_number(double value);

}  // namespace copse::server
