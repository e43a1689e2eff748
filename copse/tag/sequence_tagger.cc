#include "copse/tag/sequence_tagger.h"

#include <algorithm>
#include <climits>
#include <limits>
#include <nlohmann/json.hpp>

#include "copse/cluster/word_clusters.h"
#include "copse/model/settings.h"

namespace copse {
namespace {

// What the settings of a model may be.
constexpr double kFarthest = 1e30;
constexpr double kSharpest = 1e6;
constexpr int kWidestBeam = 1'000'000;

// Ascending numbers of labels, as training leaves them.
std::vector<Label> open_class_of(const ModelFile& file, const std::string& prefix,
                                 const nlohmann::json& config, std::size_t labels) {
  const auto found = config.find("open_class");
  std::vector<Label> open;
  if (found != config.end() && found->is_array()) {
    for (const auto& each : *found) {
      const bool fits = each.is_number_unsigned() && each.get<std::uint64_t>() < labels;
      if (!fits || (!open.empty() && each.get<std::uint64_t>() <= open.back())) {
        throw file.damaged(prefix + "config", "\"open_class\" names labels that do not exist");
      }
      open.push_back(each.get<Label>());
    }
  }
  if (open.empty()) throw file.damaged(prefix + "config", "has no \"open_class\"");
  return open;
}

}  // namespace

SequenceTagger::SequenceTagger(std::shared_ptr<const TagModel> model, std::string table,
                               TagScores scores)
    : model_(std::move(model)), scores_(scores) {
  auto owned = std::make_shared<const std::string>(std::move(table));
  table_ = std::as_bytes(std::span(*owned));
  owner_ = std::move(owned);
  weights_ = FrozenWeights::view(table_);
  make_pair_rows();
}

void SequenceTagger::make_pair_rows() {
  pair_rows_ =
      TagPairRows<FrozenWeights>(*model_, [this](FeatureKey key) { return weights_.find(key); });
  pair_rows_.make_tables(*model_, weights_);
}

void SequenceTagger::choose(const TagInput& input, TagScratch& scratch) const {
  fill_atoms(input.words, input.parts_of_speech, model_->sources(), scratch.atoms);
  scratch.sentence.fill(*model_, scratch.atoms);
  const auto& templates = model_->features.local;
  const auto add_local = [&](int word, std::span<float> scores) {
    const AtomValue* const origin = scratch.atoms.origin(word);
    scratch.keys.clear();
    for (const Template& row : templates) scratch.keys.push_back(key_of(row, origin));
    weights_.add_all_to(scratch.keys, scores);
  };
  TagScorer(*model_, weights_, pair_rows_).choose(scratch.sentence, add_local, scratch, input.kept);
}

void SequenceTagger::fill_lattice(const TagInput& input, TagScratch& scratch) const {
  choose(input, scratch);
  TagScorer(*model_, weights_, pair_rows_).fill_lattice(scratch.sentence, scratch);
  if (scores_ == TagScores::conditional) scratch.lattice.normalise_locally();
}

std::vector<Label> SequenceTagger::labels_of(const TagSequence& sequence,
                                             const TagScratch& scratch) const {
  std::vector<Label> labels(sequence.size());
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    labels[i] = scratch.candidates_of(static_cast<int>(i))[static_cast<std::size_t>(sequence[i])];
  }
  return labels;
}

std::vector<Label> SequenceTagger::tag(const TagInput& input, TagScratch& scratch) const {
  if (search_.beam > 0 && scores_ == TagScores::margins) {
    choose(input, scratch);
    const TagScorer scorer(*model_, weights_, pair_rows_);
    return labels_of(scorer.beam(scratch.sentence, search_.beam, scratch), scratch);
  }
  fill_lattice(input, scratch);
  return labels_of(best_tags(scratch.lattice, scratch.search).item, scratch);
}

std::vector<Scored<std::vector<Label>>> SequenceTagger::k_best(const TagInput& input, int k,
                                                               TagScratch& scratch) const {
  fill_lattice(input, scratch);
  std::vector<Scored<std::vector<Label>>> result;
  for (const auto& sequence : k_best_tags(scratch.lattice, k)) {
    result.push_back({labels_of(sequence.item, scratch), sequence.score});
  }
  return result;
}

std::vector<Scored<std::vector<Label>>> SequenceTagger::k_best_with_probabilities(
    const TagInput& input, int k, TagScratch& scratch) const {
  fill_lattice(input, scratch);
  if (scores_ == TagScores::margins) scratch.lattice.scale(static_cast<float>(sharpness_));
  const double log_sum = log_sum_tags(scratch.lattice, scratch.search);
  std::vector<Scored<std::vector<Label>>> result;
  for (const auto& sequence : k_best_tags(scratch.lattice, k)) {
    result.push_back({labels_of(sequence.item, scratch), sequence.score - log_sum});
  }
  return result;
}

