// Tag lattices against the enumeration of all sequences.
#include "copse/inference/tag_lattice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "copse/base/error.h"
#include "copse/base/random.h"

namespace copse {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();
constexpr double kNothing = -std::numeric_limits<double>::infinity();

void for_each_sequence(const TagLattice& lattice, TagSequence& tags, const auto& visit) {
  const int i = static_cast<int>(tags.size());
  if (i == lattice.size()) return visit(tags);
  for (int c = 0; c < lattice.width(i); ++c) {
    tags.push_back(c);
    for_each_sequence(lattice, tags, visit);
    tags.pop_back();
  }
}

// The score as the header defines it, from the arrays and nothing else.
double plain_score(const TagLattice& lattice, const TagSequence& y) {
  double sum = 0;
  for (int i = 0; i < lattice.size(); ++i) {
    const auto at = [&](int k) { return k < 0 ? 0 : y[static_cast<std::size_t>(k)]; };
    const int p = at(i - 1);
    const int g = at(i - 2);
    const int c = at(i);
    const int width = lattice.width(i);
    sum += lattice.unary(i)[static_cast<std::size_t>(c)];
    sum += lattice.pair(i)[static_cast<std::size_t>(p * width + c)];
    if (lattice.order() == 2) {
      sum +=
          lattice.triple(i)[static_cast<std::size_t>((g * lattice.width(i - 1) + p) * width + c)];
    }
  }
  return sum;
}

// All allowed sequences, best first; ties by the last tag, then the one before, and so on.
std::vector<Scored<TagSequence>> enumerate(const TagLattice& lattice) {
  std::vector<Scored<TagSequence>> all;
  TagSequence tags;
  for_each_sequence(lattice, tags, [&](const TagSequence& y) {
    const double score = plain_score(lattice, y);
    if (score != kNothing) all.push_back({y, score});
  });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    if (a.score != b.score) return a.score > b.score;
    return std::lexicographical_compare(a.item.rbegin(), a.item.rend(), b.item.rbegin(),
                                        b.item.rend());
  });
  return all;
}

double log_sum(const std::vector<Scored<TagSequence>>& all) {
  double sum = 0;
  for (const auto& sequence : all) sum += std::exp(sequence.score);
  return std::log(sum);
}

enum class Scores { real, whole };  // whole numbers make ties and exact sums

TagLattice random_lattice(Random& random, int n, int order, Scores kind, double forbidden) {
  std::vector<int> widths;
  for (int i = 0; i < n; ++i) widths.push_back(random.between(1, 4));
  TagLattice lattice;
  lattice.reset(widths, order);
  const auto fill = [&](std::span<float> scores) {
    for (float& score : scores) {
      score = kind == Scores::whole ? static_cast<float>(random.between(-1, 1))
                                    : static_cast<float>(random.normal());
      if (random.chance(forbidden)) score = kForbidden;
    }
  };
  for (int i = 0; i < n; ++i) {
    fill(lattice.unary(i));
    fill(lattice.pair(i));
    fill(lattice.triple(i));
  }
  return lattice;
}

