#include "copse/dependency/trainer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "copse/base/error.h"
#include "copse/dependency/checkpoint.h"
#include "copse/dependency/parser_judge.h"
#include "copse/dependency/training_sentences.h"
#include "copse/dependency/use_threshold.h"
#include "copse/dependency/weight_budget.h"
#include "dependency/cluster_templates.h"
#include "dependency/default_templates.h"
#include "dependency/pruner_cluster_templates.h"
#include "dependency/pruner_templates.h"

namespace copse {
namespace {

class Trainer {
 public:
  Trainer(const std::vector<Sentence>& train, const std::vector<Sentence>& dev,
          const DependencyTraining& options, const TrainingProgress& progress)
      : options_(options),
        progress_(progress),
        dev_data_(dev),
        team_(options.threads),
        checkpoint_(options.checkpoint, identity_for_all(train, dev, options), options.group) {
    out_.parts.kind = options.kind;
    out_.parts.keys = KeyScheme::summed;
    out_.parts.lifted = options.lifted;
    out_.parts.scheme = tag_scheme_of(train);
    out_.parts.scheme.tags = options.tags;
    out_.parts.clusters = options.clusters;
    if (*options.lexical_limit > 0) {
      out_.parts.limit = LexicalLimit::most_frequent(train, *options.lexical_limit);
    }
    choose_templates();
    train_ = sentences_to_learn(train, options.labelled, options.longest, out_.parts);
    if (train_.empty()) throw data_error("there is no sentence to learn from");
    dev_ = sentences_to_judge(dev, options.longest, out_.parts);
  }

  TrainedParser train() {
    make_pruner();
    step("features");
    const int labels = static_cast<int>(out_.parts.labels.size());
    std::optional<TrainingProblem> problem, dev;
    problem.emplace(pruned_train(), features_, options_.clusters.get(), labels, options_.kind,
                    options_.selection, nullptr, team_,
                    own_examples(options_.learner, train_.size(), options_.group));
    dev.emplace(pruned_dev(), features_, options_.clusters.get(), labels, options_.kind,
                options_.selection, problem->numbers(), team_, own_dev());
    problem->numbers()->forget_lookup();
    problem->learn_over_automata(options_.over_automata);
    step("training");
    learn(*problem, *dev);
    problem.reset();
    const std::shared_ptr<const FeatureNumbers> numbers = dev->numbers();
    dev.reset();
    freeze(*numbers, labels);
    set_threshold_of_use();
    if (leads()) judge();
    out_.passes = std::move(history_.passes);
    out_.chosen = history_.chosen;
    return std::move(out_);
  }

 private:
  bool leads() const { return options_.group == nullptr || options_.group->leads(); }

  // Of data and options where somebody asks for it; the members of a group must agree on it.
  static std::string identity_for_all(const std::vector<Sentence>& train,
                                      const std::vector<Sentence>& dev,
                                      const DependencyTraining& options) {
    const bool many = options.group != nullptr && options.group->size() > 1;
    if (options.checkpoint.empty() && !many) return {};
    std::string identity = identity_of(train, dev, options);
    if (many) require_same(*options.group, identity, "data or options");
    return identity;
  }

  // The sentences of dev that this process parses after each pass.
  Range own_dev() const {
    if (options_.group == nullptr) return {0, dev_.size()};
    return part_of(dev_.size(), static_cast<std::size_t>(options_.group->rank()),
                   static_cast<std::size_t>(options_.group->size()));
  }

  // A file's own lines are looked at first, for messages with its line numbers.
  void choose_templates() {
    const std::string file =
        options_.templates_name.empty() ? "templates" : options_.templates_name;
    const PartTemplates own = parse_part_templates(options_.templates, file);
    std::string& text = out_.templates.parts;
    if (options_.templates.empty() || options_.more_templates) {
      text = std::string(embedded::default_templates);
      if (options_.clusters) text += embedded::cluster_templates;
      text += "\n";
      text += options_.templates;
      features_ = PartFeatures(parse_part_templates(text, file), out_.parts.keys);
    } else {
      text = options_.templates;
      features_ = PartFeatures(own, out_.parts.keys);
    }
    out_.templates.pruner = std::string(embedded::pruner_templates);
    if (options_.clusters) out_.templates.pruner += embedded::pruner_cluster_templates;
  }

