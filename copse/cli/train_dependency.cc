// copse train dependency: a dependency parser from a treebank.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "copse/base/output.h"
#include "copse/base/pace.h"
#include "copse/cli/model_report.h"
#include "copse/cli/shared_task.h"
#include "copse/cli/stage_bar.h"
#include "copse/cli/train_tasks.h"
#include "copse/cli/training_options.h"
#include "copse/pipeline/dependency_recipe.h"
#include "copse/pipeline/learning_curve.h"

namespace copse {
namespace {

class TrainDependency : public Command, public SharedTask {
 public:
  std::string_view name() const override { return "dependency"; }
  std::string_view summary() const override {
    return "Learn a dependency parser from CoNLL-U, CoNLL-X or bracketed trees";
  }
  std::vector<Example> examples() const override {
    return {
        {"train dependency --train train.conllu --dev dev.conllu -o parser.copse",
         "third order (Koo and Collins Model 1), labelled; the kind of trees is tried out"},
        {"train dependency --train train.conllu --dev dev.conllu --order first -o small.copse",
         "first order: quicker to train and to parse"},
        {"train dependency --train train.conllu --dev dev.conllu --order first --tree "
         "nonprojective --learner loglinear --unlabeled -o np.copse",
         "log-linear over non-projective trees by the Matrix-Tree theorem"},
        {"train dependency --train train.mrg --dev dev.mrg --heads yamada-matsumoto --unlabeled -o "
         "wsj.copse",
         "from phrase-structure trees"},
        {"train dependency --train train.conllu --dev dev.conllu --clusters paths.txt -o c.copse",
         "with word clusters of 'copse cluster'"},
        {"train dependency --train train.conllu --dev dev.conllu --order first --clusters "
         "paths.txt --learning-curve 500,1000,2000,4000 -o curve.svg",
         "how much data and clusters help; no model is written"},
        {"train dependency --train train.conllu --dev dev.conllu --learner eg-loglinear --blocks 4 "
         "-o eg.copse",
         "blocks that learn side by side; under mpirun by several processes, to the same model"},
    };
  }

  void join(Group& group) override { recipe_.training.group = &group; }

  void declare_options(CLI::App& app) override {
    declare_training_files(app, recipe_.files);
    app.add_option("--heads", recipe_.heads, "Bracketed trees: yamada-matsumoto, collins or a file")
        ->capture_default_str()
        ->type_name("RULES");
    app.add_option("--tagger", recipe_.tagger,
                   "A tagger's model: the --dev data get its tags, the training data those of "
                   "taggers that have not seen them")
        ->type_name("MODEL");
    add_parsed_option(app,
                      {"--tags",
                       "",
                       "gold: learn from the tags of the files; predicted: from those of taggers "
                       "that have not seen them, the default with --tagger",
                       {},
                       {"gold", "predicted"}},
                      recipe_.tags,
                      one_of<TrainingTags>(
                          {{"gold", TrainingTags::gold}, {"predicted", TrainingTags::predicted}}));
    app.add_option("--jackknife", recipe_.folds, "How many such taggers there are")
        ->capture_default_str()
        ->check(CLI::Range(2, 1000))
        ->type_name("FOLDS");
    app.add_option("-o,--output", output_, "Where the model goes")->required()->type_name("MODEL");
    declare_model(app);
    declare_learning(app);
    declare_pruning(app);
    declare_features(app);
    declare_plots(app);
  }

  ExitCode run(const CommonOptions& common) override {
    take_limits(common);
    recipe_.training.threads = common.threads;
    ProblemLog log(common);
    DependencyReport report;
    report.reading = report_to(log);
    if (!common.quiet) tell(report);
    if (!sizes_.empty()) {
      plot_learning_curve(report);
      return log.finish("left out");
    }
    const TrainedParser trained = train_dependency_model(recipe_, output_, report);
    if (!leads()) return ExitCode::fine;
    if (!common.quiet) print_summary(trained);
    if (!curve_path_.empty()) plot_passes(trained);
    return log.finish("left out");
  }

 private:
  // What a stage tells of itself: its name, and how fast its passes go on.
  struct Stage {
    std::string name;
    Pace pace{0, ""};
    StageBar bar{true};
  };

