#include "copse/rerank/ranking_data.h"

#include <gtest/gtest.h>

#include "copse/rerank/linear_training.h"
#include "tests/rerank/rerank_testing.h"

namespace copse {
namespace {

using rerank_testing::TextFile;

struct Read {
  RankingData data;
  FeatureDictionary dictionary;
};

Read read_training(const std::string& text, std::uint32_t min_lists, int threads = 1) {
  const TextFile file("lists", text);
  GradedLists lists({file.path(), "", "train"});
  Read read;
  CutoffOptions options;
  options.min_lists = min_lists;
  read.data = read_training_lists(lists, *make_given_features(), options, threads, read.dictionary);
  return read;
}

std::vector<std::string> names(const Read& read, std::size_t candidate) {
  std::vector<std::string> names;
  for (const auto id : read.data.lists.features(candidate)) {
    names.push_back(name_of_times(read.dictionary[id].name, read.dictionary[id].times));
  }
  return names;
}

using Names = std::vector<std::string>;

// `a` once is in every candidate of the first list: only the second time makes a difference.
constexpr const char* kLists =
    "1\t-1\ta b\tx\n0\t-2\ta:3 c\ty\n\n"
    "1\t-1\tb\tx\n0\t-2\ta:2\ty\n0\t-2\ta:2 c\ty\n\n";

TEST(RankingData, CountsBecomeFeaturesAndCommonOnesAreLeftOut) {
  const Read read = read_training(kLists, 1);
  ASSERT_EQ(read.data.lists.size(), 2U);
  EXPECT_EQ(read.data.duplicates, 1U);
  EXPECT_EQ(read.data.lists.end(1), 4U);
  EXPECT_EQ(names(read, 0), (Names{"b"}));
  EXPECT_EQ(names(read, 1), (Names{"a x2", "a x3", "c"}));
  EXPECT_EQ(names(read, 2), (Names{"b"}));
  EXPECT_EQ(names(read, 3), (Names{"a x2", "a"}));
}

TEST(RankingData, FeaturesOfFewListsAreDropped) {
  const Read read = read_training(kLists, 2);
  EXPECT_EQ(read.dictionary.size(), 3U);  // b, a x2, a; not a x3 and c
  EXPECT_EQ(names(read, 1), (Names{"a x2"}));
  EXPECT_TRUE(read.dictionary.has(atom_of("a")));
  EXPECT_FALSE(read.dictionary.has(atom_of("c")));
}

TEST(RankingData, OtherListsKnowOnlyTheDictionary) {
  const Read read = read_training(kLists, 2);
  const TextFile file("other", "2\t-1\ta:5 d\n2\t-1\tb\n");
  GradedLists lists({file.path(), "", "dev"});
  const RankingData other = read_other_lists(lists, *make_given_features(), {}, 1, read.dictionary);
  EXPECT_EQ(other.lists.features(0).size(), 2U);
  EXPECT_EQ(other.lists.features(1).size(), 1U);
}

TEST(RankingData, OtherListsKnowWhatIsOnlyThereTwice) {
  const Read read = read_training("1\t0\ta\tx\n0\t0\ta:2\ty\n", 1);
  ASSERT_EQ(read.dictionary.size(), 1U);
  const TextFile file("other", "1\t0\ta\tx\n0\t0\ta:2\ty\n");
  GradedLists lists({file.path(), "", "dev"});
  const RankingData other = read_other_lists(lists, *make_given_features(), {}, 1, read.dictionary);
  EXPECT_EQ(other.lists.features(1).size(), 1U);
}

TEST(RankingData, ThreadsDoNotMatter) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    for (int c = 0; c < 5; ++c) {
      text += std::to_string(c) + "\t-" + std::to_string(c) + "\tf" + std::to_string(i % 7) + ":" +
              std::to_string(1 + (i * c) % 4) + " g" + std::to_string((i + c) % 11) + "\n";
    }
    text += "\n";
  }
  const Read one = read_training(text, 3), four = read_training(text, 3, 4);
  ASSERT_EQ(one.data.lists.candidates(), four.data.lists.candidates());
  for (std::size_t c = 0; c < one.data.lists.candidates(); ++c) {
    EXPECT_EQ(names(one, c), names(four, c));
  }
}

TEST(LinearTraining, APerceptronFindsTheFeatureThatTells) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "0\t-1\tbad\n1\t-2\tgood\n\n";
  const TextFile file("lists", text);
  LinearTrainingOptions options;
  options.method = "perceptron";
  const ModelWriter model = train_linear_reranker({file.path(), "", file.path(), ""}, options, {});
  const auto reranker = load_reranker(ModelFile::from_bytes(model.bytes(), "model"));
  const auto scores = reranker->scores(rerank_testing::lists_of(text).at(0));
  EXPECT_GT(scores[1], scores[0]);
}

}  // namespace
}  // namespace copse
