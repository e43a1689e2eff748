#include "copse/constituency/generative/coarse_grammar.h"

namespace copse::generative {
namespace {

constexpr double kBackOff = 2;  // weight of P(M | P, side) against the counts with the class
constexpr float kLeastChain = 1e-9F;

}  // namespace

class CoarseGrammar::Counter {
 public:
  explicit Counter(const LabelSet& labels)
      : labels_(labels),
        size_(static_cast<std::size_t>(labels.size())),
        phrases_(static_cast<std::size_t>(labels.phrases())),
        head_(phrases_ * size_),
        top_(size_) {
    for (auto& side : modifier_) side.resize(phrases_ * kPreviousClasses * (size_ + 1));
  }

  void node(LabelId, WordId, LabelId) {}
  void head(LabelId parent, WordId, LabelId, LabelId head) {
    head_[phrase(parent) * size_ + head] += 1;
    previous_ = {Previous::start, Previous::start};
  }
  void subcat(Side, LabelId, LabelId, WordId, LabelId, Subcat) {}
  // Contexts in base NPs do not tell the class, so it is followed here; a side ends with STOP.
  void modifier(const ModifierContext& context, Modifier modifier, LabelId) {
    Previous& previous = previous_[static_cast<std::size_t>(context.side)];
    const std::size_t future = modifier.is_stop() ? size_ : modifier.label;
    cell(context.side, phrase(context.parent), previous, future) += 1;
    if (!modifier.is_stop()) previous = labels_.previous_class(modifier.label);
  }
  void modifier_word(const ModifierContext&, Modifier, const LexicalHead&) {}
  void top(const LexicalHead& head) { top_[head.label] += 1; }
  void word(const LexicalHead&) {}

  std::size_t phrase(LabelId label) const {
    return static_cast<std::size_t>(labels_.phrase_index(label));
  }
  double& cell(Side side, std::size_t phrase, Previous previous, std::size_t future) {
    const std::size_t history = phrase * kPreviousClasses + static_cast<std::size_t>(previous);
    return modifier_[static_cast<std::size_t>(side)][history * (size_ + 1) + future];
  }
  double head_count(std::size_t phrase, std::size_t head) const {
    return head_[phrase * size_ + head];
  }
  double top_count(std::size_t label) const { return top_[label]; }
  std::size_t size() const { return size_; }
  std::size_t phrases() const { return phrases_; }

 private:
  const LabelSet& labels_;
  std::size_t size_, phrases_;
  std::vector<double> head_, top_;
  std::vector<double> modifier_[2];
  std::array<Previous, 2> previous_{};
};

CoarseGrammar::CoarseGrammar(const std::vector<PreparedTree>& trees, const LabelSet& labels,
                             const Lexicon& lexicon) {
  set_size(labels);
  Counter counts(labels);
  for (const PreparedTree& tree : trees) {
    const EventWalk walk(tree, labels, lexicon);
    if (walk.possible()) walk.visit(counts);
  }
  const std::size_t size = counts.size();
  openings_.resize(size);
  top_.resize(size);
  double all = 0;
  for (std::size_t label = 0; label < size; ++label) all += counts.top_count(label);
  for (std::size_t label = 0; label < size; ++label) {
    top_[label] = static_cast<float>(counts.top_count(label) / all);
  }
  for (auto& side : modifiers_) side.resize(size);
  for (auto& side : stops_)
    side.assign(static_cast<std::size_t>(kPreviousClasses) * static_cast<std::size_t>(row_), 0);
  for (std::size_t p = 0; p < counts.phrases(); ++p) {
    double heads = 0;
    for (std::size_t h = 0; h < size; ++h) heads += counts.head_count(p, h);
    for (std::size_t h = 0; h < size; ++h) {
      if (counts.head_count(p, h) == 0) continue;
      openings_[h].push_back(
          {static_cast<std::uint32_t>(p), static_cast<float>(counts.head_count(p, h) / heads)});
    }
    for (const Side side : {Side::left, Side::right}) {
      std::vector<double> general(size + 1);
      double general_sum = 0;
      for (int previous = 0; previous < kPreviousClasses; ++previous) {
        for (std::size_t m = 0; m <= size; ++m) {
          general[m] += counts.cell(side, p, static_cast<Previous>(previous), m);
        }
      }
      for (const double count : general) general_sum += count;
      if (general_sum == 0) continue;  // a label that only skipped trees have
      for (int previous = 0; previous < kPreviousClasses; ++previous) {
        double sum = 0;
        for (std::size_t m = 0; m <= size; ++m) {
          sum += counts.cell(side, p, static_cast<Previous>(previous), m);
        }
        const auto probability = [&](std::size_t m) {
          const double count = counts.cell(side, p, static_cast<Previous>(previous), m);
          return static_cast<float>((count + kBackOff * general[m] / general_sum) /
                                    (sum + kBackOff));
        };
        const auto s = static_cast<std::size_t>(side);
        const auto row = static_cast<std::size_t>(row_);
        stops_[s][static_cast<std::size_t>(previous) * row + p] = probability(size);
        for (std::size_t m = 0; m < size; ++m) {
          if (general[m] == 0) continue;
          const auto kind = labels.previous_class(static_cast<LabelId>(m));
          const std::size_t block =
              static_cast<std::size_t>(previous) * kClasses + static_cast<std::size_t>(kind) - 1;
          modifiers_[s][m].push_back({static_cast<std::uint32_t>(block * row + p), probability(m)});
        }
      }
    }
  }
  set_steps();
  learn_chains();
}

void CoarseGrammar::set_size(const LabelSet& labels) {
  tags_ = labels.tags();
  phrases_ = labels.phrases();
  row_ = (phrases_ + kLanes - 1) / kLanes * kLanes;
}

void CoarseGrammar::set_steps() {
  const float* left = stops(Side::left, Previous::start);
  const float* right = stops(Side::right, Previous::start);
  steps_.assign(openings_.size(), {});
  for (std::size_t label = 0; label < openings_.size(); ++label) {
    for (const Rule& rule : openings_[label]) {
      if (rule.target + static_cast<std::size_t>(tags_) == label) continue;  // X over X
      steps_[label].push_back(
          {rule.target, rule.probability * left[rule.target] * right[rule.target]});
    }
  }
}

void CoarseGrammar::learn_chains() {
  const auto phrases = static_cast<std::size_t>(phrases_);
  const auto size = openings_.size();
  const auto tags = static_cast<std::size_t>(tags_);
  chains_.resize(size);
  for (std::size_t label = 0; label < size; ++label) {
    std::vector<float> reached(phrases), last(phrases);
    const auto extend = [&](std::size_t from, float weight, std::vector<float>& to) {
      for (const Rule& rule : steps_[from]) to[rule.target] += weight * rule.probability;
    };
    if (label >= tags) {
      reached[label - tags] = last[label - tags] = 1;
    } else {
      extend(label, 1, last);
      reached = last;
    }
    for (int length = 1; length <= kLongestChain; ++length) {
      std::vector<float> next(phrases);
      for (std::size_t p = 0; p < phrases; ++p) {
        if (last[p] > 0) extend(p + tags, last[p], next);
      }
      for (std::size_t p = 0; p < phrases; ++p) reached[p] += next[p];
      last = std::move(next);
    }
    for (std::size_t p = 0; p < phrases; ++p) {
      if (reached[p] > kLeastChain) {
        chains_[label].push_back({static_cast<std::uint32_t>(p), reached[p]});
      }
    }
  }
}

}  // namespace copse::generative
