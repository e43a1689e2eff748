#include "copse/dependency/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <tuple>

#include "copse/base/error.h"
#include "copse/inference/tree_parts.h"

namespace copse {
namespace {

std::string status_text(SearchStatus status, const std::string& culprit) {
  switch (status) {
    case SearchStatus::no_tree:
      return "the sentence has no tree under its constraints";
    case SearchStatus::bad_score:
      return fmt::format("the model gives {} a score that is no number", culprit);
    default:
      return "the sentence is too long for the memory limit";
  }
}

double log_sum(std::span<const float> values, double factor) {
  const double most = factor * *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const float value : values) sum += std::exp(factor * value - most);
  return most + std::log(sum);
}

// The sum over the parts of a tree, whatever its labels: each arc has those of all labels.
double log_weight(const PartIndex& index, const PartScores& scores, const ParsedTree& tree) {
  std::vector<PartIndex::Id> parts;
  append_parts_of_tree(index, tree.heads, parts);
  double sum = 0;
  for (const PartIndex::Id part : parts) sum += scores[part];
  for (std::size_t m = 1; m < tree.labels.size(); ++m) {
    const int a = index.find_arc(tree.heads[m], static_cast<int>(m));
    sum += log_sum(scores.label_row(a), 1);
  }
  return sum;
}

// Beyond so many words only arcs up to some length are looked at: the features of all others, and of
// the words between, would take most of the time.
constexpr int kLongestDense = 600;
constexpr int kLongestNear = 100;

ArcMask near_arcs(int n) {
  ArcMask mask = ArcMask::none(n);
  for (int m = 1; m <= n; ++m) {
    mask.allow(0, m);
    const int last = std::min(n, m + kLongestNear);
    for (int h = std::max(1, m - kLongestNear); h <= last; ++h) {
      if (h != m) mask.allow(h, m);
    }
  }
  return mask;
}

// CPU time of this thread: the clock on the wall also counts what others do meanwhile.
double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<ArcProbability> arc_probabilities(const PartIndex& index, const Marginals& found) {
  std::vector<ArcProbability> arcs;
  arcs.reserve(static_cast<std::size_t>(index.arcs()));
  for (int a = 0; a < index.arcs(); ++a) {
    arcs.push_back({index.arc(a).h, index.arc(a).m, found.mu[index.dep(a)]});
  }
  std::ranges::sort(arcs, [](const ArcProbability& x, const ArcProbability& y) {
    return std::tuple(x.word, -x.probability, x.head) < std::tuple(y.word, -y.probability, y.head);
  });
  return arcs;
}

// As long as it lives, whatever scores and searches in the scratch asks the stop.
class Asking {
 public:
  Asking(const Stop& stop, DependencyParser::Scratch& scratch) : scratch_(scratch) { set(stop); }
  ~Asking() { set(Stop()); }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  void set(const Stop& stop) {
    scratch_.search.set_stop(stop);
    scratch_.scorer.stop = stop;
    scratch_.pruner.search.set_stop(stop);
    scratch_.pruner.scorer.stop = stop;
  }

  DependencyParser::Scratch& scratch_;
};

void require_ok(SearchStatus status, const std::string& culprit) {
  if (status != SearchStatus::ok) throw data_error(status_text(status, culprit));
}

}  // namespace

void require_search(const TreeKind& kind) {
  if (kind.is_dual() && kind.order == Factorisation::carreras) {
    throw usage_error("there is no non-projective search for the order carreras",
                      "take sibling or grandsibling, or lift the arcs");
  }
}

void divide_scores(const PartIndex& index, double temperature, PartScores& scores) {
  const auto factor = static_cast<float>(1 / temperature);
  for (float& score : scores.values()) score *= factor;
  for (int a = 0; scores.labels() > 0 && a < index.arcs(); ++a) {
    for (float& score : scores.label_row(a)) score *= factor;
  }
}

double log_label_probability(std::span<const float> row, int label, double temperature) {
  return row[static_cast<std::size_t>(label)] / temperature - log_sum(row, 1 / temperature);
}

double log_tree_probability(const PartIndex& index, const PartScores& scores, double log_z,
                            const ParsedTree& tree, double warmth) {
  double sum = log_weight(index, scores, tree) - log_z;
  for (std::size_t m = 1; m < tree.labels.size(); ++m) {
    const int a = index.find_arc(tree.heads[m], static_cast<int>(m));
    sum += log_label_probability(scores.label_row(a), tree.labels[m], warmth);
  }
  return sum;
}

