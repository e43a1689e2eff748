#include "copse/constituency/incremental/training.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/data_source.h"
#include "copse/base/error.h"
#include "copse/cluster/word_clusters.h"
#include "copse/constituency/incremental/learner.h"
#include "copse/constituency/incremental/parser_file.h"
#include "copse/constituency/incremental/passes.h"
#include "copse/constituency/tagged_trees.h"
#include "copse/treebank/left_corner.h"

namespace copse::incremental {
namespace {

using Progress = std::function<void(const std::string&)>;

void count_reachable(std::span<const LearningExample> examples, const Grammar& grammar,
                     TrainingReport& report) {
  for (const LearningExample& each : examples) {
    const auto missing = std::ranges::count_if(
        each.moves, [&](const Move& move) { return !grammar.in_use(move.chain); });
    report.unreachable_steps += static_cast<std::size_t>(missing);
    report.unreachable_trees += missing > 0 ? 1 : 0;
  }
}

std::shared_ptr<const Companion> count_companion(std::span<const LearningExample> examples,
                                                 const UnseenFold& left_out,
                                                 const IncrementalParser::Parts& parts,
                                                 const TrainingOptions& options) {
  std::vector<CountedTree> trees;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (left_out.has(i)) continue;
    trees.push_back({examples[i].views->words(), examples[i].moves});
  }
  return std::make_shared<Companion>(
      Companion::count(trees, *parts.grammar, *parts.heads, parts.lexicon, options.companion));
}

// That of all examples goes into the parser; those that have not seen a fold are for learning.
std::vector<std::shared_ptr<const Companion>> count_folds(std::span<LearningExample> examples,
                                                          IncrementalParser::Parts& parts,
                                                          const TrainingOptions& options) {
  const std::size_t all = examples.size();
  parts.companion = count_companion(examples, kNoFold, parts, options);
  const int folds = options.generative_folds;
  if (folds < 2 || all < static_cast<std::size_t>(folds)) return {parts.companion};
  std::vector<std::shared_ptr<const Companion>> out;
  for (int fold = 0; fold < folds; ++fold) {
    const UnseenFold unseen = fold_of(all, fold, folds);
    out.push_back(count_companion(examples, unseen, parts, options));
    for (std::size_t i = unseen.begin; i < unseen.end; ++i) examples[i].companion = fold;
  }
  return out;
}

// Of trees and options, but not of the number of passes: who may go on from whose checkpoint.
std::string identity_of(std::span<const std::span<const Entry>> runs,
                        const TrainingOptions& options, const Measure& measure,
                        const std::string& heads) {
  if (options.checkpoint.empty()) return {};
  nlohmann::json record = to_json(options);
  if (options.mixes().size() == 1) record.erase("epochs");
  record["heads"] = heads;
  record["measure"] = measure.identity;
  record["diversity"] = {options.companion.node_diversity, options.companion.word_diversity};
  record["cache"] = {options.cache.entries, options.cache.candidates};
  record["cluster_words"] = options.clusters ? checksum_text(options.clusters->bytes()) : "";
  std::string text = record.dump();
  for (const std::span<const Entry> run : runs) {
    for (const Entry& entry : run) text += entry.tree.empty() ? "\n" : entry.tree.str() + '\n';
  }
  return checksum_text(text);
}

// Of the words of all examples; the tags of the trees where no tagger is asked.
std::vector<std::vector<TagCandidates>> unseen_candidates(std::span<const TagExample> examples,
                                                          const ParserTagging& tagging,
                                                          double share) {
  std::vector<std::vector<TagCandidates>> out(examples.size());
  const bool unseen = visit_unseen(
      examples, tagging, [&](std::size_t i, const auto& tagger, const auto& input, auto& scratch) {
        out[i] = tag_candidates(tagger, input, tagger.tag(input, scratch), share, scratch);
      });
  if (unseen) return out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const std::string& tag : examples[i].labels) out[i].push_back({{tag, 0}});
  }
  return out;
}

// Right tags where they are among the candidates, else those that were chosen.
std::vector<std::string> tags_to_learn(std::span<const TagCandidates> candidates,
                                       std::span<const std::string> right) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const bool found =
        std::ranges::find(candidates[i], right[i], &TagCandidate::tag) != candidates[i].end();
    out.push_back(found ? right[i] : candidates[i].front().tag);
  }
  return out;
}

bool has_companion(const TrainingOptions& options) {
  return std::ranges::any_of(options.mixes(), [](double mix) { return mix > 0; });
}

