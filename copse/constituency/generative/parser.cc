#include "copse/constituency/generative/parser.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "copse/base/error.h"
#include "copse/inference/forest_sums.h"
#include "copse/inference/lazy_k_best.h"

namespace copse::generative {
namespace {

constexpr int kPopsPerTree = 20;  // derivations looked at for each distinct tree wanted
constexpr double kWiden = 100;    // of all limits of the search, when no tree was found

// The phrase-structure tree of a derivation, with prepared labels.
PhraseTree derived_tree(const LexicalChart& chart, const Hypergraph& forest, LazyKBest& lists,
                        int rank, const LabelSet& labels, const std::vector<std::string>& words) {
  struct Step {
    int node, rank;  // node -1: close the phrase
  };
  PhraseTreeBuilder builder;
  std::vector<Step> todo{{chart.goal(), rank}};
  while (!todo.empty()) {
    const Step step = todo.back();
    todo.pop_back();
    if (step.node < 0) {
      builder.close();
      continue;
    }
    const RankedDerivation found = *lists.derivation(step.node, step.rank);
    const Hyperedge& edge = forest.edge(found.edge);
    const auto rule = static_cast<ChartRule>(edge.tag);
    const LexicalChart::NodeInfo& info = chart.info(step.node);
    if (rule == ChartRule::seed) builder.leaf(labels.name(info.label), words[info.begin]);
    if (rule == ChartRule::unary || rule == ChartRule::stop) {
      builder.open(labels.name(info.label));
      todo.push_back({-1, 0});
    }
    for (std::size_t p = 2; p-- > 0;) {
      if (edge.tails[p] != Hyperedge::kNone) todo.push_back({edge.tails[p], found.ranks[p]});
    }
  }
  return std::move(builder).finish();
}

// A phrase counts the odds for it, weight * ln(p / (1 - p)). What is the same for all trees of a sentence
// is the sum of weight * ln(1 - p) over all spans and labels; with it no tree has more than 1.
double log_without_phrases(const std::vector<float>& bonus, std::size_t words, double weight) {
  if (words == 0 || !(weight > 0)) return 0;
  const std::size_t phrases = bonus.size() / (words * words);
  double sum = 0;
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t at = (i * words + i) * phrases; at < (i + 1) * words * phrases; ++at) {
      sum -= weight * std::log1p(std::exp(bonus[at] / weight));
    }
  }
  return sum;
}

}  // namespace

struct GenerativeParser::Task {
  const std::vector<std::string>& words;
  const std::vector<std::string>& given_tags;
  const ParseOptions& options;
  std::vector<std::string> tags;  // of tokens that the model does not see
  std::vector<int> tokens;        // those it sees
  std::vector<std::string> kept;  // their words
  std::vector<WordReading> readings;
  std::vector<LabelId> best_tags;  // of all tokens
  std::vector<float> span_bonus;
  double without_phrases = 0;  // log of what the model of spans gives a tree that has none
  DemandedPhrases demands;
  PhraseAnswer result;
};

GenerativeParser GenerativeParser::train(const std::vector<PreparedTree>& trees,
                                         const ModelOptions& options) {
  GenerativeModel model(trees, options);
  CoarseGrammar coarse(trees, model.labels(), model.lexicon());
  RootModel roots;
  if (options.roots) roots = RootModel(trees, model.labels());
  std::optional<SentenceTagger> tagger;
  if (options.tagger.epochs > 0 && SentenceTagger::can_learn(trees)) {
    tagger.emplace(trees, model.labels(), options.tagger);
  }
  SpanModel spans;
  if (options.spans.epochs > 0) {
    spans = SpanModel(trees, model.labels(), model.lexicon(), options.spans);
  }
  return {std::move(model), std::move(coarse), std::move(roots), std::move(tagger),
          std::move(spans)};
}