  void tell(DependencyReport& report) const {
    const auto stage = std::make_shared<Stage>();
    report.fold = [stage](int fold, std::size_t sentences, const nlohmann::json& figures) {
      stage->bar.print(
          fmt::format("tags of fold {}: {} sentences, {}", fold, sentences, figures_line(figures)));
    };
    report.trees = [stage](const TreeChoice& choice) { stage->bar.print(line_of(choice)); };
    const int passes =
        with_defaults(recipe_.training.learner, recipe_.training.group != nullptr).passes;
    const int pruner = recipe_.training.pruner.passes;
    report.training.step = [=](const std::string& name) {
      stage->name = name;
      stage->pace = Pace(static_cast<std::size_t>(name == "pruner" ? pruner : passes), "sentences");
      stage->bar.print(name);
    };
    report.training.during = [stage](std::size_t done, std::size_t all) {
      stage->bar.show(stage->name, "sentences", done, all);
    };
    report.training.pruner_pass = [stage](int pass, std::size_t sentences) {
      stage->bar.print(fmt::format("pass {:3} of the pruner  {}", pass,
                                   stage->pace.after(static_cast<std::size_t>(pass), sentences)));
    };
    report.training.pass = [this, stage](const TrainingPass& pass) {
      stage->bar.print(line_of(pass, stage->pace));
    };
  }

  // --max-words is how long a sentence to learn from may be; longer ones are read, to be reported.
  void take_limits(const CommonOptions& common) {
    constexpr int kLongest =
        5000;  // every pair of words may be an arc before the pruner has learnt
    recipe_.files.limits = common.limits;
    int& limit = recipe_.files.limits.max_words;
    if (limit == Limits().max_words) return;
    recipe_.training.longest = std::min(limit, kLongest);
    limit = std::max(limit, Limits().max_words);
  }

  void declare_model(CLI::App& app) {
    const std::string group = "Model";
    DependencyTraining& training = recipe_.training;
    add_parsed_option(
        app,
        {"--order",
         "model1",
         "What parts the score of a tree is made of; grandsibling with --tree nonprojective",
         group,
         {"first", "sibling", "carreras", "model0", "model1", "model2", "grandsibling"}},
        training.kind.order, parse_order);
    add_text_option(app,
                    {"--tree",
                     "auto",
                     "auto: the best of the others in a trial on --dev, or on a part of --train; "
                     "projective; nonprojective: by spanning trees, higher orders by dual "
                     "decomposition; lifted: projective trees with arcs lifted and their labels "
                     "marked, lowered again after parsing",
                     group,
                     {"auto", "projective", "nonprojective", "lifted"}},
                    [this](const std::string& name) {
                      recipe_.trees =
                          name == "auto" ? std::nullopt : std::optional(tree_sort_named(name));
                    });
    add_parsed_option(app,
                      {"--root",
                       "single",
                       "single: one word hangs on the root; multi: several may",
                       group,
                       {"single", "multi"}},
                      training.kind.root,
                      one_of<RootRule>({{"single", RootRule::single}, {"multi", RootRule::multi}}));
    add_off_flag(app, {"--unlabeled,--unlabelled", "", "Heads only, no labels", group},
                 training.labelled);
    app.add_option("--model-size", training.model_megabytes,
                   "Megabytes for the weights; the smallest are left out. 0: no limit. 30, for the "
                   "first order 14 if not given")
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
  }

