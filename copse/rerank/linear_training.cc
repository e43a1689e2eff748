#include "copse/rerank/linear_training.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/base/error.h"
#include "copse/learning/ranking_perceptron.h"

namespace copse {
namespace {

// Weights with what they reached on the development lists.
struct Chosen {
  double log_probability_weight = 0;
  std::vector<double> weights;
  std::optional<ListFigures> dev;

  bool better_than(const std::optional<Chosen>& other) const {
    return !other || !dev || dev->score > other->dev->score;
  }
};

struct TrainingSets {
  FeatureDictionary dictionary;
  RankingData train;
  std::optional<RankingData> dev;
};

TrainingSets read_sets(const RerankerPaths& paths, const LinearTrainingOptions& options,
                       std::shared_ptr<const FeatureSource>& source) {
  TrainingSets sets;
  GradedLists train({paths.lists, paths.gold, "train"});
  source = make_given_features();
  sets.train =
      read_training_lists(train, *source, options.cutoff, options.threads, sets.dictionary);
  if (!paths.dev_lists.empty()) {
    GradedLists dev({paths.dev_lists, paths.dev_gold, "dev"});
    sets.dev = read_other_lists(dev, *source, options.cutoff, options.threads, sets.dictionary);
  }
  return sets;
}

Chosen train_perceptron(const TrainingSets& sets, const LinearTrainingOptions& options,
                        const TrainingReport& report) {
  std::optional<Chosen> best;
  RankingPerceptronOptions perceptron;
  perceptron.epochs = options.epochs;
  perceptron.log_probability_weight = options.log_probability_weight;
  perceptron.seed = options.seed;
  train_ranking_perceptron(
      sets.train.lists, perceptron,
      [&](int epoch, std::size_t mistakes, std::span<const double> average) {
        Chosen now{options.log_probability_weight, {average.begin(), average.end()}, {}};
        if (sets.dev) now.dev = measure(*sets.dev, now.log_probability_weight, now.weights);
        report(fmt::format("epoch {:>2}  {} mistakes{}", epoch, mistakes,
                           now.dev ? "  " + now.dev->str("dev") : ""));
        if (now.better_than(best)) best = std::move(now);
      });
  return std::move(*best);
}

LinearReranker make_reranker(const std::string& method, const Chosen& chosen,
                             const FeatureDictionary& dictionary,
                             std::shared_ptr<const FeatureSource> source) {
  std::vector<WeightedFeature> features;
  for (std::uint32_t k = 0; k < chosen.weights.size(); ++k) {
    if (chosen.weights[k] == 0) continue;
    const FeatureDictionary::Entry& entry = dictionary[k];
    features.push_back({entry.name, entry.key, entry.times, chosen.weights[k]});
  }
  return {method, chosen.log_probability_weight, std::move(features), std::move(source)};
}

nlohmann::json figures_json(const ListFigures& figures) {
  nlohmann::json json = {{"lists", figures.lists},
                         {"score_baseline", figures.score_baseline},
                         {"score_oracle", figures.score_oracle},
                         {"score", figures.score}};
  if (figures.counted) {
    json["f1_baseline"] = figures.f1_baseline;
    json["f1_oracle"] = figures.f1_oracle;
    json["f1"] = figures.f1;
  }
  return json;
}

}  // namespace

std::string ListFigures::str(std::string_view name) const {
  const double mean = lists == 0 ? 0 : static_cast<double>(candidates) / static_cast<double>(lists);
  std::string text = fmt::format("{}: {} lists of {:.1f} candidates; ", name, lists, mean);
  if (counted) {
    return text +
           fmt::format("F1 {:.2f} of the most probable, {:.2f} chosen ({:+.2f}), {:.2f} best",
                       f1_baseline, f1, f1 - f1_baseline, f1_oracle);
  }
  return text + fmt::format("score {:.4f} of the most probable, {:.4f} chosen, {:.4f} best",
                            score_baseline, score, score_oracle);
}

ListFigures measure(const RankingData& data, double log_probability_weight,
                    std::span<const double> weights) {
  ListFigures figures;
  const RankingLists& lists = data.lists;
  figures.lists = lists.size();
  figures.candidates = lists.candidates();
  figures.without_best = data.without_best;
  figures.duplicates = data.duplicates;
  figures.counted = !data.counts.empty();
  StratumCounts baseline, oracle, chosen;
  const auto add = [&](std::size_t c, double& score, StratumCounts& counts) {
    score += lists.score(c);
    if (!figures.counted) return;
    counts.correct += data.counts[c].correct;
    counts.gold += data.counts[c].gold;
    counts.system += data.counts[c].system;
  };
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lists.begin(i) == lists.end(i)) continue;
    std::size_t winner = lists.begin(i);
    double top = 0;
    for (std::size_t c = lists.begin(i); c < lists.end(i); ++c) {
      double value = log_probability_weight * lists.log_probability(c);
      for (const RankingLists::Feature k : lists.features(c)) value += weights[k];
      if (c == winner || value > top ||
          (value == top && lists.log_probability(c) > lists.log_probability(winner))) {
        winner = c;
        top = value;
      }
    }
    add(winner, figures.score, chosen);
    add(lists.best(i), figures.score_oracle, oracle);
    add(lists.most_probable(i), figures.score_baseline, baseline);
  }
  figures.f1 = f1_of(chosen);
  figures.f1_oracle = f1_of(oracle);
  figures.f1_baseline = f1_of(baseline);
  return figures;
}

ModelWriter train_linear_reranker(const RerankerPaths& paths, const LinearTrainingOptions& options,
                                  const TrainingReport& report) {
  if (options.method != "perceptron") {
    throw usage_error(fmt::format("unknown method \"{}\"", options.method));
  }
  std::shared_ptr<const FeatureSource> source;
  const TrainingSets sets = read_sets(paths, options, source);
  report(fmt::format("train: {} lists of {} candidates, {} features in at least {} lists",
                     sets.train.lists.size(), sets.train.lists.candidates(), sets.dictionary.size(),
                     options.cutoff.min_lists));
  const Chosen chosen = train_perceptron(sets, options, report);
  const LinearReranker reranker = make_reranker(options.method, chosen, sets.dictionary, source);
  std::vector<DataSource> sources = {sets.train.source};
  nlohmann::json figures = {{"features", reranker.features().size()}};
  if (sets.dev) {
    sources.push_back(sets.dev->source);
    figures["dev"] = figures_json(*chosen.dev);
    report(chosen.dev->str("chosen on dev"));
  }
  const nlohmann::json kept = {{"method", options.method},
                               {"min_lists", options.cutoff.min_lists},
                               {"epochs", options.epochs},
                               {"seed", options.seed}};
  return reranker.save({{"provenance", provenance(kept, sources, figures)}});
}

}  // namespace copse
