// Taggers and entity taggers.
#include <nlohmann/json.hpp>

#include "copse/pipeline/tagger_recipe.h"
#include "copse/python/training.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

TagLearner tag_learner_named(const std::string& name) {
  if (name == "perceptron") return TagLearner::perceptron;
  if (name == "maxent") return TagLearner::maxent;
  throw usage_error("unknown learner '" + name + "'", "expected perceptron or maxent");
}

void take_columns(TaggerRecipe& recipe, const py::handle& names) {
  for (const std::string& name : value_of<std::vector<std::string>>(names)) {
    const auto column = tag_column_named(name);
    if (!column || *column == Column::misc) {
      throw usage_error("no column '" + name + "'", "expected upos, xpos, feats or lemma");
    }
    recipe.training.columns.push_back(*column);
  }
}

const Keywords<TaggerRecipe>& tagger_keywords() {
  using R = TaggerRecipe;
  static const Keywords<R> table = {
      {"train", field([](R & r) -> auto& { return r.files.train; })},
      {"dev", field([](R & r) -> auto& { return r.files.dev; })},
      {"format", field([](R & r) -> auto& { return r.files.format; })},
      {"holdout", field([](R & r) -> auto& { return r.holdout; })},
      {"templates", field([](R & r) -> auto& { return r.templates; })},
      {"clusters", field([](R & r) -> auto& { return r.clusters; })},
      {"columns", take_columns},
      {"learner", named(
                      [](R & r) -> auto& { return r.training.learner; }, tag_learner_named)},
      {"passes", field([](R & r) -> auto& { return r.training.sequence.epochs; })},
      {"seed", field([](R & r) -> auto& { return r.training.sequence.seed; })},
      {"margin", field([](R & r) -> auto& { return r.training.sequence.margin; })},
      {"beam", field([](R & r) -> auto& { return r.training.sequence.beam; })},
      {"variance", field([](R & r) -> auto& { return r.training.lbfgs.variance; })},
      {"iterations", field([](R & r) -> auto& { return r.training.lbfgs.max_iterations; })},
      {"min_count", field([](R & r) -> auto& { return r.training.min_count; })},
      {"prune_weights", field([](R & r) -> auto& { return r.training.sequence.freeze.prune; })},
      {"encoding", named(
                       [](R & r) -> auto& { return r.encoding; }, entity_encoding_named)},
      {"types", field([](R & r) -> auto& { return r.types; })},
      {"threads", field([](R & r) -> auto& { return r.training.threads; })},
  };
  return table;
}

py::object train_sequences(TaggerRecipe recipe, const py::dict& given, const std::string& output,
                           const Told& told) {
  fill(tagger_keywords(), recipe, given);
  recipe.training.log = [&](const std::string& line) { told.say(line); };
  const TrainedTaggerModel trained =
      told.callbacks.watch([&] { return train_tagger_model(recipe, output, told.reading()); });
  return from_json(trained.figures.dump());
}

}  // namespace

py::object train_tagger(const py::dict& given, const std::string& output, const Told& told) {
  return train_sequences({}, given, output, told);
}

py::object train_entities(const py::dict& given, const std::string& output, const Told& told) {
  TaggerRecipe recipe;
  recipe.training.entities = true;
  return train_sequences(std::move(recipe), given, output, told);
}

}  // namespace copse::python