  void declare_learning(CLI::App& app) {
    const std::string group = "Learning";
    LearnerOptions& learner = recipe_.training.learner;
    add_parsed_option(
        app,
        {"--learner",
         "mira",
         "What learns; loglinear by L-BFGS, eg by exponentiated gradient",
         group,
         {"mira", "perceptron", "loglinear", "loglinear-sgd", "eg-loglinear", "eg-maxmargin"}},
        learner.learner, parse_dependency_learner);
    app.add_option("--passes", learner.passes,
                   "Passes over the data; as the learner needs if not given")
        ->check(CLI::Range(1, 10000))
        ->group(group);
    app.add_flag("--over-automata", recipe_.training.over_automata,
                 "Non-projective, higher order: learn from the choices of the head automata, each "
                 "for itself, instead of from trees")
        ->group(group);
    app.add_option("--patience", recipe_.training.patience,
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
    app.add_option("--batch", learner.batch,
                   "perceptron, mira, loglinear-sgd: sentences answered for the same weights; 1: "
                   "each learns from the one before, and threads do not help")
        ->capture_default_str()
        ->check(CLI::Range(1, 10000))
        ->type_name("N")
        ->group(group);
    app.add_option("--seed", learner.seed, "For the order of the sentences")
        ->capture_default_str()
        ->group(group);
    app.add_option("--blocks", learner.blocks,
                   "mira, perceptron, eg: cut the sentences into so many blocks (1, 2, 4, 8, ...) "
                   "that learn side by side, for threads and the processes of mpirun: another "
                   "model, the same whoever shares the blocks. 1, under mpirun 4 if not given")
        ->check(CLI::Range(1, 1 << 16))
        ->type_name("N")
        ->group(group);
    app.add_option("--checkpoint", recipe_.training.checkpoint,
                   "Save the state after each pass; if the file is there, go on from it")
        ->type_name("FILE")
        ->group(group);
  }

  void declare_pruning(CLI::App& app) {
    const std::string group = "Pruning";
    PrunerTraining& pruner = recipe_.training.pruner;
    app.add_option("--prune", pruner.threshold,
                   "Keep arcs of at least this share of the best head's probability; 0: all. If "
                   "not given 0.001, for non-projective trees of higher order 0.005 (0.02 for the "
                   "trained parser), or more as --feature-memory asks")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    app.add_option("--feature-memory", pruner.feature_megabytes,
                   "Without --prune: megabytes for the features of the training data; the pruner "
                   "is as strict as they ask. 412, for the first order 124 if not given")
        ->check(CLI::Range(1.0, 1e6))
        ->group(group);
    add_parsed_option(app,
                      {"--pruner-learner",
                       "loglinear-sgd",
                       "What learns the pruner",
                       group,
                       {"loglinear-sgd", "eg-loglinear", "loglinear"}},
                      pruner.learner, parse_dependency_learner);
    app.add_option("--pruner-passes", pruner.passes, "Passes to train the pruner")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    add_off_flag(app, {"--no-filter", "", "Do not leave out arcs by their length and tags", group},
                 pruner.filter);
  }

  void declare_features(CLI::App& app) {
    const std::string group = "Features";
    app.add_option("--features", recipe_.templates,
                   "A file of templates instead of the built-in ones; +FILE: beside them")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--min-count", recipe_.training.selection.min_count,
                   "Leave out features met less often; right parts count fivefold")
        ->capture_default_str()
        ->check(CLI::Range(1, 255))
        ->group(group);
    app.add_option("--clusters", recipe_.clusters, "Word clusters, a file of 'copse cluster'")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--lexical-limit", recipe_.training.lexical_limit,
                   "Look at the forms of so many frequent words only; 0: of all (the default), "
                   "with clusters 800")
        ->type_name("N")
        ->group(group);
    add_off_flag(app,
                 {"--no-tags", "", "Parse without parts of speech, features and lemmas", group},
                 recipe_.training.tags);
  }

  void declare_plots(CLI::App& app) {
    app.add_option("--curve", curve_path_,
                   "Write a plot of the passes, as SVG: accuracy on --dev and loss")
        ->type_name("FILE")
        ->group("Plots");
    app.add_option("--learning-curve", sizes_,
                   "Train on the first so many sentences, for each size, without and with "
                   "--clusters; print the accuracies and write a plot to -o instead of a model")
        ->delimiter(',')
        ->check(CLI::PositiveNumber)
        ->type_name("N,N,...")
        ->group("Plots");
    // Shown with the common options of 'copse train'; here for the curve, too.
    app.add_flag("--json", json_, "Print one JSON object")->group("");
  }

  bool labelled() const { return recipe_.training.labelled; }
  // Of processes that were started together one writes and speaks.
  bool leads() const {
    return recipe_.training.group == nullptr || recipe_.training.group->leads();
  }

