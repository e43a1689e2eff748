#include "copse/rerank/top_training.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/stream.h"
#include "copse/rerank/graded_lists.h"
#include "copse/rerank/kernel_selection.h"
#include "copse/rerank/top_kernel.h"

namespace copse {
namespace {

using Report = std::function<void(const std::string&)>;
constexpr double kLeastSpread = 1e-300;

// F1 of a parse in percent; of other candidates their score.
double quality_of(const Candidate& candidate) {
  if (!candidate.counts) return *candidate.score;
  const StratumCounts& counts = *candidate.counts;
  const double sum = static_cast<double>(counts.gold + counts.system);
  return sum > 0 ? 200 * static_cast<double>(counts.correct) / sum : 0;
}

// A list with what the perceptron needs of it.
struct Prepared {
  std::vector<double> log_probability, quality;
  std::vector<SparseRows> gradients;
  std::vector<double> gram;
};

Prepared prepare(const Candidates& list, const StepGradients& gradients, bool exact) {
  Prepared out;
  for (const Candidate& each : list.items) {
    out.log_probability.push_back(each.log_probability);
    out.quality.push_back(quality_of(each));
  }
  const std::size_t count = list.items.size();
  if (count < 2) return out;
  out.gradients = gradients.of(list, exact);
  out.gram.resize(count * count);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t u = 0; u <= t; ++u) {
      out.gram[t * count + u] = out.gram[u * count + t] =
          dot_product(out.gradients[t], out.gradients[u], gradients.columns());
    }
  }
  return out;
}

// Goes through lists and averages: w - u / n, where u sums each change times the lists before it. With
// voters, they are told of each list.
class Perceptron {
 public:
  Perceptron(DerivedKernel kernel, double cap, std::size_t columns, VotedRows* voters)
      : kernel_(kernel), cap_(cap), weights_(columns), weighted_(columns), voters_(voters) {}

  void learn(const Prepared& list) {
    ++lists_;
    if (list.quality.size() < 2 || !learn_from(list)) {
      if (voters_ != nullptr) voters_->live();
    }
  }

  std::pair<double, RowWeights> average() const {
    RowWeights mean = weights_;
    if (lists_ == 0 || updates_ == 0) return {1, mean};  // nothing learnt: the base alone
    const double share = 1 / static_cast<double>(lists_);
    mean.add(weighted_, -share);
    return {base_ - share * weighted_base_, std::move(mean)};
  }
  std::size_t updates() const { return updates_; }
  double largest_factor() const { return largest_; }

 private:
  // False if there was nothing to learn.
  bool learn_from(const Prepared& list) {
    const DerivedList derived = derived_list(kernel_, list.log_probability, cap_);
    for (const double each : derived.factor) largest_ = std::max(largest_, each);
    std::vector<double> a;
    for (const SparseRows& each : list.gradients) a.push_back(weights_.dot(each));
    const std::size_t best = best_by_quality(list.quality, list.log_probability);
    const DerivedUpdate update = learn_list(derived, list.quality, best, base_, a, list.gram);
    if (update.updates == 0) return false;
    updates_ += update.updates;
    if (voters_ != nullptr) voters_->change(update.base, update.coefficients, list.gradients);
    const auto before = static_cast<double>(lists_ - 1);
    base_ += update.base;
    weighted_base_ += before * update.base;
    for (std::size_t t = 0; t < list.gradients.size(); ++t) {
      const double c = update.coefficients[t];
      if (c == 0) continue;
      weights_.add(list.gradients[t], c);
      weighted_.add(list.gradients[t], c * before);
    }
    return true;
  }

  DerivedKernel kernel_;
  double cap_;
  RowWeights weights_, weighted_;
  double base_ = 0, weighted_base_ = 0, largest_ = 0;
  std::size_t lists_ = 0, updates_ = 0;
  VotedRows* voters_;
};

struct DevLists : GradedNumbers {
  ListScores gradient;  // parts of the scores
  ListScores derived;   // v, or ln P
  ListScores votes;     // with voters
  DataSource source;
};

DevLists read_dev(const GradedListOptions& from, int threads, const TopReranker& reranker) {
  GradedLists reader(from);
  DevLists out;
  struct Scored {
    Candidates list;
    TopReranker::Parts parts;
  };
  stream_in_order<GradedLists::Item, Scored>(
      threads, [&] { return reader.next(); },
      [&](GradedLists::Item&& item) {
        Scored scored{reader.graded(std::move(item)), {}};
        scored.parts = reranker.parts(scored.list);
        return scored;
      },
      [&](Scored&& scored) {
        auto& quality = out.quality.emplace_back();
        auto& base = out.base.emplace_back();
        auto& counts = out.counts.emplace_back();
        for (const Candidate& each : scored.list.items) {
          quality.push_back(*each.score);
          base.push_back(each.log_probability);
          if (each.counts) counts.push_back(*each.counts);
        }
        out.gradient.push_back(std::move(scored.parts.gradient));
        out.derived.push_back(std::move(scored.parts.base));
        out.votes.push_back(std::move(scored.parts.votes));
      });
  out.source = reader.source();
  return out;
}

