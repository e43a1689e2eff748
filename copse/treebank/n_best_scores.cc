#include "copse/treebank/n_best_scores.h"

#include <fmt/core.h>

#include <limits>

namespace copse {
namespace {

EvalbSentence score(const std::string& gold, const std::string& parse) {
  EvalbOptions options;
  options.parameters.max_errors = std::numeric_limits<int>::max() - 2;
  return evaluate_constituency(gold + "\n", parse + "\n", options).sentences.at(0);
}

double f1(const EvalbSentence& sentence) {
  const int all = sentence.gold + sentence.system;
  return all == 0 ? 1 : 2.0 * sentence.matched / all;
}

}  // namespace

void NBestScores::add(NBestList& list, const std::string& gold) {
  ++lists_;
  parses_ += list.parses.size();
  EvalbSentence first = score(gold, list.parses.empty() ? "" : list.parses[0].tree.str());
  EvalbSentence best = first;
  int oracle = 0;
  for (std::size_t i = 1; i < list.parses.size(); ++i) {
    const EvalbSentence other = score(gold, list.parses[i].tree.str());
    if (other.status == EvalbStatus::valid &&
        (best.status != EvalbStatus::valid || f1(other) > f1(best))) {
      best = other;
      oracle = static_cast<int>(i);
    }
  }
  if (!list.parses.empty()) list.oracle = oracle;
  baseline_.add(first);
  oracle_.add(best);
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