  void plot_passes(const TrainedParser& trained) const {
    Output plot = Output::open(curve_path_);
    plot.write(training_curve_svg(trained.passes, recipe_.training.learner.learner, labelled()));
    plot.commit();
  }

  void plot_learning_curve(const DependencyReport& report) const {
    training_of(recipe_);  // first: options that do not go together end it here
    if (!leads()) {
      const TrainingSentences data = read_dependency_data(recipe_, report);
      learning_curve(data, training_for(recipe_, data, report), sizes_, report.training);
      return;
    }
    Output plot = Output::open(output_);  // first: a place that cannot be written ends it here
    const TrainingSentences data = read_dependency_data(recipe_, report);
    const auto curve =
        learning_curve(data, training_for(recipe_, data, report), sizes_, report.training);
    Output table = Output::open("-");
    table.write(json_ ? learning_curve_json(curve, labelled())
                      : learning_curve_table(curve, labelled()));
    table.commit();
    plot.write(learning_curve_svg(curve, labelled()));
    plot.commit();
  }

  static std::string line_of(const TreeChoice& choice) {
    const CrossingArcs& crossing = choice.crossing;
    std::string line = fmt::format(
        "non-projective: {:.2f} % of the arcs, {:.2f} % of the sentences; trees: {}",
        crossing.share_of_arcs(), crossing.share_of_sentences(), name_of(choice.chosen));
    const char* before = " (first-order trial: ";
    for (const TreeTrial& trial : choice.trials) {
      line += fmt::format("{}{} {:.2f}", before, name_of(trial.sort), trial.sum().las());
      before = ", ";
    }
    return choice.trials.empty() ? line : line + ")";
  }

  std::string line_of(const TrainingPass& pass, Pace& pace) const {
    std::string line =
        fmt::format("pass {:3}  loss {:12.1f}  {:6.1f} s", pass.pass, pass.loss, pass.seconds);
    if (pass.dev.words > 0) {
      line += fmt::format("  dev UAS {:.2f}", pass.dev.uas());
      if (labelled()) line += fmt::format("  LAS {:.2f}", pass.dev.las());
    }
    if (pass.sent > 0)
      line += fmt::format("  {:.2f} MB sent", static_cast<double>(pass.sent) / 1e6);
    return line + "  " + pace.after(static_cast<std::size_t>(pass.pass), pass.sentences);
  }

  void print_summary(const TrainedParser& trained) const {
    fmt::print(stderr, "arcs kept: {:.2f} per word in training", trained.pruning.train_arcs);
    if (trained.pruning.dev_arcs > 0) {
      fmt::print(stderr, ", {:.2f} in dev, where {:.2f}% of the right ones are lost",
                 trained.pruning.dev_arcs, trained.pruning.dev_lost);
    }
    if (trained.pruning.use_arcs > 0 && trained.pruning.use_arcs != trained.pruning.dev_arcs) {
      fmt::print(stderr, "\nthe parser's threshold is {:.3g}: {:.2f} kept in dev, {:.2f}% lost",
                 trained.pruning.use_threshold, trained.pruning.use_arcs, trained.pruning.use_lost);
    }
    fmt::print(stderr, "\nfeatures: {}, kept in the model {}\n", trained.features,
               trained.kept_features);
    if (trained.dev.words == 0) return;
    fmt::print(stderr, "dev, as saved: UAS {:.2f}", trained.dev.uas());
    if (labelled()) fmt::print(stderr, "  LAS {:.2f}", trained.dev.las());
    const TreeOdds& odds = trained.parts.tree_odds;
    fmt::print(
        stderr,
        "\ntemperature {:.3f}, of labels {:.3f}, of trees {:.3f}; odds of trees {:.2f} {:+.2f}; "
        "calibration error on the other half of dev {:.4f}, of whole trees {:.4f}\n",
        trained.parts.temperature, trained.parts.label_temperature, trained.parts.tree_temperature,
        odds.slope, odds.offset, trained.calibration_error, trained.tree_calibration_error);
  }

  DependencyRecipe recipe_;
  std::string output_, curve_path_;
  std::vector<std::size_t> sizes_;  // of the learning curve
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_train_dependency() {
  return std::make_unique<TrainDependency>();
}

}  // namespace copse
