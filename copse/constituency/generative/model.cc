#include "copse/constituency/generative/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace copse::generative {
namespace {

constexpr double kWordFloor = 1e-19;

// What counts of a damaged table make is no probability, or none at all.
double probability(double estimate) {
  return estimate > 0 ? std::min(estimate, 1.0) : 0;
}

// The table is far larger than the caches: what a distribution will look up is asked for at once, so
// that the waits overlap.
void expect(const EventCounts& counts, EventKey key) {
  const auto entries = counts.entries();
  __builtin_prefetch(&entries[key & (entries.size() - 1)]);
}

template <class T>
void insert_sorted(std::vector<T>& list, T item) {
  const auto place = std::lower_bound(list.begin(), list.end(), item);
  if (place == list.end() || *place != item) list.insert(place, item);
}

}  // namespace

// Adds the events of a tree to the counts.
class GenerativeModel::Counter {
 public:
  // `all` may be null: every history counts.
  Counter(GenerativeModel& model, const EventCounts* all) : model_(model), all_(all) {}

  void node(LabelId label, WordId word, LabelId tag) {
    add(Histories::label_prior(word, tag), label);
    model_.label_share_[label] += 1;
  }
  void head(LabelId parent, WordId word, LabelId tag, LabelId head) {
    add(Histories::head(parent, word, tag), head);
    insert_sorted(model_.parents_of_[head], parent);
  }
  void subcat(Side side, LabelId parent, LabelId head, WordId word, LabelId tag, Subcat bag) {
    add(Histories::subcat(side, parent, head, word, tag), bag);
    insert_sorted(model_.bags_[model_.frame(side, parent, head)], bag);
  }
  void modifier(const ModifierContext& context, Modifier modifier, LabelId tag) {
    add(Histories::modifier(context, base(context), extra()),
        Histories::with_tag(modifier.code(), tag));
    if (!extra()) return;
    add(Histories::modifier_label(context, base(context)), modifier.code());
    add(Histories::tag_of(modifier), tag);
  }
  void modifier_word(const ModifierContext& context, Modifier modifier, const LexicalHead& head) {
    const Histories histories = Histories::modifier_word(context, base(context), extra());
    for (const EventKey key : histories.keys()) {
      const EventKey history = Histories::with_modifier(key, modifier, head.tag);
      if (often(history)) add(history, head.future);  // below them all is the lexicon
    }
  }
  void top(const LexicalHead& head) {
    add(Histories::top(), Histories::with_tag(head.label, head.tag));
    add(Histories::top_word(head.label, head.tag), head.future);
  }
  void word(const LexicalHead&) {}

 private:
  bool base(const ModifierContext& context) const {
    return model_.labels_.is_base_noun_phrase(context.parent);
  }
  bool extra() const { return model_.options_.extra_levels; }
  void add(EventKey history, std::uint64_t future) {
    model_.counts_.add(history, extend_key(history, future));
  }
  // The last level stands for what may be at all: it has every history.
  void add(const Histories& histories, std::uint64_t future) {
    for (const EventKey key : histories.keys()) {
      if (key == histories.keys().back() || often(key)) add(key, future);
    }
  }
  bool often(EventKey history) const {
    return all_ == nullptr ||
           std::cmp_greater_equal(all_->find(history).count, model_.options_.least_history);
  }

  GenerativeModel& model_;
  const EventCounts* all_;
};

// Multiplies the probabilities of the events of a tree.
class GenerativeModel::Scorer {
 public:
  explicit Scorer(const GenerativeModel& model, const PreparedTree& tree)
      : model_(model), tree_(tree) {}

  void node(LabelId, WordId, LabelId) {}
  void head(LabelId parent, WordId word, LabelId tag, LabelId head) {
    total_ += std::log(model_.head(parent, word, tag, head));
  }
  void subcat(Side side, LabelId parent, LabelId head, WordId word, LabelId tag, Subcat bag) {
    total_ += std::log(model_.subcat(side, parent, head, word, tag, bag));
  }
  void modifier(const ModifierContext& context, Modifier modifier, LabelId tag) {
    total_ += std::log(model_.modifier(context, modifier, tag));
  }
  void modifier_word(const ModifierContext& context, Modifier modifier, const LexicalHead& head) {
    total_ += std::log(model_.modifier_word(context, modifier, head.tag, head.future));
  }
  void top(const LexicalHead& head) {
    total_ += std::log(model_.top(head.label, head.tag)) +
              std::log(model_.top_word(head.label, head.tag, head.future));
  }
  void word(const LexicalHead& head) {
    const WordReading reading =
        model_.lexicon_.read(tree_.tree.word_at(head.leaf), head.leaf == 0, head.tag);
    total_ += reading.tags.front().log_spelling;
  }
  double total() const { return total_; }

 private:
  const GenerativeModel& model_;
  const PreparedTree& tree_;
  double total_ = 0;
};

GenerativeModel::GenerativeModel(const std::vector<PreparedTree>& trees,
                                 const ModelOptions& options)
    : options_(options), labels_(LabelSet::of(trees)), lexicon_(trees, labels_, options.lexicon) {
  count(trees, nullptr);
  if (options.least_history > 1) {
    const EventCounts all = std::exchange(counts_, {});
    count(trees, &all);
  }
  double phrases = 0;
  for (const double share : label_share_) phrases += share;
  for (double& share : label_share_) share /= phrases;
}

void GenerativeModel::count(const std::vector<PreparedTree>& trees, const EventCounts* all) {
  const auto labels = static_cast<std::size_t>(labels_.size());
  parents_of_.resize(labels);
  label_share_.assign(labels, 1e-9);
  skipped_ = 0;
  Counter counter(*this, all);
  for (const PreparedTree& tree : trees) {
    const EventWalk walk(tree, labels_, lexicon_);
    if (walk.possible()) {
      walk.visit(counter);
    } else {
      ++skipped_;
    }
  }
}

