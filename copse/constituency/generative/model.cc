#include "copse/constituency/generative/model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "copse/constituency/generative/history.h"

namespace copse::generative {
namespace {

constexpr double kWordFloor = 1e-19;

// The future of P_m and P_top: a label and a tag.
std::uint64_t with_tag(std::uint64_t label, LabelId tag) {
  return (label << 16) | tag;
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
  explicit Counter(GenerativeModel& model) : model_(model) {}

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
    add(Histories::modifier(context, base(context), extra()), with_tag(modifier.code(), tag));
  }
  void modifier_word(const ModifierContext& context, Modifier modifier, const LexicalHead& head) {
    add(Histories::modifier_word(context, modifier, head.tag, base(context), extra()), head.future);
  }
  void top(const LexicalHead& head) {
    add(Histories::top(), with_tag(head.label, head.tag));
    add(Histories::top_word(head.label, head.tag), head.future);
  }
  void word(const LexicalHead&) {}

 private:
  bool base(const ModifierContext& context) const {
    return model_.labels_.is_base_noun_phrase(context.parent);
  }
  bool extra() const { return model_.options_.extra_levels; }
  void add(const Histories& histories, std::uint64_t future) {
    for (const EventKey key : histories.keys()) {
      model_.counts_.add(key, extend_key(key, future));
    }
  }

  GenerativeModel& model_;
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
  const auto labels = static_cast<std::size_t>(labels_.size());
  parents_of_.resize(labels);
  bags_.resize(2 * labels * labels);
  label_share_.assign(labels, 1e-9);
  Counter counter(*this);
  for (const PreparedTree& tree : trees) {
    const EventWalk walk(tree, labels_, lexicon_);
    if (walk.possible()) {
      walk.visit(counter);
    } else {
      ++skipped_;
    }
  }
  double phrases = 0;
  for (const double count : label_share_) phrases += count;
  for (double& share : label_share_) share /= phrases;
}

double GenerativeModel::interpolate(std::span<const EventKey> histories, std::uint64_t future,
                                    double last) const {
  double estimate = last;
  for (std::size_t level = histories.size(); level-- > 0;) {
    const EventCounts::Entry& history = counts_.find(histories[level]);
    if (history.count == 0) continue;
    const double count = history.count;
    const double trust = count / (count + options_.diversity * history.futures);
    const double seen = counts_.find(extend_key(histories[level], future)).count;
    estimate = trust * seen / count + (1 - trust) * estimate;
  }
  return estimate;
}

double GenerativeModel::smoothed(std::span<const EventKey> histories, std::uint64_t future) const {
  const EventKey last = histories.back();
  const double count = counts_.find(last).count;
  if (count == 0) return 0;
  const double estimate = counts_.find(extend_key(last, future)).count / count;
  return interpolate(histories.first(histories.size() - 1), future, estimate);
}

double GenerativeModel::head(LabelId parent, WordId word, LabelId tag, LabelId head) const {
  return smoothed(Histories::head(parent, word, tag).keys(), head);
}

double GenerativeModel::subcat(Side side, LabelId parent, LabelId head, WordId word, LabelId tag,
                               Subcat bag) const {
  return smoothed(Histories::subcat(side, parent, head, word, tag).keys(), bag);
}

double GenerativeModel::modifier(const ModifierContext& context, Modifier modifier,
                                 LabelId tag) const {
  const bool base = labels_.is_base_noun_phrase(context.parent);
  return smoothed(Histories::modifier(context, base, options_.extra_levels).keys(),
                  with_tag(modifier.code(), tag));
}

double GenerativeModel::modifier_word(const ModifierContext& context, Modifier modifier,
                                      LabelId tag, WordId future) const {
  const bool base = labels_.is_base_noun_phrase(context.parent);
  const Histories histories =
      Histories::modifier_word(context, modifier, tag, base, options_.extra_levels);
  return std::max(kWordFloor,
                  interpolate(histories.keys(), future, lexicon_.emission(future, tag)));
}

double GenerativeModel::top(LabelId head, LabelId tag) const {
  return smoothed(Histories::top().keys(), with_tag(head, tag));
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
  return bags_[frame(side, parent, head)];
}

double GenerativeModel::log_probability(const PreparedTree& tree) const {
  const EventWalk walk(tree, labels_, lexicon_);
  if (!walk.possible()) return -std::numeric_limits<double>::infinity();
  Scorer scorer(*this, tree);
  walk.visit(scorer);
  return scorer.total();
}

}  // namespace copse::generative
