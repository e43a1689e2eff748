// copse train constituency: a phrase-structure parser from bracketed trees.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "copse/base/pool.h"
#include "copse/base/progress.h"
#include "copse/base/stream.h"
#include "copse/cli/constituency_data.h"
#include "copse/cli/generative_options.h"
#include "copse/cli/train_tasks.h"
#include "copse/constituency/generative/parser_file.h"
#include "copse/model/provenance.h"
#include "copse/treebank/n_best_scores.h"

namespace copse {
namespace {

class TrainConstituency : public Command {
 public:
  std::string_view name() const override { return "constituency"; }
  std::string_view summary() const override {
    return "Learn a phrase-structure parser from bracketed trees";
  }
  std::vector<Example> examples() const override {
    return {{"train constituency --model generative --train train.mrg --dev dev.mrg -o wsj.copse",
             "head-driven lexicalised parser, with its scores on other trees"}};
  }

  void declare_options(CLI::App& app) override {
    app.add_option("--model", model_, "What to train: generative")->capture_default_str();
    training_.declare_options(app);
    app.add_option("--dev", dev_, "Trees to test the parser on")->type_name("TREES");
    app.add_option("-o,--output", output_, "The model")->required()->type_name("MODEL");
    search_.declare_options(app);
  }

  ExitCode run(const CommonOptions& common) override {
    if (model_ != "generative") {
      throw usage_error(fmt::format("unknown model \"{}\"", model_), "expected generative");
    }
    ProblemLog log(common);
    const TreeFile train = read_tree_file(training_.path, "train", common, log);
    PreparationReport report;
    const auto trees =
        prepare_treebank(train.entries, training_.heads(), training_.options.preparation, report);
    if (trees.empty()) throw data_error("there is no tree to learn from", {training_.path, 0, 0});
    if (!common.quiet) fmt::print("{}", report.str());
    const GenerativeParser parser = GenerativeParser::train(trees, training_.options);
    std::vector<DataSource> data{train.source};
    nlohmann::json figures = nlohmann::json::object();
    if (!dev_.empty()) {
      const TreeFile dev = read_tree_file(dev_, "dev", common, log);
      data.push_back(dev.source);
      figures = test(parser, dev, common);
    }
    nlohmann::json config;
    config["heads"] = training_.heads().provenance();
    config["provenance"] = provenance(to_json(training_.options), data, figures);
    write_parser(parser, config).save(output_);
    return log.finish("left out");
  }

 private:
  nlohmann::json test(const GenerativeParser& parser, const TreeFile& dev,
                      const CommonOptions& common) const {
    NBestScores scores;
    std::size_t fallbacks = 0;
    parse_trees(parser, dev.entries, search_, common, "dev",
                [&](NBestList&& list, bool fallback, const Entry& entry) {
                  scores.add(list, gold_line(entry.tree));
                  fallbacks += fallback ? 1 : 0;
                });
    const EvalbTotals& totals = scores.baseline();
    if (!common.quiet) {
      fmt::print(
          "dev: {} sentences, F1 {:.2f}, precision {:.2f}, recall {:.2f}, exact {:.2f}, "
          "tags {:.2f}, flat trees {}\n",
          totals.sentences, totals.f1(), totals.precision(), totals.recall(),
          totals.complete_match(), totals.tagging_accuracy(), fallbacks);
    }
    return {{"f1", totals.f1()},
            {"precision", totals.precision()},
            {"recall", totals.recall()},
            {"exact", totals.complete_match()},
            {"tagging", totals.tagging_accuracy()},
            {"n", totals.sentences},
            {"fallbacks", fallbacks}};
  }

  std::string model_ = "generative", dev_, output_;
  GenerativeTraining training_;
  GenerativeOptions search_;
};

}  // namespace

std::unique_ptr<Command> make_train_constituency() {
  return std::make_unique<TrainConstituency>();
}

}  // namespace copse