// Gradient part + weight * derived base; ties as choose() has them.
ChosenCandidates choose_by(const DevLists& dev, double weight) {
  ListScores scores = dev.gradient;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t k = 0; k < scores[i].size(); ++k) scores[i][k] += weight * dev.derived[i][k];
  }
  return choose(dev, scores, 0);
}

std::unique_ptr<StepGradients> gradients_for(const TopTrainingOptions& options) {
  if (!is_top_method(options.method)) {
    throw usage_error(fmt::format("no method '{}'", options.method),
                      "expected fisher, top or top-efficient");
  }
  auto out =
      options.model.empty() ? rule_gradients() : gradients_of(ModelFile::open(options.model));
  if (wants_exact(options.method) && !out->has_exact()) {
    throw usage_error(fmt::format("the method {} needs exact gradients", options.method),
                      "expected a history parser, or top-efficient");
  }
  if (options.mixes.empty()) throw usage_error("there must be a mix");
  return out;
}

}  // namespace

ModelWriter train_top_reranker(const RerankerPaths& paths, const TopTrainingOptions& options,
                               const Report& report, const WorkDone& during) {
  const std::shared_ptr<const StepGradients> gradients = gradients_for(options);
  const bool exact = wants_exact(options.method);
  std::shared_ptr<VotedRows> voters;
  if (options.vote) voters = std::make_shared<VotedRows>(gradients->columns());
  Perceptron perceptron(kernel_of(options.method), options.cap, gradients->columns(), voters.get());
  DataSource train_source;
  std::size_t done = 0, lists = 0;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    GradedLists reader({.lists = paths.lists,
                        .gold = paths.gold,
                        .role = "train",
                        .max_candidates = options.max_candidates});
    stream_in_order<GradedLists::Item, Prepared>(
        options.threads, [&] { return reader.next(); },
        [&](GradedLists::Item&& item) {
          return prepare(reader.graded(std::move(item)), *gradients, exact);
        },
        [&](Prepared&& list) {
          perceptron.learn(list);
          if (epoch == 0) ++lists;
          // How many lists there are is known after the first pass.
          if (during && epoch > 0)
            during(++done, lists * static_cast<std::size_t>(options.epochs - 1));
        });
    train_source = reader.source();
  }
  auto [base_weight, weights] = perceptron.average();
  report(fmt::format("train: {} lists, {} updates, {} rows; largest 1 / (1 - p) {:.3g}", lists,
                     perceptron.updates(), weights.size(), perceptron.largest_factor()));
  std::vector<DataSource> sources{train_source};
  nlohmann::json figures = nlohmann::json::object();
  double mix_kept = 0;
  if (!paths.dev_lists.empty()) {
    const TopReranker learnt(options.method, options.cap, base_weight, weights, gradients, voters);
    const DevLists dev = read_dev({.lists = paths.dev_lists,
                                   .gold = paths.dev_gold,
                                   .role = "dev",
                                   .max_candidates = options.max_candidates},
                                  options.threads, learnt);
    const double unit = spread(dev.gradient) / std::max(spread(dev.derived), kLeastSpread);
    KernelSelection selection(dev);
    double kept = base_weight;
    for (const double mix : options.mixes) {
      const double weight = mix == 0 ? base_weight : mix * unit;
      const ChosenCandidates chosen = choose_by(dev, weight);
      const ChoiceFigures figure = choice_figures(dev, chosen, kListParts[kAllLists]);
      report("  " + figure.str(mix == 0 ? "dev" : fmt::format("mix {}, dev", mix)));
      if (selection.offer(chosen)) {
        kept = weight;
        mix_kept = mix;
      }
    }
    base_weight = kept;
    // Votes leave nothing to choose on these lists.
    const ChosenCandidates voted = options.vote ? choose(dev, dev.votes, 0) : ChosenCandidates();
    if (options.vote) {
      report("  " + choice_figures(dev, voted, kListParts[kAllLists]).str("vote, dev"));
    }
    const CrossFigures crossed =
        options.vote ? crossed_choice(dev, voted, voted) : selection.crossed();
    report(options.vote ? "kept: votes" : fmt::format("kept: mix {}", mix_kept));
    report(crossed.str());
    figures["dev_crossed"] = crossed.json();
    sources.push_back(dev.source);
  }
  const nlohmann::json record = {
      {"method", options.method}, {"gradients", gradients->name()},
      {"epochs", options.epochs}, {"cap", options.cap},
      {"mix", mix_kept},          {"max_candidates", options.max_candidates},
      {"vote", options.vote}};
  return TopReranker(options.method, options.cap, base_weight, std::move(weights), gradients,
                     voters)
      .save({{"provenance", provenance(record, sources, figures)}});
}

}  // namespace copse
