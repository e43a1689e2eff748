#include "copse/pipeline/tagger_recipe.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/model/model_file.h"
#include "copse/model/provenance.h"

namespace copse {
namespace {

struct Prepared {
  std::string templates;  // their name; empty for the default
  TaggerTrainingOptions training;
  TrainingSentences data;
};

void take_templates(const std::string& name, PerceptronTaggerOptions& options) {
  if (name.empty()) return;
  if (name == "a" || name == "b" || name == "joint" || name == "entities") {
    options.table = tag_feature_table(name);
    options.table_name = fmt::format("built-in table {}", name);
  } else {
    options.table = read_table(name);
    options.table_name = name;
  }
}

void hold_out(int count, TrainingSentences& data) {
  if (static_cast<std::size_t>(count) >= data.train.size()) {
    throw usage_error(
        fmt::format("holding out {} leaves nothing of {} sentences", count, data.train.size()));
  }
  const auto cut = data.train.end() - count;
  data.dev.assign(std::make_move_iterator(cut), std::make_move_iterator(data.train.end()));
  data.train.erase(cut, data.train.end());
}

Prepared prepare(const TaggerRecipe& recipe, const ReadReport& report) {
  Prepared out{recipe.templates, recipe.training, {}};
  if (out.training.entities && out.templates.empty()) out.templates = "entities";
  take_templates(out.templates, out.training.sequence);
  ClusterFile clusters = read_clusters(recipe.clusters);
  if (clusters.clusters) out.training.sequence.clusters = clusters.clusters;
  out.training.lbfgs.threads = out.training.threads;
  out.data = read_training_sentences(recipe.files, accept_words(), report);
  if (out.training.entities) {
    for (auto* const sentences : {&out.data.train, &out.data.dev}) {
      for (Sentence& each : *sentences) recode_entities(each, recipe.encoding, recipe.types);
    }
  }
  if (recipe.files.dev.empty() && recipe.holdout > 0) hold_out(recipe.holdout, out.data);
  if (clusters.clusters) out.data.sources.push_back(std::move(clusters.source));
  return out;
}

nlohmann::json record_of(const Prepared& prepared) {
  const TaggerTrainingOptions& options = prepared.training;
  const bool maxent = options.learner == TagLearner::maxent;
  const bool exact = options.sequence.freeze.precision == Precision::float32;
  return {{"learner", maxent ? "maxent" : "perceptron"},
          {"features", prepared.templates.empty() ? "default" : file_name(prepared.templates)},
          {"together", options.together},
          {"epochs", options.sequence.epochs},
          {"seed", options.sequence.seed},
          {"margin", options.sequence.margin},
          {"beam", options.sequence.beam},
          {"variance", options.lbfgs.variance},
          {"min_count", options.min_count},
          {"rare_below", options.sequence.dictionary.rare_below},
          {"reach", options.sequence.candidates.reach},
          {"precision", exact ? "float32" : "int16"},
          {"prune", options.sequence.freeze.prune}};
}

}  // namespace

TrainedTaggerModel train_tagger_model(const TaggerRecipe& recipe, const std::string& output,
                                      const ReadReport& report) {
  const Prepared prepared = prepare(recipe, report);
  const TrainingSentences& data = prepared.data;
  const auto train = [&] {
    try {
      return train_tagger(data.train, data.dev, prepared.training);
    } catch (const Error& error) {
      throw error.kind() == ErrorKind::data ? error.at({recipe.files.train, 0, 0}) : error;
    }
  };
  TrainedTaggerModel out{train(), nlohmann::json::object()};
  const Tagger& tagger = out.trained.tagger;
  if (!data.dev.empty()) {
    out.figures = {{"dev", tagger_figures(tagger, data.dev, prepared.training.threads)}};
  }
  nlohmann::json config = tagger.config();
  config["provenance"] = provenance(record_of(prepared), data.sources, out.figures);
  ModelWriter writer(Tagger::kKind, config);
  tagger.save(writer);
  writer.save(output);
  return out;
}

std::vector<Sentence> jackknifed(
    const TaggerRecipe& recipe, int folds, const ReadReport& report,
    const std::function<void(int, std::size_t, const nlohmann::json&)>& fold) {
  const Prepared prepared = prepare(recipe, report);
  return jackknife(prepared.data.train, folds, prepared.training, fold);
}

std::vector<Candidates> jackknifed_lists(
    const TaggerRecipe& recipe, int folds, int k, const ReadReport& report,
    const std::function<void(int, std::size_t, const nlohmann::json&)>& fold) {
  const Prepared prepared = prepare(recipe, report);
  return jackknife_lists(prepared.data.train, folds, k, prepared.training, fold);
}

}  // namespace copse
