#include "copse/constituency/phrase_training.h"

#include <fmt/core.h>

#include <utility>

#include "copse/base/data_source.h"
#include "copse/base/error.h"
#include "copse/constituency/generative/calibration.h"
#include "copse/constituency/generative/parser_file.h"
#include "copse/constituency/generative/phrase_parser.h"
#include "copse/constituency/gold_line.h"
#include "copse/constituency/history/parser_file.h"
#include "copse/constituency/incremental/parser_file.h"
#include "copse/constituency/parse_trees.h"
#include "copse/constituency/spinal/parser_file.h"
#include "copse/treebank/n_best_scores.h"

namespace copse {
namespace {

void check_model(const PhraseTraining& recipe) {
  if (recipe.model == spinal::kModelName || recipe.model == incremental::kModelName ||
      recipe.model == history::kModelName) {
    return;
  }
  if (!recipe.spinal.checkpoint.empty() || !recipe.incremental.checkpoint.empty() ||
      !recipe.history.checkpoint.empty()) {
    throw usage_error("a checkpoint needs a model that is learnt in passes",
                      "expected history, incremental or spinal");
  }
  if (recipe.model == generative::kModelName) return;
  throw usage_error(fmt::format("unknown model \"{}\"", recipe.model),
                    "expected generative, history, incremental or spinal");
}

// A parser and what its record says of it.
struct Learnt {
  std::unique_ptr<PhraseParser> parser;
  std::string report;
  std::string heads;
  nlohmann::json options;
};

// With other trees, the probabilities of brackets and tags are calibrated by them.
Learnt learn_generative(std::span<const std::span<const Entry>> trees,
                        std::span<const Entry> others, const PhraseTraining& recipe) {
  generative::Trained trained = generative::train(trees, recipe.generative);
  const generative::Calibration calibration =
      generative::calibrate(trained.parser, others, recipe.search.generative);
  trained.parser.set_sharpness(calibration.sharpness());
  Learnt out{nullptr, trained.report.str() + calibration.str(), trained.heads,
             generative::to_json(recipe.generative.model)};
  out.parser = generative::make_phrase_parser(std::move(trained.parser), recipe.search.generative);
  return out;
}

Learnt learn_spinal(std::span<const std::span<const Entry>> trees, const PhraseTraining& recipe) {
  spinal::TrainingOptions options = recipe.spinal;
  options.threads = recipe.threads;
  spinal::Trained trained = spinal::train(trees, options, recipe.step);
  Learnt out{nullptr, trained.report.str(), trained.heads, spinal::to_json(options)};
  out.parser = spinal::make_phrase_parser(std::move(trained.parser), recipe.search.spinal);
  return out;
}

// Of the trees that an epoch is chosen by, and of how they are parsed.
std::string identity_of(std::span<const Entry> others, const PhraseTraining& recipe) {
  const incremental::SearchOptions& search = recipe.search.incremental;
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {}\n", search.beam, static_cast<int>(search.rule),
                  search.gamma, search.generative_weight.value_or(-1), search.halve_after,
                  search.chain_beam, search.merge, recipe.use_tags);
  for (const Entry& entry : others) text += entry.tree.empty() ? "\n" : entry.tree.str() + '\n';
  return checksum_text(text);
}

// With other trees, the epoch is chosen by them.
Learnt learn_incremental(std::span<const std::span<const Entry>> trees,
                         std::span<const Entry> others, const PhraseTraining& recipe) {
  incremental::TrainingOptions options = recipe.incremental;
  options.threads = recipe.threads;
  PhraseTraining quiet = recipe;
  quiet.show_progress = false;
  incremental::Measure measure;
  if (!others.empty()) {
    measure.identity = identity_of(others, recipe);
    measure.judge = [&](const incremental::IncrementalParser& parser) {
      const auto door = incremental::make_phrase_parser(parser, recipe.search.incremental);
      const PhraseFigures figures = judge_phrase_parser(*door, others, quiet);
      return incremental::DevFigures{figures.totals.f1(), figures.odd.f1(), figures.even.f1()};
    };
  }
  incremental::Trained trained = incremental::train(trees, options, measure, recipe.step);
  Learnt out{nullptr, trained.report.str(), trained.heads, incremental::to_json(options)};
  out.parser =
      incremental::make_phrase_parser(std::move(trained.parser), recipe.search.incremental);
  return out;
}

// With other trees, their loss steers the rate and the epoch is chosen by them.
Learnt learn_history(std::span<const std::span<const Entry>> trees, std::span<const Entry> others,
                     const PhraseTraining& recipe) {
  history::TrainingOptions options = recipe.history;
  options.threads = recipe.threads;
  PhraseTraining quiet = recipe;
  quiet.show_progress = false;
  history::SearchOptions narrow = recipe.search.history;
  narrow.beam = options.beam;
  history::Measure measure;
  if (!others.empty()) {
    measure.identity = identity_of(others, recipe);
    measure.judge = [&](const history::HistoryParser& parser) {
      const auto door = history::make_phrase_parser(parser, narrow);
      const PhraseFigures figures = judge_phrase_parser(*door, others, quiet);
      return history::DevFigures{figures.totals.f1(), figures.odd.f1(), figures.even.f1()};
    };
  }
  history::Trained trained = history::train(trees, others, options, measure, recipe.step);
  Learnt out{nullptr, trained.report.str(), {}, history::to_json(options)};
  out.parser = history::make_phrase_parser(std::move(trained.parser), recipe.search.history);
  return out;
}

Learnt learn(std::span<const std::span<const Entry>> trees, std::span<const Entry> others,
             const PhraseTraining& recipe) {
  if (recipe.model == spinal::kModelName) return learn_spinal(trees, recipe);
  if (recipe.model == incremental::kModelName) return learn_incremental(trees, others, recipe);
  if (recipe.model == history::kModelName) return learn_history(trees, others, recipe);
  return learn_generative(trees, others, recipe);
}

}  // namespace

