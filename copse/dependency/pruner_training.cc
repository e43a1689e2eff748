#include "copse/dependency/pruner_training.h"

#include <algorithm>
#include <atomic>

#include "copse/base/huge_pages.h"
#include "copse/base/pool.h"
#include "copse/dependency/tag_filter_training.h"
#include "copse/dependency/weight_budget.h"

namespace copse {
namespace {

struct PruningScratch {
  PositionAtoms atoms;
  ArcPruner::Scratch pruner;
};

enum class Pruned { by_filters, by_all };

// With the arcs of the tree. Leaves the sentence's atoms in the scratch.
ArcMask mask_of(const TrainingSentence& sentence, const ArcPruner& pruner, Pruned by,
                const WordClusters* clusters, PruningScratch& scratch) {
  const auto words = sentence.words.words();
  scratch.atoms.fill(words, clusters);
  ArcMask mask = by == Pruned::by_all ? pruner.prune(words, scratch.atoms, nullptr, scratch.pruner)
                                      : pruner.candidates(words, scratch.atoms, nullptr);
  for (int m = 1; m < static_cast<int>(sentence.heads.size()); ++m) {
    mask.allow(sentence.heads[static_cast<std::size_t>(m)], m);
  }
  return mask;
}

std::size_t estimated_feature_bytes(const std::vector<TrainingSentence>& sentences,
                                    const PartFeatures& features, const TreeKind& kind,
                                    const WordClusters* clusters, const ArcPruner& pruner) {
  constexpr std::size_t kSample = 400;
  const std::size_t stride = sentences.size() / kSample + 1;
  PruningScratch scratch;
  std::size_t count = 0;
  const auto visit = [&](FeatureKey, int, FeatureCopy) { ++count; };
  for (std::size_t i = 0; i < sentences.size(); i += stride) {
    const PartIndex index =
        kind.index(mask_of(sentences[i], pruner, Pruned::by_all, clusters, scratch));
    for (int f = 0; f < kPartFamilies; ++f) {
      index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id, const Part& part) {
        features.for_each(scratch.atoms, part, visit);
      });
    }
  }
  return count * stride * StoredFeatures::kBytesEach;
}

std::vector<ProblemSentence> pruned(const std::vector<TrainingSentence>& sentences,
                                    const ArcPruner& pruner, Pruned by,
                                    const WordClusters* clusters, ThreadTeam& team) {
  std::vector<ProblemSentence> out(sentences.size());
  Pool<PruningScratch> scratch;
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    const auto lease = scratch.take();
    for (std::size_t i = next++; i < out.size(); i = next++) {
      out[i] = {sentences[i].words.words(), sentences[i].heads, sentences[i].labels,
                mask_of(sentences[i], pruner, by, clusters, *lease)};
    }
  });
  return out;
}

// A small table answers from the near caches, and weights that rest on few words would make the
// pruner surer of the training data than of any other.
int min_count(const std::vector<TrainingSentence>& sentences, const PrunerTraining& training) {
  std::size_t words = 0;
  for (const TrainingSentence& each : sentences) words += each.words.words().size();
  return std::clamp(static_cast<int>(words / static_cast<std::size_t>(training.words_per_count)),
                    training.least_count, training.most_count);
}

LearnerOptions learner_of(const PrunerSetting& setting) {
  LearnerOptions learner;
  learner.learner = setting.training.learner;
  learner.passes = setting.training.passes;
  learner.seed = setting.seed;
  if (learner.learner != DependencyLearner::log_linear_sgd) return learner;
  learner.rate = setting.training.rate;
  learner.regularisation = setting.training.variance;
  return learner;
}

}  // namespace

TrainedPruner train_pruner(const std::vector<TrainingSentence>& sentences,
                           const PrunerSetting& setting, Workers workers) {
  ThreadTeam& team = workers.team;
  const PrunerTraining& training = setting.training;
  LengthFilter filter;
  if (training.filter) {
    for (const TrainingSentence& each : sentences) filter.learn(each.words.words(), each.heads);
  }
  TrainedPruner out{ArcPruner(filter, PartScorer(), 0, setting.kind), {}};
  const double threshold = training.threshold.value_or(0);
  if (threshold <= 0) return out;
  PartFeatures features(parse_part_templates(setting.templates, "pruner.templates"),
                        KeyScheme::summed);
  TreeKind kind = setting.kind;
  kind.order = Factorisation::first;
  if (training.filter) {
    out.pruner.set_tag_filter(learn_tag_filter(sentences, filter, {.seed = setting.seed}));
  }
  const TrainingProblem problem(
      pruned(sentences, out.pruner, Pruned::by_filters, setting.clusters, team), features,
      setting.clusters, 0, kind, {min_count(sentences, training), 1, 1}, nullptr, team);
  std::vector<float> weights;
  const auto after = [&](const PassDone& done) {
    weights.assign(done.weights.begin(), done.weights.end());
    if (setting.pass) setting.pass(done.pass, problem.size());
    return true;
  };
  run_learner(problem, learner_of(setting), workers, nullptr, after, setting.during);
  out.weights = freeze_within(*problem.numbers(), weights, 0, setting.weight_bytes).parts;
  const HugePageCopy copy(std::as_bytes(std::span(out.weights)));
  PartScorer scorer(std::move(features), ScalarTable::view(copy.bytes()), FrozenWeights(), 0);
  scorer.keep(copy.owner());
  TagFilter tag_filter = out.pruner.tag_filter();
  out.pruner = ArcPruner(std::move(filter), std::move(scorer), threshold, setting.kind);
  out.pruner.set_tag_filter(std::move(tag_filter));
  return out;
}

std::vector<ProblemSentence> pruned(const std::vector<TrainingSentence>& sentences,
                                    const ArcPruner& pruner, const WordClusters* clusters,
                                    ThreadTeam& team) {
  return pruned(sentences, pruner, Pruned::by_all, clusters, team);
}

PrunedArcs count_arcs(const std::vector<ProblemSentence>& pruned,
                      const std::vector<TrainingSentence>& sentences) {
  std::size_t arcs = 0, words = 0, lost = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const ArcMask& mask = pruned[i].mask;
    arcs += static_cast<std::size_t>(mask.arcs());
    words += static_cast<std::size_t>(mask.words());
    for (int m = 1; m <= mask.words(); ++m) {
      const int h = sentences[i].gold.head(m);
      lost += h < 0 || !mask.allowed(h, m) ? 1 : 0;
    }
  }
  const double all = std::max<double>(1, static_cast<double>(words));
  return {static_cast<double>(arcs) / all, 100 * static_cast<double>(lost) / all};
}

void fit_threshold(const std::vector<TrainingSentence>& sentences, const PartFeatures& features,
                   const TreeKind& kind, const WordClusters* clusters, std::size_t bytes,
                   ArcPruner& pruner) {
  constexpr double kStrictest = 0.1;
  while (bytes > 0 && pruner.threshold() > 0 && pruner.threshold() < kStrictest &&
         estimated_feature_bytes(sentences, features, kind, clusters, pruner) > bytes) {
    pruner.set_threshold(pruner.threshold() * 1.25);
  }
}

}  // namespace copse
