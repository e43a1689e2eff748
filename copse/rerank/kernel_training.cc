#include "copse/rerank/kernel_training.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "copse/base/error.h"
#include "copse/base/pace.h"
#include "copse/base/stream.h"
#include "copse/base/thread_team.h"
#include "copse/rerank/graded_lists.h"
#include "copse/rerank/kernel_reranker.h"
#include "copse/rerank/kernel_selection.h"
#include "copse/rerank/linear_kernel_kind.h"
#include "copse/rerank/tag_kernel_kind.h"
#include "copse/rerank/tree_kernel_kind.h"

namespace copse {
namespace {

constexpr double kLeastSpread = 1e-300;

// Work 0, 1, ..., count - 1, by whoever is free.
template <class Work>
void in_parallel(int threads, std::size_t count, Work work) {
  ThreadTeam team(std::clamp(threads, 1, static_cast<int>(std::max<std::size_t>(1, count))));
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    for (std::size_t k = next++; k < count; k = next++) work(k);
  });
}

// Lists as numbers, with what is known of their candidates.
template <class Kind>
struct KernelData : GradedNumbers {
  std::vector<typename Kind::List> lists;
  std::size_t candidates = 0, duplicates = 0;
  DataSource source;

  std::vector<RankedList> ranked() const {
    std::vector<RankedList> result;
    for (std::size_t i = 0; i < lists.size(); ++i) result.push_back({quality[i], base[i]});
    return result;
  }
};

template <class Kind, class Vocabulary>
KernelData<Kind> read_lists(const GradedListOptions& from, int threads, Vocabulary& vocabulary) {
  GradedLists reader(from);
  KernelData<Kind> data;
  stream_in_order<GradedLists::Item, Candidates>(
      threads, [&] { return reader.next(); },
      [&](GradedLists::Item&& item) { return reader.graded(std::move(item)); },
      [&](Candidates&& list) {
        data.duplicates += drop_duplicates(list);
        try {
          data.lists.push_back(Kind::make(list, vocabulary));
        } catch (const Error& error) {
          throw Error(error.kind(),
                      fmt::format("list {}: {}", data.lists.size() + 1, error.message()),
                      {from.lists, 0, 0}, error.hint());
        }
        auto& quality = data.quality.emplace_back();
        auto& base = data.base.emplace_back();
        auto& counts = data.counts.emplace_back();
        for (const Candidate& candidate : list.items) {
          quality.push_back(*candidate.score);
          base.push_back(candidate.log_probability);
          if (candidate.counts) counts.push_back(*candidate.counts);
        }
        data.candidates += quality.size();
      });
  data.source = reader.source();
  return data;
}

// The lists of a problem, and a sum of kernels over them that grows.
template <class Kind>
class Expansion : public RankingExpansion {
 public:
  Expansion(const KernelData<Kind>& data, const std::vector<std::vector<double>>& scales,
            const KernelOptions& options)
      : data_(data), scales_(scales), options_(options), sum_(options, false) {}

  void scores(std::size_t list, std::span<double> out) override {
    sum_.score(data_.lists[list], out, scratch_);
    if (scales_.empty()) return;
    for (std::size_t j = 0; j < out.size(); ++j) out[j] *= scales_[list][j];
  }
  void add(std::size_t list, std::span<const RankingCoefficient> coefficients) override {
    sum_.add(data_.lists[list], coefficients, scales_of(list));
  }
  double squared_norm(std::size_t list, std::span<const RankingCoefficient> coefficients) override {
    return Kind::squared_norm(data_.lists[list], coefficients, scales_of(list), options_);
  }

 private:
  std::span<const double> scales_of(std::size_t list) const {
    return scales_.empty() ? std::span<const double>() : std::span(scales_[list]);
  }

  const KernelData<Kind>& data_;
  const std::vector<std::vector<double>>& scales_;
  KernelOptions options_;
  typename Kind::Sum sum_;
  typename Kind::Sum::Scratch scratch_;
};

