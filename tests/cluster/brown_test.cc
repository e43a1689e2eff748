#include "copse/cluster/brown.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/cluster/word_clusters.h"
#include "tests/cluster/brute_force.h"

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
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int types = random.between(1, 12);
    const auto c = static_cast<std::uint32_t>(random.between(2, 5));
    const Sentences text = random_text(random, types, random.between(1, 60), random.between(1, 3));
    const Bigrams bigrams = reference::count(text);
    if (bigrams.words.empty()) continue;
    const FixedLog logs(FixedLog::fraction_for(bigrams.total));
    ExpectSameMerges(cluster(bigrams, c), reference::brown_clusters({text, bigrams.words}, c, logs));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace copse
