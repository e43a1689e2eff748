#include "copse/constituency/spinal/pruner.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "constituency/spinal_pruner_templates.h"
#include "copse/base/error.h"
#include "copse/dependency/learner_run.h"
#include "copse/dependency/weight_budget.h"

namespace copse::spinal {
namespace {

constexpr TreeKind kKind{Factorisation::first, RootRule::single, true};
const std::array<std::string, 3> kNames = {"spinal/x.", "spinal/y.", "spinal/z."};

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

LabelId component(const SpinalLabel& label, std::size_t which) {
  return which == 0 ? label.x : which == 1 ? label.y : label.z;
}

std::vector<LabelId> labels_in(const Inventory& inventory, std::size_t which) {
  std::set<LabelId> labels;
  for (const SpinalLabel& each : inventory.adjunctions()) labels.insert(component(each, which));
  return {labels.begin(), labels.end()};
}

double threshold_in(const ModelFile& file) {
  const auto found = file.config().find("arc_threshold");
  if (found == file.config().end() || !found->is_number()) {
    throw file.damaged("config", "has no arc_threshold");
  }
  const auto value = found->get<double>();
  if (!(value > 0 && value <= 1)) throw file.damaged("config", "has a bad arc_threshold");
  return value;
}

}  // namespace

Pruner::Model::Model(const std::string& templates, std::span<const std::byte> weight_bytes,
                     std::span<const std::byte> label_bytes, std::vector<LabelId> label_list)
    : weights(weight_bytes), label_weights(label_bytes), labels(std::move(label_list)) {
  const FrozenWeights of_labels =
      labels.empty() ? FrozenWeights() : FrozenWeights::view(label_weights.bytes());
  if (of_labels.labels() != labels.size()) throw data_error("has another number of labels");
  scorer =
      PartScorer(PartFeatures(parse_part_templates(templates, "pruner.templates")),
                 ScalarTable::view(weights.bytes()), of_labels, static_cast<int>(labels.size()));
}

int Pruner::Model::label_of(LabelId id) const {
  const auto found = std::ranges::lower_bound(labels, id);
  return found == labels.end() || *found != id ? -1 : static_cast<int>(found - labels.begin());
}

void Pruner::Model::save(ModelWriter& writer, const std::string& prefix) const {
  writer.add_array<std::byte>(prefix + "weights", weights.bytes());
  if (labels.empty()) return;
  writer.add_array<std::byte>(prefix + "label.weights", label_weights.bytes());
  writer.add_array<LabelId>(prefix + "labels", labels);
}

// The sentences with the arcs that are left of them.
struct Pruner::Learning {
  const std::vector<ProblemSentence>& sentences;
  std::span<const PrunerExample> examples;
  const Inventory& inventory;
  const std::string& templates;
  const PrunerOptions& options;
  ThreadTeam& team;
};

Pruner::Model Pruner::learn(const Learning& from, std::vector<LabelId> labels,
                            const std::function<LabelId(const SpinalLabel&)>& label_of) {
  Model names;
  names.labels = labels;
  std::vector<ProblemSentence> sentences = from.sentences;
  for (std::size_t i = 0; i < sentences.size() && !labels.empty(); ++i) {
    sentences[i].labels.assign(sentences[i].heads.size(), -1);
    for (int m = 1; m <= from.examples[i].gold->words(); ++m) {
      const int k = from.examples[i].gold->adjunction[at(m)];
      sentences[i].labels[at(m)] = names.label_of(label_of(from.inventory.adjunctions()[at(k)]));
    }
  }
  const PartFeatures features(parse_part_templates(from.templates, "pruner.templates"));
  const int count = static_cast<int>(labels.size());
  constexpr int kFullRow = 100;  // frequent label features have a weight for every label
  const TrainingProblem problem(sentences, features, nullptr, count, kKind,
                                {from.options.min_count, 1, kFullRow}, nullptr, from.team);
  LearnerOptions learner;
  learner.learner = DependencyLearner::log_linear_sgd;
  learner.passes = from.options.passes;
  learner.rate = from.options.rate;
  learner.regularisation = from.options.variance;
  std::vector<float> weights;
  run_learner(problem, learner, {from.team}, nullptr, [&](const PassDone& done) {
    weights.assign(done.weights.begin(), done.weights.end());
    return true;
  });
  const FrozenTables tables = freeze_within(*problem.numbers(), weights, count, 0);
  return {from.templates, std::as_bytes(std::span(tables.parts)),
          std::as_bytes(std::span(tables.labels)), std::move(labels)};
}

void Pruner::finish(const Inventory& inventory, Model arcs, LengthFilter filter, double threshold) {
  arc_model_ = std::move(arcs);
  arcs_ = ArcPruner(std::move(filter), arc_model_.scorer, threshold, kKind);
  const auto root = static_cast<LabelId>(inventory.labels().find(kRootTag));
  places_.clear();
  root_.clear();
  for (const SpinalLabel& each : inventory.adjunctions()) {
    std::array<int, 3> places{};
    for (std::size_t j = 0; j < models_.size(); ++j) {
      places[j] = models_[j].label_of(component(each, j));
      if (places[j] < 0) throw data_error("has no label for a kind of adjunction");
    }
    places_.push_back(places);
    root_.push_back(each.y == root ? 1 : 0);
  }
}

Pruner Pruner::train(std::span<const PrunerExample> all, const Inventory& inventory,
                     const PrunerOptions& options, ThreadTeam& team) {
  Pruner out;
  out.templates_ = embedded::spinal_pruner_templates;
  LengthFilter filter;
  std::vector<PrunerExample> examples;
  std::vector<ProblemSentence> sentences;
  for (std::size_t i = 0; i < all.size(); ++i) {
    filter.learn(all[i].words, all[i].gold->head);
    if (!options.learns_from(i, all.size())) continue;
    examples.push_back(all[i]);
    sentences.emplace_back();
    sentences.back().words = all[i].words;
    sentences.back().heads = all[i].gold->head;
  }
  TreeSearch search;
  const ArcPruner loose(filter, PartScorer(), 0, kKind);
  for (ProblemSentence& each : sentences) each.mask = loose.filtered(each.words, nullptr, search);
  const Learning from{sentences, examples, inventory, out.templates_, options, team};
  Model arcs = learn(from, {}, {});
  const ArcPruner strict(filter, arcs.scorer, options.arc_threshold, kKind);
  struct Memory {
    PositionAtoms atoms;
    ArcPruner::Scratch scratch;
  };
  team.for_each(
      sentences.size(), [] { return Memory(); },
      [&](std::size_t i, Memory& memory) {
        ProblemSentence& each = sentences[i];
        memory.atoms.fill(each.words, nullptr);
        each.mask = strict.prune(each.words, memory.atoms, nullptr, memory.scratch);
        for (int m = 1; m <= each.mask.words(); ++m) each.mask.allow(each.heads[at(m)], m);
      });
  for (std::size_t j = 0; j < out.models_.size(); ++j) {
    out.models_[j] = learn(from, labels_in(inventory, j),
                           [j](const SpinalLabel& label) { return component(label, j); });
  }
  out.finish(inventory, std::move(arcs), std::move(filter), options.arc_threshold);
  return out;
}

void Pruner::save(ModelWriter& writer) const {
  writer.add("spinal/pruner.templates", templates_);
  arcs_.filter().save(writer);
  arc_model_.save(writer, "spinal/arc.");
  for (std::size_t j = 0; j < models_.size(); ++j) models_[j].save(writer, kNames[j]);
}

Pruner::Model Pruner::load_model(const ModelFile& file, const std::string& prefix, bool labelled,
                                 const std::string& templates, const Inventory& inventory) {
  std::vector<LabelId> labels;
  if (labelled) {
    const auto list = file.array<LabelId>(prefix + "labels");
    labels.assign(list.begin(), list.end());
    const bool ascends = std::ranges::adjacent_find(labels, std::greater_equal<>()) == labels.end();
    if (labels.empty() || !ascends || labels.back() >= inventory.labels().size()) {
      throw file.damaged(prefix + "labels", "names no label");
    }
  }
  try {
    return {templates, file.section(prefix + "weights"),
            labelled ? file.section(prefix + "label.weights") : std::span<const std::byte>(),
            std::move(labels)};
  } catch (const Error& error) {
    throw file.damaged(prefix + "weights", error.message());
  }
}

Pruner Pruner::load(const ModelFile& file, const Inventory& inventory) {
  Pruner out;
  out.templates_ = file.text("spinal/pruner.templates");
  Model arcs = load_model(file, "spinal/arc.", false, out.templates_, inventory);
  for (std::size_t j = 0; j < kNames.size(); ++j) {
    out.models_[j] = load_model(file, kNames[j], true, out.templates_, inventory);
  }
  try {
    out.finish(inventory, std::move(arcs), LengthFilter::load(file), threshold_in(file));
  } catch (const Error& error) {
    throw file.damaged("spinal/x.labels", error.message());
  }
  return out;
}

std::vector<SpinalArc> Pruner::prune(std::span<const ParserWord> words, const PositionAtoms& atoms,
                                     double alpha, Scratch& scratch) const {
  const ArcMask mask = arcs_.prune(words, atoms, nullptr, scratch.arcs);
  const PartIndex index = kKind.index(mask);
  std::array<Marginals, 3> mu;
  for (std::size_t j = 0; j < models_.size(); ++j) {
    models_[j].scorer.score(index, atoms, scratch.scorer, scratch.scores);
    mu[j] = scratch.search.marginals(kKind, index, scratch.scores);
    if (mu[j].status != SearchStatus::ok) return {};
  }
  // The product of the maxima: no triple of the arc has more.
  const auto highest = [&](int a, std::size_t j) {
    return std::ranges::max(mu[j].mu.label_row(a));
  };
  std::vector<double> bound(at(index.arcs())), limit(at(mask.words()) + 1, 0);
  for (int a = 0; a < index.arcs(); ++a) {
    bound[at(a)] = highest(a, 0) * highest(a, 1) * highest(a, 2);
    double& most = limit[at(index.arc(a).m)];
    most = std::max(most, bound[at(a)]);
  }
  std::vector<SpinalArc> kept;
  for (int a = 0; a < index.arcs(); ++a) {
    const auto [h, m, side] = index.arc(a);
    const double least = alpha * limit[at(m)];
    if (bound[at(a)] < least) continue;
    const auto x = mu[0].mu.label_row(a), y = mu[1].mu.label_row(a), z = mu[2].mu.label_row(a);
    for (int k = 0; k < static_cast<int>(places_.size()); ++k) {
      const auto& place = places_[at(k)];
      if (x[at(place[0])] * y[at(place[1])] * z[at(place[2])] >= least && may_join(h, k)) {
        kept.push_back({h, m, k});
      }
    }
  }
  return kept;
}

}  // namespace copse::spinal