double GenerativeModel::interpolate(std::span<const EventKey> histories, std::uint64_t future,
                                    double last) const {
  double estimate = last;
  bool met = true;
  for (std::size_t level = histories.size(); level-- > 0;) {
    const EventCounts::Entry& history = counts_.find(histories[level]);
    if (history.count == 0) break;
    const double count = history.count;
    const double share = trust(history);
    const double seen = met ? counts_.find(extend_key(histories[level], future)).count : 0;
    met = seen > 0;
    estimate = share * seen / count + (1 - share) * estimate;
  }
  return probability(estimate);
}

double GenerativeModel::smoothed(std::span<const EventKey> histories, std::uint64_t future) const {
  for (const EventKey history : histories) expect(counts_, history);
  const EventKey last = histories.back();
  const double count = counts_.find(last).count;
  if (count == 0) return 0;
  const double estimate = counts_.find(extend_key(last, future)).count / count;
  if (estimate == 0) return 0;  // what the last level has not seen, none above it has
  return interpolate(histories.first(histories.size() - 1), future, estimate);
}

double GenerativeModel::head(LabelId parent, WordId word, LabelId tag, LabelId head) const {
  return smoothed(Histories::head(parent, word, tag).keys(), head);
}

double GenerativeModel::subcat(Side side, LabelId parent, LabelId head, WordId word, LabelId tag,
                               Subcat bag) const {
  return smoothed(Histories::subcat(side, parent, head, word, tag).keys(), bag);
}

ModifierChoice GenerativeModel::choice(const ModifierContext& context) const {
  const bool base = labels_.is_base_noun_phrase(context.parent);
  const bool extra = options_.extra_levels;
  ModifierChoice choice;
  const Histories histories = Histories::modifier(context, base, extra);
  for (const EventKey key : histories.keys()) expect(counts_, key);
  for (const EventKey key : histories.keys()) {
    const EventCounts::Entry& history = counts_.find(key);
    if (history.count == 0) continue;
    const double share = trust(history);
    choice.levels[choice.size++] = {key, share, share / history.count};
  }
  if (extra) {
    choice.label = Histories::modifier_label(context, base);
    choice.per_label = 1.0 / std::max(1U, counts_.find(choice.label).count);
  } else if (choice.size > 0) {
    SmoothingLevel& last = choice.levels[choice.size - 1];
    last.per_count /= last.trust;
    last.trust = 1;
  }
  choice.word = Histories::modifier_word(context, base, extra);
  return choice;
}

double GenerativeModel::modifier(const ModifierChoice& choice, Modifier modifier,
                                 LabelId tag) const {
  const std::uint64_t future = Histories::with_tag(modifier.code(), tag);
  std::uint32_t labelled = 0;
  if (choice.per_label > 0) {
    labelled = counts_.find(extend_key(choice.label, modifier.code())).count;
    if (labelled == 0) return 0;  // no level above has seen what this one has not
  }
  double estimate = 0;
  if (choice.per_label > 0) {
    const EventKey tags = Histories::tag_of(modifier);
    estimate = choice.per_label * labelled * counts_.find(extend_key(tags, tag)).count /
               counts_.find(tags).count;
    if (!(estimate > 0)) return 0;
  }
  bool met = true;
  for (std::size_t level = choice.size; level-- > 0;) {
    const SmoothingLevel& here = choice.levels[level];
    const double seen = met ? counts_.find(extend_key(here.history, future)).count : 0;
    met = seen > 0;
    estimate = here.per_count * seen + (1 - here.trust) * estimate;
    if (estimate == 0) return 0;
  }
  return probability(estimate);
}

double GenerativeModel::modifier_word(const ModifierChoice& choice, Modifier modifier, LabelId tag,
                                      WordId future) const {
  std::array<EventKey, Histories::kMost> keys;
  std::size_t size = 0;
  for (const EventKey key : choice.word.keys()) {
    keys[size++] = Histories::with_modifier(key, modifier, tag);
  }
  return std::max(kWordFloor,
                  interpolate(std::span(keys).first(size), future, lexicon_.emission(future, tag)));
}

double GenerativeModel::top(LabelId head, LabelId tag) const {
  return smoothed(Histories::top().keys(), Histories::with_tag(head, tag));
}

double GenerativeModel::top_word(LabelId head, LabelId tag, WordId future) const {
  return std::max(kWordFloor, interpolate(Histories::top_word(head, tag).keys(), future,
                                          lexicon_.emission(future, tag)));
}

double GenerativeModel::label_prior(LabelId label, WordId word, LabelId tag) const {
  return smoothed(Histories::label_prior(word, tag).keys(), label);
}

double GenerativeModel::word_prior(WordId future, LabelId tag) const {
  return lexicon_.emission(future, tag) * lexicon_.tag_share(tag);
}

std::span<const Subcat> GenerativeModel::bags(Side side, LabelId parent, LabelId head) const {
  static constexpr Subcat kEmpty[1] = {0};
  if (labels_.is_base_noun_phrase(parent)) return kEmpty;
  const auto found = bags_.find(frame(side, parent, head));
  if (found == bags_.end()) return {};
  return found->second;
}

double GenerativeModel::log_probability(const PreparedTree& tree) const {
  const EventWalk walk(tree, labels_, lexicon_);
  if (!walk.possible()) return -std::numeric_limits<double>::infinity();
  Scorer scorer(*this, tree);
  walk.visit(scorer);
  return scorer.total();
}

}  // namespace copse::generative
