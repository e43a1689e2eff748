// Small random trees, and all their fragments written out.
#pragma once

#include <fmt/core.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "copse/base/random.h"
#include "copse/treebank/phrase_tree.h"

namespace copse {

inline void grow_random(Random& random, int depth, PhraseTreeBuilder& builder) {
  const std::string label(1, static_cast<char>('A' + random.between(0, 1)));
  if (depth == 0 || random.chance(0.3)) {
    builder.leaf(label, random.chance(0.5) ? "x" : "y");
    return;
  }
  builder.open(label);
  const int children = random.between(1, 3);
  for (int c = 0; c < children; ++c) grow_random(random, depth - 1, builder);
  builder.close();
}

inline PhraseTree random_tree(Random& random, int depth = 3) {
  PhraseTreeBuilder builder;
  builder.open("TOP");
  grow_random(random, depth - 1, builder);
  builder.close();
  return std::move(builder).finish();
}

// (bracket string, number of productions) of each fragment rooted at a node, with repetition.
inline std::vector<std::pair<std::string, int>> fragments_at(const PhraseTree& tree, int node) {
  if (tree.is_leaf(node)) {
    return {{fmt::format("({} {})", tree.label(node), tree.word(node)), 1}};
  }
  std::vector<std::pair<std::string, int>> result{{fmt::format("({}", tree.label(node)), 1}};
  for (const int child : tree.children(node)) {
    auto below = fragments_at(tree, child);
    below.emplace_back(fmt::format("({})", tree.label(child)), 0);
    std::vector<std::pair<std::string, int>> longer;
    for (const auto& [text, size] : result) {
      for (const auto& [piece, more] : below) longer.emplace_back(text + " " + piece, size + more);
    }
    result = std::move(longer);
  }
  for (auto& fragment : result) fragment.first += ")";
  return result;
}

// How often each fragment occurs in a tree.
struct FragmentCount {
  int size = 0;
  double count = 0;
};
inline std::map<std::string, FragmentCount> fragments_of(const PhraseTree& tree) {
  std::map<std::string, FragmentCount> counts;
  for (int node = 0; node < tree.size(); ++node) {
    for (const auto& [text, size] : fragments_at(tree, node)) {
      counts[text].size = size;
      ++counts[text].count;
    }
  }
  return counts;
}

}  // namespace copse