  void step(const std::string& what) const {
    if (progress_.step) progress_.step(what);
  }

  void make_pruner() {
    if (*options_.pruner.threshold > 0) step("pruner");
    constexpr std::size_t kMost = std::size_t{3} << 19;
    const std::size_t model = bytes_of(*options_.model_megabytes);
    PrunerSetting setting;
    setting.training = options_.pruner;
    setting.kind = options_.kind;
    setting.clusters = options_.clusters.get();
    setting.templates = out_.templates.pruner;
    setting.weight_bytes = model == 0 ? kMost : std::min(kMost, model / 4 + 1);
    setting.seed = options_.learner.seed;
    setting.pass = progress_.pruner_pass;
    setting.during = progress_.during;
    TrainedPruner trained = train_pruner(train_, setting, {team_, options_.group});
    out_.parts.pruner = std::move(trained.pruner);
    out_.weights.pruner = std::move(trained.weights);
    fit_threshold(train_, features_, options_.kind, options_.clusters.get(),
                  bytes_of(*options_.pruner.feature_megabytes), out_.parts.pruner);
  }

  std::vector<ProblemSentence> pruned_train() {
    auto out = pruned(train_, out_.parts.pruner, options_.clusters.get(), team_);
    out_.pruning.train_arcs = count_arcs(out, train_).kept;
    return out;
  }
  std::vector<ProblemSentence> pruned_dev() {
    auto out = pruned(dev_, out_.parts.pruner, options_.clusters.get(), team_);
    const PrunedArcs arcs = count_arcs(out, dev_);
    out_.pruning.dev_arcs = arcs.kept;
    out_.pruning.dev_lost = arcs.lost;
    return out;
  }

  void set_threshold_of_use() {
    ArcPruner& pruner = out_.parts.pruner;
    if (pruner.threshold() <= 0) return;  // there is none
    if (const auto given = options_.pruner.use_threshold) {
      pruner.set_threshold(std::max(pruner.threshold(), *given));
    } else if (leads() && !dev_.empty()) {
      step("threshold");
      pruner.set_threshold(choose_use_threshold(out_.parser(), dev_data_, team_));
    }
    if (!leads()) return;
    const PrunedArcs arcs = count_arcs(pruned(dev_, pruner, options_.clusters.get(), team_), dev_);
    out_.pruning.use_threshold = pruner.threshold();
    out_.pruning.use_arcs = arcs.kept;
    out_.pruning.use_lost = arcs.lost;
  }

  void learn(const TrainingProblem& problem, const TrainingProblem& dev) {
    const std::optional<ModelFile> resume = checkpoint_.open(problem.dimension(), history_);
    auto before = std::chrono::steady_clock::now();
    sent_by_all();  // what came before is not of the first pass
    const auto after = [&](const PassDone& done) {
      const auto now = std::chrono::steady_clock::now();
      const double seconds = std::chrono::duration<double>(now - before).count();
      const DependencyScores scores = evaluate(dev, done.weights);
      take({done.pass, done.loss, scores, seconds, problem.size(), sent_by_all()}, done);
      before = std::chrono::steady_clock::now();
      return !is_over();
    };
    if (!(resume && is_over())) {
      run_learner(problem, options_.learner, {team_, options_.group}, resume ? &*resume : nullptr,
                  after, progress_.during);
    }
    if (history_.best_weights.empty()) history_.best_weights.resize(problem.dimension());
  }

  void take(const TrainingPass& pass, const PassDone& done) {
    if (history_.passes.empty() || is_better(pass.dev, history_.best) || dev_.empty()) {
      history_.best = pass.dev;
      history_.chosen = pass.pass;
      history_.best_weights.assign(done.weights.begin(), done.weights.end());
    }
    history_.passes.push_back(pass);
    if (progress_.pass) progress_.pass(pass);
    checkpoint_.save(history_, done);
  }

  bool is_over() const { return !dev_.empty() && history_.is_out_of(options_.patience); }

  bool is_better(const DependencyScores& a, const DependencyScores& b) const {
    return options_.labelled ? a.labels > b.labels : a.heads > b.heads;
  }

