// Recipes of training: keyword arguments fill their structs.
#include <functional>
#include <nlohmann/json.hpp>

#include "copse/pipeline/bundle_recipe.h"
#include "copse/python/bind.h"
#include "copse/python/errors.h"
#include "copse/python/training.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

const Keywords<TokenizerRecipe>& tokenizer_keywords() {
  using R = TokenizerRecipe;
  static const Keywords<R> table = {
      {"train", field([](R & r) -> auto& { return r.files.train; })},
      {"dev", field([](R & r) -> auto& { return r.files.dev; })},
      {"templates", field([](R & r) -> auto& { return r.templates; })},
      {"passes", field([](R & r) -> auto& { return r.training.epochs; })},
      {"seed", field([](R & r) -> auto& { return r.training.seed; })},
      {"augment", field([](R & r) -> auto& { return r.training.augment; })},
      {"min_share", field([](R & r) -> auto& { return r.training.boundaries.min_share; })},
      {"prune_weights", field([](R & r) -> auto& { return r.training.freeze.prune; })},
  };
  return table;
}

const Keywords<BundleRecipe>& bundle_keywords() {
  using R = BundleRecipe;
  static const Keywords<R> table = {
      {"train", field([](R & r) -> auto& { return r.files.train; })},
      {"dev", field([](R & r) -> auto& { return r.files.dev; })},
      {"trees", field([](R & r) -> auto& { return r.trees; })},
      {"dev_trees", field([](R & r) -> auto& { return r.dev_trees; })},
      {"raw", field([](R & r) -> auto& { return r.raw; })},
      {"clusters", field([](R & r) -> auto& { return r.clusters; })},
      {"cluster_count", field([](R & r) -> auto& { return r.cluster_count; })},
      {"folds", field([](R & r) -> auto& { return r.folds; })},
      {"name", field([](R & r) -> auto& { return r.name; })},
      {"language", field([](R & r) -> auto& { return r.language; })},
      {"order", named(
                    [](R & r) -> auto& { return r.dependency.training.kind.order; }, parse_order)},
      {"passes", field([](R & r) -> auto& { return r.dependency.training.learner.passes; })},
      {"model_size", field([](R & r) -> auto& { return r.dependency.training.model_megabytes; })},
      {"threads", field([](R & r) -> auto& { return r.threads; })},
  };
  return table;
}

py::object train_tokenizer(const py::dict& given, const std::string& output, const Told& told) {
  TokenizerRecipe recipe;
  fill(tokenizer_keywords(), recipe, given);
  TokenizerReport report;
  report.reading = told.reading();
  report.epoch = [&](const TokenizerEpoch& epoch) {
    told.say(fmt::format("pass {}: dev tokens {:.2f}, sentences {:.2f}", epoch.epoch,
                         epoch.dev_tokens, epoch.dev_sentences));
  };
  told.callbacks.watch([&] {
    train_tokenizer_model(recipe, output, report);
    return true;
  });
  return py::none();
}

py::object train_pipeline(const py::dict& given, const std::string& output, const Told& told) {
  BundleRecipe recipe;
  fill(bundle_keywords(), recipe, given);
  BundleReport report;
  report.reading = told.reading();
  report.step = [&](const std::string& line) { told.say(line); };
  const TrainedBundle trained =
      told.callbacks.watch([&] { return train_bundle(recipe, output, report); });
  return from_json(trained.figures.dump());
}

using Trainer = py::object (*)(const py::dict&, const std::string&, const Told&);
Trainer trainer_named(const std::string& what) {
  static const std::vector<std::pair<std::string, Trainer>> trainers = {
      {"tokenizer", &train_tokenizer},  {"tagger", &train_tagger},
      {"entities", &train_entities},    {"dependency", &train_dependency},
      {"constituency", &train_phrases}, {"reranker", &train_reranker},
      {"pipeline", &train_pipeline},
  };
  for (const auto& [name, trainer] : trainers) {
    if (name == what) return trainer;
  }
  throw usage_error("cannot train '" + what + "'",
                    "expected tokenizer, tagger, entities, dependency, constituency, reranker or "
                    "pipeline");
}

py::object train_model(const std::string& what, const py::object& output,
                       const py::object& progress, const py::object& problems,
                       const py::kwargs& given) {
  Callbacks callbacks;
  return trainer_named(what)(given, text_or_path(output), Told{callbacks, progress, problems});
}

}  // namespace

void Told::say(const std::string& line) const {
  callbacks.run([&] {
    if (!progress.is_none()) progress(str_of(line));
  });
}

ReadReport Told::reading() const {
  if (problems.is_none()) return {};
  return [this](const std::vector<Error>& errors, const std::vector<Warning>&) {
    callbacks.run([&] {
      for (const Error& error : errors) problems(error_object(error));
    });
  };
}

void bind_training(py::module_& module) {
  module.def("train", &train_model, py::arg("what"), py::arg("output"), py::kw_only(),
             py::arg("progress") = py::none(), py::arg("problems") = py::none(),
             R"doc(Learns a model from files and saves it, as ``copse train`` does: the same bytes.

``what`` is "tokenizer", "tagger", "entities", "dependency", "constituency", "reranker" or
"pipeline"; ``train`` and ``dev`` are the treebanks; a reranker has ``method``, ``lists``, ``gold``,
``dev_lists`` and ``dev_gold`` instead. Other options are those of the recipe (docs/python.md lists them).
``progress`` is called with a line now and then, ``problems`` with the Error of each sentence that
is left out; without it the first one is raised. Returns the figures on ``dev``, where there are.

>>> import tempfile, os
>>> path = os.path.join(tempfile.mkdtemp(), "tagger.copse")
>>> figures = copse.train("tagger", path, train="fixtures/english.conllu",
...                       dev="fixtures/english.conllu", passes=2)
>>> copse.Model(path).kind
'tagger')doc");
}

}  // namespace copse::python
