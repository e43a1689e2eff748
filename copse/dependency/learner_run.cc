#include "copse/dependency/learner_run.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <climits>
#include <concepts>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/learning/block_gradient.h"
#include "copse/learning/exponentiated_gradient.h"
#include "copse/learning/log_linear.h"
#include "copse/learning/mixed_online.h"
#include "copse/learning/online.h"
#include "copse/model/finite_array.h"

namespace copse {
namespace {

struct Named {
  std::string_view name;
  DependencyLearner learner;
};
constexpr std::array<Named, 6> kLearners = {{{"perceptron", DependencyLearner::perceptron},
                                             {"mira", DependencyLearner::mira},
                                             {"loglinear", DependencyLearner::log_linear},
                                             {"loglinear-sgd", DependencyLearner::log_linear_sgd},
                                             {"eg-loglinear", DependencyLearner::eg_log_linear},
                                             {"eg-maxmargin", DependencyLearner::eg_max_margin}}};

int default_passes(DependencyLearner learner, int blocks) {
  switch (learner) {
    case DependencyLearner::log_linear:
      return 120;
    case DependencyLearner::eg_log_linear:
    case DependencyLearner::eg_max_margin:
      return 25;
    default:
      return blocks > 1 ? 20 : 15;  // what is mixed comes later
  }
}

double default_regularisation(DependencyLearner learner) {
  switch (learner) {
    case DependencyLearner::eg_max_margin:
      return 0.01;
    case DependencyLearner::log_linear_sgd:
      return 1;
    default:
      return 0.1;
  }
}

template <std::floating_point T>
std::vector<T> read(const ModelFile& file, const char* name) {
  const auto values = finite_array<T>(file, name);
  return {values.begin(), values.end()};
}
template <std::unsigned_integral T>
std::vector<T> read(const ModelFile& file, const char* name) {
  const auto values = file.array<T>(name);
  return {values.begin(), values.end()};
}
template <class T>
void write(ModelWriter& writer, const char* name, const std::vector<T>& values) {
  writer.add_array(name, std::span<const T>(values));
}

OnlineState read_online(const ModelFile& file) {
  OnlineState state;
  state.weights = read<float>(file, "state.weights");
  state.moments = read<double>(file, "state.moments");
  state.squares = read<float>(file, "state.squares");
  state.pulled = read<std::uint32_t>(file, "state.pulled");
  const auto counts = read<std::uint64_t>(file, "state.counts");
  if (counts.size() != 2) throw file.damaged("state.counts", "should have two numbers");
  if (counts[1] > UINT32_MAX) {
    throw file.damaged("state.counts", "has an impossible number of passes");
  }
  state.steps = counts[0];
  state.passes = static_cast<std::uint32_t>(counts[1]);
  return state;
}

void write_online(const OnlineState& state, ModelWriter& writer) {
  write(writer, "state.weights", state.weights);
  write(writer, "state.moments", state.moments);
  write(writer, "state.squares", state.squares);
  write(writer, "state.pulled", state.pulled);
  write(writer, "state.counts", std::vector<std::uint64_t>{state.steps, state.passes});
}

ExponentiatedGradientState read_dual(const ModelFile& file) {
  ExponentiatedGradientState state;
  state.theta = read<float>(file, "state.theta");
  state.marginals = read<float>(file, "state.marginals");
  state.gains = read<double>(file, "state.gains");
  state.weights = read<double>(file, "state.weights");
  state.best_weights = read<float>(file, "state.best_weights");
  state.rates = read<double>(file, "state.rates");
  const auto values = read<double>(file, "state.values");
  if (values.size() != 4) throw file.damaged("state.values", "should have four numbers");
  if (!(values[3] >= 0 && values[3] <= UINT32_MAX)) {
    throw file.damaged("state.values", "has an impossible number of passes");
  }
  state.rate = values[0];
  state.dual = values[1];
  state.best_dual = values[2];
  state.passes = static_cast<std::uint32_t>(values[3]);
  return state;
}

void write_dual(const ExponentiatedGradientState& state, ModelWriter& writer) {
  write(writer, "state.theta", state.theta);
  write(writer, "state.marginals", state.marginals);
  write(writer, "state.gains", state.gains);
  write(writer, "state.weights", state.weights);
  write(writer, "state.best_weights", state.best_weights);
  write(writer, "state.rates", state.rates);
  write(writer, "state.values",
        std::vector<double>{state.rate, state.dual, state.best_dual,
                            static_cast<double>(state.passes)});
}

// Pairs one after the other, as long as the weights each.
LbfgsState read_lbfgs(const ModelFile& file, std::size_t dimension) {
  LbfgsState state;
  state.w = read<double>(file, "state.weights");
  state.values = read<double>(file, "state.values");
  const auto steps = finite_array<float>(file, "state.steps");
  const auto slopes = finite_array<float>(file, "state.slopes");
  const auto counts = read<std::uint32_t>(file, "state.counts");
  if (state.w.size() != dimension) {
    throw file.damaged("state.weights", "has another number of weights");
  }
  if (counts.size() != 1 || counts[0] > INT_MAX) {
    throw file.damaged("state.counts", "has an impossible number of passes");
  }
  if (steps.size() != slopes.size() || dimension == 0 || steps.size() % dimension != 0 ||
      state.values.empty()) {
    throw file.damaged("state.steps", "does not fit the weights");
  }
  state.iterations = static_cast<int>(counts[0]);
  for (std::size_t at = 0; at < steps.size(); at += dimension) {
    const auto step = steps.subspan(at, dimension), slope = slopes.subspan(at, dimension);
    state.pairs.push_back({{step.begin(), step.end()}, {slope.begin(), slope.end()}});
  }
  return state;
}

void write_lbfgs(const LbfgsState& state, ModelWriter& writer) {
  std::string steps, slopes;
  const auto append = [](const std::vector<float>& values, std::string& bytes) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  };
  for (const LbfgsState::Pair& pair : state.pairs) {
    append(pair.step, steps);
    append(pair.slope, slopes);
  }
  write(writer, "state.weights", state.w);
  write(writer, "state.values", state.values);
  writer.add("state.steps", std::move(steps));
  writer.add("state.slopes", std::move(slopes));
  write(writer, "state.counts",
        std::vector<std::uint32_t>{static_cast<std::uint32_t>(state.iterations)});
}

using AfterPass = std::function<bool(const PassDone&)>;

OnlineOptions online_options(const LearnerOptions& options) {
  OnlineOptions online;
  online.rule = options.learner == DependencyLearner::perceptron ? OnlineRule::perceptron
                : options.learner == DependencyLearner::mira     ? OnlineRule::passive_aggressive
                                                                 : OnlineRule::log_linear;
  online.cost_weight = options.learner == DependencyLearner::mira ? options.cost : 0;
  online.aggressiveness = options.aggressiveness;
  online.rate = options.rate;
  online.variance = options.regularisation;
  online.least_slope = 1e-3;
  online.batch = options.batch;
  online.seed = options.seed;
  return online;
}

// Any learner that has an OnlineState.
template <class Learner>
void run_passes(Learner& learner, int passes, const AfterPass& after, const WorkDone& during) {
  while (static_cast<int>(learner.state().passes) < passes) {
    const PassResult result = learner.pass(during);
    const std::vector<float> weights = learner.state().averaged();
    const auto save = [&](ModelWriter& writer) { write_online(learner.state(), writer); };
    if (!after({static_cast<int>(learner.state().passes), result.loss, weights, save})) return;
  }
}

void run_online(const TrainingProblem& problem, const LearnerOptions& options, Workers workers,
                Group& group, const ModelFile* resume, const AfterPass& after,
                const WorkDone& during) {
  const OnlineOptions online = online_options(options);
  OnlineState state = resume != nullptr ? read_online(*resume) : OnlineState{};
  if (options.blocks > 1) {
    MixedOnlineLearner learner(problem, online, static_cast<std::size_t>(options.blocks),
                               workers.team, group, std::move(state));
    return run_passes(learner, options.passes, after, during);
  }
  OnlineLearner learner(problem, online, workers.team, std::move(state), &group);
  run_passes(learner, options.passes, after, during);
}

ExponentiatedGradientOptions dual_options(const LearnerOptions& options) {
  ExponentiatedGradientOptions dual;
  dual.loss = options.learner == DependencyLearner::eg_max_margin ? DualLoss::max_margin
                                                                  : DualLoss::log_linear;
  dual.variance = options.regularisation;
  dual.least_change = 1e-5;
  dual.seed = options.seed;
  return dual;
}

void run_dual(const TrainingProblem& problem, const LearnerOptions& options,
              const ModelFile* resume, const AfterPass& after, const WorkDone& during) {
  ExponentiatedGradient learner(
      problem, dual_options(options),
      resume != nullptr ? read_dual(*resume) : ExponentiatedGradientState{});
  while (static_cast<int>(learner.state().passes) < options.passes) {
    const DualPass result = learner.pass(during);
    const std::vector<float> weights = learner.weights();
    const auto save = [&](ModelWriter& writer) { write_dual(learner.state(), writer); };
    if (!after({static_cast<int>(learner.state().passes), result.dual, weights, save})) return;
  }
}

void run_dual_blocks(const TrainingProblem& problem, const LearnerOptions& options, Workers workers,
                     Group& group, const ModelFile* resume, const AfterPass& after,
                     const WorkDone& during) {
  BlockGradient learner(problem, dual_options(options), static_cast<std::size_t>(options.blocks),
                        workers.team, group,
                        resume != nullptr ? read_dual(*resume) : ExponentiatedGradientState{});
  while (learner.passes() < options.passes) {
    const DualPass result = learner.pass(during);
    const std::vector<float> weights = learner.weights();
    const auto save = [&](ModelWriter& writer) { write_dual(learner.whole_state(), writer); };
    if (!after({learner.passes(), result.dual, weights, save})) return;
  }
}

void run_lbfgs(const TrainingProblem& problem, const LearnerOptions& options, Workers workers,
               Group& group, const ModelFile* resume, const AfterPass& after) {
  LogLinearOptions batch;
  batch.variance = options.regularisation;
  LbfgsState start;
  if (resume != nullptr) start = read_lbfgs(*resume, problem.dimension());
  batch.iterations = options.passes;
  batch.save = [&](const LbfgsState& state, double value, std::span<const float> now) {
    const auto save = [&](ModelWriter& writer) { write_lbfgs(state, writer); };
    return after({state.iterations, value, now, save});
  };
  std::vector<float> weights;
  if (start.iterations < options.passes) {
    learn_log_linear(problem, std::move(start), weights, batch, workers.team, group);
  }
}

// Of those that have them; the others have none, or their own.
bool has_blocks(DependencyLearner learner) {
  return learner != DependencyLearner::log_linear && learner != DependencyLearner::log_linear_sgd;
}

void check_blocks(const LearnerOptions& options) {
  constexpr int kMost = 1 << 16;
  if (options.blocks < 0 || options.blocks > kMost ||
      (options.blocks > 0 && !std::has_single_bit(static_cast<unsigned>(options.blocks)))) {
    throw usage_error(fmt::format("{} blocks: expected a power of two", options.blocks),
                      "1, 2, 4, 8 and so on");
  }
  if (options.blocks > 1 && !has_blocks(options.learner)) {
    throw usage_error(fmt::format("the learner {} has no blocks", name_of(options.learner)),
                      "it gives the same model for any number of processes as it is");
  }
}

}  // namespace

