#include "copse/pipeline/dependency_recipe.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/base/pool.h"
#include "copse/base/stream.h"
#include "copse/base/thread_team.h"
#include "copse/model/model_file.h"
#include "copse/model/provenance.h"
#include "copse/tag/tagger.h"

namespace copse {
namespace {

// Trees that are not too long to learn from.
Accept accept_to_learn(const DependencyRecipe& recipe) {
  return [accept = accept_dependencies(recipe.heads),
          longest = recipe.training.longest](Entry& entry) {
    if (!accept(entry)) return false;
    if (entry.sentence.words() > longest) {
      throw data_error(fmt::format("the sentence has {} words; training takes up to {}",
                                   entry.sentence.words(), longest));
    }
    return true;
  };
}

bool has_predicted_tags(const DependencyRecipe& recipe) {
  const auto fallback = recipe.tagger.empty() ? TrainingTags::gold : TrainingTags::predicted;
  return recipe.tags.value_or(fallback) == TrainingTags::predicted;
}

void tag_all(const Tagger& tagger, std::vector<Sentence>& sentences, int threads) {
  Pool<TagScratch> scratches;
  ThreadTeam team(resolve_threads(threads));
  team.for_each(sentences.size(),
                [&](std::size_t i) { tagger.tag(sentences[i], *scratches.take()); });
}

// First dev, by a tagger that may see all of the training data, then these.
void predict_tags(const DependencyRecipe& recipe, const DependencyReport& report,
                  TrainingSentences& data) {
  const int threads = recipe.training.threads;
  TaggerTrainingOptions options = recipe.taggers;
  options.threads = threads;
  options.lbfgs.threads = threads;
  const bool predicted = has_predicted_tags(recipe);
  if (!recipe.tagger.empty()) {
    const ModelFile model = ModelFile::open(recipe.tagger);
    tag_all(Tagger::load_for_parser(model), data.dev, threads);
    const std::string bytes = Input::open(recipe.tagger).read_all(std::size_t{4} << 30);
    data.sources.push_back({"tagger", file_name(recipe.tagger), checksum_text(bytes), 0, 0});
  } else if (predicted && !data.dev.empty()) {
    tag_all(train_tagger(data.train, {}, options).tagger, data.dev, threads);
  }
  if (predicted) {
    data.train = jackknife(data.train, recipe.folds, options, report.fold, recipe.training.group);
  }
}

nlohmann::json record_of(const DependencyRecipe& recipe, const DependencyTraining& options) {
  nlohmann::json record = record_of(options);
  record["training_tags"] = has_predicted_tags(recipe) ? "predicted" : "gold";
  if (has_predicted_tags(recipe)) record["tag_folds"] = recipe.folds;
  return record;
}

// Where the tags come from that the figures on dev were reached with.
std::string dev_tags(const DependencyRecipe& recipe, const TagScheme& scheme) {
  if (!scheme.tags || (!scheme.xpos && !scheme.own_coarse)) return "none";
  if (!recipe.tagger.empty()) return "predicted by " + file_name(recipe.tagger);
  return has_predicted_tags(recipe) ? "predicted" : "gold";
}

nlohmann::json figures_of(const TrainedParser& trained, const DependencyRecipe& recipe) {
  nlohmann::json figures = {{"pass", trained.chosen}};
  if (trained.dev.words > 0) {
    figures["dev"] = {{"uas", trained.dev.uas()},
                      {"las", trained.dev.las()},
                      {"tags", dev_tags(recipe, trained.parts.scheme)}};
    figures["calibration_error"] = trained.calibration_error;
    figures["tree_calibration_error"] = trained.tree_calibration_error;
  }
  return figures;
}

// As asked for; what is not, is left open.
DependencyTraining options_of(const DependencyRecipe& recipe) {
  DependencyTraining options = recipe.training;
  if (recipe.trees) set_trees(*recipe.trees, options);
  if (!recipe.templates.empty()) {
    options.more_templates = recipe.templates.starts_with('+');
    options.templates_name = recipe.templates.substr(options.more_templates ? 1 : 0);
    options.templates = read_table(options.templates_name);
  }
  if (!recipe.clusters.empty()) {
    options.clusters = read_clusters(recipe.clusters).clusters;
    options.clusters_name = recipe.clusters;
  }
  options.threads = resolve_threads(options.threads);
  return options;
}

}  // namespace

DependencyTraining training_of(const DependencyRecipe& recipe) {
  return with_defaults(options_of(recipe));
}

DependencyTraining training_for(const DependencyRecipe& recipe, const TrainingSentences& data,
                                const DependencyReport& report) {
  DependencyTraining options = options_of(recipe);
  TreeChoice choice;
  if (recipe.trees || trees_of(options) != TreeSort::projective) {
    choice.chosen = trees_of(options);
    choice.crossing = count_crossing_arcs(data.train);
  } else {
    choice = choose_trees(data.train, data.dev, options, report.training.step);
    set_trees(choice.chosen, options);
  }
  if (report.trees) report.trees(choice);
  return with_defaults(std::move(options));
}

TrainingSentences read_dependency_data(const DependencyRecipe& recipe,
                                       const DependencyReport& report) {
  TrainingSentences data =
      read_training_sentences(recipe.files, accept_to_learn(recipe), report.reading);
  if (data.train.empty()) {
    throw data_error("there is no tree to learn from", {recipe.files.train, 0, 0});
  }
  predict_tags(recipe, report, data);
  return data;
}

TrainedParser train_dependency_model(const DependencyRecipe& recipe, const std::string& output,
                                     const DependencyReport& report) {
  training_of(recipe);  // first: options that do not go together end it here
  const TrainingSentences data = read_dependency_data(recipe, report);
  const DependencyTraining options = training_for(recipe, data, report);
  TrainedParser trained = train_dependency_parser(data.train, data.dev, options, report.training);
  if (options.group != nullptr && !options.group->leads()) return trained;
  trained.model(provenance(record_of(recipe, options), data.sources, figures_of(trained, recipe)))
      .save(output);
  return trained;
}

}  // namespace copse
