// copse train reranker: learns to choose among the candidates of a list.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "copse/cli/reranker_methods.h"
#include "copse/cli/train_tasks.h"

namespace copse {
namespace {

class TrainReranker : public Command {
 public:
  std::string_view name() const override { return "reranker"; }
  std::string_view summary() const override {
    return "Learn to choose among the candidates of a list: parses, or anything with features";
  }
  std::vector<Example> examples() const override {
    return {
        {"train reranker --method perceptron --lists train.lists --dev-lists dev.lists "
         "-o reranker.copse",
         "candidates with features and scores of their own"}};
  }

  void declare_options(CLI::App& app) override {
    std::vector<std::string> names;
    for (const auto& family : methods_) {
      for (const std::string_view name : family->names()) names.emplace_back(name);
    }
    method_ = names.front();
    app.add_option("--method", method_, "How to learn")
        ->capture_default_str()
        ->check(CLI::IsMember(names))
        ->type_name("METHOD");
    app.add_option("--lists", paths_.lists, "Lists to learn from")->required()->type_name("LISTS");
    app.add_option("--gold", paths_.gold, "For parses: the gold trees of the lists, in their order")
        ->type_name("TREES");
    app.add_option("--dev-lists", paths_.dev_lists, "Lists by which is chosen")->type_name("LISTS");
    app.add_option("--dev-gold", paths_.dev_gold, "For parses: the gold trees of --dev-lists")
        ->type_name("TREES");
    app.add_option("-o,--output", output_, "The model file to write")
        ->required()
        ->type_name("MODEL");
    for (const auto& family : methods_) family->declare_options(app);
  }

  ExitCode run(const CommonOptions& common) override {
    if (paths_.dev_lists.empty() && !paths_.dev_gold.empty()) {
      throw usage_error("--dev-gold needs --dev-lists");
    }
    for (const auto& family : methods_) {
      const auto names = family->names();
      if (std::find(names.begin(), names.end(), method_) == names.end()) continue;
      family->train(method_, paths_, common).save(output_);
    }
    return ExitCode::fine;
  }

 private:
  std::string method_, output_;
  RerankerPaths paths_;
  std::vector<std::unique_ptr<RerankerMethods>> methods_ = all_reranker_methods();
};

}  // namespace

std::unique_ptr<Command> make_train_reranker() {
  return std::make_unique<TrainReranker>();
}

}  // namespace copse