// Decides which tokens the model sees and what they are.
void GenerativeParser::read_words(Task& task, TagScratch& scratch) const {
  const LabelSet& labels = model_.labels();
  const Lexicon& lexicon = model_.lexicon();
  std::vector<LabelId> usual;
  for (std::size_t i = 0; i < task.words.size(); ++i) {
    LabelId tag = kNoLabel;
    if (i < task.given_tags.size()) tag = labels.tag(task.given_tags[i]);
    usual.push_back(tag != kNoLabel ? tag : lexicon.usual_tag(task.words[i]));
    task.tags.emplace_back(usual[i] == kNoLabel ? "" : labels.name(usual[i]));
    if (usual[i] == kNoLabel || !labels.is_terminator(usual[i])) {
      task.tokens.push_back(static_cast<int>(i));
    }
  }
  const auto raised = [&](int token) {
    const LabelId tag = usual[static_cast<std::size_t>(token)];
    return tag != kNoLabel && labels.is_raised(tag);
  };
  auto& tokens = task.tokens;
  while (!tokens.empty() && raised(tokens.back())) tokens.pop_back();
  const auto first = std::find_if_not(tokens.begin(), tokens.end(), raised);
  tokens.erase(tokens.begin(), first);
  for (const int token : tokens) {
    const auto i = static_cast<std::size_t>(token);
    LabelId tag = kNoLabel;
    if (i < task.given_tags.size()) tag = labels.tag(task.given_tags[i]);
    task.kept.push_back(task.words[i]);
    task.readings.push_back(lexicon.read(task.words[i], token == tokens.front(), tag));
  }
  if (tagger_) {
    tagger_->weigh(task.words, tokens, task.readings, task.best_tags, scratch);
  } else {
    task.best_tags = usual;
  }
  for (std::size_t i = 0; i < task.given_tags.size(); ++i) {
    if (const LabelId tag = labels.tag(task.given_tags[i]); tag != kNoLabel)
      task.best_tags[i] = tag;
  }
  if (spans_.empty()) return;
  const SpanSentence seen(task.words, task.best_tags, labels, lexicon);
  task.span_bonus = spans_.bonus(seen, tokens);
  task.without_phrases =
      log_without_phrases(task.span_bonus, tokens.size(), model_.options().spans.weight);
}

bool GenerativeParser::search(Task& task, double wider, ParserWorkspace& workspace) const {
  const SearchOptions& limits = task.options;
  const double threshold = limits.coarse_threshold / wider;
  if (!workspace.coarse.run(coarse_, task.readings, threshold, task.demands, task.options.stop,
                            task.span_bonus)) {
    return false;
  }
  ChartOptions options;
  options.log_beam = std::log(limits.beam * wider);
  options.most_items = static_cast<std::size_t>(static_cast<double>(limits.most_items) * wider);
  options.max_edges = limits.max_edges;
  options.demands = task.demands;
  options.stop = task.options.stop;
  options.span_bonus = task.span_bonus;
  options.root_bonus = roots_.bonus(task.words, model_.labels().phrases());
  return workspace.chart.run(model_, workspace.coarse, task.readings, options) ==
         LexicalChart::Outcome::parsed;
}

void GenerativeParser::list_trees(Task& task, ParserWorkspace& workspace) const {
  LexicalChart& chart = workspace.chart;
  LazyKBest lists(chart.forest());
  const int wanted = task.options.k;
  const double least = task.options.within > 1
                           ? lists.best_score(chart.goal()) - std::log(task.options.within)
                           : -std::numeric_limits<double>::infinity();
  std::unordered_map<std::string, std::size_t> seen;
  auto& trees = task.result.trees;
  for (int rank = 0; rank < kPopsPerTree * wanted && static_cast<int>(trees.size()) < wanted;
       ++rank) {
    const RankedDerivation* found = lists.derivation(chart.goal(), rank);
    if (found == nullptr || found->score < least) break;
    const double score = found->score + task.without_phrases;
    const PhraseTree derived =
        derived_tree(chart, chart.forest(), lists, rank, model_.labels(), task.kept);
    PhraseTree tree = restore(derived, task.tokens, task.words, task.tags);
    if (wanted > 1) {
      const auto [place, is_new] = seen.emplace(tree.str(), trees.size());
      if (!is_new) {
        double& known = trees[place->second].log_probability;
        if (task.options.sum_duplicates) known += std::log1p(std::exp(score - known));
        continue;
      }
    }
    trees.push_back({score, std::move(tree)});
  }
  if (task.options.sum_duplicates) {
    std::stable_sort(trees.begin(), trees.end(), [](const ScoredTree& a, const ScoredTree& b) {
      return a.log_probability > b.log_probability;
    });
  }
}

