#include "copse/dependency/use_threshold.h"

#include <array>

#include "copse/dependency/parser_judge.h"

namespace copse {
namespace {

// Strictest first. What is lost does not grow evenly: a less strict one may lose more.
constexpr std::array kThresholds{0.06, 0.04, 0.03, 0.02, 0.015, 0.01, 0.005};
// Right arcs that may be lost: one of so many words.
constexpr std::size_t kWordsForOne = 2000;

}  // namespace

double choose_use_threshold(const DependencyParser& parser, std::span<const Sentence> gold,
                            ThreadTeam& team) {
  const double own = parser.parts().pruner.threshold();
  std::vector<Sentence> chosen;
  for (std::size_t i = 1; i < gold.size(); i += 2) chosen.push_back(gold[i]);
  if (own <= 0 || chosen.empty()) return own;
  DependencyParser stricter = parser;
  const DependencyScores before = judge_parser(stricter, chosen, team);
  const std::size_t allowed = before.words / kWordsForOne;
  for (const double threshold : kThresholds) {
    if (threshold <= own) break;
    stricter.set_prune_threshold(threshold);
    const DependencyScores scores = judge_parser(stricter, chosen, team);
    if (scores.heads + allowed >= before.heads && scores.labels + allowed >= before.labels) {
      return threshold;
    }
  }
  return own;
}

}  // namespace copse
