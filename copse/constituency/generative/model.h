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

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "copse/constituency/generative/event_counts.h"
#include "copse/constituency/generative/events.h"
#include "copse/constituency/generative/history.h"
#include "copse/constituency/generative/labels.h"
#include "copse/constituency/generative/lexicon.h"
#include "copse/constituency/generative/preparation.h"
#include "copse/constituency/generative/sentence_tagger.h"
#include "copse/constituency/generative/span_model.h"

namespace copse::generative {

struct ModelOptions {
  PreparationOptions preparation;
  LexiconOptions lexicon;
  SentenceTaggerOptions tagger;
  SpanModelOptions spans;
  bool roots = true;     // a model of the root's label by the whole sentence
  double diversity = 5;  // the 5 of c / (c + 5u)
  // Coarser levels under P_m and P_w than Collins has; see history.h.
  bool extra_levels = true;
  // Histories seen less often are left to the coarser levels below them, which makes the model
  // smaller; distributions still sum to one.
  int least_history = 1;
};

// One level of a smoothed distribution, with all that does not depend on the future looked up.
struct SmoothingLevel {
  EventKey history = 0;
  double trust = 0;      // weight of this level against those below
  double per_count = 0;  // trust / count
};

// P_m and P_w in one context, ready to be asked for many modifiers.
struct ModifierChoice {
  std::array<SmoothingLevel, Histories::kMost> levels;  // those seen, most special first
  std::size_t size = 0;
  EventKey label = 0;    // P(M | P side prev subcat)
  double per_label = 0;  // 1 / its count; 0: the last of `levels` takes what is left
  Histories word;
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
  ModifierChoice choice(const ModifierContext& context) const;
  double modifier(const ModifierChoice& choice, Modifier modifier, LabelId tag) const;
  double modifier_word(const ModifierChoice& choice, Modifier modifier, LabelId tag,
                       WordId future) const;
  double modifier(const ModifierContext& context, Modifier modifier, LabelId tag) const {
    return this->modifier(choice(context), modifier, tag);
  }
  double modifier_word(const ModifierContext& context, Modifier modifier, LabelId tag,
                       WordId future) const {
    return modifier_word(choice(context), modifier, tag, future);
  }
  double top(LabelId head, LabelId tag) const;
  double top_word(LabelId head, LabelId tag, WordId future) const;
  // For figures of merit: P(label | word, tag) and P(word, tag).
  double label_prior(LabelId label, WordId word, LabelId tag) const;
  double word_prior(WordId future, LabelId tag) const;
  double label_share(LabelId phrase) const { return label_share_[phrase]; }

  // What the probabilities are made of (event_shares.h): the counts, and what a level of a distribution
  // weighs against those below it.
  const EventCounts& counts() const { return counts_; }
  double trust(const EventCounts::Entry& history) const {
    return history.count / (history.count + options_.diversity * history.futures);
  }

  // What was seen: labels over a head label, and the bags of complements under (parent, head).
  std::span<const LabelId> parents_of(LabelId head) const { return parents_of_[head]; }
  std::span<const Subcat> bags(Side side, LabelId parent, LabelId head) const;

  // Log probability of a prepared tree by walking it; minus infinity if the model cannot make it.
  double log_probability(const PreparedTree& tree) const;

 private:
  friend class ParserFile;
  class Counter;
  class Scorer;

  // Counts the trees; with `all`, a count of the same trees, only histories that are not too rare there.
  void count(const std::vector<PreparedTree>& trees, const EventCounts* all);

  double smoothed(std::span<const EventKey> histories, std::uint64_t future) const;
  // The levels above one whose estimate is `last`.
  double interpolate(std::span<const EventKey> histories, std::uint64_t future, double last) const;
  std::uint64_t frame(Side side, LabelId parent, LabelId head) const {
    const auto labels = static_cast<std::uint64_t>(labels_.size());
    return ((side == Side::left ? 0 : labels) + parent) * labels + head;
  }

  ModelOptions options_;
  LabelSet labels_;
  Lexicon lexicon_;
  EventCounts counts_;
  std::vector<std::vector<LabelId>> parents_of_;  // by head label, sorted
  // By frame(), those seen (of all pairs of labels few are); each sorted.
  std::unordered_map<std::uint64_t, std::vector<Subcat>> bags_;
  std::vector<double> label_share_;  // of all phrases
  std::size_t skipped_ = 0;
};

}  // namespace copse::generative