namespace {

// The forest with the weights times a factor.
Hypergraph sharpened(const Hypergraph& forest, double sharpness) {
  Hypergraph result;
  for (int node = 0; node < forest.nodes(); ++node) {
    result.add_node();
    for (Hyperedge edge : forest.edges_into(node)) {
      edge.weight *= sharpness;
      result.add_edge(edge);
    }
  }
  return result;
}

// Does an edge put a bracket of the output? An NP over nothing but an NPB is one bracket.
bool makes_bracket(const LexicalChart& chart, int head, const Hyperedge& edge,
                   const LabelSet& labels) {
  const auto rule = static_cast<ChartRule>(edge.tag);
  if (rule == ChartRule::stop) return true;
  if (rule != ChartRule::unary) return false;
  const LabelId child = chart.info(edge.tails[0]).label;
  return !(labels.is_base_noun_phrase(child) && labels.name(chart.info(head).label) == "NP");
}

}  // namespace

// Bracket probabilities by inside and outside sums; and the tree that has the most of them
// (Goodman 1996), by the same forest with other weights: a bracket's share of all derivations less
// what it costs, a tag's share, nothing for all other steps.
void GenerativeParser::weigh_brackets(Task& task, double sharpness,
                                      ParserWorkspace& workspace) const {
  const LexicalChart& chart = workspace.chart;
  const Hypergraph forest = sharpened(chart.forest(), sharpness);
  const LabelSet& labels = model_.labels();
  const ForestSums sums(forest);
  // By the place in a chain as well: else a tree would gain from putting a bracket twice.
  using Key = std::tuple<int, int, std::string_view, int>;  // begin, -end, label, chain
  std::map<Key, double> expected;
  const auto key_of = [&](int node) {
    const LexicalChart::NodeInfo& info = chart.info(node);
    return Key{task.tokens[info.begin], -task.tokens[static_cast<std::size_t>(info.end) - 1] - 1,
               treebank_label(labels.name(info.label)), info.chain};
  };
  for (int node = 0; node < forest.nodes(); ++node) {
    double share = 0;
    for (const Hyperedge& edge : forest.edges_into(node)) {
      if (makes_bracket(chart, node, edge, labels)) share += sums.edge_share(node, edge);
    }
    if (share > 0) expected[key_of(node)] += share;
  }
  if (task.options.brackets) {
    auto& brackets = task.result.brackets;
    for (const auto& [key, share] : expected) {
      const Bracket found{std::string(std::get<2>(key)), std::get<0>(key), -std::get<1>(key),
                          share};
      const bool same = !brackets.empty() && brackets.back().label == found.label &&
                        brackets.back().begin == found.begin && brackets.back().end == found.end;
      if (same) {
        brackets.back().probability += share;
      } else {
        brackets.push_back(found);
      }
    }
  }
  if (!task.options.expected_brackets) return;
  Hypergraph worth;
  for (int node = 0; node < forest.nodes(); ++node) {
    worth.add_node();
    for (Hyperedge edge : forest.edges_into(node)) {
      const double share = sums.edge_share(node, edge);
      if (makes_bracket(chart, node, edge, labels)) {
        edge.weight = expected.find(key_of(node))->second - task.options.bracket_cost;
      } else {
        edge.weight = static_cast<ChartRule>(edge.tag) == ChartRule::seed ? share : 0;
      }
      worth.add_edge(edge);
    }
  }
  LazyKBest lists(worth);
  const PhraseTree derived = derived_tree(chart, worth, lists, 0, labels, task.kept);
  task.result.trees.front().tree = restore(derived, task.tokens, task.words, task.tags);
}

