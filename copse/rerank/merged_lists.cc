#include "copse/rerank/merged_lists.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/pool.h"
#include "copse/base/stream.h"
#include "copse/constituency/history/parser_file.h"
#include "copse/constituency/history/tree_scores.h"
#include "copse/constituency/phrase_parser.h"
#include "copse/treebank/tree_candidates.h"

namespace copse {
namespace {

constexpr double kFurthest = -50;  // also of flat trees that stand for "no parse found"
constexpr std::array kSteps = {20.0, 15.0, 10.0, 8.0, 6.0, 5.0, 4.0, 3.0, 2.5,
                               2.0,  1.5,  1.0,  .75, .5,  .25, .1,  1e-9};

using Scores = std::vector<std::optional<double>>;

// d of the header, from ln P.
std::vector<double> distances(const Scores& scores) {
  double best = -INFINITY, worst = INFINITY;
  for (const auto& score : scores) {
    if (!score) continue;
    best = std::max(best, *score);
    worst = std::min(worst, *score);
  }
  std::vector<double> out;
  for (const auto& score : scores) {
    const double d = best == -INFINITY ? 0 : (score ? *score : worst - 1) - best;
    out.push_back(std::max(d, kFurthest));
  }
  return out;
}

// The trees of all lists, each once, and ln P of those that a list has.
struct Union {
  std::vector<PhraseTree> trees;
  std::vector<Scores> scores;  // by list
};

void check_words(const PhraseTree& first, const PhraseTree& other, const std::string& id) {
  bool same = first.words() == other.words();
  for (int i = 0; same && i < first.words(); ++i) same = first.word_at(i) == other.word_at(i);
  if (!same) {
    throw data_error(fmt::format("list {}: the trees that are merged have different words", id), {},
                     "expected lists of the same sentences in the same order");
  }
}

Union unite(std::span<const NBestList> lists) {
  Union out;
  std::unordered_map<std::string, std::size_t> numbers;
  for (const NBestList& list : lists) {
    Scores& scores = out.scores.emplace_back();
    for (const ScoredTree& parse : list.parses) {
      const auto [at, is_new] = numbers.emplace(parse.tree.str(), out.trees.size());
      if (is_new) {
        if (!out.trees.empty()) check_words(out.trees[0], parse.tree, list.id);
        out.trees.push_back(parse.tree);
      }
      scores.resize(std::max(scores.size(), at->second + 1));
      if (!scores[at->second]) scores[at->second] = parse.log_probability;
    }
  }
  for (Scores& scores : out.scores) scores.resize(out.trees.size());
  return out;
}

}  // namespace

TreeScores tree_scores(const ModelFile& model) {
  model.require_kind(kConstituencyKind);
  if (model.config().value("model", "") != history::kModelName) {
    throw usage_error("the model in " + model.name() + " does not score trees that are given",
                      "expected a history parser");
  }
  const auto parser = std::make_shared<const history::HistoryParser>(history::read_parser(model));
  const auto passes = std::make_shared<Pool<DecisionPass<float>>>();
  return [parser, passes](std::span<const PhraseTree* const> trees) {
    return history::log_probabilities(*parser, trees, *passes->take());
  };
}

Candidates merge_lists(std::span<const NBestList> lists, std::span<const MergedSource> sources) {
  Union all = unite(lists);
  Candidates out;
  out.id = lists.front().id;
  out.items.resize(all.trees.size());
  std::vector<const PhraseTree*> trees;
  for (const PhraseTree& tree : all.trees) trees.push_back(&tree);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const auto from = static_cast<std::uint32_t>(out.names.size()), near = from + 1;
    out.names.push_back(fmt::format("from-{}", s + 1));
    out.names.push_back(fmt::format("near-{}", s + 1));
    const std::vector<double> d =
        distances(sources[s].scores ? sources[s].scores(trees) : all.scores[s]);
    for (std::size_t i = 0; i < d.size(); ++i) {
      Candidate& candidate = out.items[i];
      candidate.log_probability += sources[s].weight * d[i];
      if (all.scores[s][i]) candidate.features.push_back({from, 1});
      const auto steps = std::ranges::count_if(kSteps, [&](double step) { return -d[i] <= step; });
      if (steps > 0) candidate.features.push_back({near, static_cast<double>(steps)});
    }
  }
  for (std::size_t i = 0; i < all.trees.size(); ++i) out.items[i].tree = std::move(all.trees[i]);
  return out;
}

void merge_files(std::span<const MergedSource> sources, int threads,
                 const std::function<void(const std::string&)>& take) {
  std::vector<std::optional<NBestReader>> readers;
  for (const MergedSource& each : sources) {
    readers.emplace_back();
    if (!each.lists.empty()) readers.back().emplace(Input::open(each.lists));
  }
  const auto next = [&]() -> std::optional<std::vector<NBestList>> {
    std::vector<NBestList> lists(sources.size());
    bool some = false, ended = false;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      if (!readers[s]) continue;
      auto list = readers[s]->next();
      (list ? some : ended) = true;
      if (list) lists[s] = std::move(*list);
    }
    if (some && ended) {
      throw data_error("the files that are merged have different numbers of lists", {},
                       "expected lists of the same sentences in the same order");
    }
    if (!some) return std::nullopt;
    return lists;
  };
  take(std::string(kHoldsTrees) + "\n");
  stream_in_order<std::vector<NBestList>, std::string>(
      threads, next,
      [&](std::vector<NBestList>&& lists) {
        std::string text;
        append_candidates(merge_lists(lists, sources), text);
        return text;
      },
      [&](std::string&& text) { take(text); });
}

}  // namespace copse
