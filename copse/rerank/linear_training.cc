#include "copse/rerank/linear_training.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
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

// Weights, and what they choose on the development lists.
struct Chosen {
  double log_probability_weight = 0;
  std::vector<double> weights;
  std::vector<std::size_t> winners;                  // empty without development lists
  nlohmann::json choice = nlohmann::json::object();  // what was chosen, for the model's record
};

// The best of what was tried, by each of kListParts of the development lists; ties: the first.
// Without such lists the last one.
class Selection {
 public:
  explicit Selection(const RankingData* dev) : dev_(dev) {}

  // Says how good it is.
  std::string offer(Chosen&& now) {
    const auto shared = std::make_shared<Chosen>(std::move(now));
    if (dev_ == nullptr) {
      best_.fill(shared);
      return "";
    }
    shared->winners = winners(*dev_, shared->log_probability_weight, shared->weights);
    std::string text;
    for (std::size_t part = 0; part < kListParts.size(); ++part) {
      const ListFigures figures = figures_of_choice(*dev_, shared->winners, kListParts[part]);
      if (part == kAllLists) text = "; " + figures.str("dev");
      if (best_[part] && figures.score <= scores_[part]) continue;
      scores_[part] = figures.score;
      best_[part] = shared;
    }
    return text;
  }
  // What one part chose, whatever it is worth.
  void put(std::size_t part, Chosen&& chosen) {
    best_[part] = std::make_shared<Chosen>(std::move(chosen));
    if (dev_ == nullptr) return;
    best_[part]->winners =
        winners(*dev_, best_[part]->log_probability_weight, best_[part]->weights);
  }

  const Chosen& best() const { return *best_[kAllLists]; }
  // The winners of lists 1, 3, 5, ... by what lists 2, 4, 6, ... chose, and the other way round.
  std::vector<std::size_t> crossed() const {
    std::vector<std::size_t> result = best_[kEvenLists]->winners;
    for (std::size_t i = 1; i < result.size(); i += 2) result[i] = best_[kOddLists]->winners[i];
    return result;
  }

 private:
  const RankingData* dev_;
  std::array<std::shared_ptr<Chosen>, kListParts.size()> best_;
  std::array<double, kListParts.size()> scores_ = {};
};

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

void train_by_rounds(const TrainingSets& sets, const LinearTrainingOptions& options,
                     const TrainingOutput& output, Selection& selection) {
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
  const auto rounds = static_cast<std::size_t>(options.rounds);
  SharedWork work(grid.smoothing.size() * rounds, output.during);
  grid.learn = [&](double smoothing) {
    std::size_t before = 0;
    const RoundProgress progress = [&](std::size_t done) {
      work.add(done - before);
      before = done;
    };
    BoostingOptions boosting;
    boosting.smoothing = smoothing;
    boosting.rounds = options.rounds;
    boosting.move_log_probability_every = options.move_log_probability_every;
    if (options.exact) {
      return select_by_exact_log_loss(sets.train.lists, grid.log_probability_weight,
                                      options.rounds);
    }
    if (options.naive && !log_loss_wanted) {
      return boost_naively(pairs, grid.log_probability_weight, boosting);
    }
    const auto learner = log_loss_wanted ? boost_log_loss : boost;
    BoostingRun run = learner(pairs, grid.log_probability_weight, boosting, progress);
    progress(rounds);  // also those that were not needed
    return run;
  };
  const GridChoices choices =
      run_grid(grid, sets.dev ? &*sets.dev : nullptr, sets.dictionary, options.threads, output);
  for (std::size_t part = 0; part < choices.size(); ++part) {
    const GridChoice& choice = choices[part];
    auto weights = choice.run->weights_after(choice.rounds, sets.train.lists.dimension());
    Chosen chosen{weights.log_probability, std::move(weights.features), {}, {}};
    chosen.choice = {{"smoothing", choice.smoothing}, {"rounds", choice.rounds}};
    selection.put(part, std::move(chosen));
  }
}

