#include "copse/constituency/generative/training_trees.h"

#include <fmt/core.h>

#include "copse/base/error.h"

namespace copse::generative {
namespace {

void count(const PreparedTree& tree, const HeadRules& heads, PreparationReport& report) {
  for (int node = 0; node < tree.tree.size(); ++node) {
    const std::string_view label = treebank_label(tree.tree.label(node));
    if (tree.complement[static_cast<std::size_t>(node)]) ++report.complements;
    if (tree.tree.is_leaf(node)) continue;
    if (tree.tree.label(node) == kBaseNounPhrase) ++report.base_noun_phrases;
    if (!heads.has_rule(label)) ++report.no_rule[std::string(label)];
  }
  report.deleted_tokens += tree.words.size() - tree.tokens.size();
  report.words += tree.words.size();
  ++report.sentences;
}

}  // namespace

std::string PreparationReport::str() const {
  std::string text = fmt::format(
      "{} trees, {} words; {} base noun phrases, {} complements, {} punctuation marks set aside\n",
      sentences, words, base_noun_phrases, complements, deleted_tokens);
  for (const auto& [reason, times] : left_out) {
    text += fmt::format("left out {} {}: {}\n", times, times == 1 ? "tree" : "trees", reason);
  }
  for (const auto& [label, times] : no_rule) {
    text += fmt::format("no head rule for {} ({} {}): the default rule was used\n", label, times,
                        times == 1 ? "phrase" : "phrases");
  }
  return text;
}

std::vector<PreparedTree> prepare_treebank(std::span<const Entry> entries, const HeadRules& heads,
                                           const PreparationOptions& options,
                                           PreparationReport& report) {
  std::vector<PreparedTree> trees;
  trees.reserve(entries.size());
  for (const Entry& entry : entries) {
    if (entry.tree.empty()) {
      ++report.left_out["the sentence has no tree"];
      continue;
    }
    try {
      trees.push_back(prepare(entry.tree, heads, options));
      count(trees.back(), heads, report);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      ++report.left_out[error.message()];
    }
  }
  return trees;
}

}  // namespace copse::generative