// The sums of kernels of all candidates without the log probability; for a voted model its votes.
template <class Kind>
ListScores dev_scores(const KernelModel<Kind>& model, const KernelData<Kind>& data, int threads) {
  ListScores scores(data.lists.size());
  Pool<typename Kind::Sum::Scratch> scratches;
  in_parallel(threads, scores.size(), [&](std::size_t i) {
    if (data.base[i].empty()) return;
    const auto scratch = scratches.take();
    const std::vector<double> none(data.base[i].size(), 0.0);
    scores[i] =
        kernel_scores<Kind>(model, data.lists[i], model.voted ? data.base[i] : none, *scratch);
  });
  return scores;
}

// Everything learnt for one lambda and beta.
template <class Kind>
class KernelTrainer {
 public:
  KernelTrainer(const KernelData<Kind>& data, const KernelTrainingOptions& options)
      : data_(data), ranked_(data.ranked()), options_(options) {}

  struct Trained {
    KernelModel<Kind> model;  // without its vocabulary
    std::size_t updates = 0;
  };

  Trained train(double lambda, double beta, int threads) const {
    KernelOptions kernel = options_.kernel;
    kernel.lambda = lambda;
    DualPerceptronOptions perceptron = options_.perceptron;
    perceptron.beta = beta;
    const std::vector<std::vector<double>> scales = scales_of(kernel, threads);
    const auto bounds = chunk_bounds(data_.lists.size(), options_.chunks);
    std::vector<RankingRun> runs(bounds.size() - 1);
    in_parallel(threads, runs.size(), [&](std::size_t c) {
      Expansion<Kind> expansion(data_, scales, kernel);
      runs[c] = train_dual_perceptron(ranked_, bounds[c], bounds[c + 1], expansion, perceptron);
    });
    Trained trained{
        {kernel, beta, {}, typename Kind::Sum(kernel, options_.vote), 0, options_.vote, {}, 0}, 0};
    for (const RankingRun& run : runs) trained.updates += run.updates.size();
    if (options_.vote) {
      keep_votes(runs, scales, trained.model);
    } else {
      average(runs, scales, trained.model);
    }
    return trained;
  }

 private:
  std::vector<std::vector<double>> scales_of(const KernelOptions& kernel, int threads) const {
    std::vector<std::vector<double>> scales;
    if (!kernel.normalised) return scales;
    scales.resize(data_.lists.size());
    in_parallel(threads, scales.size(),
                [&](std::size_t i) { scales[i] = kernel_scales<Kind>(data_.lists[i], kernel); });
    return scales;
  }
  static std::span<const double> of(const std::vector<std::vector<double>>& scales,
                                    std::size_t list) {
    return scales.empty() ? std::span<const double>() : std::span(scales[list]);
  }

  // The updates of a list add up before they are entered; whole numbers until the division.
  void average(const std::vector<RankingRun>& runs, const std::vector<std::vector<double>>& scales,
               KernelModel<Kind>& model) const {
    std::map<std::uint32_t, std::map<std::uint32_t, double>> sums;  // list, candidate
    std::uint64_t steps = 0;
    for (const RankingRun& run : runs) {
      steps += run.steps;
      for (std::size_t m = 0; m < run.updates.size(); ++m) {
        auto& sum = sums[run.updates[m].list];
        for (const auto& c : run.of(run.updates[m])) {
          sum[c.candidate] += static_cast<double>(run.averaging(m)) * c.weight;
        }
      }
    }
    if (steps == 0) return;
    std::vector<RankingCoefficient> coefficients;
    for (const auto& [list, sum] : sums) {
      coefficients.clear();
      for (const auto& [candidate, weight] : sum) coefficients.push_back({candidate, weight});
      model.sum.add(data_.lists[list], coefficients, of(scales, list));
      model.base_weight += base_weight(coefficients, data_.base[list], model.beta);
    }
    const double part = 1 / static_cast<double>(steps);
    model.sum.scale_weights(part);
    model.base_weight *= part;
    if (options_.budget > 0) model.sum.keep_within(options_.budget);
    // A perceptron that never erred has learnt nothing: the base ranking stays.
    if (sums.empty()) model.base_weight = 1;
  }