void train_log_linear(const TrainingSets& sets, const LinearTrainingOptions& options,
                      const TrainingOutput& output, Selection& selection) {
  std::vector<double> variances = options.variances;
  if (!sets.dev && variances.size() > 1) variances = {RankingLogLinearOptions{}.variance};
  Pace pace(variances.size(), "iterations");
  const auto iterations = static_cast<std::size_t>(options.max_iterations);
  SharedWork work(variances.size() * iterations, output.during);
  std::size_t done = 0;
  for (const double variance : variances) {
    RankingLogLinearOptions log_linear;
    log_linear.variance = variance;
    log_linear.max_iterations = options.max_iterations;
    log_linear.threads = options.threads;
    log_linear.progress = [&](int) { work.add(1); };
    RankingLogLinear found = train_ranking_log_linear(sets.train.lists, log_linear);
    Chosen now{found.log_probability_weight, std::move(found.weights), {}, {}};
    now.choice = {{"variance", variance}};
    const std::string dev = selection.offer(std::move(now));
    output.report(fmt::format("variance {:g}: loss {:.2f} after {} iterations{}  {}", variance,
                              found.loss, found.iterations, dev,
                              pace.after(++done, static_cast<std::size_t>(found.iterations))));
  }
}

void train_perceptron(const TrainingSets& sets, const LinearTrainingOptions& options,
                      const TrainingOutput& output, Selection& selection) {
  const double start = start_weight(RankingPairs(sets.train.lists, {}), output);
  std::vector<double> scales = options.scales;
  if (!sets.dev && scales.size() > 1) scales = {1};
  const std::size_t passes = scales.size() * static_cast<std::size_t>(options.epochs);
  Pace pace(passes, "lists");
  SharedWork work(passes * sets.train.lists.size(), output.during);
  std::size_t done = 0;
  for (const double scale : scales) {
    RankingPerceptronOptions perceptron;
    perceptron.epochs = options.epochs;
    perceptron.log_probability_weight = scale * start;
    perceptron.seed = options.seed;
    perceptron.step = [&] { work.add(1); };
    train_ranking_perceptron(
        sets.train.lists, perceptron,
        [&](int epoch, std::size_t mistakes, std::span<const double> average) {
          Chosen now{perceptron.log_probability_weight, {average.begin(), average.end()}, {}, {}};
          now.choice = {{"scale", scale}, {"epoch", epoch}};
          const std::string dev = selection.offer(std::move(now));
          output.report(fmt::format("scale {:g}, epoch {:>2}: {} mistakes{}  {}", scale, epoch,
                                    mistakes, dev, pace.after(++done, sets.train.lists.size())));
        });
  }
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

Selection train(const TrainingSets& sets, const LinearTrainingOptions& options,
                const TrainingOutput& output) {
  Selection selection(sets.dev ? &*sets.dev : nullptr);
  if (options.method == "boost" || options.method == "logboost") {
    train_by_rounds(sets, options, output, selection);
  } else if (options.method == "loglinear") {
    train_log_linear(sets, options, output, selection);
  } else if (options.method == "perceptron") {
    train_perceptron(sets, options, output, selection);
  } else {
    throw usage_error(fmt::format("unknown method \"{}\"", options.method),
                      "expected boost, logboost, loglinear or perceptron");
  }
  return selection;
}

}  // namespace

ModelWriter train_linear_reranker(const RerankerPaths& paths, const LinearTrainingOptions& options,
                                  const TrainingOutput& output) {
  const TrainingSets sets = read_sets(paths, options);
  report_data(sets, options, output);
  const Selection selection = train(sets, options, output);
  const Chosen& chosen = selection.best();
  const LinearReranker reranker = make_reranker(options.method, chosen, sets);
  std::vector<DataSource> sources = {sets.train.source};
  nlohmann::json figures = {{"features", reranker.features().size()}};
  if (sets.dev) {
    const ListFigures dev = figures_of_choice(*sets.dev, chosen.winners);
    const CrossFigures crossed = crossed_figures(*sets.dev, selection.crossed());
    sources.push_back(sets.dev->source);
    figures["dev"] = figures_json(dev);
    figures["dev_crossed"] = crossed.json();
    output.report(fmt::format("chosen {}: {} features; {}", chosen.choice.dump(),
                              reranker.features().size(), dev.str("dev")));
    output.report(crossed.str());
  }
  return reranker.save(
      {{"provenance", provenance(options_json(options, chosen.choice), sources, figures)}});
}

}  // namespace copse
