// The recipe of the generative parser: which head table, which model, from which trees.
#pragma once

#include <span>
#include <string>

#include "copse/constituency/generative/parser.h"
#include "copse/constituency/generative/training_trees.h"

namespace copse::generative {

// As a head table: guess one from the trees.
inline constexpr std::string_view kGuessedHeads = "auto";

struct TrainingOptions {
  std::string heads = "collins";  // the name of a head table, a file, or kGuessedHeads
  ModelOptions model;
};

struct Trained {
  GenerativeParser parser;
  PreparationReport report;  // of the trees
  std::string heads;         // the head table for the model's record
};

// Learns from several runs of trees as from one; throws data_error when no tree can be used.
Trained train(std::span<const std::span<const Entry>> trees, const TrainingOptions& options);

}  // namespace copse::generative
