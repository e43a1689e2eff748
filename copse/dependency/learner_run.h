// Runs any of the learners over a treebank, pass by pass, under one set of options.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "copse/base/pace.h"
#include "copse/base/thread_team.h"
#include "copse/dependency/training_problem.h"
#include "copse/model/model_file.h"

namespace copse {

enum class DependencyLearner {
  perceptron,      // averaged (Collins 2002)
  mira,            // 1-best, passive-aggressive with margin (McDonald et al. 2005)
  log_linear,      // L-BFGS
  log_linear_sgd,  // AdaGrad, averaged
  eg_log_linear,   // exponentiated gradient (Collins et al. 2008)
  eg_max_margin,   // exponentiated gradient (Koo et al. 2007, Figure 2)
};
// "perceptron", "mira", "loglinear", "loglinear-sgd", "eg-loglinear", "eg-maxmargin"; anything else
// throws usage_error.
DependencyLearner parse_dependency_learner(std::string_view name);
std::string_view name_of(DependencyLearner learner);

struct LearnerOptions {
  DependencyLearner learner = DependencyLearner::mira;
  int passes = 0;                 // 0: as the learner needs, 15 to 120
  double cost = 1;                // mira: margin for each wrong arc and label
  double aggressiveness = 0.005;  // mira: the longest step
  // C of the log-linear and max-margin learners; 0: as the learner needs
  double regularisation = 0;
  double rate = 0.1;  // loglinear-sgd
  std::uint64_t seed = 1;
};

// Everything set.
LearnerOptions with_defaults(LearnerOptions options);

struct PassDone {
  int pass = 0;
  double loss = 0;
  std::span<const float> weights;
  // Adds what is needed to go on from here to a checkpoint.
  std::function<void(ModelWriter&)> save;
};

// after(PassDone) is called after each pass; false ends the run. `resume`: a checkpoint to go on
// from, or null; the run then ends as it would have without the break. during(done, all) is told of
// the sentences of a pass, but by log_linear, whose passes are sums that all threads make.
void run_learner(const TrainingProblem& problem, const LearnerOptions& options, ThreadTeam& team,
                 const ModelFile* resume, const std::function<bool(const PassDone&)>& after,
                 const WorkDone& during = {});

}  // namespace copse
