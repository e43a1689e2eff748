#include "copse/treebank/phrase_to_dependency.h"

#include <algorithm>
#include <initializer_list>

#include "copse/treebank/clean.h"
#include "copse/treebank/label.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_adverbial_tag(std::string_view label) {
  bool found = false;
  for_each_label_part(label, [&](LabelPart part) {
    found |=
        part.is_function_tag() && is_one_of(part.text, {"ADV", "VOC", "BNF", "DIR", "EXT", "LOC",
                                                        "MNR", "TMP", "CLR", "PRP", "TTL", "HLN"});
  });
  return found;
}

// LAB(n, c) of the header.
std::string_view dependency_label(const PhraseTree& tree, int node, int child) {
  const std::string_view n = base_label(tree.label(node));
  const std::string_view c = base_label(tree.label(child));
  const std::string_view full = tree.label(child);
  if (tree.is_leaf(child) && is_punctuation_tag(full)) return "P";
  if (has_function_tag(full, "SBJ")) return "SUB";
  if (has_function_tag(full, "PRD")) return "PRD";
  if (n == "VP" && c == "NP" && !has_adverbial_tag(full)) return "OBJ";
  if (n == "VP" && c == "VP") return "VC";
  if (n == "SBAR" && c == "S") return "SBAR";
  if (is_one_of(n, {"VP", "S", "SQ", "SINV", "SBAR", "SBARQ"})) return "VMOD";
  if (is_one_of(n, {"NP", "NX", "NAC", "NML", "WHNP"})) return "NMOD";
  if (is_one_of(n, {"ADJP", "ADVP", "QP", "WHADJP", "WHADVP", "CONJP", "PRT"})) return "AMOD";
  if (is_one_of(n, {"PP", "WHPP"})) return "PMOD";
  return "DEP";
}

}  // namespace

DependencyTree dependencies_from_tree(const PhraseTree& original, const HeadRules& rules,
                                      bool labelled) {
  const PhraseTree tree = remove_traces(original);
  DependencyTree dependencies(tree.words());
  if (tree.empty()) return dependencies;
  const std::vector<int> heads = rules.head_words(tree);
  const auto head_of = [&](int node) { return heads[static_cast<std::size_t>(node)] + 1; };
  for (int child = 1; child < tree.size(); ++child) {
    const int node = tree.parent(child);
    if (head_of(child) == head_of(node)) continue;
    dependencies.set_head(head_of(child), head_of(node));
    if (labelled) {
      dependencies.set_label(head_of(child), std::string(dependency_label(tree, node, child)));
    }
  }
  dependencies.set_head(head_of(0), 0);
  if (labelled) dependencies.set_label(head_of(0), "ROOT");
  return dependencies;
}

Sentence dependency_sentence_from_tree(const PhraseTree& tree, const HeadRules& rules,
                                       const ConversionOptions& options) {
  Sentence sentence = sentence_from_tree(tree, options.dialect);
  sentence.set_tree(dependencies_from_tree(tree, rules, options.labelled));
  if (options.provenance) sentence.set_comment("head_rules", rules.provenance());
  return sentence;
}

}  // namespace copse
