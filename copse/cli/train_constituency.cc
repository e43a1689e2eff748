// copse train constituency: a phrase-structure parser from bracketed trees.
#include <fmt/core.h>

#include "copse/cli/constituency_data.h"
#include "copse/cli/generative_options.h"
#include "copse/cli/train_tasks.h"

namespace copse {
namespace {

class TrainConstituency : public Command {
 public:
  std::string_view name() const override { return "constituency"; }
  std::string_view summary() const override {
    return "Learn a phrase-structure parser from bracketed trees";
  }
  std::vector<Example> examples() const override {
    return {
        {"train constituency --model generative --train train.mrg --dev dev.mrg -o wsj.copse",
         "head-driven lexicalised parser, with its scores on other trees"},
        {"train constituency --model spinal --train train.mrg --dev dev.mrg -o spinal.copse",
         "spines and labelled dependencies: more accurate, slower"},
        {"train constituency --model spinal --train train.mrg --prepared spinal.prepared "
         "--first-order -o first.copse",
         "tags, tagger and pruner are kept in spinal.prepared for other trainings on these trees"},
        {"train constituency --model incremental --train train.mrg --dev dev.mrg -o "
         "incremental.copse",
         "left to right, a tree after every word, in time linear in the length"},
        {"train constituency --model history --train train.mrg --dev dev.mrg -o history.copse",
         "a network that reads the whole history of the derivation"}};
  }

  void declare_options(CLI::App& app) override {
    declare_training_options(app, recipe_, train_);
    app.add_option("--dev", dev_, "Trees to test the parser on")->type_name("TREES");
    app.add_option("-o,--output", output_, "The model")->required()->type_name("MODEL");
    app.add_option(
           "--checkpoint", recipe_.spinal.checkpoint,
           "Save the state after each pass of the spinal, the incremental or the history model; if "
           "the file is there, go on from it")
        ->type_name("FILE");
    run_.declare_options(app);
  }

  ExitCode run(const CommonOptions& given) override {
    const CommonOptions common = run_.take_limits(given);
    finish_training_options(run_, common, recipe_);
    if (!common.quiet) {
      recipe_.step = [](const std::string& step) { fmt::print(stderr, "{}\n", step); };
    }
    ProblemLog log(common);
    const TrainingTreebank train = read_tree_file(train_, "train", common, log);
    TrainingTreebank dev;
    if (!dev_.empty()) dev = read_tree_file(dev_, "dev", common, log);
    const TreeData dev_data = tree_data(dev);
    const TrainedPhraseParser trained =
        train_phrase_parser(tree_data(train), dev_.empty() ? nullptr : &dev_data, recipe_);
    if (!common.quiet) {
      fmt::print("{}", trained.report);
      if (trained.dev) fmt::print("dev: {}\n", trained.dev->str());
    }
    trained.file().save(output_);
    return log.finish("left out");
  }

 private:
  std::string train_, dev_, output_;
  PhraseTraining recipe_;
  PhraseRunOptions run_;
};

}  // namespace

std::unique_ptr<Command> make_train_constituency() {
  return std::make_unique<TrainConstituency>();
}

}  // namespace copse
