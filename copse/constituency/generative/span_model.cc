#include "copse/constituency/generative/span_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace copse::generative {
namespace {

constexpr std::size_t kSmall = 5000;  // trees
constexpr std::uint64_t kDrawn = 4;   // of so many spans that are no phrase one is looked at
const float kLogDrawn = std::log(4.0F);

std::vector<LabelId> tags_of(const PreparedTree& tree, const LabelSet& labels) {
  std::vector<LabelId> tags;
  for (const std::string& tag : tree.tags) tags.push_back(labels.tag(tag));
  return tags;
}

// The labels over each span of a tree: place (i * n + j - 1), phrase; sorted.
std::vector<std::pair<std::uint32_t, std::uint32_t>> brackets_of(const PreparedTree& tree,
                                                                 const LabelSet& labels) {
  const auto n = static_cast<int>(tree.tokens.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> brackets;
  for (int node = 0; node < tree.tree.size(); ++node) {
    if (tree.tree.is_leaf(node)) continue;
    const int phrase = labels.phrase_index(labels.phrase(tree.tree.label(node)));
    brackets.emplace_back(tree.tree.begin(node) * n + tree.tree.end(node) - 1, phrase);
  }
  std::sort(brackets.begin(), brackets.end());
  return brackets;
}

}  // namespace

// Learns the weights of the features that are there.
class SpanModel::Trainer {
 public:
  explicit Trainer(SpanModel& model)
      : model_(model), squares_(model.weights_.size()), score_(model.phrases_) {}

  void learn(const SpanSentence& sentence, const PreparedTree& tree,
             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& brackets) {
    const auto n = tree.tokens.size();
    auto gold = brackets.begin();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j <= n; ++j) {
        const auto first = gold;
        while (gold != brackets.end() && gold->first == i * n + j - 1) ++gold;
        const bool is_phrase = first != gold;
        if (!is_phrase && !drawn()) continue;
        span_features(sentence, tree.tokens[i], tree.tokens[j - 1] + 1, keys_);
        step({first, gold}, is_phrase ? 0 : kLogDrawn);
      }
    }
  }

 private:
  // One span of so many that are no phrase.
  bool drawn() {
    state_ = extend_key(state_, 1);
    return state_ % kDrawn == 0;
  }

  void step(std::span<const std::pair<std::uint32_t, std::uint32_t>> gold, float offset) {
    model_.find_all(keys_, found_);
    std::fill(score_.begin(), score_.end(), offset);
    for (const Slot* slot : found_) {
      for (std::uint32_t w = slot->first; w < slot->end; ++w) {
        score_[model_.weights_[w].phrase] += model_.weights_[w].value;
      }
    }
    for (float& score : score_) score = score < -20 ? 0 : 1 / (1 + std::exp(-score));
    for (const auto& [place, phrase] : gold) score_[phrase] -= 1;
    bool any = false;
    for (float& slope : score_) {
      if (std::abs(slope) < 1e-3F) slope = 0;
      any |= slope != 0;
    }
    if (!any) return;
    const auto rate = static_cast<float>(model_.options_.rate);
    for (const Slot* slot : found_) {
      for (std::uint32_t w = slot->first; w < slot->end; ++w) {
        const float slope = score_[model_.weights_[w].phrase];
        if (slope == 0) continue;
        squares_[w] += slope * slope;
        model_.weights_[w].value -= rate * slope / std::sqrt(squares_[w] + 1e-2F);
      }
    }
  }

  SpanModel& model_;
  std::vector<float> squares_, score_;
  std::vector<EventKey> keys_;
  std::uint64_t state_ = 1;
  std::vector<const Slot*> found_;
};

