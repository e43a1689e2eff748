// A request's sentences and what a model found for them.
#pragma once

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

// The sentences of the text, as they came or by the tokeniser. Throws Refusal: 400 for text that
// cannot be read, 413 for a sentence that is too long.
std::vector<ParsedSentence> sentences_of(const Question& question, const Work& work);

// The trees that are asked for, of those that the model has. Where the question names none:
// dependencies; phrase structure, which takes several times as long, only for brackets, for demands on
// spans and of models that make nothing else.
TreeKinds wanted_trees(const Question& question, const ServedModel& model);

// What is asked of the model's pipeline, `k` trees of each kind.
PipelineOptions options_of(const Question& question, const Work& work, int k);
// The same without trees.
PipelineOptions tags_alone(const Question& question, const Work& work);

// Tags and trees. `number`: of the sentence, from 1. Throws Refusal 422 for what has no answer.
void analyse(const Question& question, const Work& work, const PipelineOptions& options, int number,
             ParsedSentence& sentence);

// Throws Refusal 422 unless the model has what one needs.
void require_component(bool there, const Work& work, std::string_view what);

}  // namespace copse::server
