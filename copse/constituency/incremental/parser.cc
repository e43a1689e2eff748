#include "copse/constituency/incremental/parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "copse/base/error.h"
#include "copse/constituency/tagged_trees.h"
#include "copse/treebank/left_corner.h"

namespace copse::incremental {
namespace {

constexpr double kFlatScore = -1e4;  // of trees that no hypothesis stands behind
constexpr std::size_t kLongest = NodeContext::kNone - 1;

void check(const PhraseQuestion& question) {
  if (question.brackets || question.expected_brackets) {
    throw usage_error("the incremental parser has no probabilities of brackets",
                      "probabilities of brackets need a generative model");
  }
}

double log_sum(std::span<const Hypothesis> beam, double sharpness) {
  double sum = 0;
  for (const Hypothesis& each : beam) {
    sum += std::exp(sharpness * (each.score.total - beam[0].score.total));
  }
  return sharpness * beam[0].score.total + std::log(sum);
}

}  // namespace

double prefix_log_probability(std::span<const Hypothesis> beam) {
  double most = beam[0].score.log_probability;
  for (const Hypothesis& each : beam) most = std::max(most, each.score.log_probability);
  double sum = 0;
  for (const Hypothesis& each : beam) sum += std::exp(each.score.log_probability - most);
  return most + std::log(sum);
}

PhraseTree tree_of(const Grammar& grammar, const Hypothesis& last,
                   std::span<const std::string> words) {
  std::vector<Move> moves;
  for (const Hypothesis* h : Search<FrozenWeights>::path(last)) {
    if (h->move.chain >= 0) moves.push_back(h->move);
  }
  return undo_left_corner_transform(grammar.tree_of(moves, words.first(moves.size())));
}

void Surprisals::take(std::string_view word, std::span<const Hypothesis> beam, ParseStep& step) {
  if (!parts_.companion) return;
  if (!word.empty()) spelling_ += parts_.companion->spelling(word, parts_.lexicon);
  const double now = prefix_log_probability(beam) + spelling_;
  step.log_probability = now;
  step.surprisal = before_ - now;
  before_ = now;
}

IncrementalParser::IncrementalParser(Parts parts)
    : parts_(std::move(parts)),
      bytes_(std::as_bytes(std::span(parts_.weights))),
      weights_(FrozenWeights::view(bytes_.bytes())) {
  if (weights_.labels() != parts_.grammar->labels()) throw data_error("has other labels");
}

std::vector<std::string> IncrementalParser::tags_of(const WordsToParse& sentence,
                                                    TagScratch& scratch) const {
  return tags_to_parse(parts_.tagger, sentence, scratch);
}

std::vector<TagCandidates> IncrementalParser::candidates_of(const WordsToParse& sentence,
                                                            const SearchOptions& search,
                                                            TagScratch& scratch) const {
  const TagsToParse question(parts_.tagger, sentence);
  const std::vector<Label> chosen = parts_.tagger.tag(question.input(), scratch);
  const double share = search.tag_share.value_or(parts_.options.tagging.share);
  return tag_candidates(parts_.tagger, question.input(), chosen, share, scratch);
}

ScoringModel<FrozenWeights> IncrementalParser::scoring(const SearchOptions& search) const {
  const double weight = search.generative_weight.value_or(parts_.options.generative_weight);
  return {parts_.grammar.get(),   parts_.heads.get(),
          &parts_.features,       &weights_,
          parts_.companion.get(), weight};
}

PhraseAnswer IncrementalParser::parse(const WordsToParse& sentence, const PhraseQuestion& question,
                                      const SearchOptions& options, Workspace& workspace) const {
  check(question);
  PhraseAnswer answer;
  if (sentence.words.empty()) return answer;
  const std::vector<TagCandidates> candidates = candidates_of(sentence, options, workspace.tags);
  std::vector<std::string> tags;
  for (const TagCandidates& each : candidates) tags.push_back(each.front().tag);
  if (sentence.words.size() > kLongest) {
    answer.trees.push_back({kFlatScore, flat_tree(tags, sentence.words)});
    answer.fallback = true;
    answer.note = fmt::format("longer than {} words", kLongest);
    return answer;
  }
  const WordViews views(sentence.words, tags, parts_.lexicon);
  workspace.words.fill(views.words(), clusters());
  SearchOptions search = options;
  search.beam = std::max(options.beam, question.k);
  search.merge = options.merge && question.k == 1 && !question.steps;
  workspace.search.start(scoring(search), workspace.words, search);
  Surprisals surprisals(parts_);
  const auto take_step = [&](std::string_view word) {
    if (!question.steps) return;
    const auto beam = workspace.search.beam();
    ParseStep& step = answer.steps.emplace_back();
    step.tree = tree_of(*parts_.grammar, beam[0], sentence.words);
    surprisals.take(word, beam, step);
  };
  for (std::size_t i = 0; i < tags.size(); ++i) {
    workspace.search.advance(
        readings_of(candidates[i], *parts_.grammar, parts_.options.tagging.weight));
    take_step(sentence.words[i]);
  }
  workspace.search.finish();
  take_step("");
  const std::span<const Hypothesis> beam = workspace.search.beam();
  const double all = log_sum(beam, parts_.options.sharpness);
  std::set<std::string> seen;
  for (const Hypothesis& each : beam) {
    if (static_cast<int>(answer.trees.size()) == question.k) break;
    const double log_probability = parts_.options.sharpness * each.score.total - all;
    if (question.within > 1 && !answer.trees.empty() &&
        log_probability < answer.trees.front().log_probability - std::log(question.within)) {
      break;
    }
    PhraseTree tree = tree_of(*parts_.grammar, each, sentence.words);
    if (question.k > 1 && !seen.insert(tree.str()).second) continue;
    answer.trees.push_back({log_probability, std::move(tree)});
  }
  if (workspace.search.relaxed() > 0) {
    answer.note =
        fmt::format("relaxed: {} of its steps are new to the grammar", workspace.search.relaxed());
  }
  return answer;
}

}  // namespace copse::incremental
