// The histories of every distribution, most special first, as keys of the table of counts.
//
//   distribution     level 0                                   level 1        level 2     extra
//   P_h(H)           P w t                                     P t            P
//   P_lc, P_rc       P H w t                                   P H t          P H
//   P_m(M,t_m)       P H w t side verb prev subcat             without w      w/o w, t    P side
//   prev subcat
//     in base NPs    M' w' t' side                             without w'     w/o w', t'
//   P_w(w_m)         M t_m P H w t side verb prev subcat       without w      (t_m)       M t_m t
//   side
//     in base NPs    M t_m M' w' t' side                       w/o w', t'     (t_m)
//   P_top(H,t)       -
//   P_topw(w)        t H                                       (t)
//   P(P | w,t)       w t                                       t
// The level in brackets is the lexicon's P(w | t). The extra level stands before it, or last; it
// keeps what decides which futures are possible at all (the bag of complements).
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
  static Histories modifier_word(const ModifierContext& context, Modifier modifier, LabelId tag,
                                 bool base_np, bool extra);
  static Histories top();
  static Histories top_word(LabelId head, LabelId tag);
  static Histories label_prior(WordId word, LabelId tag);

  std::span<const EventKey> keys() const { return {keys_.data(), size_}; }

 private:
  template <class... Parts>
  void add(int distribution, Parts... parts) {
    EventKey key = 0x5851F42D4C957F2DULL;
    key = extend_key(key, static_cast<std::uint64_t>(distribution) * 8 + size_);
    ((key = extend_key(key, static_cast<std::uint64_t>(parts))), ...);
    keys_[size_++] = key;
  }

  std::array<EventKey, 4> keys_{};
  std::size_t size_ = 0;
};

}  // namespace copse::generative
