// copse check: the treebank doctor.
#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "copse/base/output.h"
#include "copse/base/stream.h"
#include "copse/cli/commands.h"
#include "copse/pipeline/model_path.h"
#include "copse/pipeline/pipeline.h"
#include "copse/pipeline/treebank_check.h"

namespace copse {
namespace {

class CheckCommand : public Command {
 public:
  std::string_view name() const override { return "check"; }
  std::string_view summary() const override {
    return "Find errors in a treebank: format, structure, likely mistakes of annotation";
  }
  std::vector<Example> examples() const override {
    return {{"check train.conllu", "errors by line, then what is likely to be wrong"},
            {"check train.conllu --no-suspicions", "format and structure only: a moment"},
            {"check train.conllu --json", "for a program"},
            {"check train.conllu --html doubts.html", "a page with the sentences drawn"}};
  }

  void declare_options(CLI::App& app) override {
    app.add_option("IN", path_, "The treebank, CoNLL-U or CoNLL-X")->required();
    app.add_option("-m,--model", model_,
                   "Judge by this parser, which must not have learnt from the treebank, instead of "
                   "by parsers learnt from its other parts")
        ->type_name("MODEL");
    app.add_option("--folds", options_.doubts.folds, "How many such parts there are")
        ->capture_default_str()
        ->check(CLI::Range(2, 100));
    app.add_option("--passes", options_.doubts.passes, "Passes of their parsers over the data")
        ->capture_default_str()
        ->check(CLI::Range(1, 100));
    app.add_option("--most", most_, "Suspicions shown, the likeliest first")->capture_default_str();
    app.add_flag("!--no-suspicions", options_.likely_errors,
                 "Format and structure only; nothing is learnt");
    app.add_flag("--json", json_, "Print one JSON object");
    app.add_option("--html", html_, "Write a page to FILE as well")->type_name("FILE");
  }

  ExitCode run(const CommonOptions& common) override {
    options_.limits = common.limits;
    options_.doubts.threads = resolve_threads(common.threads);
    if (!common.quiet) {
      options_.doubts.step = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    }
    std::optional<Pipeline> pipeline;
    if (!model_.empty()) {
      pipeline = Pipeline::from(ModelFile::open(ModelPath::standard().find(model_)));
      options_.parser = &pipeline->require_dependency_parser();
    }
    const CheckReport report = check_treebank(path_, options_);
    Output output = Output::open("-");
    output.write(json_ ? check_json(report, most_) : check_text(report, most_));
    output.commit();
    if (!html_.empty()) {
      Output page = Output::open(html_);
      page.write(check_page(report, most_));
      page.commit();
    }
    return report.errors.empty() ? ExitCode::fine : ExitCode::bad_data;
  }

 private:
  std::string path_, model_, html_;
  CheckOptions options_;
  std::size_t most_ = 100;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_check_command() {
  return std::make_unique<CheckCommand>();
}

}  // namespace copse
