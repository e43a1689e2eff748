#include "copse/treebank/statistics.h"

#include <algorithm>

#include "copse/treebank/label.h"
#include "copse/treebank/projectivity.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

void merge(std::map<int, std::size_t>& into, const std::map<int, std::size_t>& from) {
  for (const auto& [key, count] : from) into[key] += count;
}

void add_dependencies(const Sentence& sentence, TreebankStatistics& statistics) {
  const DependencyTree tree = sentence.tree();
  for (int word = 1; word <= tree.words(); ++word) {
    if (tree.head(word) == DependencyTree::kNoHead) continue;
    ++statistics.arcs;
    statistics.relations.add(tree.label(word));
  }
  if (!tree.is_tree()) return;
  ++statistics.with_dependencies;
  const std::size_t crossing = nonprojective_words(tree).size();
  statistics.nonprojective_arcs += crossing;
  statistics.nonprojective_sentences += crossing > 0 ? 1 : 0;
  statistics.multiroot_sentences += tree.root_count() > 1 ? 1 : 0;
  const GapProfile profile = crossing > 0 ? gap_profile(tree) : GapProfile{};
  ++statistics.gap_degrees[profile.gap_degree];
  statistics.ill_nested_sentences += profile.well_nested ? 0 : 1;
}

void add_phrases(const PhraseTree& tree, TreebankStatistics& statistics) {
  ++statistics.phrase_trees;
  std::vector<std::size_t> depth(static_cast<std::size_t>(tree.size()), 1);
  for (int node = 0; node < tree.size(); ++node) {
    const auto i = static_cast<std::size_t>(node);
    if (node > 0) depth[i] = depth[static_cast<std::size_t>(tree.parent(node))] + 1;
    statistics.deepest = std::max(statistics.deepest, depth[i]);
    if (tree.is_leaf(node)) {
      statistics.traces += tree.label(node) == "-NONE-" ? 1 : 0;
    } else {
      ++statistics.phrases;
      statistics.phrase_labels.add(base_label(tree.label(node)));
    }
  }
}

}  // namespace

void Counts::add(std::string_view key, std::size_t count) {
  const auto found = of.find(key);
  if (found != of.end()) {
    found->second += count;
  } else {
    of.emplace(key, count);
  }
}

void Counts::add(const Counts& other) {
  for (const auto& [key, count] : other.of) add(key, count);
}

void TreebankStatistics::add(const Entry& entry) {
  const bool columns_from_tree = entry.sentence.empty() && !entry.tree.empty();
  const Sentence from_tree = columns_from_tree ? sentence_from_tree(entry.tree) : Sentence();
  const Sentence& sentence = columns_from_tree ? from_tree : entry.sentence;
  if (!entry.tree.empty()) add_phrases(entry.tree, *this);
  if (sentence.words() == 0) return;
  ++sentences;
  words += static_cast<std::size_t>(sentence.words());
  longest = std::max(longest, static_cast<std::size_t>(sentence.words()));
  ++lengths[sentence.words()];
  for (const Row& row : sentence.rows()) {
    multiword_tokens += row.kind == RowKind::multiword ? 1 : 0;
    empty_nodes += row.kind == RowKind::empty ? 1 : 0;
  }
  for (int word = 1; word <= sentence.words(); ++word) {
    forms.add(sentence.form(word));
    if (sentence.upos(word) != "_") upos.add(sentence.upos(word));
    if (sentence.xpos(word) != "_") xpos.add(sentence.xpos(word));
  }
  add_dependencies(sentence, *this);
}

void TreebankStatistics::add(const TreebankStatistics& other) {
  sentences += other.sentences;
  words += other.words;
  multiword_tokens += other.multiword_tokens;
  empty_nodes += other.empty_nodes;
  longest = std::max(longest, other.longest);
  merge(lengths, other.lengths);
  arcs += other.arcs;
  with_dependencies += other.with_dependencies;
  nonprojective_arcs += other.nonprojective_arcs;
  nonprojective_sentences += other.nonprojective_sentences;
  multiroot_sentences += other.multiroot_sentences;
  merge(gap_degrees, other.gap_degrees);
  ill_nested_sentences += other.ill_nested_sentences;
  phrase_trees += other.phrase_trees;
  phrases += other.phrases;
  traces += other.traces;
  deepest = std::max(deepest, other.deepest);
  forms.add(other.forms);
  upos.add(other.upos);
  xpos.add(other.xpos);
  relations.add(other.relations);
  phrase_labels.add(other.phrase_labels);
}

}  // namespace copse
