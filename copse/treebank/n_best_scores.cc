#include "copse/treebank/n_best_scores.h"

#include <fmt/core.h>

#include "copse/treebank/ptb.h"

namespace copse {

double f1_of(const EvalbSentence& sentence) {
  const int all = sentence.gold + sentence.system;
  return all == 0 ? 1 : 2.0 * sentence.matched / all;
}

void NBestScores::add(NBestList& list, const PhraseTree& gold) {
  ++lists_;
  parses_ += list.parses.size();
  const TreeScorer scorer(gold, classes_);
  const EvalbSentence first =
      scorer.score(list.parses.empty() ? PhraseTree() : list.parses[0].tree);
  EvalbSentence best = first;
  int oracle = 0;
  for (std::size_t i = 1; i < list.parses.size(); ++i) {
    const EvalbSentence other = scorer.score(list.parses[i].tree);
    if (other.status == EvalbStatus::valid &&
        (best.status != EvalbStatus::valid || f1_of(other) > f1_of(best))) {
      best = other;
      oracle = static_cast<int>(i);
    }
  }
  if (!list.parses.empty()) list.oracle = oracle;
  baseline_.add(first);
  oracle_.add(best);
}

void NBestScores::add(NBestList& list, const std::string& gold_line) {
  Block block;
  block.bytes = gold_line;
  Parsed parsed = make_ptb_reader({})->parse(block);
  if (!parsed.items.empty() && parsed.items[0].error) throw Error(*parsed.items[0].error);
  add(list, parsed.items.empty() ? PhraseTree() : parsed.items[0].entry.tree);
}

double NBestScores::average_size() const {
  return lists_ == 0 ? 0 : static_cast<double>(parses_) / static_cast<double>(lists_);
}

std::string NBestScores::str() const {
  return fmt::format(
      "{} lists of {:.1f} parses; F1 {:.2f} of the first, {:.2f} of the best ({:+.2f})", lists_,
      average_size(), baseline_.f1(), oracle_.f1(), oracle_.f1() - baseline_.f1());
}

}  // namespace copse