std::vector<std::vector<SequenceTagger::LabelProbability>> SequenceTagger::marginals(
    const TagInput& input, TagScratch& scratch) const {
  fill_lattice(input, scratch);
  if (scores_ == TagScores::margins) scratch.lattice.scale(static_cast<float>(sharpness_));
  const TagMarginals marginals = tag_marginals(scratch.lattice, scratch.search);
  std::vector<std::vector<LabelProbability>> result(marginals.unary.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto candidates = scratch.candidates_of(static_cast<int>(i));
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      result[i].push_back({candidates[c], marginals.unary[i][c]});
    }
    std::ranges::stable_sort(result[i], std::ranges::greater{}, &LabelProbability::probability);
  }
  return result;
}

void SequenceTagger::save(ModelWriter& writer, const std::string& prefix) const {
  const nlohmann::json config = {
      {"rare_below", model_->dictionary.options().rare_below},
      {"max_rare", model_->candidates.max_rare},
      {"extra_common", model_->candidates.extra_common},
      {"reach", model_->candidates.reach},
      {"sure_from", model_->candidates.sure_from},
      {"open_class", model_->dictionary.open_class()},
      {"sharpness", sharpness_},
      {"scores", scores_ == TagScores::margins ? "margins" : "conditional"},
      {"beam", search_.beam},
      {"traits", model_->traits.count() > 0},
  };
  writer.add(prefix + "config", config.dump());
  writer.add_strings(prefix + "labels", model_->labels);
  writer.add(prefix + "templates", model_->table);
  writer.add_array(prefix + "dictionary", model_->dictionary.bytes());
  if (!model_->allowed.empty()) {
    writer.add_array(prefix + "allowed", std::span<const std::uint8_t>(model_->allowed));
  }
  if (model_->clusters) writer.add(prefix + "clusters", model_->clusters->bytes());
  writer.add_array(prefix + "weights", table_);
}

SequenceTagger SequenceTagger::load(const ModelFile& file, const std::string& prefix) {
  SequenceTagger tagger;
  auto model = std::make_shared<TagModel>();
  model->labels = file.strings(prefix + "labels");
  model->make_histories();
  model->table = file.text(prefix + "templates");
  model->features = parse_tag_features(model->table, file.name());
  const auto config = nlohmann::json::parse(file.text(prefix + "config"), nullptr, false);
  const Settings settings(file, prefix + "config", config);
  constexpr int kMostLabels = std::numeric_limits<Label>::max();
  model->candidates = {settings.whole("max_rare", 1, kMostLabels),
                       settings.whole("extra_common", 0, kMostLabels),
                       static_cast<float>(settings.number("reach", 0, kFarthest))};
  DictionaryOptions options;
  // A word that was never seen must be rare, else it would have no tag to choose from.
  options.rare_below = settings.whole("rare_below", 1, INT_MAX);
  model->dictionary =
      TagDictionary::view(file.section(prefix + "dictionary"),
                          open_class_of(file, prefix, config, model->labels.size()), options);
  // Models of before there were these do not name them.
  if (config.is_object() && config.contains("sure_from")) {
    model->candidates.sure_from = settings.whole("sure_from", 1, INT_MAX);
  }
  if (config.is_object() && config.contains("traits") && settings.flag("traits")) {
    model->traits = LabelTraits(model->labels);
  }
  tagger.sharpness_ = settings.number("sharpness", 0, kSharpest);
  tagger.search_.beam = settings.whole("beam", 0, kWidestBeam);
  const bool margins = settings.text("scores") == "margins";
  tagger.scores_ = margins ? TagScores::margins : TagScores::conditional;
  if (file.has(prefix + "allowed")) {
    const auto allowed = file.array<std::uint8_t>(prefix + "allowed");
    model->allowed.assign(allowed.begin(), allowed.end());
  }
  if (file.has(prefix + "clusters")) {
    model->clusters =
        std::make_shared<WordClusters>(WordClusters::from_bytes(file.text(prefix + "clusters")));
  }
  tagger.table_ = file.section(prefix + "weights");
  tagger.owner_ = file.owner();
  tagger.weights_ = FrozenWeights::view(tagger.table_);
  model->check(file, prefix, tagger.weights_.labels());
  tagger.model_ = std::move(model);
  tagger.make_pair_rows();
  return tagger;
}

}  // namespace copse