// A word's tag has one node, made by one edge. Tokens that the model does not see have no tags here.
void GenerativeParser::weigh_tags(Task& task, double sharpness,
                                  const ParserWorkspace& workspace) const {
  const LexicalChart& chart = workspace.chart;
  const Hypergraph forest = sharpened(chart.forest(), sharpness);
  const ForestSums sums(forest);
  auto& tags = task.result.tags;
  for (int node = 0; node < forest.nodes(); ++node) {
    for (const Hyperedge& edge : forest.edges_into(node)) {
      if (static_cast<ChartRule>(edge.tag) != ChartRule::seed) continue;
      const LexicalChart::NodeInfo& info = chart.info(node);
      const int word = task.tokens[info.begin];
      tags.push_back({std::string(model_.labels().name(info.label)), word, word + 1,
                      sums.edge_share(node, edge)});
    }
  }
  std::sort(tags.begin(), tags.end(), [](const Bracket& a, const Bracket& b) {
    return std::tie(a.begin, a.label) < std::tie(b.begin, b.label);
  });
}

PhraseTree GenerativeParser::flat_tree(const Task& task) const {
  PhraseTreeBuilder builder;
  builder.open("TOP");
  builder.open("S");
  for (std::size_t i = 0; i < task.words.size(); ++i) {
    std::string_view tag = task.tags[i];
    if (tag.empty()) {
      const WordReading reading = model_.lexicon().read(task.words[i], i == 0);
      tag = model_.labels().name(reading.tags.front().tag);
    }
    builder.leaf(tag, task.words[i]);
  }
  builder.close();
  builder.close();
  return std::move(builder).finish();
}

std::vector<GenerativeParser::Beliefs> GenerativeParser::beliefs_at(
    const WordsToParse& sentence, const SearchOptions& options, std::span<const double> sharpness,
    ParserWorkspace& workspace) const {
  std::vector<Beliefs> all;
  PhraseQuestion question;
  question.brackets = true;
  const ParseOptions parsing{question, options};
  Task task{sentence.words, sentence.tags, parsing, {}, {}, {}, {}, {}, {}, 0, {}, {}};
  if (sentence.words.empty()) return all;
  read_words(task, workspace.tags);
  const bool fits = static_cast<int>(task.tokens.size()) <= options.max_length;
  if (!fits || task.tokens.empty()) return all;
  if (!search(task, 1, workspace)) return all;
  for (const double value : sharpness) {
    task.result = {};
    weigh_brackets(task, value, workspace);
    weigh_tags(task, value, workspace);
    all.push_back({std::move(task.result.brackets), std::move(task.result.tags)});
  }
  return all;
}

PhraseAnswer GenerativeParser::parse(const WordsToParse& sentence, const ParseOptions& options,
                                     ParserWorkspace& workspace) const {
  Task task{sentence.words, sentence.tags, options, {}, {}, {}, {}, {}, {}, 0, {}, {}};
  if (sentence.words.empty()) return {};
  read_words(task, workspace.tags);
  task.demands = DemandedPhrases(options.spans, task.tokens, model_.labels());
  const bool fits = static_cast<int>(task.tokens.size()) <= options.max_length;
  double wider = 1;
  // What is demanded can be improbable, and there is no tree to fall back upon.
  const int attempts = task.demands.empty() ? 3 : 5;
  for (int attempt = 0; fits && !task.tokens.empty() && attempt < attempts; ++attempt) {
    if (search(task, wider, workspace)) {
      list_trees(task, workspace);
      if (options.brackets || options.expected_brackets) {
        weigh_brackets(task, sharpness_.brackets, workspace);
      }
      if (options.brackets) weigh_tags(task, sharpness_.tags, workspace);
      return std::move(task.result);
    }
    wider *= kWiden;
  }
  if (!task.demands.empty()) throw data_error(no_tree_with(options.spans));
  task.result.fallback = true;
  task.result.trees.push_back({kFallbackLogProbability, flat_tree(task)});
  return std::move(task.result);
}

}  // namespace copse::generative