SpanModel::SpanModel(const std::vector<PreparedTree>& trees, const LabelSet& labels,
                     const Lexicon& lexicon, const SpanModelOptions& options)
    : phrases_(static_cast<std::size_t>(labels.phrases())), options_(options) {
  std::vector<std::pair<EventKey, std::uint32_t>> seen;
  std::vector<EventKey> keys;
  std::vector<SpanSentence> sentences;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> brackets;
  for (const PreparedTree& tree : trees) {
    sentences.emplace_back(tree.words, tags_of(tree, labels), labels, lexicon);
    brackets.push_back(brackets_of(tree, labels));
    const auto n = static_cast<std::uint32_t>(tree.tokens.size());
    for (const auto& [place, phrase] : brackets.back()) {
      span_features(sentences.back(), tree.tokens[place / n], tree.tokens[place % n] + 1, keys);
      for (const EventKey key : keys) seen.emplace_back(key, phrase);
    }
  }
  const int least = options.least_count > 0 ? options.least_count : trees.size() <= kSmall ? 1 : 2;
  std::sort(seen.begin(), seen.end());
  std::vector<EventKey> features;
  std::vector<std::uint32_t> sizes;
  for (auto at = seen.begin(); at != seen.end();) {
    auto end = at;
    while (end != seen.end() && *end == *at) ++end;
    if (end - at >= least) {
      if (features.empty() || features.back() != at->first) {
        features.push_back(at->first);
        sizes.push_back(0);
      }
      ++sizes.back();
      weights_.push_back({at->second, 0});
    }
    at = end;
  }
  seen = {};
  index(features, sizes);
  Trainer trainer(*this);
  // A large treebank says everything often: half the passes do.
  const int epochs = trees.size() <= kSmall ? options.epochs : (options.epochs + 1) / 2;
  // Neighbours in a treebank are of one article; a stride mixes them, and one that has no divisor in
  // common with their number comes to all of them.
  std::size_t stride = 7919;
  while (!trees.empty() && std::gcd(stride, trees.size()) > 1) ++stride;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const std::size_t t = (i * stride + static_cast<std::size_t>(epoch) * 31) % trees.size();
      trainer.learn(sentences[t], trees[t], brackets[t]);
    }
  }
}

void SpanModel::index(std::span<const EventKey> keys, std::span<const std::uint32_t> sizes) {
  std::size_t size = 2;
  while (size < 2 * keys.size()) size *= 2;
  slots_.assign(size, {});
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t at = keys[i] & (size - 1);
    while (slots_[at].end > 0) at = (at + 1) & (size - 1);
    slots_[at] = {keys[i], first, first + sizes[i]};
    first += sizes[i];
  }
}

// The tables are larger than the caches: all that is needed is asked for before any of it is used.
void SpanModel::find_all(std::span<const EventKey> keys, std::vector<const Slot*>& found) const {
  for (const EventKey key : keys) __builtin_prefetch(&slots_[key & (slots_.size() - 1)]);
  found.clear();
  for (const EventKey key : keys) {
    const Slot* slot = find(key);
    if (slot == nullptr) continue;
    __builtin_prefetch(&weights_[slot->first]);
    found.push_back(slot);
  }
}

std::vector<float> SpanModel::scores(const SpanSentence& sentence,
                                     const std::vector<int>& tokens) const {
  const std::size_t n = tokens.size();
  std::vector<float> all(n * n * phrases_, 0);
  std::vector<EventKey> keys;
  std::vector<const Slot*> found;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j <= n; ++j) {
      float* score = all.data() + (i * n + j - 1) * phrases_;
      span_features(sentence, tokens[i], tokens[j - 1] + 1, keys);
      find_all(keys, found);
      for (const Slot* slot : found) {
        for (std::uint32_t w = slot->first; w < slot->end; ++w) {
          score[weights_[w].phrase] += weights_[w].value;
        }
      }
    }
  }
  return all;
}

std::vector<float> SpanModel::bonus(const SpanSentence& sentence,
                                    const std::vector<int>& tokens) const {
  std::vector<float> all = scores(sentence, tokens);
  const auto weight = static_cast<float>(options_.weight);
  const auto most = static_cast<float>(options_.most);
  for (float& score : all) score = weight * std::clamp(score, -most, most);
  return all;
}

}  // namespace copse::generative
