#include "copse/constituency/generative/sentence_tagger.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "copse/tag/perceptron_tagger.h"

namespace copse::generative {
namespace {

constexpr std::size_t kHeldOut = 20;  // one sentence of so many
constexpr double kLeast = 1e-4;       // probability of a tag that the tagger leaves out

SequenceTagger trained(const std::vector<PreparedTree>& trees,
                       const SentenceTaggerOptions& options) {
  std::vector<TagExample> learn, fit;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    TagExample example{trees[i].words, trees[i].tags};
    const bool apart = i % kHeldOut == kHeldOut - 1;
    (apart ? fit : learn).push_back(std::move(example));
  }
  PerceptronTaggerOptions perceptron;
  perceptron.epochs = options.epochs;
  perceptron.freeze.prune = static_cast<float>(options.prune);
  SequenceTagger tagger = train_perceptron_tagger(learn, perceptron).tagger;
  tagger.set_sharpness(fit_sharpness(tagger, fit));
  return tagger;
}

}  // namespace

bool SentenceTagger::can_learn(const std::vector<PreparedTree>& trees) {
  std::set<std::string_view> tags;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (i % kHeldOut != kHeldOut - 1) tags.insert(trees[i].tags.begin(), trees[i].tags.end());
  }
  return tags.size() > 1;
}

SentenceTagger::SentenceTagger(const std::vector<PreparedTree>& trees, const LabelSet& labels,
                               const SentenceTaggerOptions& options)
    : SentenceTagger(trained(trees, options), labels, options) {}

SentenceTagger::SentenceTagger(SequenceTagger tagger, const LabelSet& labels,
                               const SentenceTaggerOptions& options)
    : options_(options), tagger_(std::move(tagger)) {
  for (const std::string& name : tagger_.model().labels) label_.push_back(labels.tag(name));
}

void SentenceTagger::weigh(const std::vector<std::string>& words, const std::vector<int>& tokens,
                           std::vector<WordReading>& readings, std::vector<LabelId>& best_tags,
                           TagScratch& scratch) const {
  const std::vector<std::string_view> views(words.begin(), words.end());
  const auto marginals = tagger_.marginals({views}, scratch);
  for (const auto& known : marginals) best_tags.push_back(label_[known.front().label]);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    std::vector<TagCandidate>& tags = readings[i].tags;
    if (tags.size() < 2) continue;
    const auto& known = marginals[static_cast<std::size_t>(tokens[i])];
    std::vector<double> believed;
    for (const TagCandidate& candidate : tags) {
      double probability = kLeast;
      for (const auto& [label, value] : known) {
        if (label_[label] == candidate.tag) probability = std::max(value, kLeast);
      }
      believed.push_back(probability);
    }
    const double best = *std::max_element(believed.begin(), believed.end());
    std::vector<TagCandidate> kept;
    for (std::size_t t = 0; t < tags.size(); ++t) {
      if (believed[t] < options_.least_share * best) continue;
      const double factor = options_.weight * std::log(believed[t] / tags[t].share);
      TagCandidate candidate = tags[t];
      candidate.log_spelling += factor;
      candidate.emission *= std::exp(factor);
      kept.push_back(candidate);
    }
    tags = std::move(kept);
  }
}

}  // namespace copse::generative
