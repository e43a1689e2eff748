#include "copse/inference/constraints.h"

#include <gtest/gtest.h>

#include "tests/inference/reference.h"

namespace copse {
namespace {

bool below(const reference::Heads& heads, int word, int ancestor) {
  for (; word != 0; word = heads[static_cast<std::size_t>(word)])
    if (word == ancestor) return true;
  return false;
}

bool is_subtree(const reference::Heads& heads, int first, int last, int head) {
  for (int word = 1; word < static_cast<int>(heads.size()); ++word)
    if (below(heads, word, head) != (first <= word && word <= last)) return false;
  return true;
}

TEST(RequireSpan, LeavesExactlyTheTreesWithThatSubtree) {
  const int words = 5;
  for (const Crossing crossing : {Crossing::never, Crossing::allowed}) {
    const auto all = reference::all_trees(ArcMask(words), RootRule::multi, crossing);
    for (int first = 1; first <= words; ++first)
      for (int last = first; last <= words; ++last)
        for (int head = first; head <= last; ++head) {
          std::vector<reference::Heads> wanted;
          for (const auto& heads : all)
            if (is_subtree(heads, first, last, head)) wanted.push_back(heads);
          ArcMask mask(words);
          require_span(mask, first, last, head);
          EXPECT_EQ(reference::all_trees(mask, RootRule::multi, crossing), wanted);
        }
  }
}

TEST(RequireSpan, CrossingSpansLeaveNoTree) {
  ArcMask mask(5);
  require_span(mask, 1, 3, 2);
  require_span(mask, 3, 5, 4);
  EXPECT_TRUE(reference::all_trees(mask, RootRule::multi, Crossing::allowed).empty());
}

}  // namespace
}  // namespace copse
