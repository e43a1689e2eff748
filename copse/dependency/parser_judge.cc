#include "copse/dependency/parser_judge.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>

#include "copse/base/error.h"
#include "copse/base/pool.h"
#include "copse/dependency/calibration.h"

namespace copse {
namespace {

DependencyParseOptions without_limit() {
  DependencyParseOptions options;
  options.most_words = std::numeric_limits<int>::max();
  return options;
}

// answer(i) = ask(sentence, scratch) for all, by whoever is free.
template <class Answer, class Item, class Ask>
std::vector<Answer> ask_all(std::span<Item> items, ThreadTeam& team, Ask&& ask) {
  std::vector<Answer> answers(items.size());
  Pool<DependencyParser::Scratch> scratches;
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    const auto scratch = scratches.take();
    for (std::size_t i = next++; i < items.size(); i = next++) answers[i] = ask(items[i], *scratch);
  });
  return answers;
}

// A sentence taken as far as the search.
struct ScoredSentence {
  DependencyTree gold;
  std::optional<SearchSpace> space;  // none if the parser refused it
  PartScores scores;
};

ScoredSentence score_sentence(const DependencyParser& parser, const Sentence& sentence,
                              DependencyParser::Scratch& scratch) {
  ScoredSentence out{sentence.tree(), std::nullopt, {}};
  if (sentence.words() == 0) return out;
  try {
    out.space = parser.search_space(sentence, without_limit(), scratch);
    parser.score(out.space->index, scratch, out.scores);
  } catch (const Error&) {
    out.space.reset();
  }
  return out;
}

void divide(PartScores& scores, int arcs, double temperature) {
  const auto factor = static_cast<float>(1 / temperature);
  for (float& score : scores.values()) score *= factor;
  for (int a = 0; scores.labels() > 0 && a < arcs; ++a) {
    for (float& score : scores.label_row(a)) score *= factor;
  }
}

double log_loss(const ScoredSentence& sentence, double temperature,
                DependencyParser::Scratch& scratch) {
  if (!sentence.space) return 0;
  const PartIndex& index = sentence.space->index;
  scratch.scores = sentence.scores;
  divide(scratch.scores, index.arcs(), temperature);
  const Marginals found = scratch.search.marginals(sentence.space->kind, index, scratch.scores);
  if (found.status != SearchStatus::ok) return 0;
  double loss = 0;
  for (int m = 1; m <= index.words(); ++m) {
    const int h = sentence.gold.head(m);
    const int a = h < 0 ? PartIndex::kNone : index.find_arc(h, m);
    if (a != PartIndex::kNone) loss -= std::log(std::max(1e-9, found.mu[index.dep(a)]));
  }
  return loss;
}

CalibrationError error_of(const DependencyParser& parser, const Sentence& sentence,
                          double temperature, DependencyParser::Scratch& scratch) {
  CalibrationError error;
  ScoredSentence own = score_sentence(parser, sentence, scratch);
  if (!own.space) return error;
  const auto& [kind, mask, index, degraded] = *own.space;
  const BestTree best = scratch.search.best(kind, index, own.scores);
  divide(own.scores, index.arcs(), temperature);
  const Marginals found = scratch.search.marginals(kind, index, own.scores);
  if (best.status != SearchStatus::ok || found.status != SearchStatus::ok) return error;
  for (int m = 1; m <= index.words(); ++m) {
    const int h = best.tree.heads[static_cast<std::size_t>(m)];
    error.add(found.mu[index.dep(index.find_arc(h, m))], own.gold.head(m) == h);
  }
  return error;
}

// Every other sentence, beginning with number `first`, and of those every stride-th.
std::vector<const Sentence*> half_of(std::span<const Sentence> gold, std::size_t first,
                                     std::size_t most) {
  const std::size_t stride = 2 * (gold.size() / (2 * most) + 1);
  std::vector<const Sentence*> out;
  for (std::size_t i = first; i < gold.size(); i += stride) out.push_back(&gold[i]);
  return out;
}

}  // namespace

DependencyScores compare_trees(const DependencyTree& gold, const DependencyTree& found,
                               bool labelled) {
  DependencyScores scores;
  for (int m = 1; m <= gold.words(); ++m) {
    const bool head = gold.head(m) == found.head(m);
    ++scores.words;
    scores.heads += head ? 1 : 0;
    scores.labels += head && (!labelled || gold.label(m) == found.label(m)) ? 1 : 0;
  }
  return scores;
}

DependencyScores judge_parser(const DependencyParser& parser, std::span<const Sentence> gold,
                              ThreadTeam& team) {
  const bool labelled = !parser.labels().empty();
  const auto judge = [&](const Sentence& sentence, DependencyParser::Scratch& scratch) {
    const DependencyTree tree = sentence.tree();
    try {
      const Parse parse = parser.parse(sentence, without_limit(), scratch);
      return compare_trees(tree, parser.tree_of(parse.trees.front()), labelled);
    } catch (const Error&) {
      return DependencyScores{static_cast<std::size_t>(sentence.words()), 0, 0};
    }
  };
  DependencyScores sum;
  for (const auto& each : ask_all<DependencyScores>(gold, team, judge)) sum.add(each);
  return sum;
}

Calibration calibrate(const DependencyParser& parser, std::span<const Sentence> gold,
                      ThreadTeam& team) {
  constexpr std::size_t kMostToFit = 400;
  const std::vector<const Sentence*> fit = half_of(gold, 0, kMostToFit);
  const std::vector<const Sentence*> rest = half_of(gold, 1, gold.size() + 1);
  const auto sentences =
      ask_all<ScoredSentence>(std::span(fit), team, [&](const Sentence* sentence, auto& scratch) {
        return score_sentence(parser, *sentence, scratch);
      });
  Calibration out;
  out.temperature = best_temperature([&](double temperature) {
    const auto loss = [&](const ScoredSentence& each, DependencyParser::Scratch& scratch) {
      return log_loss(each, temperature, scratch);
    };
    double sum = 0;
    for (const double each : ask_all<double>(std::span(sentences), team, loss)) sum += each;
    return sum;
  });
  CalibrationError error;
  const auto judge = [&](const Sentence* sentence, DependencyParser::Scratch& scratch) {
    return error_of(parser, *sentence, out.temperature, scratch);
  };
  for (const auto& each : ask_all<CalibrationError>(std::span(rest), team, judge)) error.add(each);
  out.error = error.value();
  return out;
}

}  // namespace copse
