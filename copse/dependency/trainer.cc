#include "copse/dependency/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/base/huge_pages.h"
#include "copse/dependency/calibration.h"
#include "copse/dependency/weight_budget.h"
#include "copse/treebank/projectivity.h"
#include "dependency/cluster_templates.h"
#include "dependency/default_templates.h"
#include "dependency/pruner_cluster_templates.h"
#include "dependency/pruner_templates.h"

namespace copse {
namespace {

constexpr std::string_view kCheckpointKind = "dependency-checkpoint";

// A sentence as training needs it; the words are views into the Sentence.
struct Prepared {
  ParserWords words;
  DependencyTree gold;      // as annotated
  std::vector<int> heads;   // what the search can find
  std::vector<int> labels;  // likewise; empty if unlabelled
};

// Several roots where one is searched for: the others hang on the first.
DependencyTree with_one_root(DependencyTree tree) {
  int first = 0;
  for (int m = 1; m <= tree.words(); ++m) {
    if (tree.head(m) != 0) continue;
    if (first == 0) {
      first = m;
    } else {
      tree.set_head(m, first);
    }
  }
  return tree;
}

class Trainer {
 public:
  Trainer(const std::vector<Sentence>& train, const std::vector<Sentence>& dev,
          const DependencyTraining& options, const TrainingProgress& progress)
      : options_(options), progress_(progress), team_(options.threads) {
    out_.parts.kind = options.kind;
    out_.parts.lifted = options.nonprojective && options.kind.projective;
    out_.parts.scheme = tag_scheme_of(train);
    out_.parts.scheme.tags = options.tags;
    out_.parts.clusters = options.clusters;
    if (options.lexical_limit > 0) {
      out_.parts.limit = LexicalLimit::most_frequent(train, options.lexical_limit);
    }
    choose_templates();
    out_.templates.pruner = std::string(embedded::pruner_templates);
    if (options.clusters) out_.templates.pruner += embedded::pruner_cluster_templates;
    prepare(train, true, train_);
    if (train_.empty()) throw data_error("there is no sentence to learn from");
    prepare(dev, false, dev_);
  }

  TrainedParser train() {
    train_pruner();
    fit_threshold();
    step("features");
    const int labels = static_cast<int>(out_.parts.labels.size());
    std::optional<TrainingProblem> problem, dev;
    problem.emplace(sentences_of(train_, true), features_, options_.clusters.get(), labels,
                    options_.kind, options_.selection, nullptr, team_);
    dev.emplace(sentences_of(dev_, false), features_, options_.clusters.get(), labels,
                options_.kind, options_.selection, problem->numbers(), team_);
    problem->numbers()->forget_lookup();
    step("training");
    learn(*problem, *dev);
    problem.reset();
    calibrate(*dev);
    const FrozenTables frozen =
        freeze_within(*dev->numbers(), best_weights_, labels, options_.model_bytes);
    out_.weights.parts = frozen.parts;
    out_.weights.labels = frozen.labels;
    out_.features = frozen.features;
    out_.kept_features = frozen.kept;
    return std::move(out_);
  }

 private:
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
      features_ = PartFeatures(parse_part_templates(text, file));
    } else {
      text = options_.templates;
      features_ = PartFeatures(own);
    }
  }

  void step(const std::string& what) const {
    if (progress_.step) progress_.step(what);
  }

  void prepare(const std::vector<Sentence>& sentences, bool training, std::vector<Prepared>& out) {
    std::map<std::string, int, std::less<>> numbers;
    std::vector<DependencyTree> trees;
    for (const Sentence& sentence : sentences) {
      if (sentence.words() == 0) continue;
      Prepared next;
      next.words.fill(sentence, out_.parts.scheme, out_.parts.limit);
      next.gold = sentence.tree();
      trees.push_back(training ? searchable(next.gold) : next.gold);
      out.push_back(std::move(next));
    }
    if (training && options_.labelled) {
      for (const DependencyTree& tree : trees) {
        for (int m = 1; m <= tree.words(); ++m) numbers.emplace(tree.label(m), 0);
      }
      for (auto& [label, number] : numbers) {
        number = static_cast<int>(out_.parts.labels.size());
        out_.parts.labels.push_back(label);
      }
      if (numbers.size() > UINT16_MAX) throw data_error("too many different labels");
    }
    for (std::size_t i = 0; i < out.size(); ++i) number_tree(trees[i], numbers, out[i]);
  }

