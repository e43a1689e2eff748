// Arcs longer than ever seen are left out; those of the training data never are.
#include "copse/dependency/length_filter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/dependency/parser_words.h"
#include "tests/dependency/dependency_testing.h"

namespace copse {
namespace {

std::vector<ParserWord> tagged(const std::vector<std::string_view>& tags) {
  std::vector<ParserWord> words;
  words.reserve(tags.size());
  for (const std::string_view tag : tags) words.push_back({"w", "_", tag, tag, "_", true});
  return words;
}

std::string arcs_of(const ArcMask& mask) {
  std::string text;
  for (int m = 1; m <= mask.words(); ++m) {
    for (const int h : mask.heads(m)) {
      text += std::to_string(h) + '>' + std::to_string(m) + ' ';
    }
  }
  return text;
}

LengthFilter reloaded(const LengthFilter& filter) {
  ModelWriter writer("test", nullptr);
  filter.save(writer);
  return LengthFilter::load(ModelFile::from_bytes(writer.bytes(), "test"));
}

TEST(LengthFilter, LetsEverythingPassBeforeItHasLearnt) {
  EXPECT_EQ(LengthFilter().mask(tagged({"A", "B", "C"})).arcs(), 9);
}

TEST(LengthFilter, KeepsWhatIsNoLongerThanSeenByTagsAndDirection) {
  LengthFilter filter;
  // B at 2 heads A at 1 and, two words away, A at 4; C at 3 hangs on A at 4; B on the root.
  filter.learn(tagged({"A", "B", "C", "A"}), std::vector<int>{-1, 2, 0, 4, 2});
  // A B A A A: to the right of B up to two words away, to the left one.
  EXPECT_EQ(arcs_of(filter.mask(tagged({"A", "B", "A", "A", "A"}))), "2>1 0>2 2>3 2>4 ");
  // How far the root is away means nothing.
  EXPECT_EQ(arcs_of(filter.mask(tagged({"A", "A", "A", "B"}))), "4>3 0>4 ");
  EXPECT_EQ(arcs_of(filter.mask(tagged({"C", "A"}))), "2>1 ");
}

TEST(LengthFilter, ArcsOfUnseenTagsAllPass) {
  LengthFilter filter;
  filter.learn(tagged({"A", "B"}), std::vector<int>{-1, 2, 0});
  EXPECT_EQ(arcs_of(filter.mask(tagged({"A", "Z", "B"}))), "2>1 0>2 1>2 3>2 0>3 2>3 ");
}

TEST(LengthFilter, LearnsFromMoreSentencesWithMoreTags) {
  LengthFilter filter;
  filter.learn(tagged({"A", "B"}), std::vector<int>{-1, 2, 0});
  filter.learn(tagged({"A", "C", "D", "B"}), std::vector<int>{-1, 4, 4, 4, 0});
  // Longer now, and what was learnt before the new tags still holds.
  EXPECT_EQ(arcs_of(filter.mask(tagged({"A", "A", "A", "B"}))), "4>1 4>2 4>3 0>4 ");
}

TEST(LengthFilter, TheTreesOfTheTrainingDataAllPass) {
  const auto sentences = dependency_testing::fixture("english.conllu");
  const TagScheme scheme = tag_scheme_of(sentences);
  LengthFilter filter;
  ParserWords words;
  std::vector<std::vector<int>> trees;
  for (const Sentence& sentence : sentences) {
    words.fill(sentence, scheme, {});
    trees.push_back({-1});
    for (int m = 1; m <= sentence.words(); ++m) trees.back().push_back(sentence.head(m));
    filter.learn(words.words(), trees.back());
  }
  int kept = 0, all = 0;
  const LengthFilter again = reloaded(filter);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    words.fill(sentences[i], scheme, {});
    const ArcMask mask = filter.mask(words.words());
    EXPECT_EQ(arcs_of(mask), arcs_of(again.mask(words.words())));
    for (int m = 1; m <= mask.words(); ++m) {
      EXPECT_TRUE(mask.allowed(trees[i][static_cast<std::size_t>(m)], m));
    }
    kept += mask.arcs();
    all += mask.words() * mask.words();
  }
  EXPECT_LT(kept, all / 2);
}

TEST(LengthFilter, AnEmptyOneIsSavedAsEmpty) {
  EXPECT_EQ(reloaded(LengthFilter()).mask(tagged({"A", "B"})).arcs(), 4);
}

TEST(LengthFilter, ALengthBeyondSixteenBitsIsCut) {
  LengthFilter filter;
  const std::vector<ParserWord> words(70000, {"w", "_", "A", "A", "_", true});
  std::vector<int> heads(70001, 1);
  heads[0] = -1;
  heads[1] = 0;
  filter.learn(words, heads);
  EXPECT_EQ(filter.mask(tagged({"A", "A", "A"})).arcs(), 6);  // all but those to the left
}

TEST(LengthFilter, TablesThatDoNotFitAreRefused) {
  const auto load = [](const std::vector<std::string>& tags, std::size_t lengths) {
    ModelWriter writer("test", nullptr);
    writer.add_strings("filter.tags", tags);
    const std::vector<std::uint16_t> longest(lengths, 3);
    writer.add_array("filter.longest", std::span<const std::uint16_t>(longest));
    return dependency_testing::failure_of(
        [&] { LengthFilter::load(ModelFile::from_bytes(writer.bytes(), "test")); });
  };
  EXPECT_EQ(load({"<root>", "A"}, 8), "");
  EXPECT_NE(load({"<root>", "A"}, 7).find("does not fit"), std::string::npos);
  EXPECT_NE(load({}, 2).find("does not fit"), std::string::npos);
  EXPECT_NE(load(std::vector<std::string>(5000, "A"), 0).find("data: "), std::string::npos);
}

}  // namespace
}  // namespace copse
