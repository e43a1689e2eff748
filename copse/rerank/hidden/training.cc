#include "copse/rerank/hidden/training.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/base/stream.h"
#include "copse/model/checkpoint_file.h"
#include "copse/model/finite_array.h"
#include "copse/model/provenance.h"
#include "copse/model/settings.h"
#include "copse/rerank/hidden/descent.h"
#include "copse/rerank/hidden/dev_selection.h"

namespace copse::hidden {
namespace {

void check(const TrainingOptions& options) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (options.rates.empty() || !std::all_of(options.rates.begin(), options.rates.end(), positive)) {
    throw usage_error("rates must be above 0");
  }
  if (options.variances.empty() ||
      !std::all_of(options.variances.begin(), options.variances.end(),
                   [](double x) { return x >= 0 && std::isfinite(x); })) {
    throw usage_error("variances must be 0, for none, or above");
  }
  if (options.epochs < 1 || options.batch < 1 || options.min_lists < 1 ||
      options.plain_epochs < 0 || options.patience < 1) {
    throw usage_error("epochs, batch, patience and min_lists must be at least 1");
  }
  if (!positive(options.temperature)) throw usage_error("the temperature must be above 0");
}

// Everything that is learnt from.
struct Sets {
  std::shared_ptr<const Setting> setting;
  std::shared_ptr<const Blocks> blocks;
  HiddenData train;
  std::optional<HiddenData> dev;
  std::vector<DataSource> sources;
};

Domains make_domains(const TrainingOptions& options, const ReadLists& train,
                     const TrainingOutput& output) {
  Domains::Resources resources;
  const DomainKind kind = options.domain.kind;
  if (kind == DomainKind::lexical || kind == DomainKind::mixed) {
    resources.words = frequent_words(train, options.domain.min_count);
  }
  if (kind == DomainKind::cluster && !options.clusters.empty()) {
    Input input = Input::open(options.clusters);
    resources.clusters = std::make_shared<const WordClusters>(WordClusters::read(input));
  }
  if (kind == DomainKind::supersense) {
    if (auto found = Supersenses::read(options.wordnet)) {
      resources.supersenses = std::make_shared<const Supersenses>(std::move(*found));
    } else {
      output.report(fmt::format(
          "warning: there are no WordNet files in {} (Debian: wordnet-base); words have the "
          "domain pos instead of supersenses",
          options.wordnet));
    }
  }
  return {options.domain, std::move(resources)};
}

std::shared_ptr<const FeatureSource> make_whole(const TrainingOptions& options, bool parses) {
  if (!options.whole) return nullptr;
  if (!parses) return make_given_features();
  TreeFeatureOptions trees = options.trees;
  trees.head_table = options.head_table;
  return make_tree_features(trees);
}

Sets read_sets(const RerankerPaths& paths, const TrainingOptions& options, int threads,
               const TrainingOutput& output) {
  Sets sets;
  GradedLists train_lists({paths.lists, paths.gold, "train", options.max_candidates});
  ReadLists train = read_hidden_lists(train_lists, threads);
  sets.sources.push_back(train.source);
  sets.setting = std::make_shared<const Setting>(
      make_domains(options, train, output),
      options.templates.empty() ? std::string(hidden_template_table()) : options.templates,
      "features of hidden values", HeadRules::load(options.head_table), options.graph,
      make_whole(options, train_lists.has_parses()));
  const Extraction extraction = sets.setting->extraction();
  sets.blocks = std::make_shared<const Blocks>(
      frequent_blocks(train, extraction, options.min_lists, threads));
  const std::size_t lists = train.lists.size(), candidates = train.candidates,
                    duplicates = train.duplicates;
  sets.train =
      make_hidden_data(std::move(train), extraction, *sets.blocks, options.sharing, threads);
  std::size_t nodes = 0;
  for (const HiddenList& list : sets.train.lists) nodes += list.graph.nodes.size();
  output.report(fmt::format(
      "train: {} lists, {} candidates ({} of them twice), {} features in at least {} lists, {} "
      "weights; {} different sub-trees of values, {:.0f} MB",
      lists, candidates, duplicates, sets.blocks->size(), options.min_lists, sets.blocks->weights(),
      nodes, static_cast<double>(sets.train.bytes()) / 1e6));
  if (!paths.dev_lists.empty()) {
    GradedLists dev_lists({paths.dev_lists, paths.dev_gold, "dev", options.max_candidates});
    ReadLists dev = read_hidden_lists(dev_lists, threads);
    sets.sources.push_back(dev.source);
    sets.dev = make_hidden_data(std::move(dev), extraction, *sets.blocks, options.sharing, threads);
  }
  return sets;
}

nlohmann::json options_json(const TrainingOptions& options) {
  return {{"method", kMethod},
          {"domain", name_of(options.domain.kind)},
          {"values", options.domain.values},
          {"min_count", options.domain.min_count},
          {"prefix", options.domain.prefix},
          {"graph", name_of(options.graph)},
          {"heads", options.head_table},
          {"min_lists", options.min_lists},
          {"max_candidates", options.max_candidates},
          {"whole", options.whole},
          {"without", options.trees.without},
          {"loss", name_of(options.loss)},
          {"temperature", options.temperature},
          {"base", options.base},
          {"epochs", options.epochs},
          {"patience", options.patience},
          {"rates", options.rates},
          {"variances", options.variances},
          {"start", options.start == Start::random ? "random" : "plain"},
          {"plain_epochs", options.plain_epochs},
          {"noise", options.noise},
          {"average_from", options.average_from},
          {"batch", options.batch},
          {"seed", options.seed}};
}

// Of data and options, but not of the number of epochs: who may go on from whose checkpoint.
std::string identity_of(const Sets& sets, const TrainingOptions& options) {
  if (options.checkpoint.empty()) return {};
  nlohmann::json record = options_json(options);
  record.erase("epochs");
  std::string text = record.dump() + sets.setting->table + sets.setting->heads.str();
  for (const DataSource& source : sets.sources) text += source.checksum;
  for (const HiddenData* data : {&sets.train, sets.dev ? &*sets.dev : nullptr}) {
    if (data == nullptr) continue;
    for (const auto& quality : data->quality) {
      for (const double each : quality) text += fmt::format(" {}", each);
    }
  }
  text += checksum_text({reinterpret_cast<const char*>(sets.blocks->keys().data()),
                         sets.blocks->keys().size_bytes()});
  return checksum_text(text);
}

// One run for each variance, epoch by epoch.
class Trainer {
 public:
  Trainer(const Sets& sets, const TrainingOptions& options, int threads,
          const TrainingOutput& output)
      : sets_(sets),
        options_(options),
        output_(output),
        team_(threads),
        checkpoint_(options.checkpoint, "hidden-checkpoint", identity_of(sets, options)),
        selection_(sets.dev ? &*sets.dev : nullptr, options.base),
        plain_epochs_(options.start == Start::plain ? options.plain_epochs : 0) {}

