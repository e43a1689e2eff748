#include "copse/constituency/generative/history.h"

namespace copse::generative {
namespace {

enum Distribution : int {
  kHead,
  kLeftSubcat,
  kRightSubcat,
  kModifier,
  kBaseModifier,
  kWord,
  kBaseWord,
  kTop,
  kTopWord,
  kLabelPrior,
  kLabel,
  kBaseLabel,
  kTagOf,
};

}  // namespace

Histories Histories::head(LabelId parent, WordId word, LabelId tag) {
  Histories h;
  h.add(kHead, parent, tag, word);
  h.add(kHead, parent, tag);
  h.add(kHead, parent);
  return h;
}

Histories Histories::subcat(Side side, LabelId parent, LabelId head, WordId word, LabelId tag) {
  const int kind = side == Side::left ? kLeftSubcat : kRightSubcat;
  Histories h;
  h.add(kind, parent, head, tag, word);
  h.add(kind, parent, head, tag);
  h.add(kind, parent, head);
  return h;
}

Histories Histories::modifier(const ModifierContext& c, bool base_np, bool extra) {
  Histories h;
  if (base_np) {
    h.add(kBaseModifier, c.side, c.head, c.tag, c.word);
    h.add(kBaseModifier, c.side, c.head, c.tag);
    h.add(kBaseModifier, c.side, c.head);
    if (extra) h.add(kBaseModifier, c.side);
    return h;
  }
  h.add(kModifier, c.parent, c.head, c.side, c.verb, c.previous, c.subcat, c.tag, c.word);
  h.add(kModifier, c.parent, c.head, c.side, c.verb, c.previous, c.subcat, c.tag);
  h.add(kModifier, c.parent, c.head, c.side, c.verb, c.previous, c.subcat);
  if (extra) h.add(kModifier, c.parent, c.side, c.previous, c.subcat);
  return h;
}

Histories Histories::modifier_word(const ModifierContext& c, bool base_np, bool extra) {
  Histories h;
  if (base_np) {
    h.add(kBaseWord, c.side, c.head, c.tag, c.word);
    h.add(kBaseWord, c.side, c.head);
    return h;
  }
  h.add(kWord, c.parent, c.head, c.side, c.verb, c.previous, c.subcat, c.tag, c.word);
  h.add(kWord, c.parent, c.head, c.side, c.verb, c.previous, c.subcat, c.tag);
  if (extra) h.add(kWord, c.side, c.tag);
  return h;
}

EventKey Histories::modifier_label(const ModifierContext& c, bool base_np) {
  Histories h;
  if (base_np) {
    h.add(kBaseLabel, c.side);
  } else {
    h.add(kLabel, c.parent, c.side, c.previous, c.subcat);
  }
  return h.keys_[0];
}

EventKey Histories::tag_of(Modifier modifier) {
  Histories h;
  h.add(kTagOf, modifier.label);
  return h.keys_[0];
}

Histories Histories::top() {
  Histories h;
  h.add(kTop);
  return h;
}

Histories Histories::top_word(LabelId head, LabelId tag) {
  Histories h;
  h.add(kTopWord, tag, head);
  return h;
}

Histories Histories::label_prior(WordId word, LabelId tag) {
  Histories h;
  h.add(kLabelPrior, tag, word);
  h.add(kLabelPrior, tag);
  return h;
}

}  // namespace copse::generative