void DependencyParser::set_prune_threshold(double threshold) {
  if (threshold > 0 && parts_.pruner.scorer().weights().features() == 0) {
    throw usage_error("the model was trained without a pruner and cannot prune");
  }
  parts_.pruner.set_threshold(threshold);
}

void DependencyParser::search_projective(bool projective) {
  TreeKind kind = parts_.kind;
  kind.projective = projective;
  if (parts_.lifted && !projective) {
    throw usage_error("the model's crossing arcs are lifted: its trees are projective ones",
                      "train one for projective or for non-projective trees");
  }
  require_search(kind);
  parts_.kind = kind;
  parts_.pruner.set_kind(kind);
}

std::optional<ParserDemands> DependencyParser::demands_of(
    const Sentence& sentence, const DependencyParseOptions& options) const {
  if (!options.constraints) return std::nullopt;
  return ParserDemands(sentence, parts_.kind, labels());
}

void DependencyParser::read(const Sentence& sentence, const DependencyParseOptions& options,
                            Scratch& scratch) const {
  const int n = sentence.words();
  if (n > options.most_words) {
    throw data_error(
        fmt::format("the sentence has {} words; the limit is {}", n, options.most_words));
  }
  scratch.words.fill(sentence, parts_.scheme, parts_.limit);
}

SearchSpace DependencyParser::search_space(const Sentence& sentence,
                                           const DependencyParseOptions& options,
                                           Scratch& scratch) const {
  read(sentence, options, scratch);
  if (needs_pieces(sentence.words(), options.limits)) require_ok(SearchStatus::too_long, "");
  const auto demands = demands_of(sentence, options);
  return space_of(scratch.words.words(), demands ? demands->mask() : nullptr, options.limits,
                  scratch);
}

SearchSpace DependencyParser::space_of(std::span<const ParserWord> words, const ArcMask* demanded,
                                       const SearchLimits& limits, Scratch& scratch) const {
  const int n = static_cast<int>(words.size());
  std::string degraded;
  std::optional<ArcMask> near;
  if (demanded == nullptr && n > kLongestDense) {
    near = near_arcs(n);
    degraded = fmt::format("{} words: arcs of more than {} words left out", n, kLongestNear);
  }
  scratch.atoms.fill(words, parts_.clusters.get());
  ArcMask mask =
      parts_.pruner.prune(words, scratch.atoms, near ? &*near : demanded, scratch.pruner);
  if (demanded != nullptr && mask.arcs() == 0) {
    throw data_error(fmt::format("the demands contradict each other: no tree meets those on {}",
                                 words_with_demands(*demanded)));
  }
  TreeKind kind = parts_.kind;
  if (kind.projective) {
    // What an arc looks like to the pruner is not known here any more; near heads are kept.
    const auto nearness = [](int h, int m) { return -std::abs(h - m); };
    SearchPlan plan =
        plan_search(mask, kind.order, kind.root, limits, nearness, scratch.search.workspace());
    require_ok(plan.status, "");
    const std::string report = plan.report();
    if (!report.empty()) degraded += (degraded.empty() ? "" : "; ") + report;
    kind.order = plan.used;
    mask = std::move(plan.mask);
  } else if (kind.is_dual()) {
    const SearchPlan plan = plan_crossing_search(mask, kind.order, kind.root, limits);
    const std::string report = plan.report();
    if (!report.empty()) degraded += (degraded.empty() ? "" : "; ") + report;
    kind.order = plan.used;
  }
  PartIndex index = kind.index(mask);
  return {kind, std::move(mask), std::move(index), std::move(degraded)};
}

Parse DependencyParser::parse(const Sentence& sentence, const DependencyParseOptions& options,
                              Scratch& scratch) const {
  Parse parse;
  if (sentence.words() == 0) {
    parse.trees.push_back({{-1}, {}, 0, 1, {0}, {0}});
    return parse;
  }
  const Asking asking(options.stop, scratch);
  if (!options.constraints && needs_pieces(sentence.words(), options.limits)) {
    read(sentence, options, scratch);
    return parse_in_pieces(options, scratch);
  }
  read(sentence, options, scratch);
  if (needs_pieces(sentence.words(), options.limits)) require_ok(SearchStatus::too_long, "");
  const auto demands = demands_of(sentence, options);
  if (demands && !demands->spans().empty()) return parse_with_spans(*demands, options, scratch);
  return parse_under(demands ? &*demands : nullptr, demands ? demands->mask() : nullptr, options,
                     scratch);
}

