// copse train tokenizer: learns to cut raw text into sentences and tokens.
#include <fmt/core.h>

#include <cstdio>

#include "copse/base/pace.h"
#include "copse/cli/train_tasks.h"
#include "copse/cli/training_options.h"
#include "copse/pipeline/tokenizer_recipe.h"

namespace copse {
namespace {

class TrainTokenizer : public Command {
 public:
  std::string_view name() const override { return "tokenizer"; }
  std::string_view summary() const override {
    return "Learn to cut raw text into sentences, tokens and words from CoNLL-U";
  }
  std::vector<Example> examples() const override {
    return {{"train tokenizer --train train.conllu --dev dev.conllu -o english.copse",
             "a tokeniser for 'copse tokenize'"}};
  }

  void declare_options(CLI::App& app) override {
    app.add_option("--train", recipe_.files.train, "Training data, CoNLL-U")
        ->required()
        ->type_name("FILE");
    app.add_option("--dev", recipe_.files.dev,
                   "Development data, CoNLL-U; the best epoch is chosen by it")
        ->required()
        ->type_name("FILE");
    app.add_option("-o,--output", output_, "The model file to write")
        ->required()
        ->type_name("FILE");
    TokenizerTrainingOptions& options = recipe_.training;
    app.add_option("--passes", options.epochs, "Passes over the training data")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--seed", options.seed, "Of the order and the changed paragraphs")
        ->capture_default_str();
    app.add_option("--augment", options.augment,
                   "Share of paragraphs shown in lower case, run together or with other line ends")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0));
    app.add_option("--features", recipe_.templates,
                   "A table of features instead of the built-in one")
        ->type_name("FILE");
    app.add_option("--min-share", options.boundaries.min_share,
                   "Boundaries rarer than this between two kinds of character are not considered")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 0.5));
    app.add_option("--prune-weights", options.freeze.prune,
                   "Leave out weights of at most this magnitude")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6));
  }

  ExitCode run(const CommonOptions& common) override {
    recipe_.files.limits = common.limits;
    ProblemLog log(common);
    TokenizerReport report;
    report.reading = report_to(log);
    Pace pace(static_cast<std::size_t>(recipe_.training.epochs), "decisions");
    if (!common.quiet) {
      report.epoch = [&pace](const TokenizerEpoch& epoch) { print(epoch, pace); };
    }
    train_tokenizer_model(recipe_, output_, report);
    return log.finish("left out");
  }

 private:
  static void print(const TokenizerEpoch& epoch, Pace& pace) {
    fmt::print(
        stderr,
        "epoch {:>2}  {} decisions, {} mistakes  dev tokens {:.2f}  sentences {:.2f}{}  {}\n",
        epoch.epoch, epoch.decisions, epoch.mistakes, epoch.dev_tokens, epoch.dev_sentences,
        epoch.best ? "  *" : "",
        pace.after(static_cast<std::size_t>(epoch.epoch), epoch.decisions));
  }

  TokenizerRecipe recipe_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_train_tokenizer() {
  return std::make_unique<TrainTokenizer>();
}

}  // namespace copse
