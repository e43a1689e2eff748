// copse train tokenizer: learns to cut raw text into sentences and tokens.
#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "copse/base/input.h"
#include "copse/cli/train_tasks.h"
#include "copse/cli/training_data.h"
#include "copse/tokenize/tokenizer_trainer.h"

namespace copse {
namespace {

constexpr std::size_t kLargestTemplates = std::size_t{1} << 20;

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
    app.add_option("--train", train_, "Training data, CoNLL-U")->required()->type_name("FILE");
    app.add_option("--dev", dev_, "Development data, CoNLL-U; the best epoch is chosen by it")
        ->required()
        ->type_name("FILE");
    app.add_option("-o,--output", output_, "The model file to write")
        ->required()
        ->type_name("FILE");
    app.add_option("--epochs", options_.epochs, "Passes over the training data")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--seed", options_.seed, "Of the order and the changed paragraphs")
        ->capture_default_str();
    app.add_option("--augment", options_.augment,
                   "Share of paragraphs shown in lower case, run together or with other line ends")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0));
    app.add_option("--templates", templates_, "A table of features instead of the built-in one")
        ->type_name("FILE");
    app.add_option("--min-share", options_.boundaries.min_share,
                   "Boundaries rarer than this between two kinds of character are not considered")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 0.5));
    app.add_option("--prune", options_.freeze.prune, "Leave out weights of at most this magnitude")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6));
  }

  ExitCode run(const CommonOptions& common) override {
    if (!templates_.empty()) {
      options_.templates = Input::open(templates_).read_all(kLargestTemplates);
    }
    ProblemLog log(common);
    const auto train = read_training_entries(train_, "train", "conllu", common, log);
    const auto dev = read_training_entries(dev_, "dev", "conllu", common, log);
    const ModelWriter model = train_tokenizer(
        train.entries, dev.entries, options_, {train.source, dev.source},
        [&](const TokenizerEpoch& epoch) {
          if (common.quiet) return;
          fmt::print(
              stderr,
              "epoch {:>2}  {} decisions, {} mistakes  dev tokens {:.2f}  sentences {:.2f}{}\n",
              epoch.epoch, epoch.decisions, epoch.mistakes, epoch.dev_tokens, epoch.dev_sentences,
              epoch.best ? "  *" : "");
        });
    model.save(output_);
    return log.finish("left out");
  }

 private:
  std::string train_;
  std::string dev_;
  std::string output_;
  std::string templates_;
  TokenizerTrainingOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_train_tokenizer() {
  return std::make_unique<TrainTokenizer>();
}

}  // namespace copse