  DependencyTree searchable(const DependencyTree& gold) const {
    DependencyTree tree = options_.kind.root == RootRule::single ? with_one_root(gold) : gold;
    if (!options_.kind.projective) return tree;
    return out_.parts.lifted ? projectivise(tree, LiftLabels::head) : best_projective_tree(tree);
  }

  void number_tree(const DependencyTree& tree,
                   const std::map<std::string, int, std::less<>>& numbers, Prepared& out) const {
    out.heads.assign(1, -1);
    out.labels.assign(options_.labelled ? 1 : 0, -1);
    for (int m = 1; m <= tree.words(); ++m) {
      out.heads.push_back(tree.head(m));
      if (!options_.labelled) continue;
      const auto found = numbers.find(tree.label(m));
      out.labels.push_back(found == numbers.end() ? -1 : found->second);
    }
  }

  struct PruningScratch {
    PositionAtoms atoms;
    ArcPruner::Scratch pruner;
  };

  // Training sentences keep the arcs of their tree. Leaves the sentence's atoms in the scratch.
  ArcMask mask_of(const Prepared& prepared, bool training, PruningScratch& scratch) const {
    const auto words = prepared.words.words();
    scratch.atoms.fill(words, options_.clusters.get());
    ArcMask mask = out_.parts.pruner.prune(words, scratch.atoms, nullptr, scratch.pruner);
    if (!training) return mask;
    for (int m = 1; m < static_cast<int>(prepared.heads.size()); ++m) {
      mask.allow(prepared.heads[static_cast<std::size_t>(m)], m);
    }
    return mask;
  }

  std::vector<ProblemSentence> sentences_of(std::vector<Prepared>& prepared, bool training) {
    std::vector<ProblemSentence> out(prepared.size());
    Pool<PruningScratch> scratch;
    std::atomic<std::size_t> next = 0;
    team_.run([&](int) {
      const auto lease = scratch.take();
      for (std::size_t i = next++; i < out.size(); i = next++) {
        out[i].words = prepared[i].words.words();
        out[i].mask = mask_of(prepared[i], training, *lease);
        if (!training) continue;
        out[i].heads = prepared[i].heads;
        out[i].labels = prepared[i].labels;
      }
    });
    report_pruning(out, prepared, training);
    return out;
  }

  // Memory and time of training grow with the features of all surviving parts: a large treebank
  // gets a stricter pruner. Estimated from a sample.
  void fit_threshold() {
    const std::size_t limit = options_.pruner.feature_bytes;
    ArcPruner& pruner = out_.parts.pruner;
    constexpr double kStrictest = 0.1;
    while (limit > 0 && pruner.threshold() > 0 && pruner.threshold() < kStrictest &&
           estimated_feature_bytes() > limit) {
      pruner.set_threshold(pruner.threshold() * 1.25);
    }
  }

