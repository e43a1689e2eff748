#include "copse/dependency/tree_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "copse/base/error.h"
#include "copse/dependency/parser_judge.h"
#include "copse/dependency/trainer.h"
#include "copse/treebank/projectivity.h"
#include "copse/treebank/pseudo_projective.h"

namespace copse {
namespace {

constexpr std::size_t kMostToLearn = 2000, kMostToJudge = 1000;  // sentences
constexpr std::size_t kHeldOut = 10;  // without dev: every tenth sentence
constexpr int kPasses = 3;
// From this share on, in percent, trees that are not projective are taken for granted: small parsers
// of few features undervalue them.
constexpr double kManyCrossing = 3;
constexpr double kSure = 2;  // standard errors

constexpr std::array<std::string_view, 3> kNames = {"projective", "lifted", "nonprojective"};

// At most so many, taken from all of it.
std::vector<Sentence> sample(const std::vector<Sentence>& sentences, std::size_t most) {
  const std::size_t count = std::min(most, sentences.size());
  std::vector<Sentence> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.push_back(sentences[i * sentences.size() / count]);
  return out;
}

struct TrialData {
  std::vector<Sentence> learn, judge;
};

TrialData trial_data(const std::vector<Sentence>& train, const std::vector<Sentence>& dev) {
  if (!dev.empty()) return {sample(train, kMostToLearn), sample(dev, kMostToJudge)};
  TrialData data;
  for (std::size_t i = 0; i < train.size(); ++i) {
    (i % kHeldOut == kHeldOut - 1 ? data.judge : data.learn).push_back(train[i]);
  }
  return {sample(data.learn, kMostToLearn), sample(data.judge, kMostToJudge)};
}

bool goes_with(TreeSort sort, DependencyTraining options) {
  set_trees(sort, options);
  try {
    with_defaults(options);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return false;
  }
}

// Labels may hold what would be taken for marks.
bool can_be_lifted(std::span<const Sentence> sentences) {
  try {
    for (const Sentence& sentence : sentences) projectivise(sentence.tree(), LiftLabels::head);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The one that is taken for granted first.
std::vector<TreeSort> kinds_to_try(const std::vector<Sentence>& train,
                                   const DependencyTraining& options, bool many_cross) {
  std::vector<TreeSort> kinds = {TreeSort::projective};
  if (goes_with(TreeSort::lifted, options) && can_be_lifted(train)) {
    kinds.push_back(TreeSort::lifted);
  }
  if (goes_with(TreeSort::nonprojective, options)) kinds.push_back(TreeSort::nonprojective);
  if (many_cross) std::ranges::reverse(kinds);
  return kinds;
}

// A small parser that sees what the large one is going to see.
DependencyTraining trial_training(DependencyTraining options, TreeSort sort) {
  const std::uint64_t seed = options.learner.seed;
  options.learner = {};
  options.learner.seed = seed;
  options.learner.passes = kPasses;
  options.kind.order = Factorisation::first;
  options.over_automata = false;
  options.model_megabytes.reset();
  options.checkpoint.clear();
  options.group = nullptr;
  set_trees(sort, options);
  return options;
}

TreeTrial try_trees(TreeSort sort, const TrialData& data, const DependencyTraining& options) {
  const DependencyTraining training = with_defaults(trial_training(options, sort));
  const DependencyParser parser = train_dependency_parser(data.learn, {}, training, {}).parser();
  ThreadTeam team(training.threads);
  return {sort, judge_sentences(parser, data.judge, team)};
}

}  // namespace

namespace {

// Projective and lifted trees are searched alike and cost the same: nothing speaks for one of them
// but its gain.
double chance_of(TreeSort one, TreeSort other, double squares) {
  const bool alike = one != TreeSort::nonprojective && other != TreeSort::nonprojective;
  return alike ? 0 : kSure * std::sqrt(squares);
}

}  // namespace

std::string_view name_of(TreeSort sort) {
  return kNames.at(static_cast<std::size_t>(sort));
}

TreeSort tree_sort_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found != kNames.end()) return static_cast<TreeSort>(found - kNames.begin());
  throw usage_error(fmt::format("unknown kind of trees '{}'", name),
                    "expected projective, lifted or nonprojective");
}

TreeSort trees_of(const DependencyTraining& options) {
  if (options.lifted) return TreeSort::lifted;
  const bool crossing = options.nonprojective || !options.kind.projective;
  return crossing ? TreeSort::nonprojective : TreeSort::projective;
}

void set_trees(TreeSort sort, DependencyTraining& options) {
  options.lifted = sort == TreeSort::lifted;
  options.nonprojective = sort == TreeSort::nonprojective;
  options.kind.projective = !options.nonprojective;
}

CrossingArcs count_crossing_arcs(std::span<const Sentence> sentences) {
  CrossingArcs out;
  for (const Sentence& sentence : sentences) {
    const std::size_t crossing = nonprojective_words(sentence.tree()).size();
    ++out.sentences;
    out.arcs += static_cast<std::size_t>(sentence.words());
    out.crossing_arcs += crossing;
    out.crossing_sentences += crossing > 0 ? 1 : 0;
  }
  return out;
}

DependencyScores TreeTrial::sum() const {
  DependencyScores out;
  for (const DependencyScores& scores : each) out.add(scores);
  return out;
}

TreeSort best_trees(std::span<const TreeTrial> trials) {
  const TreeTrial& first = trials.front();
  TreeSort best = first.sort;
  double most = 0;
  for (const TreeTrial& trial : trials.subspan(1)) {
    double gain = 0, squares = 0;
    for (std::size_t i = 0; i < trial.each.size(); ++i) {
      const double more =
          static_cast<double>(trial.each[i].labels) - static_cast<double>(first.each[i].labels);
      gain += more;
      squares += more * more;
    }
    if (gain <= std::max(most, chance_of(first.sort, trial.sort, squares))) continue;
    best = trial.sort;
    most = gain;
  }
  return best;
}

TreeChoice choose_trees(const std::vector<Sentence>& train, const std::vector<Sentence>& dev,
                        const DependencyTraining& options,
                        const std::function<void(const std::string& step)>& step) {
  TreeChoice choice;
  choice.crossing = count_crossing_arcs(train);
  const CrossingArcs& crossing = choice.crossing;
  if (crossing.share_of_arcs() < kFewCrossing || crossing.crossing_arcs < kFewestCrossing) {
    return choice;
  }
  const bool many_cross = crossing.share_of_arcs() >= kManyCrossing;
  const std::vector<TreeSort> kinds = kinds_to_try(train, options, many_cross);
  const TrialData data = trial_data(train, dev);
  if (kinds.size() == 1 || data.learn.empty() || data.judge.empty()) return choice;
  for (const TreeSort sort : kinds) {
    if (step) step(fmt::format("trying {} trees", name_of(sort)));
    choice.trials.push_back(try_trees(sort, data, options));
  }
  choice.chosen = best_trees(choice.trials);
  return choice;
}

}  // namespace copse
