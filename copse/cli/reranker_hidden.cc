// The hidden-variable rerankers and mixtures of `copse train reranker`.
#include <CLI/CLI.hpp>

#include "copse/base/input.h"
#include "copse/cli/reranker_methods.h"
#include "copse/cli/stage_bar.h"
#include "copse/rerank/hidden/training.h"
#include "copse/rerank/mixture.h"

namespace copse {
namespace {

constexpr std::size_t kLargestTable = std::size_t{1} << 20;

class HiddenMethods : public RerankerMethods {
 public:
  std::vector<std::string_view> names() const override { return {hidden::kMethod, kMixtureMethod}; }

  void declare_options(CLI::App& app) override {
    declare_domain(app);
    declare_learning(app);
    app.add_option("--member", mixture_.members,
                   "mix: a reranker, or a generative parser whose brackets count; again for each. "
                   "Weights are found on --lists, which no member may have learnt from")
        ->type_name("MODEL")
        ->group("Mixtures");
    app.add_option("--weigh", weigh_,
                   "mix: by what the weights are found: a smooth loss, or F1 exactly")
        ->capture_default_str()
        ->check(CLI::IsMember({"likelihood", "graded", "risk", "f1"}))
        ->group("Mixtures");
    app.add_option("--weight-variance", mixture_.smooth.variance,
                   "mix: of the prior on the weights of a smooth loss")
        ->capture_default_str()
        ->check(CLI::Range(1e-9, 1e9))
        ->group("Mixtures");
    app.add_option("--starts", mixture_.search.starts,
                   "mix: random starts of the search for weights on F1")
        ->capture_default_str()
        ->check(CLI::Range(0, 10'000))
        ->group("Mixtures");
    // Options of other families, with defaults of their own.
    ::CLI::App& real = app.real();
    passes_ = real.get_option("--passes");
    seed_ = real.get_option("--seed");
    min_lists_ = real.get_option("--min-lists");
    max_candidates_ = real.get_option("--max-candidates");
    heads_ = real.get_option("--heads");
    without_ = real.get_option("--without");
    tree_features_ = real.get_option("--tree-features");
    variances_ = real.get_option("--variances");
  }

  ModelWriter train(const std::string& method, const RerankerPaths& paths,
                    const CommonOptions& common) override {
    StageBar bar(!common.quiet);
    TrainingOutput output;
    output.report = [&](const std::string& line) {
      if (!common.quiet) bar.print(line);
    };
    output.during = [&](std::size_t done, std::size_t all) {
      bar.show(method, "lists", done, all);
    };
    const auto most = max_candidates_->count() > 0 ? max_candidates_->as<std::size_t>() : 0;
    if (method == kMixtureMethod) {
      MixtureTrainingOptions options = mixture_;
      options.weigh_by(weigh_);
      options.smooth.temperature = options_.temperature;
      options.max_candidates = most;
      options.threads = common.threads;
      if (seed_->count() > 0) options.search.seed = seed_->as<std::uint64_t>();
      return train_mixture(paths, options, output.report);
    }
    hidden::TrainingOptions options = options_;
    options.domain.kind = hidden::domain_kind(domain_);
    options.graph = hidden::graph_kind(graph_);
    options.loss = loss_of(loss_);
    options.start = start_ == "plain" ? hidden::Start::plain : hidden::Start::random;
    options.threads = common.threads;
    options.max_candidates = most;
    if (passes_->count() > 0) options.epochs = passes_->as<int>();
    if (seed_->count() > 0) options.seed = seed_->as<std::uint64_t>();
    if (min_lists_->count() > 0) options.min_lists = min_lists_->as<int>();
    if (heads_->count() > 0) options.head_table = heads_->as<std::string>();
    if (variances_->count() > 0) options.variances = variances_->as<std::vector<double>>();
    if (without_->count() > 0) options.trees.without = without_->as<std::vector<std::string>>();
    if (tree_features_->count() > 0) {
      options.trees.templates =
          Input::open(tree_features_->as<std::string>()).read_all(kLargestTable);
    }
    if (!table_.empty()) options.templates = Input::open(table_).read_all(kLargestTable);
    return hidden::train_hidden_reranker(paths, options, output);
  }

 private:
  void declare_domain(CLI::App& app) {
    const std::string group = "Hidden values";
    app.add_option("--domain", domain_, "hidden: what values a word may have")
        ->capture_default_str()
        ->check(CLI::IsMember(hidden::domain_names()))
        ->group(group);
    app.add_option("--graph", graph_, "hidden: which words are joined")
        ->capture_default_str()
        ->check(CLI::IsMember({"dependency", "sibling"}))
        ->group(group);
    app.add_option("--values", options_.domain.values,
                   "hidden: copies of a word, tag, ...; 0 for 3 or 5, as the domain has it")
        ->capture_default_str()
        ->check(CLI::Range(0, hidden::kLargestFamily))
        ->group(group);
    app.add_option("--wordnet", options_.wordnet, "supersense: the folder of WordNet's files")
        ->capture_default_str()
        ->type_name("FOLDER")
        ->group(group);
    app.add_option("--hidden-clusters", options_.clusters, "cluster: clusters of words")
        ->type_name("PATHS")
        ->group(group);
    app.add_option("--prefix", options_.domain.prefix, "cluster: bits of a cluster that count")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_option("--rare", options_.domain.min_count,
                   "lexical, mixed: words seen less often have the values of their tag's unknown")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000))
        ->group(group);
    app.add_option("--hidden-features", table_, "A table of features instead of the built-in one")
        ->type_name("FILE")
        ->group(group);
  }