  std::size_t estimated_feature_bytes() const {
    constexpr std::size_t kSample = 400;
    const std::size_t stride = train_.size() / kSample + 1;
    PruningScratch scratch;
    std::size_t features = 0;
    const auto count = [&](FeatureKey, int, FeatureCopy) { ++features; };
    for (std::size_t i = 0; i < train_.size(); i += stride) {
      const PartIndex index = options_.kind.index(mask_of(train_[i], true, scratch));
      for (int f = 0; f < kPartFamilies; ++f) {
        index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id, const Part& part) {
          features_.for_each(scratch.atoms, part, count);
        });
      }
    }
    return features * stride * sizeof(FeatureId);
  }

  void report_pruning(const std::vector<ProblemSentence>& sentences,
                      const std::vector<Prepared>& prepared, bool training) {
    std::size_t arcs = 0, words = 0, lost = 0;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const ArcMask& mask = sentences[i].mask;
      arcs += static_cast<std::size_t>(mask.arcs());
      words += static_cast<std::size_t>(mask.words());
      for (int m = 1; m <= mask.words(); ++m) {
        const int h = prepared[i].gold.head(m);
        lost += h < 0 || !mask.allowed(h, m) ? 1 : 0;
      }
    }
    const double all = std::max<double>(1, static_cast<double>(words));
    (training ? out_.pruning.train_arcs : out_.pruning.dev_arcs) = static_cast<double>(arcs) / all;
    if (!training) out_.pruning.dev_lost = 100 * static_cast<double>(lost) / all;
  }

  // A small table answers from the near caches, and weights that rest on few words would make the
  // pruner surer of the training data than of any other.
  int pruner_min_count() const {
    std::size_t words = 0;
    for (const Prepared& each : train_) words += each.words.words().size();
    const PrunerTraining& pruner = options_.pruner;
    return std::clamp(static_cast<int>(words / static_cast<std::size_t>(pruner.words_per_count)),
                      pruner.least_count, pruner.most_count);
  }

  std::size_t pruner_bytes() const {
    constexpr std::size_t kMost = std::size_t{3} << 19;
    return options_.model_bytes == 0 ? kMost : std::min(kMost, options_.model_bytes / 4 + 1);
  }

  void train_pruner() {
    const PrunerTraining& pruner = options_.pruner;
    LengthFilter filter;
    if (pruner.filter) {
      for (const Prepared& each : train_) filter.learn(each.words.words(), each.heads);
    }
    out_.parts.pruner = ArcPruner(filter, PartScorer(), 0, options_.kind);
    if (pruner.threshold <= 0) return;
    step("pruner");
    PartFeatures features(parse_part_templates(out_.templates.pruner, "pruner.templates"));
    TreeKind kind = options_.kind;
    kind.order = Factorisation::first;
    const TrainingProblem problem(sentences_of(train_, true), features, options_.clusters.get(), 0,
                                  kind, {pruner_min_count(), 1, 1}, nullptr, team_);
    LearnerOptions learner;
    learner.learner = DependencyLearner::log_linear_sgd;
    learner.passes = pruner.passes;
    learner.rate = pruner.rate;
    learner.regularisation = pruner.variance;
    learner.seed = options_.learner.seed;
    std::vector<float> weights;
    run_learner(problem, learner, team_, nullptr, [&](const PassDone& done) {
      weights.assign(done.weights.begin(), done.weights.end());
      return true;
    });
    out_.weights.pruner = freeze_within(*problem.numbers(), weights, 0, pruner_bytes()).parts;
    const HugePageCopy copy(std::as_bytes(std::span(out_.weights.pruner)));
    PartScorer scorer(std::move(features), ScalarTable::view(copy.bytes()), FrozenWeights(), 0);
    scorer.keep(copy.owner());
    out_.parts.pruner =
        ArcPruner(std::move(filter), std::move(scorer), pruner.threshold, options_.kind);
  }

  void learn(const TrainingProblem& problem, const TrainingProblem& dev) {
    std::optional<ModelFile> resume = open_checkpoint(problem);
    auto before = std::chrono::steady_clock::now();
    const auto after = [&](const PassDone& done) {
      const auto now = std::chrono::steady_clock::now();
      TrainingPass pass;
      pass.pass = done.pass;
      pass.loss = done.loss;
      pass.seconds = std::chrono::duration<double>(now - before).count();
      pass.dev = evaluate(dev, done.weights);
      const bool better = out_.passes.empty() || is_better(pass.dev, best_scores_) || dev_.empty();
      if (better) {
        best_scores_ = pass.dev;
        out_.chosen = pass.pass;
        best_weights_.assign(done.weights.begin(), done.weights.end());
      }
      out_.passes.push_back(pass);
      if (progress_.pass) progress_.pass(pass);
      save_checkpoint(done);
      before = std::chrono::steady_clock::now();
      return !is_out_of_patience();
    };
    const bool over = resume && is_out_of_patience();
    if (!over) run_learner(problem, options_.learner, team_, resume ? &*resume : nullptr, after);
    if (best_weights_.empty()) best_weights_.resize(problem.dimension());
  }

  bool is_out_of_patience() const {
    return !dev_.empty() && !out_.passes.empty() &&
           out_.passes.back().pass - out_.chosen >= options_.patience;
  }

  bool is_better(const DependencyScores& a, const DependencyScores& b) const {
    return options_.labelled ? a.labels > b.labels : a.heads > b.heads;
  }

  DependencyScores evaluate(const TrainingProblem& dev, std::span<const float> weights) {
    std::vector<DependencyScores> each(dev_.size());
    std::atomic<std::size_t> next = 0;
    const DependencyParser parser(labels_only());
    team_.run([&](int) {
      std::vector<float> scores;
      for (std::size_t i = next++; i < dev_.size(); i = next++) {
        scores.assign(dev.parts(i), 0);
        dev.score(i, weights, scores);
        const ProjectiveTree found = dev.best_tree(i, scores);
        const DependencyTree tree = parser.tree_of({found.heads, found.labels, 0, 0, {}, {}});
        compare(dev_[i].gold, tree, each[i]);
      }
    });
    DependencyScores sum;
    for (const DependencyScores& scores : each) {
      sum.words += scores.words;
      sum.heads += scores.heads;
      sum.labels += scores.labels;
    }
    return sum;
  }

  DependencyParser::Parts labels_only() const {
    DependencyParser::Parts parts;
    parts.labels = out_.parts.labels;
    parts.lifted = out_.parts.lifted;
    return parts;
  }

  void compare(const DependencyTree& gold, const DependencyTree& found,
               DependencyScores& scores) const {
    for (int m = 1; m <= gold.words(); ++m) {
      const bool head = gold.head(m) == found.head(m);
      ++scores.words;
      scores.heads += head ? 1 : 0;
      scores.labels += head && (!options_.labelled || gold.label(m) == found.label(m)) ? 1 : 0;
    }
  }

  // The temperature by the log-loss of arcs on a sample of dev, then the error on all of it.
  void calibrate(const TrainingProblem& dev) {
    if (dev_.empty()) return;
    step("calibration");
    constexpr std::size_t kSample = 400;
    const std::size_t stride = dev_.size() / kSample + 1;
    out_.parts.temperature = best_temperature([&](double temperature) {
      double loss = 0;
      visit_marginals(
          dev, temperature, stride,
          [&](const Prepared& prepared, const PartIndex& index, std::span<const float> mu,
              const auto&) {
            double sum = 0;
            for (int m = 1; m <= index.words(); ++m) {
              const int h = prepared.gold.head(m);
              const int a = h < 0 ? PartIndex::kNone : index.find_arc(h, m);
              if (a != PartIndex::kNone)
                sum -= std::log(std::max(1e-9F, mu[static_cast<std::size_t>(a)]));
            }
            return sum;
          },
          [&](double sum) { loss += sum; });
      return loss;
    });
    CalibrationError error;
    visit_marginals(
        dev, out_.parts.temperature, 1,
        [&](const Prepared& prepared, const PartIndex& index, std::span<const float> mu,
            const ProjectiveTree& tree) {
          CalibrationError own;
          for (int m = 1; m <= index.words(); ++m) {
            const int h = tree.heads[static_cast<std::size_t>(m)];
            const auto a = static_cast<std::size_t>(index.find_arc(h, m));
            own.add(mu[a], prepared.gold.head(m) == h);
          }
          return own;
        },
        [&](const CalibrationError& own) { error.add(own); });
    out_.calibration_error = error.value();
  }

  // take(look(sentence, index, marginals, best tree)) for every stride-th sentence, in order.
  template <class Look, class Take>
  void visit_marginals(const TrainingProblem& dev, double temperature, std::size_t stride,
                       Look&& look, Take&& take) {
    using Answer =
        decltype(look(dev_[0], dev.index(0), std::span<const float>(), ProjectiveTree()));
    std::vector<Answer> answers(dev_.size());
    std::atomic<std::size_t> next = 0;
    team_.run([&](int) {
      std::vector<float> scores, mu;
      for (std::size_t k = next++; k * stride < dev_.size(); k = next++) {
        const std::size_t i = k * stride;
        scores.assign(dev.parts(i), 0);
        mu.assign(dev.parts(i), 0);
        dev.score(i, best_weights_, scores);
        const ProjectiveTree tree = dev.best_tree(i, scores);
        for (float& score : scores) score /= static_cast<float>(temperature);
        dev.marginals(i, scores, mu);
        answers[i] = look(dev_[i], dev.index(i), std::span<const float>(mu), tree);
      }
    });
    for (std::size_t i = 0; i < dev_.size(); i += stride) take(answers[i]);
  }

  std::optional<ModelFile> open_checkpoint(const TrainingProblem& problem) {
    if (options_.checkpoint.empty() || !std::filesystem::exists(options_.checkpoint)) {
      return std::nullopt;
    }
    ModelFile file = ModelFile::open(options_.checkpoint);
    file.require_kind(kCheckpointKind);
    try {
      take_checkpoint(file, problem);
    } catch (const nlohmann::json::exception&) {
      throw file.damaged("config", "is not that of a checkpoint");
    }
    return file;
  }

  void take_checkpoint(const ModelFile& file, const TrainingProblem& problem) {
    const nlohmann::json& config = file.config();
    if (config.value("identity", "") != options_.identity ||
        config.value("dimension", std::size_t{0}) != problem.dimension()) {
      throw usage_error(fmt::format("{} was made with other data or options", options_.checkpoint),
                        "remove it to begin anew");
    }
    const auto best = file.array<float>("best.weights");
    if (best.size() != problem.dimension()) {
      throw file.damaged("best.weights", "has another number of weights");
    }
    best_weights_.assign(best.begin(), best.end());
    out_.chosen = config.value("chosen", 0);
    for (const auto& each : config.at("history")) {
      out_.passes.push_back(
          {each.at(0), each.at(1), {each.at(2), each.at(3), each.at(4)}, each.at(5)});
      if (out_.passes.back().pass == out_.chosen) best_scores_ = out_.passes.back().dev;
    }
  }

  void save_checkpoint(const PassDone& done) const {
    if (options_.checkpoint.empty()) return;
    nlohmann::json history = nlohmann::json::array();
    for (const TrainingPass& pass : out_.passes) {
      history.push_back(
          {pass.pass, pass.loss, pass.dev.words, pass.dev.heads, pass.dev.labels, pass.seconds});
    }
    ModelWriter writer(kCheckpointKind, {{"identity", options_.identity},
                                         {"dimension", best_weights_.size()},
                                         {"passes", done.pass},
                                         {"chosen", out_.chosen},
                                         {"history", history}});
    writer.add_array("best.weights", std::span<const float>(best_weights_));
    done.save(writer);
    writer.save(options_.checkpoint);
  }

  const DependencyTraining& options_;
  const TrainingProgress& progress_;
  ThreadTeam team_;
  PartFeatures features_;
  std::vector<Prepared> train_, dev_;
  std::vector<float> best_weights_;
  DependencyScores best_scores_;
  TrainedParser out_;
};

}  // namespace

TrainedParser train_dependency_parser(const std::vector<Sentence>& train,
                                      const std::vector<Sentence>& dev,
                                      const DependencyTraining& options,
                                      const TrainingProgress& progress) {
  if (!options.kind.projective && options.kind.order != Factorisation::first) {
    throw usage_error("non-projective search is of the first order");
  }
  return Trainer(train, dev, options, progress).train();
}

}  // namespace copse