// Calls check(lattice) for random lattices of both orders, with and without forbidden parts.
void for_random_lattices(Scores kind, int rounds, const auto& check) {
  for (const int order : {1, 2}) {
    for (int n = 1; n <= 5; ++n) {
      for (int seed = 0; seed < rounds; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        const double forbidden = seed % 3 * 0.12;
        SCOPED_TRACE(testing::Message() << "order " << order << " n " << n << " seed " << seed);
        check(random_lattice(random, n, order, kind, forbidden));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(TagLattice, ScoresAreTheSumsOfTheirParts) {
  for_random_lattices(Scores::real, 5, [](const TagLattice& lattice) {
    TagSequence tags;
    for_each_sequence(lattice, tags, [&](const TagSequence& y) {
      const double wanted = plain_score(lattice, y);
      if (wanted == kNothing) {
        EXPECT_EQ(lattice.score(y), kNothing);
      } else {
        EXPECT_NEAR(lattice.score(y), wanted, 1e-9);
      }
    });
  });
}

TEST(TagLattice, OrderOneHasNoTriples) {
  TagLattice lattice;
  lattice.reset(std::vector<int>{3, 4, 2}, 1);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(lattice.triple(i).empty());
  lattice.reset(std::vector<int>{3, 4, 2}, 2);
  EXPECT_EQ(lattice.triple(2).size(), 24U);
}

TEST(TagLattice, BestEqualsTheEnumeration) {
  LatticeWorkspace scratch;  // shared: nothing of one search may reach the next
  for_random_lattices(Scores::real, 60, [&](const TagLattice& lattice) {
    const auto all = enumerate(lattice);
    const auto best = best_tags(lattice, scratch);
    ASSERT_EQ(best.item.size(), static_cast<std::size_t>(lattice.size()));
    if (all.empty()) {
      ASSERT_EQ(best.score, kNothing);
    } else {
      ASSERT_NEAR(best.score, all[0].score, 1e-9);
      ASSERT_NEAR(plain_score(lattice, best.item), all[0].score, 1e-9);
    }
  });
}

TEST(TagLattice, TiesGoToTheSmallerTagFromTheEnd) {
  LatticeWorkspace scratch;
  for_random_lattices(Scores::whole, 60, [&](const TagLattice& lattice) {
    const auto all = enumerate(lattice);
    if (all.empty()) return;
    const auto best = best_tags(lattice, scratch);
    ASSERT_EQ(best.item, all[0].item);
    ASSERT_EQ(best.score, all[0].score);
  });
}

TEST(TagLattice, KBestEqualsTheSortedEnumeration) {
  for_random_lattices(Scores::whole, 40, [&](const TagLattice& lattice) {
    const auto all = enumerate(lattice);
    for (const int k : {1, 2, 7, 30, 5000}) {
      const auto found = k_best_tags(lattice, k);
      ASSERT_EQ(found.size(), std::min(all.size(), static_cast<std::size_t>(k)));
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].score, all[i].score) << "rank " << i;
        ASSERT_EQ(found[i].item, all[i].item) << "rank " << i;
      }
    }
  });
}

TEST(TagLattice, KBestIsSortedDistinctAndRightForRealScores) {
  for_random_lattices(Scores::real, 20, [&](const TagLattice& lattice) {
    const auto all = enumerate(lattice);
    const auto found = k_best_tags(lattice, 12);
    ASSERT_EQ(found.size(), std::min<std::size_t>(all.size(), 12));
    std::set<TagSequence> distinct;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(found[i].score, all[i].score, 1e-9);
      ASSERT_NEAR(plain_score(lattice, found[i].item), found[i].score, 1e-9);
      if (i > 0) {
        ASSERT_GE(found[i - 1].score, found[i].score);
      }
      ASSERT_TRUE(distinct.insert(found[i].item).second);
    }
    LatticeWorkspace scratch;
    if (!all.empty()) {
      ASSERT_EQ(best_tags(lattice, scratch).score, found[0].score);
    }
  });
}

TEST(TagLattice, LogSumEqualsTheEnumeration) {
  LatticeWorkspace scratch;
  for_random_lattices(Scores::real, 40, [&](const TagLattice& lattice) {
    const auto all = enumerate(lattice);
    const double sum = log_sum_tags(lattice, scratch);
    if (all.empty()) {
      ASSERT_EQ(sum, kNothing);
    } else {
      ASSERT_NEAR(sum, log_sum(all), 1e-9);
    }
  });
}

