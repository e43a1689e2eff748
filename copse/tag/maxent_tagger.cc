#include "copse/tag/maxent_tagger.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "copse/model/feature_table.h"

namespace copse {
namespace {

// One example per word: the features of its history and its label.
class MaxentProblem {
 public:
  MaxentProblem(const TagModel& model, const std::vector<TagExample>& examples, int min_count)
      : model_(model) {
    for (std::size_t i = 0; i < model.labels.size(); ++i) {
      numbers_.emplace(model.labels[i], static_cast<Label>(i));
    }
    for (const TagExample& example : examples) add(example);
    drop_rare(min_count);
    number_parameters();
  }

  std::size_t dimension() const { return parameter_labels_.size(); }
  std::size_t size() const { return labels_.size(); }

  // -log P(gold | history) of word i, and its gradient.
  template <class Add>
  double loss(std::size_t i, std::span<const double> w, Add add) const {
    const std::size_t labels = model_.labels.size();
    std::vector<double> p(labels, 0.0);
    for (const std::uint32_t feature : features_of(i)) {
      for (std::size_t j = begins_[feature]; j < begins_[feature + 1]; ++j) {
        p[parameter_labels_[j]] += w[j];
      }
    }
    const double largest = *std::ranges::max_element(p);
    const double gold = p[labels_[i]];
    double sum = 0;
    for (double& score : p) sum += score = std::exp(score - largest);
    for (double& score : p) score /= sum;
    p[labels_[i]] -= 1;
    for (const std::uint32_t feature : features_of(i)) {
      for (std::size_t j = begins_[feature]; j < begins_[feature + 1]; ++j) {
        add(j, p[parameter_labels_[j]]);
      }
    }
    return std::log(sum) + largest - gold;
  }

  WeightRows rows(std::span<const double> w) const {
    WeightRows result;
    std::vector<LabelWeight> row;
    for (std::size_t feature = 0; feature + 1 < begins_.size(); ++feature) {
      row.clear();
      for (std::size_t j = begins_[feature]; j < begins_[feature + 1]; ++j) {
        row.push_back({parameter_labels_[j], static_cast<float>(w[j])});
      }
      if (!row.empty()) result.add(keys_[feature], row);
    }
    return result;
  }

 private:
  std::span<const std::uint32_t> features_of(std::size_t i) const {
    return std::span(features_).subspan(feature_begins_[i],
                                        feature_begins_[i + 1] - feature_begins_[i]);
  }

  void add(const TagExample& example) {
    const std::vector<std::string_view> words(example.words.begin(), example.words.end());
    const std::vector<std::string_view> pos(example.parts_of_speech.begin(),
                                            example.parts_of_speech.end());
    fill_atoms(words, pos, model_.sources(), atoms_);
    sentence_.fill(model_, atoms_);
    std::vector<Label> gold;
    for (const std::string& label : example.labels) gold.push_back(numbers_.at(label));
    for (int i = 0; i < atoms_.words(); ++i) {
      for (const Template& row : model_.features.local) add_feature(key_of(row, atoms_.origin(i)));
      const auto at = static_cast<std::size_t>(i);
      const Label last = i >= 1 ? gold[at - 1] : model_.beginning();
      const Label before = i >= 2 ? gold[at - 2] : model_.beginning();
      for (std::size_t k = 0; k < model_.features.history.size(); ++k) {
        add_feature(TagScorer<FrozenWeights>::history_key(model_, sentence_, i, k, before, last));
      }
      labels_.push_back(gold[at]);
      feature_begins_.push_back(features_.size());
    }
  }

  void add_feature(FeatureKey key) {
    if (key == kAbsent) return;
    const auto [number, is_new] = table_.add(key);
    if (is_new) {
      keys_.push_back(key);
      counts_.push_back(0);
    }
    ++counts_[number];
    features_.push_back(number);
  }

  // Keeps the features that are frequent, and those of the first template, the word itself.
  void drop_rare(int min_count) {
    std::vector<bool> kept(keys_.size());
    for (std::size_t f = 0; f < keys_.size(); ++f) kept[f] = counts_[f] >= min_count;
    for (std::size_t i = 0; i < size(); ++i) {
      const auto features = features_of(i);
      if (!features.empty()) kept[features.front()] = true;
    }
    std::size_t out = 0;
    std::size_t in = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      for (; in < feature_begins_[i + 1]; ++in) {
        if (kept[features_[in]]) features_[out++] = features_[in];
      }
      feature_begins_[i + 1] = out;
    }
    features_.resize(out);
  }

  // A parameter for every (feature, label) that occurs together, ordered by feature, then label.
  void number_parameters() {
    std::vector<std::uint64_t> pairs;
    for (std::size_t i = 0; i < size(); ++i) {
      for (const std::uint32_t f : features_of(i)) {
        pairs.push_back(std::uint64_t{f} << 16 | labels_[i]);
      }
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    begins_.assign(keys_.size() + 1, 0);
    for (const std::uint64_t pair : pairs) {
      ++begins_[(pair >> 16) + 1];
      parameter_labels_.push_back(static_cast<Label>(pair & 0xFFFF));
    }
    for (std::size_t f = 0; f < keys_.size(); ++f) begins_[f + 1] += begins_[f];
  }

  const TagModel& model_;
  std::unordered_map<std::string_view, Label> numbers_;
  SentenceAtoms atoms_;
  TagSentence sentence_;
  FeatureTable table_;
  std::vector<FeatureKey> keys_;
  std::vector<int> counts_;
  std::vector<std::uint32_t> features_;  // of all words, one word after the other
  std::vector<std::size_t> feature_begins_{0};
  std::vector<Label> labels_;
  std::vector<std::size_t> begins_;  // of every feature's parameters
  std::vector<Label> parameter_labels_;
};

}  // namespace

TrainedTagger train_maxent_tagger(const std::vector<TagExample>& examples,
                                  const MaxentTaggerOptions& options, const TagMeasure& measure) {
  const auto model = make_tag_model(examples, options.model);
  const MaxentProblem problem(*model, examples, options.min_count);
  std::vector<double> w(problem.dimension(), 0.0);
  const Minimum minimum = minimise_by_lbfgs(problem, w, options.lbfgs);
  SequenceTagger tagger(model, freeze(problem.rows(w), model->labels.size(), options.model.freeze),
                        TagScores::conditional);
  const double score = measure ? measure(tagger) : -1;
  const std::size_t features = tagger.weights().rows();
  return {std::move(tagger), minimum.iterations, score, features};
}

}  // namespace copse
