#include "copse/rerank/linear_training.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/pace.h"
#include "copse/learning/log_loss_boosting.h"
#include "copse/learning/ranking_log_linear.h"
#include "copse/learning/ranking_perceptron.h"
#include "copse/rerank/boosting_grid.h"

namespace copse {
namespace {

struct TrainingSets {
  std::shared_ptr<const FeatureSource> source;
  FeatureDictionary dictionary;
  RankingData train;
  std::optional<RankingData> dev;
};

// Weights with what they reached on the development lists.
struct Chosen {
  double log_probability_weight = 0;
  std::vector<double> weights;
  std::optional<ListFigures> dev;
  nlohmann::json choice = nlohmann::json::object();  // what was chosen, for the model's record
};

void keep_better(Chosen&& now, std::optional<Chosen>& best) {
  if (!best || (now.dev && now.dev->score > best->dev->score)) best = std::move(now);
}

TrainingSets read_sets(const RerankerPaths& paths, const LinearTrainingOptions& options) {
  TrainingSets sets;
  GradedLists train({paths.lists, paths.gold, "train", options.max_candidates});
  if (train.has_parses()) {
    sets.source = make_tree_features(options.trees);
  } else {
    sets.source = make_given_features();
  }
  sets.train =
      read_training_lists(train, *sets.source, options.cutoff, options.threads, sets.dictionary);
  if (!paths.dev_lists.empty()) {
    GradedLists dev({paths.dev_lists, paths.dev_gold, "dev", options.max_candidates});
    sets.dev =
        read_other_lists(dev, *sets.source, options.cutoff, options.threads, sets.dictionary);
  }
  return sets;
}

double start_weight(const RankingPairs& pairs, const TrainingOutput& output) {
  const InitialWeight initial = initial_log_probability_weight(pairs);
  output.report(fmt::format("weight of the log probability: {:.3f}{}", initial.weight,
                            initial.on_border ? " (on the border of what was searched)" : ""));
  return initial.weight;
}

Chosen train_by_rounds(const TrainingSets& sets, const LinearTrainingOptions& options,
                       const TrainingOutput& output) {
  const bool log_loss_wanted = options.method == "logboost";
  PairOptions pair_options;
  pair_options.uniform = options.uniform || log_loss_wanted;
  pair_options.keep_ties = options.keep_ties;
  pair_options.full_ordering = options.full_ordering && !log_loss_wanted;
  const RankingPairs pairs(sets.train.lists, pair_options);
  output.report(fmt::format("{} pairs that differ in {} features; {} features are equal to others",
                            pairs.size(), pairs.entries(), pairs.merged()));
  GridRuns grid;
  grid.log_probability_weight = log_loss_wanted ? 1 : start_weight(pairs, output);
  grid.smoothing = sets.dev && !options.exact ? options.smoothing
                                              : std::vector<double>{BoostingOptions{}.smoothing};
  if (!sets.dev && options.smoothing.size() == 1) grid.smoothing = options.smoothing;
  grid.learn = [&](double smoothing) {
    BoostingOptions boosting;
    boosting.smoothing = smoothing;
    boosting.rounds = options.rounds;
    boosting.move_log_probability_every = options.move_log_probability_every;
    if (options.exact) {
      return select_by_exact_log_loss(sets.train.lists, grid.log_probability_weight,
                                      options.rounds);
    }
    if (log_loss_wanted) return boost_log_loss(pairs, grid.log_probability_weight, boosting);
    return options.naive ? boost_naively(pairs, grid.log_probability_weight, boosting)
                         : boost(pairs, grid.log_probability_weight, boosting);
  };
  const GridChoice choice =
      run_grid(grid, sets.dev ? &*sets.dev : nullptr, sets.dictionary, options.threads, output);
  auto weights = choice.run.weights_after(choice.rounds, sets.train.lists.dimension());
  Chosen chosen{weights.log_probability, std::move(weights.features), {}, {}};
  chosen.choice = {{"smoothing", choice.smoothing}, {"rounds", choice.rounds}};
  return chosen;
}

Chosen train_log_linear(const TrainingSets& sets, const LinearTrainingOptions& options,
                        const TrainingOutput& output) {
  std::optional<Chosen> best;
  std::vector<double> variances = options.variances;
  if (!sets.dev && variances.size() > 1) variances = {RankingLogLinearOptions{}.variance};
  Pace pace(variances.size(), "iterations");
  std::size_t done = 0;
  for (const double variance : variances) {
    RankingLogLinearOptions log_linear;
    log_linear.variance = variance;
    log_linear.max_iterations = options.max_iterations;
    log_linear.threads = options.threads;
    RankingLogLinear found = train_ranking_log_linear(sets.train.lists, log_linear);
    Chosen now{found.log_probability_weight, std::move(found.weights), {}, {}};
    now.choice = {{"variance", variance}};
    if (sets.dev) now.dev = measure(*sets.dev, now.log_probability_weight, now.weights);
    output.report(fmt::format("variance {:g}: loss {:.2f} after {} iterations{}  {}", variance,
                              found.loss, found.iterations,
                              now.dev ? "; " + now.dev->str("dev") : "",
                              pace.after(++done, static_cast<std::size_t>(found.iterations))));
    keep_better(std::move(now), best);
  }
  return std::move(best.value());
}

Chosen train_perceptron(const TrainingSets& sets, const LinearTrainingOptions& options,
                        const TrainingOutput& output) {
  std::optional<Chosen> best;
  const double start = start_weight(RankingPairs(sets.train.lists, {}), output);
  std::vector<double> scales = options.scales;
  if (!sets.dev && scales.size() > 1) scales = {1};
  Pace pace(scales.size() * static_cast<std::size_t>(options.epochs), "lists");
  std::size_t done = 0;
  for (const double scale : scales) {
    RankingPerceptronOptions perceptron;
    perceptron.epochs = options.epochs;
    perceptron.log_probability_weight = scale * start;
    perceptron.seed = options.seed;
    train_ranking_perceptron(
        sets.train.lists, perceptron,
        [&](int epoch, std::size_t mistakes, std::span<const double> average) {
          Chosen now{perceptron.log_probability_weight, {average.begin(), average.end()}, {}, {}};
          now.choice = {{"scale", scale}, {"epoch", epoch}};
          if (sets.dev) now.dev = measure(*sets.dev, now.log_probability_weight, now.weights);
          output.report(fmt::format("scale {:g}, epoch {:>2}: {} mistakes{}  {}", scale, epoch,
                                    mistakes, now.dev ? "; " + now.dev->str("dev") : "",
                                    pace.after(++done, sets.train.lists.size())));
          // Without development lists the last epoch counts.
          if (!now.dev) best.reset();
          keep_better(std::move(now), best);
        });
  }
  return std::move(best.value());
}

LinearReranker make_reranker(const std::string& method, const Chosen& chosen,
                             const TrainingSets& sets) {
  std::vector<WeightedFeature> features;
  for (std::uint32_t k = 0; k < chosen.weights.size(); ++k) {
    if (chosen.weights[k] == 0) continue;
    const FeatureDictionary::Entry& entry = sets.dictionary[k];
    features.push_back({entry.name, entry.key, entry.times, chosen.weights[k]});
  }
  return {method, chosen.log_probability_weight, std::move(features), sets.source};
}

nlohmann::json figures_json(const ListFigures& figures) {
  nlohmann::json json = {{"lists", figures.lists},
                         {"candidates", figures.candidates},
                         {"score_baseline", figures.score_baseline},
                         {"score_oracle", figures.score_oracle},
                         {"score", figures.score}};
  if (figures.counted) {
    json["lists_without_gold"] = figures.without_best;
    json["f1_baseline"] = figures.f1_baseline;
    json["f1_oracle"] = figures.f1_oracle;
    json["f1"] = figures.f1;
  }
  return json;
}

nlohmann::json options_json(const LinearTrainingOptions& options, const nlohmann::json& choice) {
  return {{"method", options.method},
          {"min_lists", options.cutoff.min_lists},
          {"max_times", options.cutoff.max_times},
          {"max_candidates", options.max_candidates},
          {"without", options.trees.without},
          {"heads", options.trees.head_table},
          {"uniform", options.uniform},
          {"full_ordering", options.full_ordering},
          {"move_log_probability_every", options.move_log_probability_every},
          {"seed", options.seed},
          {"chosen", choice}};
}

void report_data(const TrainingSets& sets, const LinearTrainingOptions& options,
                 const TrainingOutput& output) {
  const ListFigures train = figures_of(sets.train);
  output.report(fmt::format(
      "train: {} lists, {} candidates ({} of them twice), {} features in at least {} lists{}",
      train.lists, train.candidates, sets.train.duplicates, sets.dictionary.size(),
      options.cutoff.min_lists,
      train.counted ? fmt::format("; F1 {:.2f} of the most probable, {:.2f} of the best, {} lists "
                                  "without the gold tree",
                                  train.f1_baseline, train.f1_oracle, train.without_best)
                    : ""));
}

Chosen train(const TrainingSets& sets, const LinearTrainingOptions& options,
             const TrainingOutput& output) {
  if (options.method == "boost" || options.method == "logboost") {
    return train_by_rounds(sets, options, output);
  }
  if (options.method == "loglinear") return train_log_linear(sets, options, output);
  if (options.method == "perceptron") return train_perceptron(sets, options, output);
  throw usage_error(fmt::format("unknown method \"{}\"", options.method),
                    "expected boost, logboost, loglinear or perceptron");
}

}  // namespace

ModelWriter train_linear_reranker(const RerankerPaths& paths, const LinearTrainingOptions& options,
                                  const TrainingOutput& output) {
  const TrainingSets sets = read_sets(paths, options);
  report_data(sets, options, output);
  Chosen chosen = train(sets, options, output);
  const LinearReranker reranker = make_reranker(options.method, chosen, sets);
  std::vector<DataSource> sources = {sets.train.source};
  nlohmann::json figures = {{"features", reranker.features().size()}};
  if (sets.dev) {
    const ListFigures dev = measure(*sets.dev, chosen.log_probability_weight, chosen.weights);
    sources.push_back(sets.dev->source);
    figures["dev"] = figures_json(dev);
    output.report(fmt::format("chosen {}: {} features; {}", chosen.choice.dump(),
                              reranker.features().size(), dev.str("dev")));
  }
  return reranker.save(
      {{"provenance", provenance(options_json(options, chosen.choice), sources, figures)}});
}

}  // namespace copse
