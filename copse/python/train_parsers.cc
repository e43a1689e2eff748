// Dependency parsers and phrase-structure parsers.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "copse/constituency/phrase_training.h"
#include "copse/pipeline/dependency_recipe.h"
#include "copse/pipeline/training_files.h"
#include "copse/python/training.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

void take_tree(DependencyRecipe& recipe, const py::handle& value) {
  const auto name = value_of<std::string>(value);
  recipe.trees = name == "auto" ? std::nullopt : std::optional(tree_sort_named(name));
}

RootRule root_named(const std::string& name) {
  if (name == "single") return RootRule::single;
  if (name == "multi") return RootRule::multi;
  throw usage_error("unknown root '" + name + "'", "expected single or multi");
}

TrainingTags tags_named(const std::string& name) {
  if (name == "gold") return TrainingTags::gold;
  if (name == "predicted") return TrainingTags::predicted;
  throw usage_error("unknown tags '" + name + "'", "expected gold or predicted");
}

const Keywords<DependencyRecipe>& dependency_keywords() {
  using R = DependencyRecipe;
  static const Keywords<R> table = {
      {"train", field([](R & r) -> auto& { return r.files.train; })},
      {"dev", field([](R & r) -> auto& { return r.files.dev; })},
      {"format", field([](R & r) -> auto& { return r.files.format; })},
      {"heads", field([](R & r) -> auto& { return r.heads; })},
      {"tags", named(
                   [](R & r) -> auto& { return r.tags; }, tags_named)},
      {"folds", field([](R & r) -> auto& { return r.folds; })},
      {"tagger", field([](R & r) -> auto& { return r.tagger; })},
      {"clusters", field([](R & r) -> auto& { return r.clusters; })},
      {"templates", field([](R & r) -> auto& { return r.templates; })},
      {"order", named(
                    [](R & r) -> auto& { return r.training.kind.order; }, parse_order)},
      {"root", named(
                   [](R & r) -> auto& { return r.training.kind.root; }, root_named)},
      {"tree", take_tree},
      {"labelled", field([](R & r) -> auto& { return r.training.labelled; })},
      {"use_tags", field([](R & r) -> auto& { return r.training.tags; })},
      {"learner",
       named(
           [](R & r) -> auto& { return r.training.learner.learner; }, parse_dependency_learner)},
      {"passes", field([](R & r) -> auto& { return r.training.learner.passes; })},
      {"patience", field([](R & r) -> auto& { return r.training.patience; })},
      {"margin", field([](R & r) -> auto& { return r.training.learner.cost; })},
      {"step", field([](R & r) -> auto& { return r.training.learner.aggressiveness; })},
      {"regularisation", field([](R & r) -> auto& { return r.training.learner.regularisation; })},
      {"rate", field([](R & r) -> auto& { return r.training.learner.rate; })},
      {"seed", field([](R & r) -> auto& { return r.training.learner.seed; })},
      {"min_count", field([](R & r) -> auto& { return r.training.selection.min_count; })},
      {"prune", field([](R & r) -> auto& { return r.training.pruner.threshold; })},
      {"pruner_passes", field([](R & r) -> auto& { return r.training.pruner.passes; })},
      {"model_size", field([](R & r) -> auto& { return r.training.model_megabytes; })},
      {"lexical_limit", field([](R & r) -> auto& { return r.training.lexical_limit; })},
      {"longest", field([](R & r) -> auto& { return r.training.longest; })},
      {"checkpoint", field([](R & r) -> auto& { return r.training.checkpoint; })},
      {"threads", field([](R & r) -> auto& { return r.training.threads; })},
  };
  return table;
}

// A phrase-structure parser is trained from trees: the recipe, and where they are.
struct PhraseRecipe {
  PhraseTraining training;
  std::string train, dev, clusters;
};

// What several kinds of model have is set for all of them.
template <class Set>
auto for_all(Set set) {
  return [set](PhraseRecipe& recipe, const py::handle& value) {
    set(recipe.training.generative, value);
    set(recipe.training.incremental, value);
    set(recipe.training.spinal, value);
  };
}
template <class Set>
auto for_learners(Set set) {
  return [set](PhraseRecipe& recipe, const py::handle& value) {
    set(recipe.training.incremental, value);
    set(recipe.training.spinal, value);
  };
}

