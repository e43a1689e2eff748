#include "copse/constituency/generative/event_shares.h"

namespace copse::generative {
namespace {

constexpr EventKey kEmission =
    0xE315;  // of the lexicon's P(w | t), which has no history in the table

class ShareCounter {
 public:
  ShareCounter(const GenerativeModel& model, EventShares& out) : model_(model), out_(out) {}

  void node(LabelId, WordId, LabelId) {}
  void head(LabelId parent, WordId word, LabelId tag, LabelId head) {
    add_smoothed(Histories::head(parent, word, tag), head);
  }
  void subcat(Side side, LabelId parent, LabelId head, WordId word, LabelId tag, Subcat bag) {
    add_smoothed(Histories::subcat(side, parent, head, word, tag), bag);
  }
  void modifier(const ModifierContext& context, Modifier modifier, LabelId tag) {
    const bool base = is_base(context);
    const std::uint64_t future = Histories::with_tag(modifier.code(), tag);
    const Histories histories = Histories::modifier(context, base, extra());
    if (!extra()) {
      add_smoothed(histories, future);
      return;
    }
    const EventKey label = Histories::modifier_label(context, base),
                   tags = Histories::tag_of(modifier);
    const Event of_label{label, extend_key(label, modifier.code())},
        of_tag{tags, extend_key(tags, tag)};
    const double last = add_levels(histories.keys(), future, estimate(of_label) * estimate(of_tag));
    out_[of_label.key] += last;
    out_[of_tag.key] += last;
  }
  void modifier_word(const ModifierContext& context, Modifier modifier, const LexicalHead& head) {
    std::vector<EventKey> histories;
    const Histories without = Histories::modifier_word(context, is_base(context), extra());
    for (const EventKey key : without.keys()) {
      histories.push_back(Histories::with_modifier(key, modifier, head.tag));
    }
    add_word(histories, head);
  }
  void top(const LexicalHead& head) {
    add_smoothed(Histories::top(), Histories::with_tag(head.label, head.tag));
    add_word(Histories::top_word(head.label, head.tag).keys(), head);
  }
  void word(const LexicalHead&) {}

 private:
  struct Event {
    EventKey history, key;
  };

  bool is_base(const ModifierContext& context) const {
    return model_.labels().is_base_noun_phrase(context.parent);
  }
  bool extra() const { return model_.options().extra_levels; }
  double estimate(const Event& event) const {
    const double count = model_.counts().find(event.history).count;
    return count > 0 ? model_.counts().find(event.key).count / count : 0;
  }

  // Adds the shares of the levels above one whose estimate is `last`; returns that one's.
  double add_levels(std::span<const EventKey> histories, std::uint64_t future, double last) {
    std::vector<std::pair<EventKey, double>> parts;
    double left = 1, sum = 0;
    for (const EventKey history : histories) {
      const EventCounts::Entry& entry = model_.counts().find(history);
      if (entry.count == 0) continue;
      const double trust = model_.trust(entry);
      const Event event{history, extend_key(history, future)};
      const double part = left * trust * estimate(event);
      if (part > 0) parts.emplace_back(event.key, part);
      sum += part;
      left *= 1 - trust;
    }
    sum += left * last;
    if (!(sum > 0)) return 0;  // the model gives it nothing
    for (const auto& [key, part] : parts) out_[key] += part / sum;
    return left * last / sum;
  }

  // Of a distribution whose last level takes what is left.
  void add_smoothed(const Histories& histories, std::uint64_t future) {
    const auto keys = histories.keys();
    const Event last{keys.back(), extend_key(keys.back(), future)};
    const double share = add_levels(keys.first(keys.size() - 1), future, estimate(last));
    if (share > 0) out_[last.key] += share;
  }

  void add_word(std::span<const EventKey> histories, const LexicalHead& head) {
    const double share =
        add_levels(histories, head.future, model_.lexicon().emission(head.future, head.tag));
    if (share > 0) out_[extend_key(extend_key(kEmission, head.tag), head.future)] += share;
  }

  const GenerativeModel& model_;
  EventShares& out_;
};

}  // namespace

EventShares event_shares(const GenerativeModel& model, const PreparedTree& tree) {
  EventShares out;
  const EventWalk walk(tree, model.labels(), model.lexicon());
  if (!walk.possible()) return out;
  ShareCounter counter(model, out);
  walk.visit(counter);
  return out;
}

}  // namespace copse::generative
