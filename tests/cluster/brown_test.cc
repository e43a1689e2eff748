#include "copse/cluster/brown.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/cluster/word_clusters.h"
#include "tests/cluster/brute_force.h"
#include "tests/repeats.h"

namespace copse {
namespace {

using reference::Sentences;

// Small vocabularies and counts give many ties; `spread` above 1 makes some words frequent.
Sentences random_text(Random& random, int types, int sentences, double spread) {
  Sentences text;
  for (int i = 0; i < sentences; ++i) {
    auto& sentence = text.emplace_back();
    for (int length = random.between(0, 7); length > 0; --length) {
      const double u = std::pow(random.uniform(), spread);
      sentence.push_back("w" + std::to_string(static_cast<int>(u * types)));
    }
  }
  return text;
}

void ExpectSameMerges(const BrownClusters& found, const BrownClusters& expected) {
  ASSERT_EQ(found.merges.size(), expected.merges.size());
  for (std::size_t i = 0; i < found.merges.size(); ++i) {
    EXPECT_EQ(found.merges[i].into, expected.merges[i].into) << i;
    EXPECT_EQ(found.merges[i].from, expected.merges[i].from) << i;
    EXPECT_EQ(found.merges[i].loss, expected.merges[i].loss) << i;
  }
  EXPECT_EQ(found.clusters, expected.clusters);
  EXPECT_EQ(found.cluster_of, expected.cluster_of);
  EXPECT_EQ(found.bits, expected.bits);
}

BrownClusters cluster(const Bigrams& bigrams, std::uint32_t clusters, int threads = 1) {
  BrownOptions options;
  options.clusters = clusters;
  options.threads = threads;
  return brown_clusters(bigrams, options);
}

TEST(Brown, EqualsBruteForceMergeByMerge) {
  constexpr auto kSeeds = static_cast<std::uint64_t>(repeats(400));
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int types = random.between(1, 12);
    const auto c = static_cast<std::uint32_t>(random.between(2, 5));
    const Sentences text = random_text(random, types, random.between(1, 60), random.between(1, 3));
    const Bigrams bigrams = reference::count(text);
    if (bigrams.words.empty()) continue;
    const FixedLog logs(FixedLog::fraction_for(bigrams.total));
    ExpectSameMerges(cluster(bigrams, c),
                     reference::brown_clusters({text, bigrams.words}, c, logs));
    if (HasFailure()) return;
  }
}

TEST(Brown, SymmetricMarginalsTakeTheCountsOfWords) {
  // Over a ring of words every word is as often first as second: the option changes nothing.
  Random random(11);
  BigramCounter counter;
  std::string first;
  for (int i = 0; i < 400; ++i) {
    const std::string word(1, static_cast<char>('a' + random.below(9)));
    if (i == 0) first = word;
    counter.add_word(word);
  }
  counter.add_word(first);
  Bigrams bigrams = counter.finish({});
  for (std::size_t w = 0; w < bigrams.words.size(); ++w) {
    if (bigrams.words[w] == first) --bigrams.counts[w];
    EXPECT_EQ(bigrams.left[w], bigrams.counts[w]);
  }
  BrownOptions options;
  options.clusters = 3;
  options.threads = 1;
  const BrownClusters plain = brown_clusters(bigrams, options);
  options.symmetric_marginals = true;
  ExpectSameMerges(brown_clusters(bigrams, options), plain);
}

TEST(Brown, InformationEqualsTheLogarithmFormula) {
  Random random(21);
  const Sentences text = random_text(random, 30, 300, 2);
  const Bigrams bigrams = reference::count(text);
  const BrownClusters clusters = cluster(bigrams, 8);
  const reference::Counts n(text, bigrams.words);
  const auto words = static_cast<std::uint32_t>(n.words());
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> cells;
  std::map<std::uint32_t, double> left;
  std::map<std::uint32_t, double> right;
  double total = 0;
  for (std::uint32_t a = 0; a < words; ++a) {
    for (std::uint32_t b = 0; b < words; ++b) {
      const auto count = static_cast<double>(n(a, b));
      cells[{clusters.cluster_of[a], clusters.cluster_of[b]}] += count;
      left[clusters.cluster_of[a]] += count;
      right[clusters.cluster_of[b]] += count;
      total += count;
    }
  }
  double information = 0;
  for (const auto& [pair, count] : cells) {
    if (count > 0) {
      information +=
          count / total * std::log2(count * total / (left[pair.first] * right[pair.second]));
    }
  }
  EXPECT_NEAR(clusters.information, information, 1e-9);
  // One cluster has no information, so the tree loses all of it; by the merges, too.
  EXPECT_NEAR(clusters.information_lost, information, 1e-9);
  Fixed lost = 0;
  for (std::size_t i = clusters.merges.size() - 7; i < clusters.merges.size(); ++i) {
    lost += clusters.merges[i].loss;
  }
  std::uint64_t tokens = 0;
  for (const std::uint64_t count : bigrams.counts) tokens += count;
  const FixedLog logs(FixedLog::fraction_for(tokens));
  EXPECT_NEAR(static_cast<double>(lost) / std::exp2(logs.fraction()) / total, information, 1e-9);
}

void ExpectPrefixCode(const BrownClusters& clusters, std::size_t words) {
  const std::set<std::string> strings(clusters.bits.begin(), clusters.bits.end());
  EXPECT_EQ(strings.size(), std::min<std::size_t>(clusters.clusters, words));
  double kraft = 0;
  for (const std::string& bits : strings) {
    kraft += std::exp2(-static_cast<double>(bits.size()));
    const auto next = strings.upper_bound(bits);
    EXPECT_FALSE(next != strings.end() && next->starts_with(bits));
  }
  EXPECT_DOUBLE_EQ(kraft, 1);
}

TEST(Brown, StringsAreAPrefixCode) {
  Random random(31);
  for (const std::uint32_t c : {2U, 3U, 10U, 25U, 100U}) {
    const Bigrams bigrams = reference::count(random_text(random, 40, 200, 2));
    const BrownClusters clusters = cluster(bigrams, c);
    EXPECT_EQ(clusters.clusters, std::min<std::size_t>(c, bigrams.words.size()));
    ExpectPrefixCode(clusters, bigrams.words.size());
    EXPECT_EQ(clusters.merges.size(), bigrams.words.size() - 1);
  }
}

TEST(Brown, ThreadsAndTheOrderOfLinesChangeNothing) {
  Random random(41);
  Sentences text = random_text(random, 700, 4000, 2);
  const Bigrams bigrams = reference::count(text);
  const std::string one = write_paths(bigrams, cluster(bigrams, 120, 1));
  EXPECT_EQ(write_paths(bigrams, cluster(bigrams, 120, 2)), one);
  EXPECT_EQ(write_paths(bigrams, cluster(bigrams, 120, 8)), one);
  random.shuffle(std::span(text));
  const Bigrams shuffled = reference::count(text);
  EXPECT_EQ(write_paths(shuffled, cluster(shuffled, 120, 1)), one);
  Input input = Input::from_memory(one, "paths");
  EXPECT_EQ(WordClusters::read(input).paths(), one);
}

TEST(Brown, WordsWithTheSameStatisticsSwapWithTheirNames) {
  // b and c occur in the same places; so do their names after they have been exchanged.
  const Sentences text{{"a", "b", "d"}, {"a", "c", "d"}, {"d", "e"}, {"e", "a"}};
  Sentences swapped = text;
  for (auto& sentence : swapped) {
    for (auto& word : sentence) {
      if (word == "b" || word == "c") word = word == "b" ? "c" : "b";
    }
  }
  const Bigrams one = reference::count(text);
  const Bigrams two = reference::count(swapped);
  EXPECT_EQ(write_paths(one, cluster(one, 3)), write_paths(two, cluster(two, 3)));
}

TEST(Brown, FindsPlantedClasses) {
  constexpr int kClasses = 5;
  constexpr int kWords = 50;
  Random random(51);
  BigramCounter counter;
  int state = 0;
  for (int i = 0; i < 200000; ++i) {
    state = random.chance(0.9) ? (state + 1) % kClasses : random.between(0, kClasses - 1);
    counter.add_word(std::to_string(state) + "-" + std::to_string(random.below(kWords)));
  }
  const Bigrams bigrams = counter.finish({});
  const BrownClusters clusters = cluster(bigrams, kClasses);
  double agree = 0;
  double pairs = 0;
  for (std::size_t a = 0; a < bigrams.words.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b, ++pairs) {
      const bool same = bigrams.words[a][0] == bigrams.words[b][0];
      agree += same == (clusters.bits[a] == clusters.bits[b]) ? 1 : 0;
    }
  }
  EXPECT_GT(agree / pairs, 0.99);
}