const Keywords<PhraseRecipe>& phrase_keywords() {
  using R = PhraseRecipe;
  static const Keywords<R> table = {
      {"train", field([](R & r) -> auto& { return r.train; })},
      {"dev", field([](R & r) -> auto& { return r.dev; })},
      {"clusters", field([](R & r) -> auto& { return r.clusters; })},
      {"model", field([](R & r) -> auto& { return r.training.model; })},
      {"use_tags", field([](R & r) -> auto& { return r.training.use_tags; })},
      {"threads", field([](R & r) -> auto& { return r.training.threads; })},
      {"heads", for_all(field([](auto& r) -> auto& { return r.heads; }))},
      {"epochs", for_learners(field([](auto& r) -> auto& { return r.epochs; }))},
      {"batch", for_learners(field([](auto& r) -> auto& { return r.batch; }))},
      {"tag_folds", for_learners(field([](auto& r) -> auto& { return r.tag_folds; }))},
      {"seed", for_learners(field([](auto& r) -> auto& { return r.seed; }))},
      {"checkpoint", for_learners(field([](auto& r) -> auto& { return r.checkpoint; }))},
      {"prepared", field([](R & r) -> auto& { return r.training.spinal.prepared; })},
      {"beam", field([](R & r) -> auto& { return r.training.incremental.beam; })},
      {"mira", field([](R & r) -> auto& { return r.training.spinal.mira; })},
  };
  return table;
}

void read_clusters_of(PhraseRecipe& recipe) {
  if (recipe.clusters.empty()) return;
  const auto clusters = read_clusters(recipe.clusters).clusters;
  recipe.training.spinal.clusters = recipe.training.incremental.clusters = clusters;
  recipe.training.spinal.clusters_name = recipe.training.incremental.clusters_name =
      recipe.clusters;
}

}  // namespace

py::object train_dependency(const py::dict& given, const std::string& output, const Told& told) {
  DependencyRecipe recipe;
  fill(dependency_keywords(), recipe, given);
  DependencyReport report;
  report.reading = told.reading();
  report.training.step = [&](const std::string& name) { told.say(name); };
  report.training.pass = [&](const TrainingPass& pass) {
    std::string line = fmt::format("pass {}: loss {:.1f}", pass.pass, pass.loss);
    if (pass.dev.words > 0) {
      line += fmt::format(", dev UAS {:.2f}, LAS {:.2f}", pass.dev.uas(), pass.dev.las());
    }
    told.say(line);
  };
  const TrainedParser trained =
      told.callbacks.watch([&] { return train_dependency_model(recipe, output, report); });
  py::dict figures;
  if (trained.dev.words > 0) {
    figures["uas"] = trained.dev.uas();
    if (recipe.training.labelled) figures["las"] = trained.dev.las();
  }
  return figures;
}

py::object train_phrases(const py::dict& given, const std::string& output, const Told& told) {
  PhraseRecipe recipe;
  fill(phrase_keywords(), recipe, given);
  recipe.training.step = [&](const std::string& line) { told.say(line); };
  const auto work = [&] {
    read_clusters_of(recipe);
    const auto read = [&](const std::string& path, const std::string& role) {
      return read_training_treebank({.path = path, .role = role}, accept_phrase_trees(),
                                    told.reading());
    };
    const TrainingTreebank train = read(recipe.train, "train");
    const TrainingTreebank dev = recipe.dev.empty() ? TrainingTreebank{} : read(recipe.dev, "dev");
    const TreeData train_data{train.entries, train.source}, dev_data{dev.entries, dev.source};
    TrainedPhraseParser trained =
        train_phrase_parser(train_data, recipe.dev.empty() ? nullptr : &dev_data, recipe.training);
    trained.file().save(output);
    return trained.dev ? trained.dev->json().dump() : std::string("{}");
  };
  return from_json(told.callbacks.watch(work));
}

}  // namespace copse::python
