#include "copse/constituency/spinal/parser.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "copse/base/error.h"

namespace copse::spinal {
namespace {

constexpr double kFlatScore = -1e4;  // of trees that no derivation stands behind
constexpr int kMostLists = 16;       // derivations looked at for each tree asked for

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

SpinalSpine spine_of(const Inventory& inventory, std::string_view tag, int chain) {
  SpinalSpine spine{{static_cast<std::uint16_t>(inventory.labels().find(tag))}, chain};
  const Chain& phrases = inventory.chains()[at(chain)];
  spine.nodes.insert(spine.nodes.end(), phrases.begin(), phrases.end());
  return spine;
}

PhraseTree under_top(const PhraseTree& tree) {
  if (tree.label(0) == kTopLabel) return tree;
  PhraseTreeBuilder builder;
  builder.open(kTopLabel);
  builder.copy(tree, 0);
  builder.close();
  return std::move(builder).finish();
}

// All words hang on the first.
DependencyTree flat_dependencies(int words) {
  DependencyTree out(words);
  for (int m = 1; m <= words; ++m) {
    out.set_head(m, m == 1 ? 0 : 1);
    out.set_label(m, m == 1 ? "root" : "flat");
  }
  return out;
}

void check(const PhraseQuestion& question) {
  if (!question.spans.empty()) {
    throw usage_error("the spinal parser cannot be told which brackets there are",
                      "a generative model can");
  }
  if (question.brackets || question.expected_brackets) {
    throw usage_error("the spinal parser's scores are no probabilities",
                      "probabilities of brackets need a generative model");
  }
}

ScoredTree flat_tree(std::span<const std::string> words, std::span<const std::string> tags) {
  PhraseTreeBuilder builder;
  builder.open(kTopLabel);
  builder.open("X");
  for (std::size_t i = 0; i < tags.size(); ++i) builder.leaf(tags[i], words[i]);
  builder.close();
  builder.close();
  return {kFlatScore, std::move(builder).finish()};
}

}  // namespace

std::string note_of(Rung rung) {
  switch (rung) {
    case Rung::asked:
      return "";
    case Rung::first_order:
      return "parsed without siblings and grandchildren";
    case Rung::loose:
      return "parsed with looser pruning";
    case Rung::every_label:
      return "parsed with every label, without siblings and grandchildren";
    case Rung::flat:
      return "no derivation was found within the limits";
  }
  return "";
}

std::vector<std::vector<SpinalSpine>> spines_of(const Inventory& inventory,
                                                std::span<const std::string> words,
                                                std::span<const std::string> tags) {
  std::vector<std::vector<SpinalSpine>> out(words.size() + 1);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::uint32_t chain : inventory.chains_of(words[i], tags[i])) {
      out[i + 1].push_back(spine_of(inventory, tags[i], static_cast<int>(chain)));
    }
  }
  return out;
}

void add_spine(const Inventory& inventory, std::string_view tag, int chain,
               std::vector<SpinalSpine>& spines) {
  const auto same = [&](const SpinalSpine& spine) { return spine.id == chain; };
  if (std::ranges::none_of(spines, same)) spines.push_back(spine_of(inventory, tag, chain));
}

struct SpinalParser::Task {
  const PreparedSentence& sentence;
  const PhraseQuestion& question;
  const SearchOptions& search;
  PhraseAnswer answer;
  bool only_best = false;  // for want of memory for a list
};

SpinalParser::SpinalParser(Parts parts)
    : parts_(std::move(parts)),
      bytes_(std::as_bytes(std::span(parts_.weights))),
      weights_(FrozenWeights::view(bytes_.bytes())) {
  if (weights_.labels() != parts_.features.labels()) throw data_error("has other labels");
}

std::vector<std::string> SpinalParser::tags_of(const WordsToParse& sentence,
                                               Workspace& workspace) const {
  const std::vector<std::string_view> views(sentence.words.begin(), sentence.words.end());
  const auto& labels = parts_.tagger.model().labels;
  std::vector<std::vector<Label>> kept(sentence.tags.empty() ? 0 : views.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!parts_.inventory->knows_tag(sentence.tags[i])) continue;
    const auto found = std::ranges::find(labels, sentence.tags[i]);
    if (found != labels.end()) kept[i] = {static_cast<Label>(found - labels.begin())};
  }
  std::vector<std::string> tags;
  for (const Label label : parts_.tagger.tag({views, {}, kept}, workspace.tags)) {
    tags.push_back(parts_.tagger.label(label));
  }
  return tags;
}

void SpinalParser::add_trees(Task& task, const SpinalParts& parts,
                             const std::vector<SpinalDerivation>& found) const {
  std::set<std::string> seen;
  task.answer.trees.clear();
  for (const SpinalDerivation& each : found) {
    const Analysis analysis = analysis_of(parts, each);
    PhraseTree tree = tree_of(derivation_of(analysis, task.sentence.tags, *parts_.inventory),
                              task.sentence.words, parts_.inventory->labels());
    if (!seen.insert(tree.str()).second) continue;
    if (task.question.within > 1 && !task.answer.trees.empty() &&
        each.score < task.answer.trees.front().log_probability - std::log(task.question.within)) {
      break;
    }
    if (task.answer.trees.empty()) task.answer.dependencies = dependencies_of(analysis);
    task.answer.trees.push_back({each.score, under_top(tree)});
    if (static_cast<int>(task.answer.trees.size()) == task.question.k) break;
  }
}

