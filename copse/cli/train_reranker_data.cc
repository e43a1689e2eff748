// copse train reranker-data: n-best lists of the training trees by models that have not seen them,
// and of the development trees by the model of all training trees (Collins 2000, section 5).
#include <fmt/core.h>

#include "copse/base/output.h"
#include "copse/cli/constituency_data.h"
#include "copse/cli/n_best_run.h"
#include "copse/cli/shared_task.h"
#include "copse/cli/train_tasks.h"
#include "copse/constituency/gold_line.h"
#include "copse/constituency/unseen_lists.h"
#include "copse/treebank/n_best_scores.h"

namespace copse {
namespace {

class TrainRerankerData : public Command, public SharedTask {
 public:
  std::string_view name() const override { return "reranker-data"; }
  std::string_view summary() const override {
    return "Make n-best lists to learn a reranker from, each by a parser that has not seen it";
  }
  std::vector<Example> examples() const override {
    return {
        {"train reranker-data --train train.mrg --dev dev.mrg --folds 20 -k 50 -o train.nbl "
         "--dev-output dev.nbl",
         "training trees cross-validated, development trees by a parser of all of them"}};
  }

  void declare_options(CLI::App& app) override {
    declare_training_options(app, recipe_.training, train_);
    app.add_option("--dev", dev_, "Development trees")->type_name("TREES");
    app.add_option("--folds", recipe_.folds, "Parts of the training trees, in order of the file")
        ->capture_default_str()
        ->check(CLI::Range(2, 100'000));
    app.add_option("-k,--nbest", run_.question.k, "Parses per sentence")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    app.add_option("--within", run_.question.within,
                   "Only parses at most this many times less probable than the best")
        ->check(CLI::Range(1.0, 1e300))
        ->type_name("RATIO");
    app.add_option("-o,--output", output_.path, "Lists of the training trees")
        ->required()
        ->type_name("LISTS");
    app.add_option("--dev-output", dev_output_.path, "Lists of the development trees")
        ->type_name("LISTS");
    app.add_option("--to", output_.form_name,
                   "Form of the lists: text or binary; binary if LISTS ends in .nbl")
        ->type_name("FORM");
    run_.declare_options(app);
  }

  void join(Group& group) override { recipe_.group = &group; }

  ExitCode run(const CommonOptions& given) override {
    const CommonOptions common = run_.take_limits(given);
    if (output_.json()) {
      throw usage_error("a reranker learns from lists in brackets", "expected --to text or binary");
    }
    if (dev_.empty() != (dev_output_.path == "-")) {
      throw usage_error("--dev and --dev-output belong together");
    }
    dev_output_.form_name = output_.form_name;
    finish_training_options(run_, common, recipe_.training);
    recipe_.question = run_.question;
    ProblemLog log(common);
    const TrainingTreebank train = read_tree_file(train_, "train", common, log);
    if (recipe_.group != nullptr && !recipe_.group->leads()) {
      unseen_lists(train.entries, recipe_, {});
      return ExitCode::fine;
    }
    Lists lists(output_);
    unseen_lists(train.entries, recipe_, lists.taker());
    lists.finish("train", common);
    if (!dev_.empty()) {
      const TrainingTreebank dev = read_tree_file(dev_, "dev", common, log);
      Lists dev_lists(dev_output_);
      lists_of_others(train.entries, dev.entries, recipe_, dev_lists.taker());
      dev_lists.finish("dev", common);
    }
    return log.finish("left out");
  }

 private:
  // A file of lists being written and scored.
  class Lists {
   public:
    explicit Lists(const NBestOutput& where)
        : form_(where.form()), output_(Output::open(where.path)) {
      output_.write(n_best_begin(form_));
    }

    TakeList taker() {
      return [this](NBestList&& list, bool fallback, const Entry& entry) {
        scores_.add(list, gold_line(entry.tree));
        fallbacks_ += fallback ? 1 : 0;
        std::string text;
        append_n_best(list, form_, text);
        output_.write(text);
      };
    }

    void finish(std::string_view name, const CommonOptions& common) {
      output_.write(n_best_end(form_));
      output_.commit();
      report_fallbacks(fallbacks_, common);
      if (!common.quiet) fmt::print(stderr, "{}: {}\n", name, scores_.str());
    }

   private:
    NBestForm form_;
    Output output_;
    NBestScores scores_;
    std::size_t fallbacks_ = 0;
  };

  std::string train_, dev_;
  NBestOutput output_, dev_output_;
  UnseenLists recipe_;
  PhraseRunOptions run_{.question = recipe_.question};
};

}  // namespace

std::unique_ptr<Command> make_train_reranker_data() {
  return std::make_unique<TrainRerankerData>();
}

}  // namespace copse
