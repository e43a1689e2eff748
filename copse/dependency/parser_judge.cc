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
  std::vector<int> labels;           // of gold as numbers; -1: none that the parser knows
  std::optional<SearchSpace> space;  // none if the parser refused it
  PartScores scores;
  ParsedTree best;  // of these scores
  bool right;       // is it gold, labels and all?
};

// Whether a tree has all heads and labels of gold.
bool is_whole(const DependencyParser& parser, const DependencyTree& gold, const ParsedTree& found) {
  const DependencyScores scores =
      compare_trees(gold, parser.tree_of(found), !parser.labels().empty());
  return scores.labels == scores.words;
}

ScoredSentence score_sentence(const DependencyParser& parser, const Sentence& sentence,
                              DependencyParser::Scratch& scratch) {
  ScoredSentence out{sentence.tree(), {-1}, std::nullopt, {}, {}, false};
  if (sentence.words() == 0) return out;
  const std::vector<std::string>& labels = parser.labels();
  for (int m = 1; m <= sentence.words(); ++m) {
    const auto found = std::find(labels.begin(), labels.end(), sentence.deprel(m));
    out.labels.push_back(found == labels.end() ? -1 : static_cast<int>(found - labels.begin()));
  }
  try {
    out.space = parser.search_space(sentence, without_limit(), scratch);
    parser.score(out.space->index, scratch, out.scores);
    BestTree best = scratch.search.best(out.space->kind, out.space->index, out.scores);
    if (best.status != SearchStatus::ok) throw data_error("no tree");
    out.best.heads = std::move(best.tree.heads);
    out.best.labels = std::move(best.tree.labels);
    out.right = is_whole(parser, out.gold, out.best);
  } catch (const Error&) {
    out.space.reset();
  }
  return out;
}

// Calls visit(arc, label or -1) for the right arcs that can be found.
template <class Visit>
void for_each_right_arc(const ScoredSentence& sentence, Visit&& visit) {
  const PartIndex& index = sentence.space->index;
  for (int m = 1; m <= index.words(); ++m) {
    const int h = sentence.gold.head(m);
    const int a = h < 0 ? PartIndex::kNone : index.find_arc(h, m);
    if (a != PartIndex::kNone) visit(a, sentence.labels[static_cast<std::size_t>(m)]);
  }
}

double arc_loss(const ScoredSentence& sentence, double temperature,
                DependencyParser::Scratch& scratch) {
  if (!sentence.space) return 0;
  const PartIndex& index = sentence.space->index;
  scratch.scores = sentence.scores;
  divide_scores(index, temperature, scratch.scores);
  const auto found = scratch.search.marginals(sentence.space->kind, index, scratch.scores);
  if (found.status != SearchStatus::ok) return 0;
  double loss = 0;
  for_each_right_arc(sentence,
                     [&](int a, int) { loss -= std::log(std::max(1e-9, found.mu[index.dep(a)])); });
  return loss;
}

double label_loss(const ScoredSentence& sentence, double temperature) {
  if (!sentence.space) return 0;
  double loss = 0;
  for_each_right_arc(sentence, [&](int a, int label) {
    if (label >= 0) {
      loss -= log_label_probability(sentence.scores.label_row(a), label, temperature);
    }
  });
  return loss;
}

// Of what is said about the best tree: that it is right, with its probability.
double tree_loss(const ScoredSentence& sentence, const Calibration& found, double factor,
                 DependencyParser::Scratch& scratch) {
  if (!sentence.space) return 0;
  const PartIndex& index = sentence.space->index;
  scratch.scores = sentence.scores;
  divide_scores(index, found.temperature * factor, scratch.scores);
  const auto sums = scratch.search.marginals(sentence.space->kind, index, scratch.scores);
  if (sums.status != SearchStatus::ok) return 0;
  const double log_p = log_tree_probability(index, scratch.scores, sums.log_z, sentence.best,
                                            found.label_temperature / found.temperature);
  constexpr double kLeast = 1e-6;
  const double p = std::clamp(std::exp(log_p), kLeast, 1 - kLeast);
  return -std::log(sentence.right ? p : 1 - p);
}

struct CalibrationErrors {
  CalibrationError arcs, trees;
};

