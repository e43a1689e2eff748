// The probabilities of the head-driven lexicalised model (Collins 1997, Model 2; details after
// Bikel 2004). A node has a label P, a head word w and its tag t:
//
//   P(expansion) = P_h(H | P,w,t) P_lc(LC | P,H,w,t) P_rc(RC | P,H,w,t)
//                  * prod over modifiers of each side, STOP last:
//                    P_m(M, t_m | context) P_w(w_m | M, t_m, context)
//
// context: P, H, w, t, side, complements still due on that side, whether a verb was passed, and
// the class of the modifier before; inside a base NP only the modifier before (at first the head).
// Every distribution is interpolated from its most special history down:
//   e = l0 e0 + (1 - l0) (l1 e1 + (1 - l1) ...),   l = c / (c + 5u)
// with c the history's count and u the number of its different futures; the last level takes what
// is left. So each sums to one; a floor for words nobody saw with a tag is the exception.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/constituency/generative/event_counts.h"
#include "copse/constituency/generative/events.h"
#include "copse/constituency/generative/labels.h"
#include "copse/constituency/generative/lexicon.h"
#include "copse/constituency/generative/preparation.h"

namespace copse::generative {

struct ModelOptions {
  PreparationOptions preparation;
  LexiconOptions lexicon;
  double diversity = 5;  // the 5 of c / (c + 5u)
  // One more, coarser level under P_m and P_w than Collins has; see history.cc.
  bool extra_levels = true;
};

class GenerativeModel {
 public:
  GenerativeModel() = default;
  // Counts the trees; those that the model cannot generate are left out and counted in skipped().
  GenerativeModel(const std::vector<PreparedTree>& trees, const ModelOptions& options);

  const LabelSet& labels() const { return labels_; }
  const Lexicon& lexicon() const { return lexicon_; }
  const ModelOptions& options() const { return options_; }
  std::size_t skipped() const { return skipped_; }
  std::size_t events() const { return counts_.size(); }

  // Probabilities, not logarithms.
  double head(LabelId parent, WordId word, LabelId tag, LabelId head) const;
  double subcat(Side side, LabelId parent, LabelId head, WordId word, LabelId tag,
                Subcat bag) const;
  double modifier(const ModifierContext& context, Modifier modifier, LabelId tag) const;
  double modifier_word(const ModifierContext& context, Modifier modifier, LabelId tag,
                       WordId future) const;
  double top(LabelId head, LabelId tag) const;
  double top_word(LabelId head, LabelId tag, WordId future) const;
  // For figures of merit: P(label | word, tag) and P(word, tag).
  double label_prior(LabelId label, WordId word, LabelId tag) const;
  double word_prior(WordId future, LabelId tag) const;
  double label_share(LabelId phrase) const { return label_share_[phrase]; }

  // What was seen: labels over a head label, and the bags of complements under (parent, head).
  std::span<const LabelId> parents_of(LabelId head) const { return parents_of_[head]; }
  std::span<const Subcat> bags(Side side, LabelId parent, LabelId head) const;

  // Log probability of a prepared tree by walking it; minus infinity if the model cannot make it.
  double log_probability(const PreparedTree& tree) const;

 private:
  friend class ParserFile;
  class Counter;
  class Scorer;

  double smoothed(std::span<const EventKey> histories, std::uint64_t future) const;
  // The levels above one whose estimate is `last`.
  double interpolate(std::span<const EventKey> histories, std::uint64_t future, double last) const;
  std::size_t frame(Side side, LabelId parent, LabelId head) const {
    const auto labels = static_cast<std::size_t>(labels_.size());
    return ((side == Side::left ? 0 : labels) + parent) * labels + head;
  }

  ModelOptions options_;
  LabelSet labels_;
  Lexicon lexicon_;
  EventCounts counts_;
  std::vector<std::vector<LabelId>> parents_of_;  // by head label, sorted
  std::vector<std::vector<Subcat>> bags_;         // by frame(), sorted
  std::vector<double> label_share_;               // of all phrases
  std::size_t skipped_ = 0;
};

}  // namespace copse::generative
