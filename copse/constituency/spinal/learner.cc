#include "copse/constituency/spinal/learner.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "copse/constituency/spinal/training.h"
#include "copse/learning/pass_order.h"
#include "copse/learning/perceptron.h"

namespace copse::spinal {
namespace {

const std::string kPrefix = "state.";

// Weights by the keys of features; a key gets a row with its first change.
struct KeyedWeights {
  TrainingWeights& weights;

  float weight(const KeyPlace& place) const {
    const auto row = weights.find(place.key);
    return row == TrainingWeights::kNoRow ? 0.0F : weights.weight(row, place.label);
  }
  void change(const KeyPlace& place, double by) {
    weights.update(weights.intern(place.key), place.label, by);
  }
};

}  // namespace

void Learner::add_cost(const SpinalParts& parts, const Analysis& gold, SpinalScores& scores) const {
  for (int a = 0; a < parts.arcs(); ++a) {
    if (gold.has(parts.arc(a))) continue;
    scores.dep[static_cast<std::size_t>(a)] += static_cast<float>(options_.cost);
  }
}

void Learner::answer(std::size_t i, Memory& memory, Answer& out) const {
  out = {};
  const bool second_order = options_.model.second_order;
  const Analysis& gold = examples_.gold(i);
  memory.atoms.fill(examples_.words(i), options_.clusters.get());
  const SpinalParts parts = examples_.parts(i);
  Scorer<TrainingWeights>(features_, weights_, memory.atoms, memory.scorer)
      .score(parts, second_order, memory.scores);
  if (options_.cost > 0) add_cost(parts, gold, memory.scores);
  const SpinalAnswer best = memory.search.best(parts, memory.scores);
  if (best.status != SearchStatus::ok) return;  // larger than the limits
  const Analysis found = analysis_of(parts, best.derivation);
  out.wrong = wrong_adjunctions(found, gold);
  out.difference =
      feature_difference(features_, examples_.inventory(), memory.atoms, gold, found, second_order);
}

void Learner::learn(const Answer& answer) {
  KeyedWeights weights{weights_};
  perceptron_step(weights, answer.difference, options_.cost * static_cast<double>(answer.wrong),
                  {options_.mira, options_.aggressiveness});
}

void Learner::pass() {
  std::vector<std::uint32_t> order = examples_.learnt();
  pass_order(options_.seed, mistakes_.size()).shuffle(std::span(order));
  std::vector<Answer> answers(static_cast<std::size_t>(options_.batch));
  std::size_t wrong = 0, words = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += answers.size()) {
    const std::size_t size = std::min(answers.size(), order.size() - begin);
    team_.for_each(size,
                   [&](std::size_t k) { answer(order[begin + k], *memory_.take(), answers[k]); });
    for (std::size_t k = 0; k < size; ++k) {
      learn(answers[k]);
      weights_.end_step();
      wrong += answers[k].wrong;
      words += examples_.words(order[begin + k]).size();
    }
  }
  mistakes_.push_back(100 * static_cast<double>(wrong) /
                      std::max<double>(1, static_cast<double>(words)));
}

void Learner::save(const CheckpointFile& to) const {
  if (!to.is_wanted()) return;
  ModelWriter writer = to.begin(nlohmann::json::object());
  weights_.save(writer, kPrefix);
  writer.add_array<double>(kPrefix + "mistakes", mistakes_);
  to.save(writer);
}

void Learner::load(const ModelFile& from) {
  weights_ = TrainingWeights::load(from, kPrefix, features_.labels());
  const auto mistakes = from.array<double>(kPrefix + "mistakes");
  mistakes_.assign(mistakes.begin(), mistakes.end());
}

}  // namespace copse::spinal
