// Settings and lists for tests of hidden values.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "copse/base/random.h"
#include "copse/rerank/hidden/hidden_reranker.h"
#include "tests/rerank/random_trees.h"
#include "tests/treebank/tree_testing.h"

namespace copse::hidden_testing {

inline std::shared_ptr<const hidden::Setting> setting_of(
    hidden::DomainOptions domain, hidden::GraphKind graph = hidden::GraphKind::dependency,
    hidden::Domains::Resources resources = {},
    std::shared_ptr<const FeatureSource> whole = nullptr) {
  return std::make_shared<const hidden::Setting>(
      hidden::Domains(domain, std::move(resources)), std::string(hidden::hidden_template_table()),
      "table", HeadRules::builtin("collins"), graph, std::move(whole));
}

inline Candidates list_of(const std::vector<PhraseTree>& trees) {
  Candidates list;
  for (const PhraseTree& tree : trees) {
    list.items.emplace_back();
    list.items.back().tree = tree;
    list.items.back().log_probability = -1.5 * static_cast<double>(list.items.size());
  }
  return list;
}

// A tree over words "a" "b" ... with the labels of a grammar, always of `words` words.
inline void grow_phrase(Random& random, const std::vector<std::string>& words, std::size_t begin,
                        std::size_t end, PhraseTreeBuilder& builder) {
  if (end - begin == 1 && random.chance(0.6)) {
    builder.leaf(random.chance(0.5) ? "NN" : "VB", words[begin]);
    return;
  }
  builder.open(std::vector<std::string>{"NP", "VP", "S", "PP"}[random.below(4)]);
  if (end - begin == 1) {
    builder.leaf(random.chance(0.5) ? "NN" : "CC", words[begin]);
  } else {
    for (std::size_t at = begin; at < end;) {
      std::size_t next = at + 1 + random.below(end - at);
      if (at == begin && next == end) next = begin + 1;
      grow_phrase(random, words, at, next, builder);
      at = next;
    }
  }
  builder.close();
}

inline PhraseTree sentence_tree(Random& random, const std::vector<std::string>& words) {
  PhraseTreeBuilder builder;
  builder.open("TOP");
  grow_phrase(random, words, 0, words.size(), builder);
  builder.close();
  return std::move(builder).finish();
}

inline Candidates random_list(Random& random, int candidates, int words) {
  std::vector<std::string> forms;
  for (int w = 0; w < words; ++w)
    forms.emplace_back(1, static_cast<char>('a' + random.between(0, 3)));
  std::vector<PhraseTree> trees;
  for (int j = 0; j < candidates; ++j) trees.push_back(sentence_tree(random, forms));
  return list_of(trees);
}

// Blocks for every feature of lists.
inline hidden::Blocks all_blocks(const hidden::Setting& setting,
                                 const std::vector<Candidates>& lists) {
  hidden::Blocks blocks;
  for (const Candidates& list : lists) {
    hidden::make_hidden_list(setting.extraction(), list,
                             [&](FeatureKey key, std::uint32_t rows, std::uint32_t columns) {
                               blocks.add(key, rows, columns);
                               return hidden::kNoBlock;
                             });
  }
  return blocks;
}

}  // namespace copse::hidden_testing