Parse DependencyParser::parse_under(const ParserDemands* demands, const ArcMask* mask,
                                    const DependencyParseOptions& options, Scratch& scratch) const {
  Parse parse;
  options.stop.check();
  SearchSpace space = space_of(scratch.words.words(), mask, options.limits, scratch);
  parse.degraded = std::move(space.degraded);
  options.stop.check();
  score(space.index, scratch, scratch.scores);
  options.stop.check();
  if (demands != nullptr) demands->restrict_labels(space.index, scratch.scores);
  scratch.search.dual().set_options(options.dual);
  const double before = thread_seconds();
  if (options.k > 1 || !options.mbr) add_trees(space, scratch, options, parse);
  parse.search_seconds = thread_seconds() - before;
  if (space.kind.is_dual() && !parse.trees.empty()) {
    parse.certificate = scratch.search.dual().certificate();
  }
  options.stop.check();
  if (options.marginals || options.mbr) add_probabilities(space, scratch, options, parse);
  return parse;
}

void DependencyParser::add_trees(const SearchSpace& space, Scratch& scratch,
                                 const DependencyParseOptions& options, Parse& parse) const {
  const auto add = [&](auto& tree, double score) {
    parse.trees.push_back({std::move(tree.heads), std::move(tree.labels), score, 0, {}, {}});
  };
  if (options.k > 1) {
    TreeList list = scratch.search.k_best(space.kind, space.index, scratch.scores, options.k);
    require_ok(list.status, list.culprit);
    for (auto& [tree, score] : list.trees) add(tree, score);
  } else {
    BestTree best = scratch.search.best(space.kind, space.index, scratch.scores);
    require_ok(best.status, best.culprit);
    add(best.tree, best.score);
  }
}

void DependencyParser::add_probabilities(const SearchSpace& space, Scratch& scratch,
                                         const DependencyParseOptions& options,
                                         Parse& parse) const {
  const auto& [kind, mask, index, degraded] = space;
  PartScores& scores = scratch.scores;
  divide_scores(index, parts_.temperature, scores);
  const Marginals found = scratch.search.marginals(kind, index, scores);
  require_ok(found.status, found.culprit);
  if (options.mbr) {
    BestTree best = scratch.search.minimum_risk(kind, index, found.mu);
    require_ok(best.status, best.culprit);
    parse.trees.assign(
        1, {std::move(best.tree.heads), std::move(best.tree.labels), best.score, 0, {}, {}});
  }
  for (ParsedTree& tree : parse.trees) add_word_probabilities(index, scores, found, tree);
  parse.arcs = arc_probabilities(index, found);
  double log_z = found.log_z;
  if (parts_.tree_temperature != 1) {
    divide_scores(index, parts_.tree_temperature, scores);
    const Marginals sums = scratch.search.marginals(kind, index, scores);
    require_ok(sums.status, sums.culprit);
    log_z = sums.log_z;
  }
  const double warmth = parts_.label_temperature / parts_.temperature;
  std::vector<double> log_p;
  for (const ParsedTree& tree : parse.trees) {
    log_p.push_back(log_tree_probability(index, scores, log_z, tree, warmth));
  }
  const auto probabilities = tree_probabilities(parts_.tree_odds, log_p);
  for (std::size_t k = 0; k < log_p.size(); ++k) parse.trees[k].probability = probabilities[k];
}

// The rows have been divided by the temperature of the parts already.
void DependencyParser::add_word_probabilities(const PartIndex& index, const PartScores& scores,
                                              const Marginals& found, ParsedTree& tree) const {
  const double warmth = parts_.label_temperature / parts_.temperature;
  tree.arc_probability.assign(tree.heads.size(), 0);
  tree.label_probability.assign(tree.heads.size(), 0);
  for (std::size_t m = 1; m < tree.heads.size(); ++m) {
    const int a = index.find_arc(tree.heads[m], static_cast<int>(m));
    double label = 0;
    if (!tree.labels.empty()) {
      label = log_label_probability(scores.label_row(a), tree.labels[m], warmth);
    }
    tree.arc_probability[m] = found.mu[index.dep(a)];
    tree.label_probability[m] = tree.arc_probability[m] * std::exp(label);
  }
}

DependencyTree DependencyParser::tree_of(const ParsedTree& parsed) const {
  DependencyTree tree(static_cast<int>(parsed.heads.size()) - 1);
  for (int m = 1; m <= tree.words(); ++m) {
    const auto at = static_cast<std::size_t>(m);
    tree.set_head(m, parsed.heads[at]);
    if (!parsed.labels.empty()) {
      tree.set_label(m, parts_.labels[static_cast<std::size_t>(parsed.labels[at])]);
    }
  }
  return parts_.lifted ? deprojectivise(tree, LiftLabels::head) : tree;
}

}  // namespace copse
