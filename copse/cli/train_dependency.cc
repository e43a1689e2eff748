// copse train dependency: a dependency parser from a treebank.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/cli/dependency_data.h"
#include "copse/cli/learning_curve.h"
#include "copse/cli/train_tasks.h"
#include "copse/dependency/trainer.h"
#include "copse/model/model_file.h"
#include "copse/model/provenance.h"

namespace copse {
namespace {

constexpr std::size_t kLargestTable = std::size_t{16} << 20;

class TrainDependency : public Command {
 public:
  std::string_view name() const override { return "dependency"; }
  std::string_view summary() const override {
    return "Learn a dependency parser from CoNLL-U, CoNLL-X or bracketed trees";
  }
  std::vector<Example> examples() const override {
    return {
        {"train dependency --train train.conllu --dev dev.conllu -o parser.copse",
         "third order (Koo and Collins Model 1), labelled, projective"},
        {"train dependency --train train.conllu --dev dev.conllu --order first -o small.copse",
         "first order: quicker to train and to parse"},
        {"train dependency --train train.conllu --dev dev.conllu --order first "
         "--tree nonprojective --learner loglinear --unlabeled -o np.copse",
         "log-linear over non-projective trees by the Matrix-Tree theorem"},
        {"train dependency --train train.mrg --dev dev.mrg --heads yamada-matsumoto --unlabeled "
         "-o wsj.copse",
         "from phrase-structure trees"},
        {"train dependency --train train.conllu --dev dev.conllu --clusters paths.txt -o c.copse",
         "with word clusters of 'copse cluster'"},
        {"train dependency --train train.conllu --dev dev.conllu --order first "
         "--clusters paths.txt --learning-curve 500,1000,2000,4000 -o curve.svg",
         "how much data and clusters help; no model is written"},
    };
  }

  void declare_options(CLI::App& app) override {
    data_.declare_options(app);
    app.add_option("-o,--output", output_, "Where the model goes")->required()->type_name("MODEL");
    declare_model(app);
    declare_learning(app);
    declare_pruning(app);
    declare_features(app);
    declare_plots(app);
  }

  ExitCode run(const CommonOptions& common) override {
    resolve(common);
    ProblemLog log(common);
    DependencyData data = data_.read(common, log);
    TrainingProgress progress;
    if (!common.quiet) {
      progress.step = [](const std::string& step) { fmt::print(stderr, "{}\n", step); };
      progress.pass = [this](const TrainingPass& pass) { print(pass); };
    }
    if (curve_.wanted()) {
      plot_learning_curve(data, progress);
      return log.finish("left out");
    }
    const TrainedParser trained = train_dependency_parser(data.train, data.dev, options_, progress);
    if (!common.quiet) print_summary(trained);
    save(trained, data);
    if (!curve_path_.empty()) plot_passes(trained);
    return log.finish("left out");
  }

 private:
  void declare_model(CLI::App& app) {
    const std::string group = "Model";
    app.add_option("--order", order_, "first, sibling, carreras, model0, model1 or model2")
        ->capture_default_str()
        ->group(group);
    app.add_option("--tree", tree_,
                   "projective; nonprojective: by spanning trees, higher orders by dual "
                   "decomposition; lifted: projective trees with arcs lifted and their labels "
                   "marked, lowered again after parsing")
        ->capture_default_str()
        ->check(CLI::IsMember({"projective", "nonprojective", "lifted"}))
        ->group(group);
    app.add_option("--root", root_, "single: one word hangs on the root; multi: several may")
        ->capture_default_str()
        ->check(CLI::IsMember({"single", "multi"}))
        ->group(group);
    app.add_flag("--unlabeled,--unlabelled", unlabelled_, "Heads only, no labels")->group(group);
    app.add_option("--model-size", options_.model_megabytes,
                   "Megabytes for the weights; the smallest are left out. 0: no limit. 30, for the "
                   "first order 14 if not given")
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
  }

  void declare_learning(CLI::App& app) {
    const std::string group = "Learning";
    LearnerOptions& learner = options_.learner;
    app.add_option("--learner", learner_,
                   "mira, perceptron, loglinear (L-BFGS), loglinear-sgd, eg-loglinear or "
                   "eg-maxmargin")
        ->capture_default_str()
        ->group(group);
    app.add_option("--passes", learner.passes,
                   "Passes over the data; as the learner needs if not given")
        ->check(CLI::Range(1, 10000))
        ->group(group);
    app.add_flag("--over-automata", options_.over_automata,
                 "Non-projective, higher order: learn from the choices of the head automata, each "
                 "for itself, instead of from trees")
        ->group(group);
    app.add_option("--patience", options_.patience,
                   "With --dev: end after so many passes without gain; 3, or more for the learners "
                   "that need many passes")
        ->check(CLI::Range(1, 10000))
        ->group(group);
    app.add_option("--margin", learner.cost, "mira: by how much each wrong arc has to lose")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--step", learner.aggressiveness, "mira: the longest step")
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_option("-C,--regularisation", learner.regularisation,
                   "Log-linear and max-margin: how much the data count against small weights; as "
                   "the learner needs if not given")
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_option("--rate", learner.rate, "loglinear-sgd: the first step")
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_option("--seed", learner.seed, "For the order of the sentences")
        ->capture_default_str()
        ->group(group);
    app.add_option("--checkpoint", options_.checkpoint,
                   "Save the state after each pass; if the file is there, go on from it")
        ->type_name("FILE")
        ->group(group);
  }