TEST(Brown, OneWordHasTheEmptyString) {
  const Bigrams bigrams = reference::count({{"a", "a", "a"}, {"a"}});
  const BrownClusters clusters = cluster(bigrams, 1000);
  EXPECT_EQ(write_paths(bigrams, clusters), "\ta\t4\n");
  EXPECT_EQ(clusters.clusters, 1U);
  EXPECT_EQ(clusters.information, 0);
}

TEST(Brown, WordsWithoutNeighboursAreClusteredByTheTieRule) {
  // No bigram at all: every loss is 0, the first two ids merge each time.
  const Bigrams bigrams = reference::count({{"d"}, {"c"}, {"b"}, {"a"}});
  const BrownClusters clusters = cluster(bigrams, 2);
  EXPECT_EQ(write_paths(bigrams, clusters), "0\ta\t1\n0\tb\t1\n0\tc\t1\n1\td\t1\n");
  EXPECT_EQ(clusters.information, 0);
}

TEST(Brown, RefusesWhatCannotBeClustered) {
  EXPECT_THROW(cluster(reference::count({}), 2), Error);
  EXPECT_THROW(cluster(reference::count({{"a"}}), 1), Error);
  EXPECT_THROW(cluster(reference::count({{"a"}}), kMostClusters + 1), Error);
}

}  // namespace
}  // namespace copse
