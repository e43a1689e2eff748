#include "copse/rerank/tagging_kernel.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "copse/base/random.h"
#include "tests/rerank/gram.h"

namespace copse {
namespace {

Candidate tagged(const char* tags) {
  Candidate candidate;
  candidate.text = tags;
  return candidate;
}

Candidates random_list(Random& random, int words, int candidates) {
  static const std::vector<std::string> kWords{"a", "b", "A", "7"};
  Candidates list;
  for (int i = 0; i < words; ++i) {
    list.words.push_back(kWords[static_cast<std::size_t>(random.between(0, 3))]);
  }
  for (int j = 0; j < candidates; ++j) {
    Candidate candidate;
    for (int i = 0; i < words; ++i) {
      candidate.text += (i > 0 ? " " : "") + std::string(random.chance(0.5) ? "O" : "S");
    }
    list.items.push_back(candidate);
  }
  return list;
}

// All runs with all choices of (label), (label, word), (label, class) at each position, as features
// whose squares weigh what the kernel says.
std::map<std::string, double> explicit_vector(const Candidates& list, std::size_t candidate,
                                              double lambda, const TagSimilarity& similarity) {
  const auto tags = tags_of(list.items[candidate]);
  std::map<std::string, double> features;
  for (std::size_t begin = 0; begin < tags.size(); ++begin) {
    std::vector<std::pair<std::string, double>> runs{{"", 1.0}};
    for (std::size_t i = begin; i < tags.size(); ++i) {
      std::vector<std::pair<std::string, double>> longer;
      const double step = i > begin ? lambda : 1;
      for (const auto& [name, weight] : runs) {
        const std::string label = fmt::format("{} {}", name, tags[i]);
        longer.emplace_back(label, weight * step);
        longer.emplace_back(fmt::format("{}/{}", label, list.words[i]),
                            weight * step * similarity.word);
        longer.emplace_back(
            fmt::format("{}#{}", label, static_cast<int>(word_class(list.words[i]))),
            weight * step * similarity.shape);
      }
      runs = longer;
      for (const auto& [name, weight] : runs) features[name] += std::sqrt(weight);
    }
  }
  return features;
}

double product(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  double sum = 0;
  for (const auto& [name, value] : a) {
    const auto found = b.find(name);
    if (found != b.end()) sum += value * found->second;
  }
  return sum;
}

TEST(TaggingKernel, EqualsTheSumOverAllRuns) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Candidates a = random_list(random, random.between(1, 5), 1);
    const Candidates b = random_list(random, random.between(1, 5), 1);
    TagVocabulary vocabulary;
    const TagList x = make_tag_list(a, vocabulary), y = make_tag_list(b, vocabulary);
    for (const double lambda : {0.0, 0.4, 1.0}) {
      for (const TagSimilarity similarity :
           {TagSimilarity{0.5, 0.5}, TagSimilarity{1, 0}, TagSimilarity{0.3, 0.9}}) {
        const double expected = product(explicit_vector(a, 0, lambda, similarity),
                                        explicit_vector(b, 0, lambda, similarity));
        EXPECT_NEAR(tagging_kernel(x, 0, y, 0, lambda, similarity), expected,
                    1e-9 * (1 + expected));
      }
    }
  }
}

TEST(TaggingKernel, ByHand) {
  Candidates list;
  list.words = {"the", "dog"};
  list.items.push_back(tagged("D N"));
  list.items.push_back(tagged("D V"));
  TagVocabulary vocabulary;
  const TagList x = make_tag_list(list, vocabulary);
  // Equal words count twice: N: 2; D: 2 (1 + 2 lambda).
  EXPECT_DOUBLE_EQ(tagging_kernel(x, 0, x, 0, 0.5, {1, 0}), 2 + 2 * (1 + 0.5 * 2));
  EXPECT_DOUBLE_EQ(tagging_kernel(x, 0, x, 1, 0.5, {1, 0}), 2);
  EXPECT_EQ(x.nodes(), 4U);  // N, D N, V, D V
}

TEST(TaggingKernel, GramMatricesArePositiveSemiDefinite) {
  Random random(3);
  TagVocabulary vocabulary;
  std::vector<TagList> lists;
  for (int i = 0; i < 30; ++i) {
    lists.push_back(make_tag_list(random_list(random, random.between(1, 6), 1), vocabulary));
  }
  std::vector<std::vector<double>> gram(30, std::vector<double>(30));
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      gram[i][j] = tagging_kernel(lists[i], 0, lists[j], 0, 0.7, {0.5, 0.5});
    }
  }
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NEAR(gram[i][j], gram[j][i], 1e-12 * gram[i][j]);
      gram[i][j] = gram[j][i];
    }
  }
  EXPECT_TRUE(positive_semi_definite(gram));
}