TEST(TagLattice, MarginalsEqualTheEnumeration) {
  LatticeWorkspace scratch;
  for_random_lattices(Scores::real, 30, [&](const TagLattice& lattice) {
    const auto all = enumerate(lattice);
    TagMarginals wanted;
    for (int i = 0; i < lattice.size(); ++i) {
      wanted.unary.emplace_back(lattice.unary(i).size());
      wanted.pair.emplace_back(lattice.pair(i).size());
      wanted.triple.emplace_back(lattice.triple(i).size());
    }
    if (lattice.order() == 1) wanted.triple.clear();
    for (const auto& sequence : all) {
      const TagSequence& y = sequence.item;
      const double p = std::exp(sequence.score - log_sum(all));
      for (int i = 0; i < lattice.size(); ++i) {
        const auto at = [&](int k) { return k < 0 ? 0 : y[static_cast<std::size_t>(k)]; };
        const auto position = static_cast<std::size_t>(i);
        const int pair = at(i - 1) * lattice.width(i) + at(i);
        wanted.unary[position][static_cast<std::size_t>(at(i))] += p;
        wanted.pair[position][static_cast<std::size_t>(pair)] += p;
        if (lattice.order() == 1) continue;
        const int triple = at(i - 2) * lattice.states(i) + pair;
        wanted.triple[position][static_cast<std::size_t>(triple)] += p;
      }
    }
    const TagMarginals found = tag_marginals(lattice, scratch);
    ASSERT_EQ(found.log_sum, log_sum_tags(lattice, scratch));
    const auto same = [](const auto& a, const auto& b) {
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].size(), b[i].size());
        for (std::size_t j = 0; j < a[i].size(); ++j) ASSERT_NEAR(a[i][j], b[i][j], 1e-9);
      }
    };
    same(found.unary, wanted.unary);
    same(found.pair, wanted.pair);
    same(found.triple, wanted.triple);
  });
}

TEST(TagLattice, MarginalsAreSlopesOfTheLogSum) {
  LatticeWorkspace scratch;
  for (const int order : {1, 2}) {
    Random random(static_cast<std::uint64_t>(order));
    TagLattice lattice = random_lattice(random, 5, order, Scores::real, 0);
    const TagMarginals marginals = tag_marginals(lattice, scratch);
    const auto check = [&](std::span<float> scores, const std::vector<double>& wanted) {
      for (std::size_t j = 0; j < scores.size(); ++j) {
        const float score = scores[j];
        scores[j] = score + 0.001F;
        const double above = log_sum_tags(lattice, scratch);
        const double high = scores[j];
        scores[j] = score - 0.001F;
        const double slope = (above - log_sum_tags(lattice, scratch)) / (high - scores[j]);
        scores[j] = score;
        EXPECT_NEAR(slope, wanted[j], 1e-6);
      }
    };
    for (int i = 0; i < lattice.size(); ++i) {
      const auto position = static_cast<std::size_t>(i);
      check(lattice.unary(i), marginals.unary[position]);
      check(lattice.pair(i), marginals.pair[position]);
      if (order == 2) check(lattice.triple(i), marginals.triple[position]);
    }
  }
}

TEST(TagLattice, TheEmptyLatticeHasTheEmptySequence) {
  LatticeWorkspace scratch;
  for (const int order : {1, 2}) {
    TagLattice lattice;
    lattice.reset({}, order);
    EXPECT_TRUE(best_tags(lattice, scratch).item.empty());
    EXPECT_EQ(best_tags(lattice, scratch).score, 0);
    EXPECT_EQ(k_best_tags(lattice, 3).size(), 1U);
    EXPECT_EQ(log_sum_tags(lattice, scratch), 0);
    EXPECT_EQ(tag_marginals(lattice, scratch).log_sum, 0);
    EXPECT_TRUE(k_best_tags(lattice, 0).empty());
  }
}

TEST(TagLattice, ListsBeyondAllMemoryAreRefused) {
  TagLattice lattice;
  lattice.reset(std::vector<int>(2000, 2), 1);
  try {
    k_best_tags(lattice, 10'001);
    FAIL() << "more than 20 million tags are listed";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "a list of 10001 sequences of 2000 words; the limit is 20000000 tags");
  }
  // Where there are fewer, more may be asked for.
  lattice.reset(std::vector<int>(2000, 1), 1);
  EXPECT_EQ(k_best_tags(lattice, 1'000'000).size(), 1U);
}

