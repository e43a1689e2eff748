#include "copse/constituency/spinal/training.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/data_source.h"
#include "copse/base/error.h"
#include "copse/base/stream.h"
#include "copse/cluster/word_clusters.h"
#include "copse/constituency/spinal/examples.h"
#include "copse/constituency/spinal/learner.h"
#include "copse/constituency/spinal/parser_file.h"
#include "copse/constituency/spinal/preparation.h"
#include "copse/constituency/spinal/survivors.h"

namespace copse::spinal {
namespace {

using Progress = std::function<void(const std::string&)>;

// Of trees and options, but not of the number of passes: who may go on from whose checkpoint.
std::string identity_of(const std::string& trees, const TrainingOptions& options,
                        const std::string& heads) {
  if (options.checkpoint.empty()) return {};
  nlohmann::json record = to_json(options);
  record.erase("epochs");
  record["heads"] = heads;
  record["pruner"] = {options.pruner.rate, options.pruner.variance, options.pruner.min_count};
  record["cluster_words"] = options.clusters ? checksum_text(options.clusters->bytes()) : "";
  return checksum_text(record.dump() + trees);
}

// Tags the derivations as they will be in use, and counts the words.
void put_tags(const std::vector<std::vector<std::string>>& tags, std::vector<Example>& examples,
              Symbols& labels) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    for (std::size_t k = 0; k < tags[i].size(); ++k) {
      examples[i].derivation.spines[k + 1].tag = static_cast<LabelId>(labels.add(tags[i][k]));
    }
  }
}

std::shared_ptr<const Inventory> inventory_of(const std::vector<Example>& examples,
                                              Symbols labels) {
  std::vector<Derivation> derivations;
  std::vector<std::vector<std::string>> words;
  for (const Example& each : examples) {
    derivations.push_back(each.derivation);
    words.push_back(each.words);
  }
  return std::make_shared<Inventory>(std::move(labels), derivations, words);
}

// Learns the model's pruner, and prunes what is learnt from: by that one, or by others that have
// not seen it.
Pruner learn_and_prune(Survivors& survivors, const Preparation& prepared, int folds,
                       const Progress& say) {
  say(prepared.is_there() ? "pruner, as it was prepared" : "pruner");
  Pruner pruner = prepared.pruner(survivors.inventory(),
                                  [&survivors] { return survivors.learn_pruner(kNoFold); });
  if (folds < 2) {
    survivors.prune(pruner, {0, survivors.size()});
    return pruner;
  }
  for (int fold = 0; fold < folds; ++fold) {
    say(fmt::format("pruner of fold {}", fold + 1));
    const UnseenFold unseen = fold_of(survivors.size(), fold, folds);
    survivors.prune(survivors.learn_pruner(unseen), unseen, unseen);
  }
  return pruner;
}

void resume(const CheckpointFile& checkpoint, const TrainingOptions& options, int passes,
            Learner& learner) {
  const std::optional<ModelFile> file = checkpoint.open();
  if (!file) return;
  learner.load(*file);
  const auto done = learner.mistakes().size();
  if (done <= static_cast<std::size_t>(passes)) return;
  throw usage_error(fmt::format("{} is after {} passes", options.checkpoint, done),
                    "ask for at least as many, or remove it to begin anew");
}

void run_passes(const CheckpointFile& checkpoint, const TrainingOptions& options, Learner& learner,
                const Progress& say) {
  const int passes = options.passes_over(learner.examples());
  resume(checkpoint, options, passes, learner);
  while (learner.mistakes().size() < static_cast<std::size_t>(passes)) {
    learner.pass();
    say(fmt::format("epoch {}: {:.2f}% wrong adjunctions, {} features", learner.mistakes().size(),
                    learner.mistakes().back(), learner.features()));
    learner.save(checkpoint);
  }
}

}  // namespace

int TrainingOptions::passes_over(std::size_t trees) const {
  constexpr std::size_t kAnswers = 32'000;
  if (epochs > 0) return epochs;
  return static_cast<int>(
      std::clamp<std::size_t>(kAnswers / std::max<std::size_t>(trees, 1), 4, 8));
}

std::string TrainingReport::str() const {
  std::string text =
      fmt::format("{} trees, {} words; {} labels, {} chains of phrases, {} kinds of adjunction\n",
                  trees, words, labels, chains, adjunctions);
  if (left_out > 0) text += fmt::format("left out {} without words\n", left_out);
  text += fmt::format("pruner: {:.2f}% of the right adjunctions survive, {:.1f} for each word\n",
                      coverage, active);
  text += fmt::format("{} features\n", features);
  return text;
}

Trained train(std::span<const std::span<const Entry>> trees, const TrainingOptions& options,
              const std::function<void(const std::string&)>& progress) {
  const Progress say = progress ? progress : [](const std::string&) {};
  const HeadRules heads = HeadRules::load(options.heads);
  const bool keeps = !options.checkpoint.empty() || !options.prepared.empty();
  const std::string text = keeps ? text_of(trees) : "";
  const CheckpointFile checkpoint(options.checkpoint, "spinal-checkpoint",
                                  identity_of(text, options, heads.provenance()));
  checkpoint.open();  // refused now, and not after the pruner
  const Preparation prepared(text, options, heads.provenance());
  Symbols labels;
  std::vector<Example> examples = read_examples(
      trees, heads, options.model.exact_levels ? Levels::exact : Levels::merged, labels);
  if (examples.empty()) throw data_error("there is no tree to learn from");
  TrainingReport report;
  report.trees = examples.size();
  for (const auto& run : trees) report.left_out += run.size();
  report.left_out -= examples.size();
  say(prepared.is_there() ? "tagger, as it was prepared" : "tagger");
  const Tagging tagging = prepared.tagging(examples);
  SpinalParser::Parts parts{options.model, nullptr, {}, {}, {}, tagging.tagger, {}, heads};
  put_tags(tagging.tags, examples, labels);
  for (const Example& each : examples) {
    report.words += each.words.size();
    for (const std::string& word : each.words) parts.lexicon.count(word);
  }
  parts.inventory = inventory_of(examples, std::move(labels));
  report.labels = parts.inventory->labels().size();
  report.chains = parts.inventory->chains().size();
  report.adjunctions = parts.inventory->adjunctions().size();
  parts.features = Features(builtin_templates(options.clusters != nullptr), *parts.inventory, "");
  ThreadTeam team(resolve_threads(options.threads));
  Survivors survivors(examples, *parts.inventory, parts.lexicon, options, team);
  parts.pruner = learn_and_prune(survivors, prepared, options.pruner_folds, say);
  prepared.save(tagging, parts.pruner);
  report.coverage = survivors.coverage();
  report.active = survivors.active();
  say(fmt::format("{:.2f}% of the right adjunctions survive, {:.1f} for each word", report.coverage,
                  report.active));
  Learner learner(survivors, parts.features, options, team);
  run_passes(checkpoint, options, learner, say);
  report.mistakes = learner.mistakes();
  const WeightRows averaged = learner.averaged();
  report.features = averaged.weights();
  parts.weights = freeze(averaged, parts.features.labels());
  return {SpinalParser(std::move(parts)), std::move(report), heads.provenance()};
}

}  // namespace copse::spinal
