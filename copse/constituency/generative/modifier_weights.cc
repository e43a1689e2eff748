#include "copse/constituency/generative/modifier_weights.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace copse::generative {
namespace {

constexpr std::size_t kKept = 1U << 14;

EventKey key_of(const GenerativeModel& model, const ModifierContext& context) {
  const bool base = model.labels().is_base_noun_phrase(context.parent);
  return Histories::modifier(context, base, model.options().extra_levels).keys().front();
}

}  // namespace

ModifierWeights::Context::Context(const GenerativeModel& model, const ModifierContext& context)
    : context_(context), key_(key_of(model, context)) {}

void ModifierWeights::start(const GenerativeModel& model) {
  model_ = &model;
  entries_.assign(kKept, {});
}

const ModifierWeight& ModifierWeights::of(Context& context, LabelId label, LabelId tag,
                                          WordId future) {
  const EventKey modifier = extend_key(context.key_, std::uint64_t{label} << 16 | tag);
  const EventKey key = extend_key(modifier, future);
  Entry& entry = entries_[key & (kKept - 1)];
  if (entry.key != key) entry = {key, ask(context, label, tag, future)};
  return entry.weight;
}

ModifierWeight ModifierWeights::ask(Context& context, LabelId label, LabelId tag,
                                    WordId future) const {
  if (!context.choice_) context.choice_ = model_->choice(context.context_);
  const auto weight = [&](bool complement) {
    const Modifier modifier{label, complement};
    const double chosen = model_->modifier(*context.choice_, modifier, tag);
    if (chosen == 0) return -std::numeric_limits<double>::infinity();
    return std::log(chosen) +
           std::log(model_->modifier_word(*context.choice_, modifier, tag, future));
  };
  const int slot = model_->labels().subcat_slot(label);
  const bool due = subcat_count(context.context_.subcat, slot) > 0;  // never in base NPs
  return {weight(false), due ? weight(true) : -std::numeric_limits<double>::infinity()};
}

}  // namespace copse::generative