TEST(TaggingKernel, WordClasses) {
  EXPECT_EQ(word_class("Dog"), WordClass::first_capital);
  EXPECT_EQ(word_class("Álava"), WordClass::first_capital);
  EXPECT_EQ(word_class("A"), WordClass::all_capital);
  EXPECT_EQ(word_class("EFE"), WordClass::all_capital);
  EXPECT_EQ(word_class("1987"), WordClass::digits);
  EXPECT_EQ(word_class("1,987.5"), WordClass::digits_and_punctuation);
  EXPECT_EQ(word_class("well-known"), WordClass::hyphen);
  EXPECT_EQ(word_class("dog"), WordClass::lower);
  EXPECT_EQ(word_class("año"), WordClass::lower);
  EXPECT_EQ(word_class(","), WordClass::other);
  EXPECT_EQ(word_class("3rd"), WordClass::other);
  EXPECT_EQ(word_class(""), WordClass::other);
}

// --- the merged model -----------------------------------------------------------------------------

struct Problem {
  TagVocabulary vocabulary;
  std::vector<TagList> lists;
  explicit Problem(std::uint64_t seed, int count = 14) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
      lists.push_back(make_tag_list(random_list(random, random.between(0, 9), random.between(1, 6)),
                                    vocabulary));
    }
  }
};

TEST(MergedTags, EqualsThePlainSumOfKernelsAndEachUpdateItsOwn) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed);
    const TagSimilarity similarity{0.5, 0.25};
    MergedTags model(0.6, similarity);
    Random random(seed);
    std::vector<std::vector<RankingCoefficient>> updates;
    for (std::size_t i = 0; i < 8; ++i) {
      auto& c = updates.emplace_back();
      for (std::uint32_t j = 0; j < problem.lists[i].size(); ++j) {
        c.push_back({j, static_cast<double>(random.between(-1, 1))});
      }
      model.add(problem.lists[i], c);
    }
    ASSERT_EQ(model.updates(), updates.size());
    const MergedTags loaded = MergedTags::from(model.columns(), 0.6, similarity);
    MergedTags same = model;
    same.keep_within(0);
    MergedTags::Scratch scratch;
    for (const TagList& list : problem.lists) {
      std::vector<double> scores(list.size()), again(list.size()), kept(list.size());
      model.score(list, scores, scratch);
      loaded.score(list, again, scratch);
      same.score(list, kept, scratch);
      EXPECT_EQ(scores, again);
      const std::vector<double> by_update = model.score_updates(list, scratch);
      for (std::size_t j = 0; j < list.size(); ++j) {
        double sum = 0;
        for (std::size_t m = 0; m < updates.size(); ++m) {
          double expected = 0;
          for (const auto& c : updates[m]) {
            expected +=
                c.weight * tagging_kernel(problem.lists[m], c.candidate, list, j, 0.6, similarity);
          }
          EXPECT_NEAR(by_update[m * list.size() + j], expected, 1e-9 * (1 + std::abs(expected)));
          sum += expected;
        }
        EXPECT_NEAR(scores[j], sum, 1e-9 * (1 + std::abs(sum)));
        EXPECT_NEAR(kept[j], sum, 1e-9 * (1 + std::abs(sum)));
      }
    }
  }
}

TEST(MergedTags, WhatFollowsTheLastDifferenceCancels) {
  Candidates list;
  list.words = {"a", "b", "c", "d"};
  list.items.push_back(tagged("S O O O"));
  list.items.push_back(tagged("O O O O"));
  TagVocabulary vocabulary;
  const TagList x = make_tag_list(list, vocabulary);
  MergedTags model(0.5, {});
  model.add(x, std::vector<RankingCoefficient>{{0, 1}, {1, -1}});
  const auto columns = model.columns();
  EXPECT_EQ(columns.weight, (std::vector<double>{0, 0, 0, 1, -1}));
  EXPECT_EQ(columns.next, (std::vector<std::uint32_t>{TagList::kNone, 0, 1, 2, 2}));
}

TEST(MergedTags, LongModelsAreCutIntoBlocks) {
  const Problem problem(9, 400);
  MergedTags model(0.5, {});
  double expected = 0;
  const TagList& test = problem.lists.back();
  for (std::size_t i = 0; i + 1 < problem.lists.size(); ++i) {
    model.add(problem.lists[i], std::vector<RankingCoefficient>{{0, 1}});
    expected += tagging_kernel(problem.lists[i], 0, test, 0, 0.5, {});
  }
  EXPECT_GT(model.size(), 1200U);
  MergedTags::Scratch scratch;
  std::vector<double> scores(test.size());
  model.score(test, scores, scratch);
  EXPECT_NEAR(scores[0], expected, 1e-9 * expected);
}

}  // namespace
}  // namespace copse