  void declare_learning(CLI::App& app) {
    app.add_flag("--whole", options_.whole,
                 "hidden: the features of whole trees as well (those of boosting), learnt together")
        ->group("Hidden values");
    const std::string group = "Learning of hidden values";
    app.add_option("--loss", loss_, "hidden: what is made small")
        ->capture_default_str()
        ->check(CLI::IsMember({"likelihood", "graded", "risk"}))
        ->group(group);
    app.add_option("--temperature", options_.temperature,
                   "graded: brackets by which a candidate counts a third of a better one")
        ->capture_default_str()
        ->check(CLI::Range(1e-3, 1e3))
        ->group(group);
    app.add_option("--base-weight", options_.base,
                   "hidden: what the log probability weighs while learning; 0 leaves it out")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--rates", options_.rates,
                   "hidden: first step; the best of several after a pass over a tenth of the lists")
        ->delimiter(',')
        ->capture_default_str()
        ->check(CLI::Range(1e-9, 1e6))
        ->group(group);
    app.add_option("--start", start_,
                   "hidden: random weights, or those of the model without hidden values")
        ->capture_default_str()
        ->check(CLI::IsMember({"random", "plain"}))
        ->group(group);
    app.add_option("--plain-passes", options_.plain_epochs, "hidden: passes of --start plain")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_option("--noise", options_.noise, "hidden: random weights are at most so large")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 10.0))
        ->group(group);
    app.add_option("--average-from", options_.average_from,
                   "hidden: average the weights from this pass on; 0: never")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000))
        ->group(group);
    app.add_option("--patience", options_.patience,
                   "hidden: end after so many passes that were not better on dev")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_option("--batch", options_.batch, "hidden: lists per step; threads share them")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000))
        ->group(group);
    app.add_flag("!--no-sharing", options_.sharing,
                 "hidden: work out every candidate by itself; slower, for comparison")
        ->group(group);
    app.add_option("--checkpoint", options_.checkpoint,
                   "hidden: save the state after each pass, and go on from it")
        ->type_name("FILE")
        ->group(group);
  }

  hidden::TrainingOptions options_;
  std::string domain_ = "pos", graph_ = "dependency", loss_ = "likelihood", start_ = "plain";
  std::string table_;
  MixtureTrainingOptions mixture_;
  std::string weigh_ = "graded";
  ::CLI::Option* passes_ = nullptr;
  ::CLI::Option* seed_ = nullptr;
  ::CLI::Option* min_lists_ = nullptr;
  ::CLI::Option* max_candidates_ = nullptr;
  ::CLI::Option* heads_ = nullptr;
  ::CLI::Option* variances_ = nullptr;
  ::CLI::Option* without_ = nullptr;
  ::CLI::Option* tree_features_ = nullptr;
};

}  // namespace

std::unique_ptr<RerankerMethods> make_hidden_reranker_methods() {
  return std::make_unique<HiddenMethods>();
}

}  // namespace copse
