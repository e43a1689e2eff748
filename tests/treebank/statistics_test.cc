#include "copse/treebank/statistics.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

Entry with_heads(const std::vector<int>& heads) {
  Entry entry;
  for (std::size_t i = 0; i < heads.size(); ++i) entry.sentence.add_word("w");
  for (std::size_t i = 0; i < heads.size(); ++i) {
    entry.sentence.set_head(static_cast<int>(i) + 1, heads[i]);
    entry.sentence.set(static_cast<int>(i) + 1, Column::deprel, heads[i] == 0 ? "root" : "dep");
  }
  return entry;
}

TEST(Statistics, CountsProjectivityRootsAndRelations) {
  TreebankStatistics s;
  s.add(with_heads({0, 1, 2}));
  s.add(with_heads({3, 0, 2, 1}));  // 1 <- 3 has 2 between, no descendant of 3; so has 4 <- 1
  s.add(with_heads({0, 0}));
  EXPECT_EQ(s.sentences, 3U);
  EXPECT_EQ(s.words, 9U);
  EXPECT_EQ(s.longest, 4U);
  EXPECT_EQ(s.arcs, 9U);
  EXPECT_EQ(s.nonprojective_arcs, 2U);
  EXPECT_EQ(s.nonprojective_sentences, 1U);
  EXPECT_EQ(s.multiroot_sentences, 1U);
  EXPECT_EQ(s.relations.of.at("root"), 4U);
  EXPECT_EQ(s.lengths.at(2), 1U);
}

TEST(Statistics, PartsAddUpToTheWhole) {
  TreebankStatistics whole;
  TreebankStatistics first;
  TreebankStatistics second;
  const Entry a = with_heads({0, 1, 1});
  const Entry b = with_heads({3, 0, 2, 1});
  whole.add(a);
  whole.add(b);
  first.add(a);
  second.add(b);
  first.add(second);
  EXPECT_EQ(first.words, whole.words);
  EXPECT_EQ(first.nonprojective_arcs, whole.nonprojective_arcs);
  EXPECT_EQ(first.relations.of, whole.relations.of);
  EXPECT_EQ(first.gap_degrees, whole.gap_degrees);
  EXPECT_EQ(first.lengths, whole.lengths);
}

TEST(Statistics, WordsWithoutHeadsAreNoTreeButAreCounted) {
  Entry entry;
  entry.sentence.add_word("a");
  TreebankStatistics s;
  s.add(entry);
  s.add(Entry{});
  EXPECT_EQ(s.sentences, 1U);
  EXPECT_EQ(s.arcs, 0U);
  EXPECT_EQ(s.with_dependencies, 0U);
}

}  // namespace
}  // namespace copse
