// copse train pipeline: all components of a treebank in one go, as one bundle.
#include <fmt/core.h>

#include <cstdio>

#include "copse/base/output.h"
#include "copse/base/stream.h"
#include "copse/cli/train_tasks.h"
#include "copse/cli/training_options.h"
#include "copse/pipeline/bundle_recipe.h"

namespace copse {
namespace {

class TrainPipeline : public Command {
 public:
  std::string_view name() const override { return "pipeline"; }
  std::string_view summary() const override {
    return "Learn everything from raw text to trees from a treebank, as one bundle";
  }
  std::vector<Example> examples() const override {
    return {{"train pipeline --train train.conllu --dev dev.conllu -o xx.copse",
             "tokeniser, tagger and dependency parser: copse parse -m xx.copse book.txt"},
            {"train pipeline --train train.conllu --dev dev.conllu --trees train.mrg --dev-trees "
             "dev.mrg --raw raw.txt.gz -o xx.copse --report xx.html",
             "with clusters and phrase-structure trees, and a page of figures"}};
  }

  void declare_options(CLI::App& app) override {
    app.add_option("--train", recipe_.files.train, "The treebank to learn from, CoNLL-U")
        ->required()
        ->type_name("FILE");
    app.add_option("--dev", recipe_.files.dev, "Held-out data; what is best on it is kept")
        ->required()
        ->type_name("FILE");
    app.add_option("--trees", recipe_.trees, "Bracketed trees, for a phrase-structure parser")
        ->type_name("TREES");
    app.add_option("--dev-trees", recipe_.dev_trees, "Held-out trees, for its figures")
        ->type_name("TREES");
    app.add_option("--raw", recipe_.raw,
                   "Text for word clusters: a sentence a line, words parted by blanks")
        ->type_name("TEXT");
    app.add_option("--clusters", recipe_.clusters, "A file of 'copse cluster' instead")
        ->type_name("FILE");
    app.add_option("--cluster-count", recipe_.cluster_count, "How many clusters are made")
        ->capture_default_str()
        ->check(CLI::Range(2, 30'000));
    app.add_option("--jackknife", recipe_.folds,
                   "Taggers whose tags the parser learns from, each on what the others saw")
        ->capture_default_str()
        ->check(CLI::Range(2, 1000));
    add_parsed_option(app,
                      {"--order",
                       "model1",
                       "What parts the score of a dependency tree is made of",
                       {},
                       {"first", "sibling", "carreras", "model0", "model1", "model2"}},
                      recipe_.dependency.training.kind.order, parse_order);
    app.add_option("--passes", recipe_.dependency.training.learner.passes,
                   "Passes of the dependency parser over the data; as it needs if not given")
        ->check(CLI::Range(1, 10'000));
    app.add_option("--model-size", recipe_.dependency.training.model_megabytes,
                   "Megabytes for the weights of the dependency parser; the smallest are left out")
        ->type_name("N");
    app.add_option("--prune-weights", recipe_.tagger.training.sequence.freeze.prune,
                   "Leave out weights of the tagger of at most this magnitude")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6));
    app.add_option("--name", recipe_.name, "The name of the bundle; that of OUT if not given");
    app.add_option("-o,--output", output_,
                   "The bundle. Until it is there, OUT.parts keeps what was made: a training that "
                   "was broken off goes on")
        ->required()
        ->type_name("OUT");
    app.add_option("--report", report_, "Write a page of figures, curves and bad sentences")
        ->type_name("HTML");
  }

  ExitCode run(const CommonOptions& common) override {
    if (!report_.empty()) Output::check(report_);
    recipe_.files.limits = common.limits;
    recipe_.threads = resolve_threads(common.threads);
    ProblemLog log(common);
    BundleReport told;
    told.reading = report_to(log);
    if (!common.quiet) {
      told.step = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    }
    const TrainedBundle trained = train_bundle(recipe_, output_, told);
    if (!report_.empty()) {
      Output page = Output::open(report_);
      page.write(trained.page);
      page.commit();
    }
    if (!common.quiet) {
      const auto& raw = trained.figures["raw"];
      fmt::print(stderr, "dev, from raw text on: UPOS {:.2f}  UAS {:.2f}  LAS {:.2f}\n",
                 raw["UPOS"].get<double>(), raw["UAS"].get<double>(), raw["LAS"].get<double>());
    }
    return log.finish("left out");
  }

 private:
  BundleRecipe recipe_;
  std::string output_, report_;
};

}  // namespace

std::unique_ptr<Command> make_train_pipeline() {
  return std::make_unique<TrainPipeline>();
}

}  // namespace copse
