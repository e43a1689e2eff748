// Rerankers: how each family learns, and what it lets one say. `method` chooses the family.
#include "copse/base/input.h"
#include "copse/python/training.h"
#include "copse/python/values.h"
#include "copse/rerank/hidden/training.h"
#include "copse/rerank/kernel_training.h"
#include "copse/rerank/linear_training.h"
#include "copse/rerank/mixture.h"
#include "copse/rerank/top_training.h"

namespace copse::python {
namespace {

std::string table_in(const std::string& path) {
  constexpr std::size_t kLargestTable = std::size_t{1} << 20;
  return Input::open(path).read_all(kLargestTable);
}

hidden::Start start_named(const std::string& name) {
  if (name == "plain") return hidden::Start::plain;
  if (name == "random") return hidden::Start::random;
  throw usage_error("unknown start '" + name + "'", "expected plain or random");
}

const Keywords<RerankerPaths>& path_keywords() {
  using R = RerankerPaths;
  static const Keywords<R> table = {
      {"lists", field([](R & r) -> auto& { return r.lists; })},
      {"gold", field([](R & r) -> auto& { return r.gold; })},
      {"dev_lists", field([](R & r) -> auto& { return r.dev_lists; })},
      {"dev_gold", field([](R & r) -> auto& { return r.dev_gold; })},
  };
  return table;
}

const Keywords<LinearTrainingOptions>& keywords_of(const LinearTrainingOptions&) {
  using R = LinearTrainingOptions;
  static const Keywords<R> table = {
      {"method", field([](R & r) -> auto& { return r.method; })},
      {"min_lists", field([](R & r) -> auto& { return r.cutoff.min_lists; })},
      {"max_times", field([](R & r) -> auto& { return r.cutoff.max_times; })},
      {"max_candidates", field([](R & r) -> auto& { return r.max_candidates; })},
      {"without", field([](R & r) -> auto& { return r.trees.without; })},
      {"tree_features", named(
                            [](R & r) -> auto& { return r.trees.templates; }, table_in)},
      {"heads", field([](R & r) -> auto& { return r.trees.head_table; })},
      {"rounds", field([](R & r) -> auto& { return r.rounds; })},
      {"smoothing", field([](R & r) -> auto& { return r.smoothing; })},
      {"uniform", field([](R & r) -> auto& { return r.uniform; })},
      {"keep_ties", field([](R & r) -> auto& { return r.keep_ties; })},
      {"full_ordering", field([](R & r) -> auto& { return r.full_ordering; })},
      {"move_log_probability", field([](R & r) -> auto& { return r.move_log_probability_every; })},
      {"naive", field([](R & r) -> auto& { return r.naive; })},
      {"exact", field([](R & r) -> auto& { return r.exact; })},
      {"variances", field([](R & r) -> auto& { return r.variances; })},
      {"iterations", field([](R & r) -> auto& { return r.max_iterations; })},
      {"scales", field([](R & r) -> auto& { return r.scales; })},
      {"passes", field([](R & r) -> auto& { return r.epochs; })},
      {"seed", field([](R & r) -> auto& { return r.seed; })},
      {"threads", field([](R & r) -> auto& { return r.threads; })},
  };
  return table;
}

const Keywords<KernelTrainingOptions>& keywords_of(const KernelTrainingOptions&) {
  using R = KernelTrainingOptions;
  static const Keywords<R> table = {
      {"method", field([](R & r) -> auto& { return r.method; })},
      {"lambdas", field([](R & r) -> auto& { return r.lambdas; })},
      {"betas", field([](R & r) -> auto& { return r.betas; })},
      {"mixes", field([](R & r) -> auto& { return r.mixes; })},
      {"views", field([](R & r) -> auto& { return r.kernel.views; })},
      {"heads", field([](R & r) -> auto& { return r.kernel.head_table; })},
      {"normalised", field([](R & r) -> auto& { return r.kernel.normalised; })},
      {"word_similarity", field([](R & r) -> auto& { return r.kernel.tags.word; })},
      {"shape_similarity", field([](R & r) -> auto& { return r.kernel.tags.shape; })},
      {"chunks", field([](R & r) -> auto& { return r.chunks; })},
      {"vote", field([](R & r) -> auto& { return r.vote; })},
      {"passes", field([](R & r) -> auto& { return r.perceptron.epochs; })},
      {"shuffle", field([](R & r) -> auto& { return r.perceptron.shuffle; })},
      {"seed", field([](R & r) -> auto& { return r.perceptron.seed; })},
      {"loss_scaled", field([](R & r) -> auto& { return r.perceptron.loss_scaled; })},
      {"all_pairs", field([](R & r) -> auto& { return r.perceptron.all_pairs; })},
      {"passive_aggressive", field([](R & r) -> auto& { return r.perceptron.passive_aggressive; })},
      {"longest_step", field([](R & r) -> auto& { return r.perceptron.aggressiveness; })},
      {"margin", field([](R & r) -> auto& { return r.perceptron.margin; })},
      {"keep_ties", field([](R & r) -> auto& { return r.perceptron.keep_ties; })},
      {"max_candidates", field([](R & r) -> auto& { return r.max_candidates; })},
      {"budget", field([](R & r) -> auto& { return r.budget; })},
      {"threads", field([](R & r) -> auto& { return r.threads; })},
  };
  return table;
}

// One method only: its name says nothing that the recipe does not know.
template <class R>
void method_is_known(R&, const py::handle&) {}

const Keywords<hidden::TrainingOptions>& keywords_of(const hidden::TrainingOptions&) {
  using R = hidden::TrainingOptions;
  static const Keywords<R> table = {
      {"method", method_is_known<R>},
      {"domain", named(
                     [](R & r) -> auto& { return r.domain.kind; }, hidden::domain_kind)},
      {"values", field([](R & r) -> auto& { return r.domain.values; })},
      {"prefix", field([](R & r) -> auto& { return r.domain.prefix; })},
      {"rare", field([](R & r) -> auto& { return r.domain.min_count; })},
      {"graph", named(
                    [](R & r) -> auto& { return r.graph; }, hidden::graph_kind)},
      {"heads", field([](R & r) -> auto& { return r.head_table; })},
      {"features", named(
                       [](R & r) -> auto& { return r.templates; }, table_in)},
      {"wordnet", field([](R & r) -> auto& { return r.wordnet; })},
      {"clusters", field([](R & r) -> auto& { return r.clusters; })},
      {"min_lists", field([](R & r) -> auto& { return r.min_lists; })},
      {"max_candidates", field([](R & r) -> auto& { return r.max_candidates; })},
      {"sharing", field([](R & r) -> auto& { return r.sharing; })},
      {"loss", named(
                   [](R & r) -> auto& { return r.loss; }, loss_of)},
      {"temperature", field([](R & r) -> auto& { return r.temperature; })},
      {"whole", field([](R & r) -> auto& { return r.whole; })},
      {"without", field([](R & r) -> auto& { return r.trees.without; })},
      {"tree_features", named(
                            [](R & r) -> auto& { return r.trees.templates; }, table_in)},
      {"base_weight", field([](R & r) -> auto& { return r.base; })},
      {"passes", field([](R & r) -> auto& { return r.epochs; })},
      {"patience", field([](R & r) -> auto& { return r.patience; })},
      {"rates", field([](R & r) -> auto& { return r.rates; })},
      {"variances", field([](R & r) -> auto& { return r.variances; })},
      {"start", named(
                    [](R & r) -> auto& { return r.start; }, start_named)},
      {"plain_passes", field([](R & r) -> auto& { return r.plain_epochs; })},
      {"noise", field([](R & r) -> auto& { return r.noise; })},
      {"average_from", field([](R & r) -> auto& { return r.average_from; })},
      {"batch", field([](R & r) -> auto& { return r.batch; })},
      {"seed", field([](R & r) -> auto& { return r.seed; })},
      {"threads", field([](R & r) -> auto& { return r.threads; })},
      {"checkpoint", field([](R & r) -> auto& { return r.checkpoint; })},
  };
  return table;
}

const Keywords<MixtureTrainingOptions>& keywords_of(const MixtureTrainingOptions&) {
  using R = MixtureTrainingOptions;
  static const Keywords<R> table = {
      {"method", method_is_known<R>},
      {"members", field([](R & r) -> auto& { return r.members; })},
      {"weigh", [](R& r, const py::handle& value) { r.weigh_by(value_of<std::string>(value)); }},
      {"weight_variance", field([](R & r) -> auto& { return r.smooth.variance; })},
      {"temperature", field([](R & r) -> auto& { return r.smooth.temperature; })},
      {"starts", field([](R & r) -> auto& { return r.search.starts; })},
      {"seed", field([](R & r) -> auto& { return r.search.seed; })},
      {"max_candidates", field([](R & r) -> auto& { return r.max_candidates; })},
      {"threads", field([](R & r) -> auto& { return r.threads; })},
  };
  return table;
}

const Keywords<TopTrainingOptions>& keywords_of(const TopTrainingOptions&) {
  using R = TopTrainingOptions;
  static const Keywords<R> table = {
      {"method", field([](R & r) -> auto& { return r.method; })},
      {"gradients", field([](R & r) -> auto& { return r.model; })},
      {"cap", field([](R & r) -> auto& { return r.cap; })},
      {"mixes", field([](R & r) -> auto& { return r.mixes; })},
      {"passes", field([](R & r) -> auto& { return r.epochs; })},
      {"vote", field([](R & r) -> auto& { return r.vote; })},
      {"max_candidates", field([](R & r) -> auto& { return r.max_candidates; })},
      {"threads", field([](R & r) -> auto& { return r.threads; })},
  };
  return table;
}

ModelWriter learn(const RerankerPaths& paths, const LinearTrainingOptions& options,
                  const TrainingOutput& output) {
  return train_linear_reranker(paths, options, output);
}
ModelWriter learn(const RerankerPaths& paths, const KernelTrainingOptions& options,
                  const TrainingOutput& output) {
  return train_kernel_reranker(paths, options, output.report, output.during);
}
ModelWriter learn(const RerankerPaths& paths, const hidden::TrainingOptions& options,
                  const TrainingOutput& output) {
  return hidden::train_hidden_reranker(paths, options, output);
}
ModelWriter learn(const RerankerPaths& paths, const MixtureTrainingOptions& options,
                  const TrainingOutput& output) {
  return train_mixture(paths, options, output.report);
}
ModelWriter learn(const RerankerPaths& paths, const TopTrainingOptions& options,
                  const TrainingOutput& output) {
  return train_top_reranker(paths, options, output.report, output.during);
}

template <class Options>
void train_family(const py::dict& given, const std::string& output, const Told& told) {
  RerankerPaths paths;
  Options options;
  py::dict left = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
  path_keywords().take(paths, left);
  const auto& keywords = keywords_of(options);
  keywords.take(options, left);
  std::vector<std::string> known = path_keywords().names();
  for (std::string& name : keywords.names()) known.push_back(std::move(name));
  refuse(left, known, "train()");
  TrainingOutput lines;
  lines.report = [&](const std::string& line) { told.say(line); };
  told.callbacks.watch([&] {
    learn(paths, options, lines).save(output);
    return true;
  });
}

struct Family {
  std::vector<std::string_view> methods;
  void (*train)(const py::dict&, const std::string&, const Told&);
};

const Family& family_of(const std::string& method) {
  static const std::vector<Family> families = {
      {{"boost", "logboost", "loglinear", "perceptron"}, &train_family<LinearTrainingOptions>},
      {{"tree-kernel", "tag-kernel", "linear-kernel"}, &train_family<KernelTrainingOptions>},
      {{hidden::kMethod}, &train_family<hidden::TrainingOptions>},
      {{kMixtureMethod}, &train_family<MixtureTrainingOptions>},
      {{"fisher", "top", "top-efficient"}, &train_family<TopTrainingOptions>},
  };
  std::string known;
  for (const Family& family : families) {
    for (const std::string_view name : family.methods) {
      if (name == method) return family;
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
  }
  throw usage_error("unknown method '" + method + "'", "expected one of " + known);
}

}  // namespace

py::object train_reranker(const py::dict& given, const std::string& output, const Told& told) {
  const std::string method = given.contains("method") ? value_of<std::string>(given["method"])
                                                      : LinearTrainingOptions{}.method;
  family_of(method).train(given, output, told);
  return py::none();
}

}  // namespace copse::python
