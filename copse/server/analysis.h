// A request's sentences and what a model found for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "copse/copse.h"
#include "copse/server/limits.h"
#include "copse/server/model_shelf.h"
#include "copse/server/question.h"

namespace copse::server {

// What a handler works with: the model that was asked for, and what it may not exceed.
struct Work {
  const ServedModel& model;
  const ServerLimits& limits;
  const Deadline& deadline;
};

struct Analysis {
  Entry entry;  // with tags, heads, the best tree
  std::optional<Parse> dependencies;
  std::optional<PhraseAnswer> phrases;
};

// The sentences of the text, as they came or by the tokeniser. Throws Refusal: 400 for text that
// cannot be read, 413 for a sentence that is too long.
std::vector<Entry> sentences_of(const Question& question, const Work& work);

// Tags where the model has a tagger; those that are there stay.
void tag(const Question& question, const Work& work, Entry& entry);

// Tags and trees, `k` of each. `number`: of the sentence, from 1. Throws Refusal 422 for what has no
// tree.
Analysis analyse(const Question& question, const Work& work, Entry entry, int number, int k);

// Throws Refusal 422 unless the model has what one needs.
void require_component(bool there, const Work& work, std::string_view what);

}  // namespace copse::server