CalibrationErrors errors_of(const DependencyParser& parser, const Sentence& sentence,
                            DependencyParser::Scratch& scratch) {
  CalibrationErrors errors;
  if (sentence.words() == 0) return errors;
  DependencyParseOptions options = without_limit();
  options.marginals = true;
  try {
    const Parse parse = parser.parse(sentence, options, scratch);
    const ParsedTree& best = parse.trees.front();
    for (int m = 1; m <= sentence.words(); ++m) {
      const auto at = static_cast<std::size_t>(m);
      errors.arcs.add(best.arc_probability[at], sentence.head(m) == best.heads[at]);
    }
    errors.trees.add(best.probability, is_whole(parser, sentence.tree(), best));
  } catch (const Error&) {
    return {};
  }
  return errors;
}

DependencyParser with_calibration(const DependencyParser& parser, const Calibration& found) {
  DependencyParser::Parts parts = parser.parts();
  parts.temperature = found.temperature;
  parts.label_temperature = found.label_temperature;
  parts.tree_temperature = found.tree_temperature;
  parts.tree_odds = found.tree_odds;
  return DependencyParser(std::move(parts));
}

// Every other sentence, beginning with number `first`, and of those every stride-th.
std::vector<const Sentence*> half_of(std::span<const Sentence> gold, std::size_t first,
                                     std::size_t most) {
  const std::size_t stride = 2 * (gold.size() / (2 * most) + 1);
  std::vector<const Sentence*> out;
  for (std::size_t i = first; i < gold.size(); i += stride) out.push_back(&gold[i]);
  return out;
}

// What a parser whose odds are not moved says of its best trees, of the half that is fitted to.
std::vector<JudgedTree> judged_trees(const DependencyParser& parser, std::span<const Sentence> gold,
                                     ThreadTeam& team) {
  constexpr std::size_t kMostToFit = 2000;
  const std::vector<const Sentence*> fit = half_of(gold, 0, kMostToFit);
  const auto judge = [&](const Sentence* sentence,
                         DependencyParser::Scratch& scratch) -> std::optional<JudgedTree> {
    if (sentence->words() == 0) return std::nullopt;
    DependencyParseOptions options = without_limit();
    options.marginals = true;
    try {
      const ParsedTree best = parser.parse(*sentence, options, scratch).trees.front();
      return JudgedTree{std::log(best.probability), is_whole(parser, sentence->tree(), best)};
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  std::vector<JudgedTree> out;
  for (const auto& each : ask_all<std::optional<JudgedTree>>(std::span(fit), team, judge)) {
    if (each) out.push_back(*each);
  }
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

std::vector<DependencyScores> judge_sentences(const DependencyParser& parser,
                                              std::span<const Sentence> gold, ThreadTeam& team) {
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
  return ask_all<DependencyScores>(gold, team, judge);
}

DependencyScores judge_parser(const DependencyParser& parser, std::span<const Sentence> gold,
                              ThreadTeam& team) {
  DependencyScores sum;
  for (const auto& each : judge_sentences(parser, gold, team)) sum.add(each);
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
  const auto sum = [&](auto&& ask) {
    double all = 0;
    for (const double each : ask_all<double>(std::span(sentences), team, ask)) all += each;
    return all;
  };
  Calibration out;
  out.temperature = best_temperature([&](double temperature) {
    return sum([&](const ScoredSentence& each, DependencyParser::Scratch& scratch) {
      return arc_loss(each, temperature, scratch);
    });
  });
  out.label_temperature = out.temperature;
  if (!parser.labels().empty()) {
    out.label_temperature = best_temperature([&](double temperature) {
      return sum([&](const ScoredSentence& each, DependencyParser::Scratch&) {
        return label_loss(each, temperature);
      });
    });
  }
  constexpr double kFarthest = 4;  // few sentences are wholly right: no extremes
  out.tree_temperature = best_temperature(
      [&](double factor) {
        return sum([&](const ScoredSentence& each, DependencyParser::Scratch& scratch) {
          return tree_loss(each, out, factor, scratch);
        });
      },
      1 / kFarthest, kFarthest);
  out.tree_odds = fit_tree_odds(judged_trees(with_calibration(parser, out), gold, team));
  const DependencyParser calibrated = with_calibration(parser, out);
  CalibrationErrors errors;
  const auto judge = [&](const Sentence* sentence, DependencyParser::Scratch& scratch) {
    return errors_of(calibrated, *sentence, scratch);
  };
  for (const auto& each : ask_all<CalibrationErrors>(std::span(rest), team, judge)) {
    errors.arcs.add(each.arcs);
    errors.trees.add(each.trees);
  }
  out.error = errors.arcs.value();
  out.tree_error = errors.trees.value();
  return out;
}

}  // namespace copse