DependencyLearner parse_dependency_learner(std::string_view name) {
  for (const Named& each : kLearners) {
    if (name == each.name) return each.learner;
  }
  throw usage_error(fmt::format("unknown learner \"{}\"", name),
                    "expected perceptron, mira, loglinear, loglinear-sgd, eg-loglinear or "
                    "eg-maxmargin");
}

std::string_view name_of(DependencyLearner learner) {
  return kLearners[static_cast<std::size_t>(learner)].name;
}

LearnerOptions with_defaults(LearnerOptions options, bool grouped) {
  constexpr int kBlocks = 4;  // with more, what they learn apart differs more from one learner's
  check_blocks(options);
  if (options.blocks == 0) options.blocks = grouped && has_blocks(options.learner) ? kBlocks : 1;
  if (options.passes <= 0) options.passes = default_passes(options.learner, options.blocks);
  if (options.regularisation <= 0) {
    options.regularisation = default_regularisation(options.learner);
  }
  return options;
}

Range own_examples(const LearnerOptions& given, std::size_t examples, const Group* group) {
  if (group == nullptr) return {0, examples};
  const LearnerOptions options = with_defaults(given, true);
  if (options.learner == DependencyLearner::log_linear) {
    return BlockTree(blocks_for(examples), group->size()).examples_of(group->rank(), examples);
  }
  if (options.blocks == 1) return {0, examples};
  const BlockTree tree(static_cast<std::size_t>(options.blocks), group->size());
  return tree.examples_of(group->rank(), examples);
}

void run_learner(const TrainingProblem& problem, const LearnerOptions& given, Workers workers,
                 const ModelFile* resume, const std::function<bool(const PassDone&)>& after,
                 const WorkDone& during) {
  Alone alone;
  Group& group = workers.group != nullptr ? *workers.group : alone;
  const LearnerOptions options = with_defaults(given, workers.group != nullptr);
  switch (options.learner) {
    case DependencyLearner::perceptron:
    case DependencyLearner::mira:
    case DependencyLearner::log_linear_sgd:
      return run_online(problem, options, workers, group, resume, after, during);
    case DependencyLearner::log_linear:
      return run_lbfgs(problem, options, workers, group, resume, after);
    case DependencyLearner::eg_log_linear:
    case DependencyLearner::eg_max_margin:
      if (options.blocks == 1 && group.size() > 1) {
        throw usage_error(
            "in one block, exponentiated gradient learns one sentence after the other",
            "take more blocks, or one process");
      }
      if (options.blocks == 1) return run_dual(problem, options, resume, after, during);
      return run_dual_blocks(problem, options, workers, group, resume, after, during);
  }
}

}  // namespace copse