  void keep_votes(const std::vector<RankingRun>& runs,
                  const std::vector<std::vector<double>>& scales, KernelModel<Kind>& model) const {
    for (const RankingRun& run : runs) {
      if (run.updates.empty()) model.silent_steps += run.steps;
      for (std::size_t m = 0; m < run.updates.size(); ++m) {
        const RankingUpdate& update = run.updates[m];
        model.sum.add(data_.lists[update.list], run.of(update), of(scales, update.list));
        model.voters.push_back({base_weight(run.of(update), data_.base[update.list], model.beta),
                                run.survival(static_cast<std::ptrdiff_t>(m)),
                                m == 0 ? 1 + run.survival(-1) : 0});
      }
    }
  }

  const KernelData<Kind>& data_;
  std::vector<RankedList> ranked_;
  const KernelTrainingOptions& options_;
};

void check(const KernelTrainingOptions& options, bool dev) {
  if (options.lambdas.empty() || options.betas.empty() || options.mixes.empty()) {
    throw usage_error("there must be a lambda, a beta and a mix");
  }
  if (!dev && options.lambdas.size() * options.betas.size() > 1) {
    throw usage_error("several lambdas or betas need lists of development data to choose by");
  }
  if (options.vote && options.budget > 0) throw usage_error("a voted model has no budget");
  for (const double lambda : options.lambdas) check_lambda(lambda);
}

nlohmann::json options_json(const KernelTrainingOptions& options) {
  const DualPerceptronOptions& p = options.perceptron;
  return {{"method", options.method},
          {"lambdas", options.lambdas},
          {"betas", options.betas},
          {"mixes", options.mixes},
          {"normalised", options.kernel.normalised},
          {"views", options.kernel.views},
          {"heads", options.kernel.head_table},
          {"max_candidates", options.max_candidates},
          {"epochs", p.epochs},
          {"shuffle", p.shuffle},
          {"seed", p.seed},
          {"loss_scaled", p.loss_scaled},
          {"all_pairs", p.all_pairs},
          {"passive_aggressive", p.passive_aggressive},
          {"aggressiveness", p.aggressiveness},
          {"margin", p.margin},
          {"keep_ties", p.keep_ties},
          {"chunks", options.chunks},
          {"vote", options.vote},
          {"budget", options.budget}};
}

