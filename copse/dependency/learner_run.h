// Runs any of the learners over a treebank, pass by pass, under one set of options.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "copse/base/block_sum.h"
#include "copse/base/group.h"
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
  // Perceptron, mira, loglinear-sgd: sentences that are answered for the same weights. 1: each sees
  // what the one before has taught, as in the papers; threads have nothing to share then.
  int batch = 16;
  std::uint64_t seed = 1;
  // Perceptron, mira, exponentiated gradient: into how many blocks the sentences are cut that learn
  // side by side, a power of two. 1: one sentence after the other; more: another model, which
  // several processes and threads can learn together. 0: 1, in a group 4.
  int blocks = 0;
};

// Those who share the work; `group` is null in one process.
struct Workers {
  ThreadTeam& team;
  Group* group = nullptr;
};

// Everything set; `grouped`: for a group of processes, even if it has one member. Throws usage_error
// for blocks that no learner can have.
LearnerOptions with_defaults(LearnerOptions options, bool grouped = false);

// The examples that a member of a group answers for; it needs the features of no others.
Range own_examples(const LearnerOptions& options, std::size_t examples, const Group* group);

struct PassDone {
  int pass = 0;
  double loss = 0;
  std::span<const float> weights;
  // Adds what is needed to go on from here to a checkpoint.
  std::function<void(ModelWriter&)> save;
};

// after(PassDone) is called after each pass; false ends the run. `resume`: a checkpoint to go on
// from, or null; the run then ends as it would have without the break, also with another number of
// processes. during(done, all) is told of the sentences of a pass, but by log_linear, whose passes
// are sums that all threads make. Groups: all members call it with the same, and either all or none
// of them call PassDone::save, which gives the leader what is to be saved.
void run_learner(const TrainingProblem& problem, const LearnerOptions& options, Workers workers,
                 const ModelFile* resume, const std::function<bool(const PassDone&)>& after,
                 const WorkDone& during = {});

}  // namespace copse
