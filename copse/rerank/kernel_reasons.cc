#include "copse/rerank/kernel_reasons.h"

#include <fmt/core.h>

namespace copse {

std::string subtree_text(const TreeForest& list, const Productions& productions,
                         std::uint32_t node) {
  // Depth first without recursion: pieces still to be written, the next one last.
  struct Piece {
    std::uint32_t node;
    std::string text;  // written as it is, if not empty
  };
  std::vector<Piece> stack{{node, {}}};
  std::string out;
  while (!stack.empty()) {
    const Piece piece = std::move(stack.back());
    stack.pop_back();
    if (!piece.text.empty()) {
      out += piece.text;
      continue;
    }
    const std::uint32_t production = list.production[piece.node];
    out += fmt::format("({}", productions.label(production));
    stack.push_back({0, ")"});
    if (productions.is_leaf(production)) {
      out += fmt::format(" {}", productions.right(production, 0));
      continue;
    }
    const auto children = list.children(piece.node);
    for (std::size_t c = children.size(); c-- > 0;) {
      if (children[c] == TreeForest::kNone) {
        stack.push_back({0, std::string(productions.right(production, c))});
      } else {
        stack.push_back({children[c], {}});
      }
      stack.push_back({0, " "});
    }
  }
  return out;
}

std::vector<Reason> kernel_reasons(const TreeKernelKind::Sum& sum, const TreeForest& list,
                                   const Productions& productions, const Candidates& /*candidates*/,
                                   std::size_t candidate) {
  MergedTrees::Scratch scratch;
  sum.trees().score_nodes(list, scratch);
  std::vector<Reason> reasons;
  const auto nodes = list.nodes_of(candidate);
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i;
    while (end < nodes.size() && nodes[end] == nodes[i]) ++end;
    const auto times = static_cast<double>(end - i);
    reasons.push_back(
        {subtree_text(list, productions, nodes[i]), times, times * scratch.node_scores[nodes[i]]});
    i = end;
  }
  return reasons;
}

std::vector<Reason> kernel_reasons(const TagKernelKind::Sum& sum, const TagList& list,
                                   const TagVocabulary& /*vocabulary*/,
                                   const Candidates& candidates, std::size_t candidate) {
  MergedTags::Scratch scratch;
  sum.tags().score_nodes(list, scratch);
  const auto tags = tags_of(candidates.items[candidate]);
  std::vector<Reason> reasons;
  list.for_each_node(candidate, [&](std::uint32_t node) {
    const std::size_t position = list.position[node];
    reasons.push_back(
        {fmt::format("{} {}/{}", position + 1, candidates.words[position], tags[position]), 1,
         scratch.node_scores[node]});
  });
  return reasons;
}

std::vector<Reason> kernel_reasons(const LinearKernelKind::Sum& sum,
                                   const LinearKernelKind::List& list, const Symbols& vocabulary,
                                   const Candidates& /*candidates*/, std::size_t candidate) {
  std::vector<Reason> reasons;
  for (const SparseEntry& entry : list.of(candidate)) {
    reasons.push_back({std::string(vocabulary.text(entry.name)), entry.value,
                       entry.value * sum.weight(entry.name)});
  }
  return reasons;
}

}  // namespace copse