  const DevSelection& run() {
    resume();
    if (progress_.rate == 0) progress_.rate = best_rate();
    for (; progress_.run < options_.variances.size(); ++progress_.run, progress_.epoch = 0) {
      run_variance();
    }
    return selection_;
  }

 private:
  // What is done: epochs of run `run`, those without hidden values included.
  struct Progress {
    std::size_t run = 0;
    int epoch = 0;
    int stale = 0;  // epochs since the choice got better
    double rate = 0;
  };

  DescentOptions descent_options(double rate, double variance) const {
    return {rate,           variance,     options_.base, options_.loss, options_.temperature,
            options_.batch, options_.seed};
  }

  DecayedWeights start() const {
    if (plain_epochs_ > 0) {
      return DecayedWeights(std::vector<double>(sets_.blocks->weights(), 0.0));
    }
    return DecayedWeights(noise_of(*sets_.blocks, options_.noise, options_.seed));
  }

  // By the loss of an epoch over a tenth of the lists.
  double best_rate() {
    if (options_.rates.size() == 1) return options_.rates[0];
    const std::size_t tenth = std::max<std::size_t>(1, sets_.train.lists.size() / 10);
    double best = options_.rates[0], least = 0;
    for (const double rate : options_.rates) {
      Descent descent(sets_.train, descent_options(rate, options_.variances[0]), start(), team_);
      const double loss = descent.run_epoch(0, 0, plain_epochs_ > 0, tenth, {});
      output_.report(fmt::format("rate {:g}: loss {:.4f} on a tenth of the lists", rate, loss));
      if (std::isfinite(loss) && (rate == options_.rates[0] || loss < least)) {
        best = rate;
        least = loss;
      }
    }
    return best;
  }

  void run_variance() {
    const double variance = options_.variances[progress_.run];
    Descent descent(sets_.train, descent_options(progress_.rate, variance),
                    resumed_ ? std::move(*resumed_) : start(), team_);
    if (!resumed_) progress_.stale = 0;
    resumed_.reset();
    const int epochs = plain_epochs_ + options_.epochs;
    Pace pace(static_cast<std::size_t>(epochs), "lists");
    while (progress_.epoch < epochs && progress_.stale < options_.patience) {
      const bool tied = progress_.epoch < plain_epochs_;
      run_epoch(descent, variance, tied, pace);
      save(descent);
    }
  }

  void run_epoch(Descent& descent, double variance, bool tied, Pace& pace) {
    const int epoch = progress_.epoch - (tied ? 0 : plain_epochs_);  // of its kind, from 0
    if (!tied && epoch == 0 && plain_epochs_ > 0) add_noise(descent);
    if (!tied && epoch + 1 == options_.average_from) descent.weights().begin_average();
    const std::size_t lists = sets_.train.lists.size();
    const auto seen = static_cast<std::size_t>(epoch) * lists;
    const double loss = descent.run_epoch(static_cast<std::uint64_t>(progress_.epoch), seen, tied,
                                          0, output_.during);
    if (!std::isfinite(loss)) {
      throw usage_error(fmt::format("the weights went beyond all bounds in epoch {}", epoch + 1),
                        "try a smaller rate of learning");
    }
    ++progress_.epoch;
    std::string dev;
    if (!tied) {
      const bool better = selection_.offer(
          descent.rounded(),
          {{"variance", variance}, {"rate", progress_.rate}, {"epoch", epoch + 1}}, team_);
      progress_.stale = better ? 0 : progress_.stale + 1;
      if (sets_.dev) dev = "; " + selection_.last_line();
    }
    output_.report(fmt::format("{}variance {:g}, epoch {:>2}: loss {:.4f}{}  {}",
                               tied ? "without hidden values, " : "", variance, epoch + 1, loss,
                               dev, pace.after(static_cast<std::size_t>(progress_.epoch), lists)));
  }