// 20,000 of 10^30 sequences: each costs one step at every position, not one for every state.
TEST(TagLattice, ManySequencesOfALongSentence) {
  TagLattice lattice;
  lattice.reset(std::vector<int>(30, 10), 2);
  for (int i = 0; i < lattice.size(); ++i) {
    for (std::size_t c = 0; c < 10; ++c) lattice.unary(i)[c] = -static_cast<float>(c);
  }
  const auto found = k_best_tags(lattice, 20'000);
  ASSERT_EQ(found.size(), 20'000U);
  EXPECT_EQ(found[0].score, 0);
  // 30 sequences have one second-best tag; then come those with two of them or one third-best.
  EXPECT_EQ(found[30].score, -1);
  EXPECT_EQ(found[31].score, -2);
  EXPECT_EQ(found[30 + 30 * 29 / 2 + 30].score, -2);
  EXPECT_EQ(found[31 + 30 * 29 / 2 + 30].score, -3);
}

TEST(TagLattice, ScoresBeyondAllMemoryAreRefused) {
  TagLattice lattice;
  const auto refused = [&](const std::vector<int>& widths, int order) {
    try {
      lattice.reset(widths, order);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused({65534, 65534}, 1));  // their product is no int
  EXPECT_TRUE(refused({65534, 65534, 65534}, 2));
  EXPECT_TRUE(refused({1000, 1000, 1000}, 2));
  EXPECT_FALSE(refused({1000, 1000, 1000}, 1));
  EXPECT_FALSE(refused({65534}, 2));
}

TEST(TagLattice, WithoutAnAllowedSequenceEverySearchSaysSo) {
  LatticeWorkspace scratch;
  for (const int order : {1, 2}) {
    for (int blocked = 0; blocked < 4; ++blocked) {
      TagLattice lattice;
      lattice.reset(std::vector<int>{2, 3, 1, 2}, order);
      std::ranges::fill(lattice.pair(blocked), kForbidden);
      const auto best = best_tags(lattice, scratch);
      EXPECT_EQ(best.score, kNothing);
      for (int i = 0; i < 4; ++i)
        EXPECT_LT(best.item[static_cast<std::size_t>(i)], lattice.width(i));
      EXPECT_TRUE(k_best_tags(lattice, 5).empty());
      EXPECT_EQ(log_sum_tags(lattice, scratch), kNothing);
      for (const auto& position : tag_marginals(lattice, scratch).unary) {
        for (const double p : position) EXPECT_EQ(p, 0);
      }
    }
  }
}

TEST(TagLattice, LongSequencesKeepSmallDifferences) {
  // A float would have lost the quarter behind 10^8.
  LatticeWorkspace scratch;
  TagLattice lattice;
  lattice.reset(std::vector<int>(2000, 2), 2);
  for (int i = 0; i < 2000; ++i) {
    lattice.unary(i)[0] = 50000;
    lattice.unary(i)[1] = 50000 + (i % 3 == 0 ? 0.25F : -0.25F);
  }
  const auto best = best_tags(lattice, scratch);
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(best.item[static_cast<std::size_t>(i)], i % 3 == 0 ? 1 : 0) << i;
  }
  EXPECT_EQ(best.score, 2000 * 50000.0 + 667 * 0.25);
}

TEST(TagLattice, ScoresFarBeyondExpAreSummed) {
  LatticeWorkspace scratch;
  TagLattice lattice;
  lattice.reset(std::vector<int>(3, 2), 1);
  for (int i = 0; i < 3; ++i) std::ranges::fill(lattice.unary(i), 1e6F);
  EXPECT_NEAR(log_sum_tags(lattice, scratch), 3e6 + 3 * std::log(2), 1e-6);
  for (int i = 0; i < 3; ++i) std::ranges::fill(lattice.unary(i), -1e6F);
  EXPECT_NEAR(log_sum_tags(lattice, scratch), -3e6 + 3 * std::log(2), 1e-6);
  EXPECT_NEAR(tag_marginals(lattice, scratch).unary[1][0], 0.5, 1e-6);
}

}  // namespace
}  // namespace copse
