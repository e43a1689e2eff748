// copse parse: sentences in, trees out. The model decides what kind of trees.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "copse/cli/commands.h"
#include "copse/cli/parse_tasks.h"
#include "copse/pipeline/model_path.h"

namespace copse {
namespace {

class ParseCommand : public Command {
 public:
  std::string_view name() const override { return "parse"; }
  std::string_view summary() const override { return "Parse text or sentences"; }
  std::vector<Example> examples() const override {
    return {
        {"parse \"She saw the man with the telescope.\"",
         "both trees, by the English model that comes with copse"},
        {"parse < book.txt > book.conllu", "raw text of any length"},
        {"parse -m wsj.copse --from text sentences.txt --to ptb", "one tree per line"},
        {"parse -m wsj.copse --from text sentences.txt --to svg -o trees.svg", "a drawing"},
        {"parse -m wsj.copse --mbr dev.mrg -o parsed.mrg",
         "the tree of the most expected brackets: a little better than the most probable one"},
        {"parse -m wsj.copse --from text --marginals < sentences.txt",
         "with the probability of every bracket"},
        {"parse -m parser.copse dev.conllu -o parsed.conllu",
         "dependencies, by the tags that the file has"},
        {"parse -m parser.copse --tagger tagger.copse --from text sentences.txt",
         "words in, tags and dependencies out"},
        {"parse -m parser.copse --confidence --marginals dev.conllu",
         "how sure the parser is of each tree, head and label"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("-m,--model", model_,
                   "The model: a file, or the name of a bundle that 'copse models' lists")
        ->capture_default_str()
        ->type_name("MODEL");
    request_.input.declare_options(app);
    request_.output.declare_options(app);
    app.add_option("--nbest", request_.k, "Write the K best parses of each sentence")
        ->check(CLI::Range(1, 100'000))
        ->type_name("K");
    app.add_flag("--marginals", request_.marginals, "Write the probability of every part");
    app.add_flag("--mbr", request_.mbr,
                 "The parse with the most expected correct parts, not the most probable one");
    app.add_flag("--constraints", request_.constraints,
                 "Keep what the input says of its trees. Dependencies: heads and labels, '_' is "
                 "filled in; MISC may say more: NotHead=2,5 NotDeprel=obj. All: SpanTo=7, "
                 "NotSpanTo=7, words that make a phrase or none; SpanTo=7:NP of generative models");
    for (const auto& task : tasks_) {
      const std::size_t before = app.real().get_options().size();
      task->declare_options(app);
      const auto all = app.real().get_options();
      options_of_.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
    }
  }

  ExitCode run(const CommonOptions& common) override {
    const ModelFile model = ModelFile::open(ModelPath::standard().find(model_));
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i]->kind() != model.kind()) continue;
      refuse_options_of_others(i);
      return tasks_[i]->run(model, request_, common);
    }
    throw data_error(fmt::format("a model of kind \"{}\" does not parse", model.kind()),
                     {model_, 0, 0}, "'copse info' tells what is in a model");
  }

 private:
  // What the model cannot do is said, not ignored.
  void refuse_options_of_others(std::size_t chosen) const {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (i == chosen) continue;
      for (const ::CLI::Option* option : options_of_[i]) {
        if (option->count() == 0) continue;
        throw usage_error(fmt::format("{} is for models of kind \"{}\"; {} is of kind \"{}\"",
                                      option->get_name(), tasks_[i]->kind(), model_,
                                      tasks_[chosen]->kind()));
      }
    }
  }

  std::string model_{kDefaultModel};
  ParseRequest request_;
  std::vector<std::unique_ptr<ParseTask>> tasks_ = all_parse_tasks();
  std::vector<std::vector<const ::CLI::Option*>> options_of_;  // of each task
};

}  // namespace

std::unique_ptr<Command> make_parse_command() {
  return std::make_unique<ParseCommand>();
}

}  // namespace copse
