// The linear rerankers of `copse train reranker`.
#include <fmt/core.h>

#include <cstdio>

#include "copse/cli/reranker_methods.h"

namespace copse {
namespace {

class LinearMethods : public RerankerMethods {
 public:
  std::vector<std::string_view> names() const override { return {"perceptron"}; }

  void declare_options(CLI::App& app) override {
    const std::string group = "Linear rerankers";
    app.add_option("--min-lists", options_.cutoff.min_lists,
                   "Features in fewer training lists are not used")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000))
        ->group(group);
    app.add_option("--epochs", options_.epochs, "Perceptron: passes over the lists")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_option("--log-probability-weight", options_.log_probability_weight,
                   "Perceptron: the fixed weight of the log probability")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--seed", options_.seed, "Of the order of the lists")
        ->capture_default_str()
        ->group(group);
  }

  ModelWriter train(const std::string& method, const RerankerPaths& paths,
                    const CommonOptions& common) override {
    options_.method = method;
    options_.threads = common.threads;
    return train_linear_reranker(paths, options_, [&](const std::string& line) {
      if (!common.quiet) fmt::print(stderr, "{}\n", line);
    });
  }

 private:
  LinearTrainingOptions options_;
};

}  // namespace

std::unique_ptr<RerankerMethods> make_linear_reranker_methods() {
  return std::make_unique<LinearMethods>();
}

}  // namespace copse
