// A small model of every kind that there is, trained from the fixtures when it is first asked for,
// and what a program does with such a model.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "copse/constituency/phrase_training.h"

namespace copse::fuzz {

// tree-kernel-votes keeps what each of its voters learnt.
inline constexpr std::array<std::string_view, 18> kModelKinds = {
    "tokenizer",    "tagger",   "maxent-tagger",     "entities",   "dependency",    "crossing",
    "constituency", "reranker", "tree-kernel-votes", "tag-kernel", "linear-kernel", "bundle",
    "hidden",       "mixture",  "history",           "top-kernel", "spinal",        "incremental"};

// Short trainings of the parsers whose learners have checkpoints: "history", "spinal", "incremental".
PhraseTraining small_phrase_training(const std::string& model);
std::vector<Entry> some_trees();
// Trains a reranker with hidden values; the bytes of its model file. `checkpoint` may be empty.
std::string learn_hidden_values(const std::string& checkpoint, int passes);

// The bytes of its model file.
const std::string& small_model(std::string_view kind);

// Loads the bytes of a model file and puts it to use on a few inputs that fit the kind. Data errors
// are right answers; true if there was none. Anything else breaks a promise.
bool load_and_use(std::string_view kind, std::string_view bytes);

}  // namespace copse::fuzz
