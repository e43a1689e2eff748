// The linear rerankers of `copse train reranker`.
#include <optional>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/cli/reranker_methods.h"
#include "copse/cli/stage_bar.h"

namespace copse {
namespace {

constexpr std::size_t kLargestTable = std::size_t{1} << 20;

class LinearMethods : public RerankerMethods {
 public:
  std::vector<std::string_view> names() const override {
    return {"boost", "logboost", "loglinear", "perceptron"};
  }

  void declare_options(CLI::App& app) override {
    declare_features(app);
    declare_boosting(app);
    const std::string group = "Log-linear and perceptron";
    app.add_option("--variances", options_.variances, "loglinear: of the prior; the best on dev")
        ->delimiter(',')
        ->capture_default_str()
        ->check(CLI::Range(1e-12, 1e12))
        ->group(group);
    app.add_option("--iterations", options_.max_iterations, "loglinear: at most so many")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000))
        ->group(group);
    app.add_option("--scales", options_.scales,
                   "perceptron: factors for the weight of the log probability; the best on dev")
        ->delimiter(',')
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--passes", options_.epochs, "perceptron and kernels: passes over the lists")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_option("--seed", options_.seed, "perceptron: of the order of the lists")
        ->capture_default_str()
        ->group(group);
  }

  ModelWriter train(const std::string& method, const RerankerPaths& paths,
                    const CommonOptions& common) override {
    options_.method = method;
    options_.threads = common.threads;
    if (!table_.empty()) options_.trees.templates = Input::open(table_).read_all(kLargestTable);
    TrainingOutput output;
    StageBar bar(true);
    if (!common.quiet) {
      output.report = [&](const std::string& line) { bar.print(line); };
      output.during = [&, unit = unit_of(method)](std::size_t done, std::size_t all) {
        bar.show(method, unit, done, all);
      };
    }
    std::optional<Output> rounds;
    if (!round_log_.empty()) {
      rounds.emplace(Output::open(round_log_));
      output.rounds = [&](const std::string& line) { rounds->write(line + "\n"); };
    }
    ModelWriter model = train_linear_reranker(paths, options_, output);
    if (rounds) rounds->commit();
    return model;
  }

 private:
  static std::string unit_of(const std::string& method) {
    if (method == "loglinear") return "iterations";
    return method == "perceptron" ? "lists" : "rounds";
  }

  void declare_features(CLI::App& app) {
    const std::string group = "Features of linear rerankers";
    app.add_option("--min-lists", options_.cutoff.min_lists,
                   "Features in fewer training lists are not used")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000))
        ->group(group);
    app.add_option("--max-times", options_.cutoff.max_times,
                   "A count becomes features: once, at least twice, ... up to so often")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_option("--max-candidates", options_.max_candidates,
                   "Only the first so many of each list; 0 for all")
        ->capture_default_str()
        ->check(CLI::Range(0, 1'000'000))
        ->group(group);
    app.add_option("--without", options_.trees.without,
                   "Leave out a group of tree features: rule, rule-two-level, pp, closed, ...")
        ->delimiter(',')
        ->type_name("GROUP")
        ->group(group);
    app.add_option("--tree-features", table_,
                   "A table of tree features instead of the built-in one")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--heads", options_.trees.head_table, "Head table: collins, ... or a file")
        ->capture_default_str()
        ->type_name("TABLE")
        ->group(group);
  }

  void declare_boosting(CLI::App& app) {
    const std::string group = "Boosting";
    app.add_option("--rounds", options_.rounds,
                   "Rounds of each run; the best number on dev is kept")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000'000))
        ->group(group);
    app.add_option("--smoothing", options_.smoothing, "Values to try; the best on dev is kept")
        ->delimiter(',')
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    app.add_flag("--uniform", options_.uniform,
                 "boost: pairs count 1 instead of the difference of their scores")
        ->group(group);
    app.add_flag(
           "--keep-ties", options_.keep_ties,
           "With --uniform and for logboost: candidates as good as the best are its rivals, too")
        ->group(group);
    app.add_flag("--full-ordering", options_.full_ordering,
                 "boost: neighbours in the order of the scores are pairs as well")
        ->group(group);
    app.add_option("--move-log-probability", options_.move_log_probability_every,
                   "Fit the weight of the log probability again after every so many rounds")
        ->check(CLI::Range(0, 1'000'000))
        ->type_name("ROUNDS")
        ->group(group);
    app.add_flag("--naive", options_.naive, "boost: the reference algorithm, a pass a round")
        ->group(group);
    app.add_flag("--exact", options_.exact,
                 "logboost: the step that lowers the loss most, for small data")
        ->group(group);
    app.add_option("--round-log", round_log_, "Write every round of every run, a line each")
        ->type_name("FILE")
        ->group(group);
  }

  LinearTrainingOptions options_;
  std::string table_, round_log_;
};

}  // namespace

std::unique_ptr<RerankerMethods> make_linear_reranker_methods() {
  return std::make_unique<LinearMethods>();
}

}  // namespace copse