nlohmann::json PhraseFigures::json() const {
  return {{"f1", totals.f1()},
          {"precision", totals.precision()},
          {"recall", totals.recall()},
          {"exact", totals.complete_match()},
          {"tagging", totals.tagging_accuracy()},
          {"n", totals.sentences},
          {"fallbacks", fallbacks}};
}

std::string PhraseFigures::str() const {
  return fmt::format(
      "{} sentences, F1 {:.2f}, precision {:.2f}, recall {:.2f}, exact {:.2f}, tags {:.2f}, "
      "flat trees {}",
      totals.sentences, totals.f1(), totals.precision(), totals.recall(), totals.complete_match(),
      totals.tagging_accuracy(), fallbacks);
}

PhraseFigures judge_phrase_parser(const PhraseParser& parser, std::span<const Entry> gold,
                                  const PhraseTraining& recipe) {
  NBestScores scores, odd, even;
  PhraseFigures figures;
  std::size_t number = 0;
  const ParseTreesOptions options{{}, recipe.use_tags, recipe.threads, recipe.show_progress};
  parse_trees(parser, gold, options, "dev",
              [&](NBestList&& list, bool fallback, const Entry& entry) {
                const std::string line = gold_line(entry.tree);
                scores.add(list, line);
                (++number % 2 == 1 ? odd : even).add(list, line);
                figures.fallbacks += fallback ? 1 : 0;
              });
  figures.totals = scores.baseline();
  figures.odd = odd.baseline();
  figures.even = even.baseline();
  return figures;
}

std::unique_ptr<PhraseParser> train_phrase_parser(std::span<const std::span<const Entry>> trees,
                                                  const PhraseTraining& recipe) {
  check_model(recipe);
  return learn(trees, {}, recipe).parser;
}

TrainedPhraseParser train_phrase_parser(const TreeData& train, const TreeData* dev,
                                        const PhraseTraining& recipe) {
  check_model(recipe);
  Learnt learnt = learn(std::span(&train.entries, 1),
                        dev == nullptr ? std::span<const Entry>() : dev->entries, recipe);
  TrainedPhraseParser result;
  result.report = std::move(learnt.report);
  result.parser = std::move(learnt.parser);
  std::vector<DataSource> data{train.source};
  nlohmann::json figures = nlohmann::json::object();
  if (dev != nullptr) {
    data.push_back(dev->source);
    result.dev = judge_phrase_parser(*result.parser, dev->entries, recipe);
    figures = result.dev->json();
  }
  if (!learnt.heads.empty()) result.record["heads"] = learnt.heads;
  result.record["provenance"] = provenance(learnt.options, data, figures);
  return result;
}

}  // namespace copse