template <class Kind>
ModelWriter train_kind(const RerankerPaths& paths, KernelTrainingOptions options,
                       const KernelReport& report, const WorkDone& during) {
  check(options, !paths.dev_lists.empty());
  typename Kind::Vocabulary vocabulary = Kind::vocabulary(options.kernel);
  const KernelData<Kind> train = read_lists<Kind>({.lists = paths.lists,
                                                   .gold = paths.gold,
                                                   .role = "train",
                                                   .max_candidates = options.max_candidates},
                                                  options.threads, vocabulary);
  std::optional<KernelData<Kind>> dev;
  if (!paths.dev_lists.empty()) {
    dev = read_lists<Kind>({.lists = paths.dev_lists,
                            .gold = paths.dev_gold,
                            .role = "dev",
                            .max_candidates = options.max_candidates},
                           options.threads, std::as_const(vocabulary));
  }
  report(fmt::format("train: {} lists, {} candidates ({} equal to an earlier one left out)",
                     train.lists.size(), train.candidates, train.duplicates));
  struct Point {
    double lambda, beta;
  };
  std::vector<Point> points;
  for (const double lambda : options.lambdas) {
    for (const double beta : options.betas) points.push_back({lambda, beta});
  }
  for (const Point& point : points) {
    if (point.lambda == 0) report("lambda 0: nothing but the log probability counts");
  }
  SharedWork work(
      points.size() * train.lists.size() * static_cast<std::size_t>(options.perceptron.epochs),
      during);
  options.perceptron.step = [&work] { work.add(1); };
  const KernelTrainer<Kind> trainer(train, options);
  Pace pace(points.size(), "lists");
  std::size_t done = 0;
  using Trained = typename KernelTrainer<Kind>::Trained;
  struct Tried {
    Trained trained;
    ListScores dev;
  };
  std::optional<Trained> best;
  double best_mix = 0;
  std::optional<KernelSelection> selection;
  if (dev) selection.emplace(*dev);
  stream_in_order<std::size_t, Tried>(
      points.size() > 1 ? options.threads : 1,
      [&, next = std::size_t{0}]() mutable -> std::optional<std::size_t> {
        return next < points.size() ? std::optional(next++) : std::nullopt;
      },
      [&](std::size_t k) {
        const int threads = points.size() > 1 ? 1 : options.threads;
        Tried tried{trainer.train(points[k].lambda, points[k].beta, threads), {}};
        if (dev) tried.dev = dev_scores<Kind>(tried.trained.model, *dev, threads);
        return tried;
      },
      [&](Tried&& tried) {
        KernelModel<Kind>& model = tried.trained.model;
        const std::string point =
            fmt::format("lambda {} beta {}", model.options.lambda, model.beta);
        report(fmt::format("{}: {} updates, {} entries  {}", point, tried.trained.updates,
                           model.sum.size(), pace.after(++done, train.lists.size())));
        if (!dev) {
          best = std::move(tried.trained);
          return;
        }
        const double learnt = model.base_weight;
        const double unit = spread(tried.dev) / std::max(spread(dev->base), kLeastSpread);
        bool kept = false;
        // Votes are not a sum, and with beta = 0 the log probability is not to count.
        const bool fixed = model.voted || model.beta == 0;
        for (const double mix : fixed ? std::vector<double>{0} : options.mixes) {
          // As the saved model will compute it, to the last bit: ties stay ties.
          const double base_weight = mix == 0 ? learnt : mix * unit / model.beta;
          const ChosenCandidates chosen =
              choose(*dev, tried.dev, model.voted ? 0 : model.beta * base_weight);
          const ChoiceFigures figures = choice_figures(*dev, chosen, kListParts[kAllLists]);
          report("  " + figures.str(mix == 0 ? "dev" : fmt::format("mix {}, dev", mix)));
          if (!selection->offer(chosen)) continue;
          kept = true;
          best_mix = mix;
          model.base_weight = base_weight;
        }
        if (kept) best = std::move(tried.trained);
      });
  nlohmann::json figures = nlohmann::json::object();
  std::vector<DataSource> sources{train.source};
  if (dev) {
    const CrossFigures crossed = selection->crossed();
    report(fmt::format("kept: lambda {} beta {} mix {}", best->model.options.lambda,
                       best->model.beta, best_mix));
    report(crossed.str());
    figures["dev_crossed"] = crossed.json();
    figures["mix"] = best_mix;
    sources.push_back(dev->source);
  }
  best->model.vocabulary = std::move(vocabulary);
  return KernelReranker<Kind>(std::move(best->model))
      .save({{"provenance", provenance(options_json(options), sources, figures)}});
}

}  // namespace

ModelWriter train_kernel_reranker(const RerankerPaths& paths, const KernelTrainingOptions& options,
                                  const KernelReport& report, const WorkDone& during) {
  if (options.method == TreeKernelKind::kMethod) {
    return train_kind<TreeKernelKind>(paths, options, report, during);
  }
  if (options.method == TagKernelKind::kMethod) {
    return train_kind<TagKernelKind>(paths, options, report, during);
  }
  if (options.method == LinearKernelKind::kMethod) {
    return train_kind<LinearKernelKind>(paths, options, report, during);
  }
  throw usage_error(fmt::format("no method '{}'", options.method));
}

}  // namespace copse