DependencyTree SpinalParser::dependencies_of(const Analysis& analysis) const {
  DependencyTree out(analysis.words());
  for (int m = 1; m <= analysis.words(); ++m) {
    out.set_head(m, analysis.head[at(m)]);
    out.set_label(m,
                  parts_.features.view_text(parts_.features.views(analysis.adjunction[at(m)])[0]));
  }
  return out;
}

PreparedSentence SpinalParser::prepare(const WordsToParse& sentence, Workspace& workspace) const {
  std::vector<std::string> tags = tags_of(sentence, workspace);
  auto views = std::make_unique<const WordViews>(sentence.words, tags, parts_.lexicon);
  workspace.atoms.fill(views->words(), clusters());
  return {sentence.words, std::move(tags), std::move(views)};
}

bool SpinalParser::is_second_order(Rung rung, int words, const SearchOptions& search) const {
  return parts_.options.second_order && words <= search.max_second_order &&
         (rung == Rung::asked || rung == Rung::loose);
}

std::optional<SpinalParts> SpinalParser::parts_on(Rung rung, const PreparedSentence& sentence,
                                                  const SearchOptions& search,
                                                  Workspace& workspace) const {
  const int n = static_cast<int>(sentence.words.size());
  // Every label of a long sentence would not fit into memory.
  if (rung == Rung::every_label && n > search.max_second_order) return std::nullopt;
  double alpha = search.alpha.value_or(parts_.options.alpha);
  if (rung == Rung::loose) alpha /= 100;
  if (rung == Rung::every_label) alpha = 0;
  SpinalParts out = parts_with(
      sentence,
      parts_.pruner.prune(sentence.views->words(), workspace.atoms, alpha, workspace.pruner));
  const bool fits = out.score_count(is_second_order(rung, n, search)) <= search.max_scores;
  return fits ? std::optional(std::move(out)) : std::nullopt;
}

SpinalParts SpinalParser::parts_with(const PreparedSentence& sentence,
                                     std::vector<SpinalArc> arcs) const {
  return {parts_.inventory->adjunctions(),
          spines_of(*parts_.inventory, sentence.words, sentence.tags), std::move(arcs)};
}

void SpinalParser::score(const SpinalParts& parts, bool second_order, Workspace& workspace) const {
  Scorer<FrozenWeights>(parts_.features, weights_, workspace.atoms, workspace.scorer)
      .score(parts, second_order, workspace.scores);
}

bool SpinalParser::add_best(Task& task, const SpinalParts& parts, Workspace& workspace) const {
  SpinalAnswer best = workspace.search.best(parts, workspace.scores);
  if (best.status != SearchStatus::ok) return false;
  add_trees(task, parts, {std::move(best.derivation)});
  return true;
}

bool SpinalParser::attempt(Task& task, Rung rung, Workspace& workspace) const {
  const std::optional<SpinalParts> found = parts_on(rung, task.sentence, task.search, workspace);
  if (!found) return false;
  const SpinalParts& parts = *found;
  score(parts, is_second_order(rung, parts.words(), task.search), workspace);
  workspace.search.set_limits({task.search.max_items, task.search.max_edges});
  if (task.question.k == 1) return add_best(task, parts, workspace);
  // Several derivations may be of one tree; ask for more until there are enough trees.
  for (int more = 1;; more *= 4) {
    const SpinalList list =
        workspace.search.k_best(parts, workspace.scores, more * task.question.k);
    if (list.status != SearchStatus::ok) {
      // All of a forest takes far more than its best tree.
      task.only_best = add_best(task, parts, workspace);
      return task.only_best;
    }
    add_trees(task, parts, list.derivations);
    const bool enough = static_cast<int>(task.answer.trees.size()) == task.question.k;
    const bool all = static_cast<int>(list.derivations.size()) < more * task.question.k;
    if (enough || all || more >= kMostLists) return true;
  }
}

PhraseAnswer SpinalParser::parse(const WordsToParse& sentence, const PhraseQuestion& question,
                                 const SearchOptions& search, Workspace& workspace) const {
  check(question);
  if (sentence.words.empty()) return {};
  const PreparedSentence prepared = prepare(sentence, workspace);
  const int n = static_cast<int>(sentence.words.size());
  Task task{prepared, question, search, {}};
  if (n <= search.max_length) {
    for (const Rung rung : kSearchedRungs) {
      if (!attempt(task, rung, workspace)) continue;
      task.answer.note = note_of(rung);
      if (task.only_best) {
        task.answer.note += task.answer.note.empty() ? "" : "; ";
        task.answer.note += "one tree, because a list of them was beyond the limits";
      }
      return std::move(task.answer);
    }
  }
  task.answer.note = note_of(Rung::flat);
  task.answer.trees = {flat_tree(prepared.words, prepared.tags)};
  task.answer.dependencies = flat_dependencies(n);
  task.answer.fallback = true;
  return std::move(task.answer);
}

}  // namespace copse::spinal