  void add_noise(Descent& descent) const {
    std::vector<double> weights = noise_of(*sets_.blocks, options_.noise, options_.seed);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += descent.weights().weight(i);
    descent.weights().replace(std::move(weights));
  }

  void save(const Descent& descent) const {
    if (!checkpoint_.is_wanted()) return;
    const DecayedWeights::State state = descent.weights().state();
    ModelWriter writer = checkpoint_.begin({{"run", progress_.run},
                                            {"epoch", progress_.epoch},
                                            {"stale", progress_.stale},
                                            {"rate", progress_.rate},
                                            {"averaging", state.averaging}});
    const double numbers[3] = {state.scale, state.scales, static_cast<double>(state.steps)};
    writer.add_array<double>("numbers", numbers);
    writer.add_array<double>("values", state.values);
    writer.add_array<double>("missed", state.missed);
    selection_.save(writer);
    checkpoint_.save(writer);
  }

  void resume() {
    const std::optional<ModelFile> file = checkpoint_.open();
    if (!file) return;
    const Settings settings(*file, "config", file->config());
    constexpr int kMostPasses = 1'000'000;
    progress_.run = static_cast<std::size_t>(
        settings.whole("run", 0, static_cast<int>(options_.variances.size()) - 1));
    progress_.epoch = settings.whole("epoch", 0, kMostPasses);
    progress_.stale = settings.whole("stale", 0, kMostPasses);
    progress_.rate = settings.number("rate", 0, 1e9);
    const auto numbers = finite_array<double>(*file, "numbers");
    const auto values = finite_array<double>(*file, "values");
    const auto missed = finite_array<double>(*file, "missed");
    const bool averaging = settings.flag("averaging");
    const std::size_t weights = sets_.blocks->weights();
    if (numbers.size() != 3 || values.size() != weights ||
        missed.size() != (averaging ? weights : 0) || !(numbers[0] > 0 && numbers[0] <= 1) ||
        !(numbers[2] >= 0 && numbers[2] < 1e15)) {
      throw file->damaged("values", "does not fit the features");
    }
    if (progress_.epoch > plain_epochs_ + options_.epochs) {
      throw usage_error(fmt::format("{} is after {} epochs", options_.checkpoint, progress_.epoch),
                        "ask for at least as many, or remove it");
    }
    resumed_ = DecayedWeights(DecayedWeights::State{{values.begin(), values.end()},
                                                    {missed.begin(), missed.end()},
                                                    numbers[0],
                                                    numbers[1],
                                                    static_cast<std::uint64_t>(numbers[2]),
                                                    averaging});
    selection_.load(*file, weights);
    output_.report(fmt::format("going on after epoch {}", progress_.epoch));
  }

  const Sets& sets_;
  const TrainingOptions& options_;
  const TrainingOutput& output_;
  ThreadTeam team_;
  CheckpointFile checkpoint_;
  DevSelection selection_;
  int plain_epochs_;
  Progress progress_;
  std::optional<DecayedWeights> resumed_;
};

nlohmann::json figures_json(const ChoiceFigures& figures) {
  return {{"lists", figures.lists},
          {"most_probable", figures.base},
          {"chosen", figures.chosen},
          {"best", figures.best}};
}

}  // namespace

ModelWriter train_hidden_reranker(const RerankerPaths& paths, const TrainingOptions& options,
                                  const TrainingOutput& output) {
  check(options);
  const int threads = resolve_threads(options.threads);
  const Sets sets = read_sets(paths, options, threads, output);
  Trainer trainer(sets, options, threads, output);
  const DevSelection& selection = trainer.run();
  nlohmann::json figures = {{"features", sets.blocks->size()}, {"weights", sets.blocks->weights()}};
  if (sets.dev) {
    const ChoiceFigures dev = selection.figures();
    const CrossFigures crossed = selection.crossed();
    figures["dev"] = figures_json(dev);
    figures["dev_crossed"] = crossed.json();
    output.report(fmt::format("chosen {}: {}", selection.choice(), dev.str("dev")));
    output.report(crossed.str());
  }
  nlohmann::json record = options_json(options);
  record["chosen"] = nlohmann::json::parse(selection.choice());
  return HiddenReranker(sets.setting, sets.blocks, selection.weights(), selection.base_weight())
      .save({{"provenance", provenance(record, sets.sources, figures)}});
}

}  // namespace copse::hidden
