// copse train reranker-data: n-best lists of the training trees by models that have not seen them,
// and of the development trees by the model of all training trees (Collins 2000, section 5).
#include <fmt/core.h>

#include <iterator>

#include "copse/base/output.h"
#include "copse/cli/constituency_data.h"
#include "copse/cli/n_best_run.h"
#include "copse/cli/train_tasks.h"
#include "copse/treebank/n_best_scores.h"

namespace copse {
namespace {

class TrainRerankerData : public Command {
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
    training_.declare_options(app);
    app.add_option("--dev", dev_, "Development trees")->type_name("TREES");
    app.add_option("--folds", folds_, "Parts of the training trees, in order of the file")
        ->capture_default_str()
        ->check(CLI::Range(2, 100'000));
    app.add_option("-k", search_.parse.k, "Parses per sentence")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    app.add_option("--within", search_.parse.within,
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
    search_.declare_options(app);
  }

  ExitCode run(const CommonOptions& common) override {
    if (dev_.empty() != (dev_output_.path == "-")) {
      throw usage_error("--dev and --dev-output belong together");
    }
    dev_output_.form_name = output_.form_name;
    ProblemLog log(common);
    const TreeFile train = read_tree_file(training_.path, "train", common, log);
    const auto count = train.entries.size();
    if (count < static_cast<std::size_t>(folds_)) {
      throw data_error(fmt::format("{} trees cannot be cut into {} parts", count, folds_),
                       {training_.path, 0, 0}, "choose fewer with --folds");
    }
    Lists lists(output_);
    for (int fold = 0; fold < folds_; ++fold) {
      const std::size_t begin =
          count * static_cast<std::size_t>(fold) / static_cast<std::size_t>(folds_);
      const std::size_t end =
          count * static_cast<std::size_t>(fold + 1) / static_cast<std::size_t>(folds_);
      const GenerativeParser parser = train_without(train.entries, begin, end);
      lists.add(parser, std::span(train.entries).subspan(begin, end - begin), begin, search_,
                common, fmt::format("part {} of {}", fold + 1, folds_));
    }
    lists.finish("train", common);
    if (!dev_.empty()) {
      const TreeFile dev = read_tree_file(dev_, "dev", common, log);
      Lists dev_lists(dev_output_);
      const GenerativeParser parser = train_without(train.entries, 0, 0);
      dev_lists.add(parser, dev.entries, 0, search_, common, "dev");
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

    // Sentence i of `entries` is number before + i + 1 of its file.
    void add(const GenerativeParser& parser, std::span<const Entry> entries, std::size_t before,
             const GenerativeOptions& search, const CommonOptions& common,
             const std::string& title) {
      std::size_t number = before;
      parse_trees(parser, entries, search, common, title,
                  [&](NBestList&& list, bool fallback, const Entry& entry) {
                    list.id = fmt::format("{}", ++number);
                    scores_.add(list, gold_line(entry.tree));
                    fallbacks_ += fallback ? 1 : 0;
                    std::string text;
                    append_n_best(list, form_, text);
                    output_.write(text);
                  });
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

  // Trained on all entries but those of [begin, end).
  GenerativeParser train_without(const std::vector<Entry>& entries, std::size_t begin,
                                 std::size_t end) const {
    PreparationReport report;
    const HeadRules heads = training_.heads();
    const std::span<const Entry> all(entries);
    auto trees = prepare_treebank(all.first(begin), heads, training_.options.preparation, report);
    auto rest = prepare_treebank(all.subspan(end), heads, training_.options.preparation, report);
    trees.insert(trees.end(), std::make_move_iterator(rest.begin()),
                 std::make_move_iterator(rest.end()));
    if (trees.empty()) throw data_error("there is no tree to learn from", {training_.path, 0, 0});
    return GenerativeParser::train(trees, training_.options);
  }

  std::string dev_;
  int folds_ = 20;
  NBestOutput output_, dev_output_;
  GenerativeTraining training_;
  GenerativeOptions search_{.parse = {.k = 50}};
};

}  // namespace

std::unique_ptr<Command> make_train_reranker_data() {
  return std::make_unique<TrainRerankerData>();
}

}  // namespace copse