  // Of weights that are still being learnt.
  DependencyScores evaluate(const TrainingProblem& dev, std::span<const float> weights) {
    const Range own = own_dev();
    std::vector<DependencyScores> each(dev_.size());
    std::atomic<std::size_t> next = own.begin;
    const DependencyParser parser(labels_only());
    team_.run([&](int) {
      std::vector<float> scores;
      for (std::size_t i = next++; i < own.end; i = next++) {
        scores.assign(dev.parts(i), 0);
        dev.score(i, weights, scores);
        const ArcTree found = dev.best_tree(i, scores);
        const DependencyTree tree = parser.tree_of({found.heads, found.labels, 0, 0, {}, {}});
        each[i] = compare_trees(dev_[i].gold, tree, options_.labelled);
      }
    });
    DependencyScores sum;
    for (const DependencyScores& scores : each) sum.add(scores);
    return sum_over_group(sum);
  }

  // What each process has, by rank.
  template <class T>
  std::vector<T> from_all(const T& own) const {
    if (options_.group == nullptr) return {own};
    std::string bytes;
    append_values(bytes, std::span(&own, 1));
    std::vector<T> out;
    for (const std::string& each : gather_for_all(*options_.group, bytes)) {
      std::memcpy(&out.emplace_back(), each.data(), sizeof(T));
    }
    return out;
  }

  DependencyScores sum_over_group(const DependencyScores& own) const {
    DependencyScores sum;
    for (const DependencyScores& scores : from_all(own)) sum.add(scores);
    return sum;
  }

  // Since the last time.
  std::uint64_t sent_by_all() {
    if (options_.group == nullptr) return 0;
    const std::uint64_t now = options_.group->sent_bytes();
    const std::vector<std::uint64_t> each = from_all(now - std::exchange(sent_before_, now));
    return std::accumulate(each.begin(), each.end(), std::uint64_t{0});
  }

  DependencyParser::Parts labels_only() const {
    DependencyParser::Parts parts;
    parts.labels = out_.parts.labels;
    parts.lifted = out_.parts.lifted;
    return parts;
  }

  void freeze(const FeatureNumbers& numbers, int labels) {
    FrozenTables frozen =
        freeze_within(numbers, history_.best_weights, labels, bytes_of(*options_.model_megabytes));
    out_.weights.parts = std::move(frozen.parts);
    out_.weights.labels = std::move(frozen.labels);
    out_.features = frozen.features;
    out_.kept_features = frozen.kept;
  }

  void judge() {
    if (dev_.empty()) return;
    step("calibration");
    const DependencyParser parser = out_.parser();
    out_.dev = judge_parser(parser, dev_data_, team_);
    const Calibration calibration = calibrate(parser, dev_data_, team_);
    out_.parts.temperature = calibration.temperature;
    out_.parts.label_temperature = calibration.label_temperature;
    out_.parts.tree_temperature = calibration.tree_temperature;
    out_.parts.tree_odds = calibration.tree_odds;
    out_.calibration_error = calibration.error;
    out_.tree_calibration_error = calibration.tree_error;
  }

  const DependencyTraining& options_;
  const TrainingProgress& progress_;
  const std::vector<Sentence>& dev_data_;
  ThreadTeam team_;
  TrainingCheckpoint checkpoint_;
  PartFeatures features_;
  std::vector<TrainingSentence> train_, dev_;
  TrainingHistory history_;
  std::uint64_t sent_before_ = 0;
  TrainedParser out_;
};

}  // namespace

ModelWriter TrainedParser::model(const nlohmann::json& record) const {
  nlohmann::json config = parser_config(parts);
  if (!record.is_null()) config["provenance"] = record;
  ModelWriter writer(kDependencyKind, config);
  save_parser(parts, templates, weights, writer);
  return writer;
}

DependencyParser TrainedParser::parser() const {
  return DependencyParser::load(ModelFile::from_bytes(model(nullptr).bytes(), "the new model"));
}

TrainedParser train_dependency_parser(const std::vector<Sentence>& train,
                                      const std::vector<Sentence>& dev,
                                      const DependencyTraining& options,
                                      const TrainingProgress& progress) {
  const DependencyTraining complete = with_defaults(options);
  return Trainer(train, dev, complete, progress).train();
}

}  // namespace copse
