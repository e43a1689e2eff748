// Plots of training: how accuracy and loss go from pass to pass, and how much more data and word
// clusters help.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "copse/dependency/trainer.h"
#include "copse/pipeline/training_files.h"

namespace copse {

// UAS, LAS and loss pass by pass, as SVG. The dual learners report an objective that rises instead
// of a loss.
std::string training_curve_svg(const std::vector<TrainingPass>& passes, DependencyLearner learner,
                               bool labelled);

struct LearningCurvePoint {
  std::size_t sentences = 0;
  DependencyScores baseline, clusters;  // on dev; no words: not trained
};

// Trains on the first sentences of the data, once for every size, and once more with clusters if
// the options have some; the lexical limit goes with the clusters. Sizes beyond the data mean all
// of them. Throws usage_error without dev data or with a checkpoint.
std::vector<LearningCurvePoint> learning_curve(const TrainingSentences& data,
                                               const DependencyTraining& options,
                                               const std::vector<std::size_t>& sizes,
                                               const TrainingProgress& progress);

// The figures as a table, as JSON, and as a plot.
std::string learning_curve_table(const std::vector<LearningCurvePoint>& curve, bool labelled);
std::string learning_curve_json(const std::vector<LearningCurvePoint>& curve, bool labelled);
std::string learning_curve_svg(const std::vector<LearningCurvePoint>& curve, bool labelled);

}  // namespace copse
