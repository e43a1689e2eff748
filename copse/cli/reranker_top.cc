// The Fisher and TOP rerankers of `copse train reranker`.
#include <CLI/CLI.hpp>

#include "copse/cli/reranker_methods.h"
#include "copse/cli/stage_bar.h"
#include "copse/rerank/top_training.h"

namespace copse {
namespace {

class TopMethods : public RerankerMethods {
 public:
  std::vector<std::string_view> names() const override {
    return {"fisher", "top", "top-efficient"};
  }

  void declare_options(CLI::App& app) override {
    const std::string group = "Fisher and TOP kernels";
    app.add_option(
           "--gradients", options_.model,
           "The history parser whose gradients are the features, or a generative parser, for "
           "top-efficient; none: those of the rules of a grammar, for top-efficient")
        ->type_name("MODEL")
        ->group(group);
    app.add_option("--cap", options_.cap, "top: the largest 1 / (1 - p) of a candidate; 0: any")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e30))
        ->group(group);
    // Options of other families, with defaults of their own.
    ::CLI::App& real = app.real();
    passes_ = real.get_option("--passes");
    max_candidates_ = real.get_option("--max-candidates");
    mixes_ = real.get_option("--mix");
    vote_ = real.get_option("--vote");
  }

  ModelWriter train(const std::string& method, const RerankerPaths& paths,
                    const CommonOptions& common) override {
    options_.method = method;
    options_.threads = common.threads;
    if (passes_->count() > 0) options_.epochs = passes_->as<int>();
    if (max_candidates_->count() > 0) options_.max_candidates = max_candidates_->as<std::size_t>();
    if (mixes_->count() > 0) options_.mixes = mixes_->as<std::vector<double>>();
    options_.vote = vote_->count() > 0;
    StageBar bar(!common.quiet);
    return train_top_reranker(
        paths, options_,
        [&](const std::string& line) {
          if (!common.quiet) bar.print(line);
        },
        [&](std::size_t done, std::size_t all) { bar.show(method, "lists", done, all); });
  }

 private:
  TopTrainingOptions options_;
  ::CLI::Option* passes_ = nullptr;
  ::CLI::Option* max_candidates_ = nullptr;
  ::CLI::Option* mixes_ = nullptr;
  ::CLI::Option* vote_ = nullptr;
};

}  // namespace

std::unique_ptr<RerankerMethods> make_top_reranker_methods() {
  return std::make_unique<TopMethods>();
}

}  // namespace copse