  void declare_pruning(CLI::App& app) {
    const std::string group = "Pruning";
    PrunerTraining& pruner = options_.pruner;
    app.add_option("--prune", pruner.threshold,
                   "Keep arcs of at least this share of the best head's probability; 0: all. If "
                   "not given 0.001, or more as --feature-memory asks")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    app.add_option(
           "--feature-memory", pruner.feature_megabytes,
           "Without --prune: megabytes for the features of the training data; the pruner is "
           "as strict as they ask. 1450, for the first order 165 if not given")
        ->check(CLI::Range(1.0, 1e6))
        ->group(group);
    app.add_option("--pruner-passes", pruner.passes, "Passes to train the pruner")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_flag("--no-filter", no_filter_, "Do not leave out arcs longer than ever seen")
        ->group(group);
  }

  void declare_features(CLI::App& app) {
    const std::string group = "Features";
    app.add_option("--features", features_,
                   "A file of templates instead of the built-in ones; +FILE: beside them")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--min-count", options_.selection.min_count,
                   "Leave out features met less often; right parts count fivefold")
        ->capture_default_str()
        ->check(CLI::Range(1, 255))
        ->group(group);
    app.add_option("--clusters", clusters_, "Word clusters, a file of 'copse cluster'")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--lexical-limit", options_.lexical_limit,
                   "Look at the forms of so many frequent words only; 0: of all (the default), "
                   "with clusters 800")
        ->type_name("N")
        ->group(group);
    app.add_flag("--no-tags", no_tags_, "Parse without parts of speech")->group(group);
  }

  void declare_plots(CLI::App& app) {
    app.add_option("--curve", curve_path_,
                   "Write a plot of the passes, as SVG: accuracy on --dev and loss")
        ->type_name("FILE")
        ->group("Plots");
    curve_.declare_options(app);
  }

  void plot_passes(const TrainedParser& trained) const {
    Output plot = Output::open(curve_path_);
    plot.write(training_curve_svg(trained.passes, options_.learner.learner, !unlabelled_));
    plot.commit();
  }

  void plot_learning_curve(const DependencyData& data, const TrainingProgress& progress) const {
    Output plot = Output::open(output_);  // first: a place that cannot be written ends it here
    const auto curve = learning_curve(data, options_, curve_.sizes, progress);
    Output table = Output::open("-");
    table.write(show(curve, !unlabelled_, curve_.json));
    table.commit();
    plot.write(learning_curve_svg(curve, !unlabelled_));
    plot.commit();
  }

  void resolve(const CommonOptions& common) {
    options_.kind.order = parse_order(order_);
    options_.kind.root = root_ == "multi" ? RootRule::multi : RootRule::single;
    options_.nonprojective = tree_ == "nonprojective";
    options_.lifted = tree_ == "lifted";
    options_.labelled = !unlabelled_;
    options_.tags = !no_tags_;
    options_.pruner.filter = !no_filter_;
    options_.learner.learner = parse_dependency_learner(learner_);
    options_.threads = resolve_threads(common.threads);
    if (!features_.empty()) {
      options_.more_templates = features_.starts_with('+');
      options_.templates_name = features_.substr(options_.more_templates ? 1 : 0);
      options_.templates = Input::open(options_.templates_name).read_all(kLargestTable);
    }
    if (!clusters_.empty()) {
      Input input = Input::open(clusters_);
      options_.clusters_name = clusters_;
      options_.clusters = std::make_shared<const WordClusters>(WordClusters::read(input));
    }
    options_ = with_defaults(options_);
  }

  void print(const TrainingPass& pass) const {
    fmt::print(stderr, "pass {:3}  loss {:12.1f}  {:6.1f} s", pass.pass, pass.loss, pass.seconds);
    if (pass.dev.words > 0) {
      fmt::print(stderr, "  dev UAS {:.2f}", pass.dev.uas());
      if (!unlabelled_) fmt::print(stderr, "  LAS {:.2f}", pass.dev.las());
    }
    fmt::print(stderr, "\n");
  }

  void print_summary(const TrainedParser& trained) const {
    fmt::print(stderr, "arcs kept: {:.2f} per word in training", trained.pruning.train_arcs);
    if (trained.pruning.dev_arcs > 0) {
      fmt::print(stderr, ", {:.2f} in dev, where {:.2f}% of the right ones are lost",
                 trained.pruning.dev_arcs, trained.pruning.dev_lost);
    }
    fmt::print(stderr, "\nfeatures: {}, kept in the model {}\n", trained.features,
               trained.kept_features);
    if (trained.calibration_error > 0) {
      fmt::print(stderr, "temperature {:.3f}, calibration error on dev {:.4f}\n",
                 trained.parts.temperature, trained.calibration_error);
    }
  }

  void save(const TrainedParser& trained, const DependencyData& data) const {
    nlohmann::json figures = {{"pass", trained.chosen}};
    if (trained.dev.words > 0) {
      figures["dev"] = {{"uas", trained.dev.uas()}, {"las", trained.dev.las()}};
      figures["calibration_error"] = trained.calibration_error;
    }
    trained.model(provenance(record_of(options_), data.sources, figures)).save(output_);
  }

  DependencyDataOptions data_;
  LearningCurveOptions curve_;
  std::string output_, features_, clusters_, curve_path_;
  std::string order_ = "model1", tree_ = "projective", root_ = "single", learner_ = "mira";
  bool unlabelled_ = false, no_tags_ = false, no_filter_ = false;
  DependencyTraining options_;
};

}  // namespace

std::unique_ptr<Command> make_train_dependency() {
  return std::make_unique<TrainDependency>();
}

}  // namespace copse
