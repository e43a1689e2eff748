// The histories of every distribution, most special first, as keys of the table of counts.
//
//   distribution     level 0                               level 1      level 2       extra
//   P_h(H)           P w t                                 P t          P
//   P_lc, P_rc       P H w t                               P H t        P H
//   P_m(M,t_m)       P H w t side verb prev subcat         without w    w/o w, t      P side prev subcat
//     in base NPs    M' w' t' side                         without w'   w/o w', t'    side
//   P_w(w_m)         M t_m P H w t side verb prev subcat   without w    M t_m t side  (t_m)
//     in base NPs    M t_m M' w' t' side                   w/o w', t'   (t_m)
//   P_top(H,t)       -
//   P_topw(w)        t H                                   (t)
//   P(P | w,t)       w t                                   t
//
// The level in brackets is the lexicon's P(w | t). Not Collins' are the last level of P_m and level
// 2 of P_w, and below P_m
//     P(M | P side prev subcat) P(t_m | M)        P(M | side) P(t_m | M) in base NPs
// so that a modifier may have a head tag that it never had in this place. What decides which futures
// are possible at all (the bag of complements) is kept to the end.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "copse/constituency/generative/event_counts.h"
#include "copse/constituency/generative/events.h"

namespace copse::generative {

class Histories {
 public:
  static Histories head(LabelId parent, WordId word, LabelId tag);
  static Histories subcat(Side side, LabelId parent, LabelId head, WordId word, LabelId tag);
  static Histories modifier(const ModifierContext& context, bool base_np, bool extra);
  // Of P_w but for the modifier, which with_modifier() adds.
  static Histories modifier_word(const ModifierContext& context, bool base_np, bool extra);
  static EventKey with_modifier(EventKey history, Modifier modifier, LabelId tag) {
    return extend_key(history, modifier.code() << 16 | tag);
  }
  // Below P_m: P(M | P side prev subcat) P(t_m | M).
  static EventKey modifier_label(const ModifierContext& context, bool base_np);
  static EventKey tag_of(Modifier modifier);
  static Histories top();
  static Histories top_word(LabelId head, LabelId tag);
  static Histories label_prior(WordId word, LabelId tag);

  // The future of P_m and P_top: a label, or what code() says of a modifier, and a tag.
  static std::uint64_t with_tag(std::uint64_t label, LabelId tag) { return (label << 16) | tag; }

  static constexpr std::size_t kMost = 4;
  std::span<const EventKey> keys() const { return {keys_.data(), size_}; }

 private:
  template <class... Parts>
  void add(int distribution, Parts... parts) {
    EventKey key = 0x5851F42D4C957F2DULL;
    key = extend_key(key, static_cast<std::uint64_t>(distribution) * 8 + size_);
    ((key = extend_key(key, static_cast<std::uint64_t>(parts))), ...);
    keys_[size_++] = key;
  }

  std::array<EventKey, kMost> keys_{};
  std::size_t size_ = 0;
};

}  // namespace copse::generative