// What half of the other trees say of the pass that the other half chose.
std::string halves_text(std::span<const Epoch> epochs) {
  const auto best = [&](double DevFigures::*half) -> const Epoch& {
    return *std::ranges::max_element(epochs, {}, [&](const Epoch& each) { return each.dev.*half; });
  };
  const Epoch &by_odd = best(&DevFigures::odd), &by_even = best(&DevFigures::even);
  return fmt::format(
      "chosen on odd trees (mix {:g}): {:.2f} on even ones; chosen on even trees (mix {:g}): "
      "{:.2f} on "
      "odd ones\n",
      by_odd.mix, by_odd.dev.even, by_even.mix, by_even.dev.odd);
}

}  // namespace

std::string TrainingReport::str() const {
  std::string text =
      fmt::format("{} trees, {} words; {} labels, {} chains ({} in use), {} triples\n", trees,
                  words, labels, chains, chains_in_use, triples);
  if (left_out > 0) text += fmt::format("left out {} without words or too long\n", left_out);
  text += fmt::format("{} steps in {} trees need a chain that is not in use\n", unreachable_steps,
                      unreachable_trees);
  const Epoch& kept = epochs[best];
  const auto of_run = std::ranges::find(epochs, kept.run, &Epoch::run);
  text += fmt::format("{} features, epoch {} of {}", features,
                      best + 1 - static_cast<std::size_t>(of_run - epochs.begin()),
                      std::ranges::count(epochs, kept.run, &Epoch::run));
  if (epochs.back().run > 0) text += fmt::format(", mix {:g}", kept.mix);
  text += '\n';
  if (kept.dev.all >= 0 && epochs.size() > 1) text += halves_text(epochs);
  return text;
}

Trained train(std::span<const std::span<const Entry>> runs, const TrainingOptions& options,
              const Measure& measure, const Progress& progress) {
  const Progress say = progress ? progress : [](const std::string&) {};
  if (options.mixes().size() > 1 && !measure.judge) {
    throw usage_error("several weights of the generative model", "trees to choose by are needed");
  }
  const auto heads = std::make_shared<HeadRules>(HeadRules::load(options.heads));
  const CheckpointFile checkpoint(options.checkpoint, "incremental-checkpoint",
                                  identity_of(runs, options, measure, heads->provenance()));
  checkpoint.open();  // refused now, and not after the taggers
  TrainingReport report;
  const TaggedTrees trees = tagged_trees(runs, static_cast<int>(NodeContext::kNone));
  report.trees = trees.trees.size();
  report.words = trees.word_count;
  report.left_out = trees.left_out;
  if (trees.trees.empty()) throw data_error("there is no tree to learn from");
  say("tagger");
  const ParserTagging tagging{options.tag_folds, options.tagger_epochs, options.clusters};
  IncrementalParser::Parts parts{options.model,
                                 nullptr,
                                 nullptr,
                                 {},
                                 {},
                                 nullptr,
                                 train_parser_tagger(trees.words, kNoFold, tagging),
                                 {}};
  const auto candidates = unseen_candidates(trees.words, tagging, options.model.tagging.share);
  const auto grammar = std::make_shared<Grammar>();
  std::vector<LearningExample> examples(trees.trees.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto tags = tags_to_learn(candidates[i], trees.words[i].labels);
    examples[i].moves = grammar->add(left_corner_transform(with_tags(trees.trees[i], tags)));
    for (const std::string& word : trees.words[i].words) parts.lexicon.count(word);
  }
  for (const std::string& tag : parts.tagger.model().labels) grammar->add_tag(tag);
  grammar->finish();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::vector<std::string> tags;
    for (const TagCandidates& each : candidates[i]) {
      tags.push_back(each.front().tag);
      examples[i].readings.push_back(readings_of(each, *grammar, options.model.tagging.weight));
    }
    examples[i].views = std::make_unique<WordViews>(trees.words[i].words, tags, parts.lexicon);
  }
  report.labels = grammar->labels();
  report.chains = grammar->chains().size();
  report.chains_in_use = grammar->chains_in_use();
  report.triples = grammar->triples().size();
  count_reachable(examples, *grammar, report);
  parts.grammar = grammar;
  parts.heads = heads;
  parts.options.features.clusters = options.clusters != nullptr;
  parts.features = Features(builtin_templates(parts.options.features), *grammar, "");
  std::vector<std::shared_ptr<const Companion>> companions;
  if (has_companion(options)) {
    say("generative model");
    companions = count_folds(examples, parts, options);
  }
  Passes passes(examples, parts, companions, options, measure, checkpoint, say);
  passes.run();
  report.epochs = passes.epochs();
  report.best = passes.best();
  report.features = passes.features();
  parts.options.generative_weight = report.epochs[report.best].mix;
  if (parts.options.generative_weight == 0) parts.companion = nullptr;
  parts.weights = passes.weights();
  return {IncrementalParser(std::move(parts)), std::move(report), heads->provenance()};
}

}  // namespace copse::incremental
