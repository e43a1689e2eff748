#include "copse/pipeline/annotation_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/thread_team.h"
#include "copse/dependency/trainer.h"
#include "copse/pipeline/model.h"

namespace copse {
namespace {

constexpr std::size_t kMostForTemperature = 500;  // sentences held out of the others

double probability_of(const std::vector<ArcProbability>& arcs, int head, int word) {
  const auto found = std::ranges::find_if(
      arcs, [&](const ArcProbability& arc) { return arc.head == head && arc.word == word; });
  return found == arcs.end() ? 0 : found->probability;
}

std::vector<AnnotationDoubt> doubts_of_one(const SentenceParser& parser, const Sentence& sentence,
                                           std::size_t number) {
  std::vector<AnnotationDoubt> out;
  if (sentence.words() == 0 || !sentence.tree().is_tree()) return out;
  const Parse parse = parser.parse(sentence, {.marginals = true});
  const ParsedTree& best = parse.trees.front();
  const DependencyTree tree = parser.tree_of(best);
  for (int word = 1; word <= sentence.words(); ++word) {
    const auto at = static_cast<std::size_t>(word);
    AnnotationDoubt doubt{number, word, 0, tree.head(word), "", 0, 0};
    if (!best.labels.empty()) doubt.relation = tree.label(word);
    doubt.probability_here = probability_of(parse.arcs, sentence.head(word), word);
    if (tree.head(word) != sentence.head(word)) {
      doubt.probability_there = best.arc_probability[at];
      doubt.doubt = std::max(0.0, doubt.probability_there - doubt.probability_here);
    } else if (!best.labels.empty() && doubt.relation != sentence.deprel(word)) {
      doubt.probability_there =
          best.label_probability[at] / std::max(1e-9, best.arc_probability[at]);
      doubt.doubt = doubt.probability_there;
    } else {
      continue;
    }
    out.push_back(std::move(doubt));
  }
  return out;
}

}  // namespace

std::vector<AnnotationDoubt> doubts_of(const SentenceParser& parser,
                                       std::span<const Sentence> sentences, int threads) {
  std::vector<std::vector<AnnotationDoubt>> by_sentence(sentences.size());
  ThreadTeam team(threads);
  team.for_each(sentences.size(),
                [&](std::size_t i) { by_sentence[i] = doubts_of_one(parser, sentences[i], i); });
  std::vector<AnnotationDoubt> out;
  for (auto& some : by_sentence) std::ranges::move(some, std::back_inserter(out));
  return out;
}

std::vector<AnnotationDoubt> cross_validated_doubts(std::span<const Sentence> sentences,
                                                    const DoubtOptions& options) {
  std::vector<AnnotationDoubt> out;
  const std::size_t n = sentences.size();
  const auto folds = static_cast<std::size_t>(options.folds);
  if (n < folds) return out;
  DependencyTraining training;
  training.kind.order = Factorisation::first;
  training.learner.passes = options.passes;
  training.threads = options.threads;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    const std::size_t begin = n * fold / folds, end = n * (fold + 1) / folds;
    if (options.step)
      options.step(fmt::format("a parser that has not seen part {} of {} ...", fold + 1, folds));
    std::vector<Sentence> others;
    for (std::size_t i = 0; i < n; ++i) {
      const bool inside = i >= begin && i < end;
      if (!inside && sentences[i].words() > 0 && sentences[i].tree().is_tree()) {
        others.push_back(sentences[i]);
      }
    }
    const std::size_t held = std::min(kMostForTemperature, others.size() / 10);
    const std::vector<Sentence> dev(others.end() - static_cast<std::ptrdiff_t>(held), others.end());
    others.resize(others.size() - held);
    const TrainedParser trained = train_dependency_parser(others, dev, training, {});
    const Model model = Model::from_bytes(trained.model(nullptr).bytes(), "a fold's parser");
    for (AnnotationDoubt& doubt : doubts_of(
             model.dependency_parser(), sentences.subspan(begin, end - begin), options.threads)) {
      doubt.sentence += begin;
      out.push_back(std::move(doubt));
    }
  }
  return out;
}

}  // namespace copse
