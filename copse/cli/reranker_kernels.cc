// The rerankers by kernels of `copse train reranker`.
#include <CLI/CLI.hpp>

#include "copse/cli/reranker_methods.h"
#include "copse/cli/stage_bar.h"
#include "copse/rerank/kernel_training.h"
#include "copse/rerank/tree_views.h"

namespace copse {
namespace {

class KernelMethods : public RerankerMethods {
 public:
  std::vector<std::string_view> names() const override {
    return {"tree-kernel", "tag-kernel", "linear-kernel"};
  }

  void declare_options(CLI::App& app) override {
    const std::string group = "Kernels";
    app.add_option("--lambda", options_.lambdas,
                   "What each further production or label of a fragment weighs, 0 to 1; the best "
                   "of several on --dev-lists is kept")
        ->capture_default_str()
        ->delimiter(',')
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    app.add_option("--beta", options_.betas, "What the log probability weighs; one or several")
        ->capture_default_str()
        ->delimiter(',')
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--mix", options_.mixes,
                   "With --dev-lists: weights of the log probability against the sum of kernels to "
                   "try, in units of their spread; 0 for what was learnt")
        ->capture_default_str()
        ->delimiter(',')
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--views", options_.kernel.views,
                   "tree-kernel: what of parses is compared: tree, binary, heads, spans; one or "
                   "several")
        ->capture_default_str()
        ->delimiter(',')
        ->check(CLI::IsMember(tree_view_names()))
        ->type_name("VIEW")
        ->group(group);
    app.add_flag("--normalised", options_.kernel.normalised,
                 "K(x,y) / sqrt(K(x,x) K(y,y)) in place of K")
        ->group(group);
    app.add_option("--word-similarity", options_.kernel.tags.word,
                   "tag-kernel: what equal words weigh beside equal labels")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--shape-similarity", options_.kernel.tags.shape,
                   "tag-kernel: what words that look alike weigh (capitals, digits, hyphens)")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--chunks", options_.chunks,
                   "Pieces of the lists that are learnt from by themselves, at the same time")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000))
        ->group(group);
    app.add_flag("--vote", options_.vote,
                 "All models of training vote, instead of their average choosing")
        ->group(group);
    DualPerceptronOptions& p = options_.perceptron;
    app.add_flag("--shuffle", p.shuffle, "Another order of the lists in every epoch")->group(group);
    app.add_flag("--loss-scaled", p.loss_scaled, "Steps in proportion to the difference in quality")
        ->group(group);
    app.add_flag("--all-pairs", p.all_pairs, "Learn from every pair in the wrong order")
        ->group(group);
    app.add_flag("--passive-aggressive", p.passive_aggressive,
                 "Steps just long enough, at most --longest-step")
        ->group(group);
    app.add_option("--longest-step", p.aggressiveness, "Of --passive-aggressive")
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_option("--kernel-margin", p.margin, "By how much (times the loss) the better must win")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber)
        ->group(group);
    // Options that other methods have too, with defaults of their own.
    ::CLI::App& real = app.real();
    if (!real.get_option_no_throw("--keep-ties")) {
      app.add_flag("--keep-ties", p.keep_ties, "Candidates as good as the best are mistakes too")
          ->group(group);
    }
    app.add_option("--budget", options_.budget,
                   "Drop sub-trees whose weight times their kernel with themselves is below")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber)
        ->group(group);
    keep_ties_ = real.get_option("--keep-ties");
    epochs_ = real.get_option("--passes");
    max_candidates_ = real.get_option("--max-candidates");
    heads_ = real.get_option("--heads");
    seed_ = real.get_option("--seed");
  }

  ModelWriter train(const std::string& method, const RerankerPaths& paths,
                    const CommonOptions& common) override {
    options_.method = method;
    options_.threads = common.threads;
    if (epochs_->count() > 0) options_.perceptron.epochs = epochs_->as<int>();
    if (seed_->count() > 0) options_.perceptron.seed = seed_->as<std::uint64_t>();
    options_.perceptron.keep_ties = keep_ties_->count() > 0;
    if (max_candidates_->count() > 0) options_.max_candidates = max_candidates_->as<std::size_t>();
    if (heads_->count() > 0) options_.kernel.head_table = heads_->as<std::string>();
    StageBar bar(!common.quiet);
    return train_kernel_reranker(
        paths, options_,
        [&](const std::string& line) {
          if (!common.quiet) bar.print(line);
        },
        [&](std::size_t done, std::size_t all) { bar.show(method, "lists", done, all); });
  }

 private:
  KernelTrainingOptions options_;
  ::CLI::Option* epochs_ = nullptr;
  ::CLI::Option* max_candidates_ = nullptr;
  ::CLI::Option* heads_ = nullptr;
  ::CLI::Option* seed_ = nullptr;
  ::CLI::Option* keep_ties_ = nullptr;
};

}  // namespace

std::unique_ptr<RerankerMethods> make_kernel_reranker_methods() {
  return std::make_unique<KernelMethods>();
}

}  // namespace copse
