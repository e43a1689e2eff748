#include "copse/dependency/training_options.h"

#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/dependency/parser.h"
#include "copse/model/provenance.h"

namespace copse {
namespace {

constexpr double kMegabyte = 1024 * 1024;
constexpr std::size_t kLimitWithClusters = 800;  // Koo, Carreras & Collins 2008
// Of the pruner. Where arcs may cross, probabilities are flatter, and every head of a head is a
// grandparent: 0.001 would leave nine heads a word instead of six. To learn from arcs that are wrong
// needs more of them than to parse: the trained parser does as well with four heads a word.
constexpr double kThreshold = 0.001, kCrossingThreshold = 0.005, kCrossingUse = 0.02;
// Megabytes for the features of the training data; all of training takes about twice as much.
constexpr double kFeatures = 412, kFirstOrderFeatures = 124;

// Batch learners climb unevenly: they need patience.
int default_patience(DependencyLearner learner) {
  switch (learner) {
    case DependencyLearner::log_linear:
      return 30;
    case DependencyLearner::eg_log_linear:
    case DependencyLearner::eg_max_margin:
      return 10;
    default:
      return 3;
  }
}

// The columns that a parser can see, each ended by a byte that is in none of them.
void append_columns(std::span<const Sentence> sentences, std::string& out) {
  for (const Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.words(); ++word) {
      for (const std::string_view column :
           {sentence.form(word), sentence.lemma(word), sentence.upos(word), sentence.xpos(word),
            sentence.feats(word), sentence.deprel(word)}) {
        (out += column) += '\t';
      }
      (out += std::to_string(sentence.head(word))) += '\n';
    }
    out += '\n';
  }
  out += '\f';
}

// Who can learn from the answers of dual decomposition.
void require_dual(const DependencyTraining& options) {
  const DependencyLearner learner = options.learner.learner;
  if (learner == DependencyLearner::mira || learner == DependencyLearner::perceptron) return;
  throw usage_error(
      "learners that need probabilities of parts cannot learn non-projective trees of "
      "higher order",
      "take mira or perceptron, or the first order");
}

}  // namespace

DependencyTraining with_defaults(DependencyTraining options) {
  options.learner = with_defaults(options.learner, options.group != nullptr);
  const bool first = options.kind.order == Factorisation::first;
  if (options.nonprojective && options.lifted) {
    throw usage_error("trees are either non-projective or lifted, not both");
  }
  if (options.lifted) options.kind.projective = true;
  if (options.nonprojective) options.kind.projective = false;
  options.nonprojective = !options.kind.projective;
  require_search(options.kind);
  if (options.kind.is_dual()) require_dual(options);
  if (options.over_automata && !options.kind.is_dual()) {
    throw usage_error(
        "only non-projective parsers of higher order have head automata to learn from");
  }
  if (options.lifted && !options.labelled) {
    throw usage_error("lifted arcs need labels to carry their marks",
                      "learn labels too, or take non-projective trees");
  }
  if (options.patience <= 0) options.patience = default_patience(options.learner.learner);
  // A first-order model follows its pruner and needs fewer weights; what it is for is speed.
  if (!options.model_megabytes) options.model_megabytes = first ? 14 : 30;
  PrunerTraining& pruner = options.pruner;
  if (!pruner.feature_megabytes) {
    pruner.feature_megabytes = pruner.threshold ? 0 : first ? kFirstOrderFeatures : kFeatures;
  }
  if (!pruner.threshold) {
    const bool dual = options.kind.is_dual();
    if (dual && !pruner.use_threshold) pruner.use_threshold = kCrossingUse;
    pruner.threshold = dual ? kCrossingThreshold : kThreshold;
    pruner.dev_may_choose = true;
  } else if (!pruner.use_threshold && !pruner.dev_may_choose) {
    pruner.use_threshold = pruner.threshold;
  }
  if (!options.lexical_limit) options.lexical_limit = options.clusters ? kLimitWithClusters : 0;
  return options;
}

nlohmann::json record_of(const DependencyTraining& options) {
  const std::string own = file_name(options.templates_name);
  nlohmann::json record = {{"order", name(options.kind.order)},
                           {"tree", options.nonprojective ? "nonprojective"
                                    : options.lifted      ? "lifted"
                                                          : "projective"},
                           {"over_automata", options.over_automata},
                           {"root", options.kind.root == RootRule::multi ? "multi" : "single"},
                           {"labelled", options.labelled},
                           {"learner", name_of(options.learner.learner)},
                           {"margin", options.learner.cost},
                           {"step", options.learner.aggressiveness},
                           {"C", options.learner.regularisation},
                           {"rate", options.learner.rate},
                           {"seed", options.learner.seed},
                           {"prune", *options.pruner.threshold},
                           {"feature_bytes", bytes_of(*options.pruner.feature_megabytes)},
                           {"pruner_passes", options.pruner.passes},
                           {"filter", options.pruner.filter},
                           {"min_count", options.selection.min_count},
                           {"features", options.templates.empty() ? "default" : own},
                           {"templates", checksum_text(options.templates)},
                           {"clusters", file_name(options.clusters_name)},
                           {"lexical_limit", *options.lexical_limit},
                           {"longest", options.longest},
                           {"tags", options.tags}};
  if (options.learner.blocks > 1) record["blocks"] = options.learner.blocks;
  if (options.learner.batch != LearnerOptions().batch) record["batch"] = options.learner.batch;
  if (options.pruner.learner != PrunerTraining().learner) {
    record["pruner_learner"] = name_of(options.pruner.learner);
  }
  return record;
}

std::string identity_of(std::span<const Sentence> train, std::span<const Sentence> dev,
                        const DependencyTraining& options) {
  nlohmann::json record = record_of(options);
  record["projective"] = options.kind.projective;
  record["more_templates"] = options.more_templates;
  record["cluster_words"] = options.clusters ? checksum_text(options.clusters->bytes()) : "";
  record["model_megabytes"] = *options.model_megabytes;
  record["gold_weight"] = options.selection.gold_weight;
  record["full_label_row"] = options.selection.full_label_row;
  record["pruner"] = {options.pruner.rate, options.pruner.variance, options.pruner.words_per_count,
                      options.pruner.least_count, options.pruner.most_count};
  std::string text = record.dump();
  append_columns(train, text);
  append_columns(dev, text);
  return checksum_text(text);
}

std::size_t bytes_of(double megabytes) {
  return static_cast<std::size_t>(megabytes * kMegabyte);
}

}  // namespace copse
