#include "copse/constituency/generative/coarse_grammar.h"

#include <map>
#include <numeric>

namespace copse::generative {
namespace {

constexpr double kBackOff = 2;  // weight of P(M | P, side) against the counts with the class

}  // namespace

class CoarseGrammar::Counter {
 public:
  using ByClass = std::array<double, kPreviousClasses>;
  // What follows in a phrase on one side, after each class: a label, or size() for STOP. Only what
  // was seen: of all pairs of labels few are.
  using Futures = std::map<std::size_t, ByClass>;

  explicit Counter(const LabelSet& labels)
      : labels_(labels),
        size_(static_cast<std::size_t>(labels.size())),
        heads_(static_cast<std::size_t>(labels.phrases())),
        top_(size_) {
    for (auto& side : futures_) side.resize(heads_.size());
  }

  void node(LabelId, WordId, LabelId) {}
  void head(LabelId parent, WordId, LabelId, LabelId head) {
    heads_[phrase(parent)][head] += 1;
    previous_ = {Previous::start, Previous::start};
  }
  void subcat(Side, LabelId, LabelId, WordId, LabelId, Subcat) {}
  // Contexts in base NPs do not tell the class, so it is followed here; a side ends with STOP.
  void modifier(const ModifierContext& context, Modifier modifier, LabelId) {
    Previous& previous = previous_[static_cast<std::size_t>(context.side)];
    const std::size_t future = modifier.is_stop() ? size_ : modifier.label;
    futures_[static_cast<std::size_t>(context.side)][phrase(context.parent)][future]
            [static_cast<std::size_t>(previous)] += 1;
    if (!modifier.is_stop()) previous = labels_.previous_class(modifier.label);
  }
  void modifier_word(const ModifierContext&, Modifier, const LexicalHead&) {}
  void top(const LexicalHead& head) { top_[head.label] += 1; }
  void word(const LexicalHead&) {}

  const std::map<std::size_t, double>& heads(std::size_t phrase) const { return heads_[phrase]; }
  const Futures& futures(Side side, std::size_t phrase) const {
    return futures_[static_cast<std::size_t>(side)][phrase];
  }
  const std::vector<double>& top() const { return top_; }
  std::size_t size() const { return size_; }
  std::size_t phrases() const { return heads_.size(); }

 private:
  std::size_t phrase(LabelId label) const {
    return static_cast<std::size_t>(labels_.phrase_index(label));
  }

  const LabelSet& labels_;
  std::size_t size_;
  std::vector<std::map<std::size_t, double>> heads_;  // by phrase
  std::vector<Futures> futures_[2];
  std::vector<double> top_;
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
  openings_.resize(counts.size());
  for (auto& side : modifiers_) side.resize(counts.size());
  for (auto& side : stops_) side.assign(kPreviousClasses * static_cast<std::size_t>(row_), 0);
  const double all = std::accumulate(counts.top().begin(), counts.top().end(), 0.0);
  for (const double count : counts.top()) top_.push_back(static_cast<float>(count / all));
  for (std::size_t p = 0; p < counts.phrases(); ++p) {
    double heads = 0;
    for (const auto& [label, count] : counts.heads(p)) heads += count;
    for (const auto& [label, count] : counts.heads(p)) {
      openings_[label].push_back(
          {static_cast<std::uint32_t>(p), static_cast<float>(count / heads)});
    }
    for (const Side side : {Side::left, Side::right}) set_modifiers(counts, labels, side, p);
  }
  set_steps();
}

void CoarseGrammar::set_modifiers(const Counter& counts, const LabelSet& labels, Side side,
                                  std::size_t p) {
  const Counter::Futures& futures = counts.futures(side, p);
  if (futures.empty()) return;  // a label that only skipped trees have
  Counter::ByClass sums{};
  for (const auto& [label, count] : futures) {
    for (std::size_t previous = 0; previous < sums.size(); ++previous) {
      sums[previous] += count[previous];
    }
  }
  const double general_sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  const auto s = static_cast<std::size_t>(side);
  const auto row = static_cast<std::size_t>(row_);
  for (std::size_t previous = 0; previous < sums.size(); ++previous) {
    for (const auto& [label, count] : futures) {
      const double general = std::accumulate(count.begin(), count.end(), 0.0);
      const auto probability = static_cast<float>(
          (count[previous] + kBackOff * general / general_sum) / (sums[previous] + kBackOff));
      if (label == counts.size()) {
        stops_[s][previous * row + p] = probability;
        continue;
      }
      const auto kind =
          static_cast<std::size_t>(labels.previous_class(static_cast<LabelId>(label)));
      const std::size_t block = previous * kClasses + kind - 1;
      modifiers_[s][label].push_back({static_cast<std::uint32_t>(block * row + p), probability});
    }
  }
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

}  // namespace copse::generative
