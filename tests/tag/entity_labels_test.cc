#include "copse/tag/entity_labels.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/base/random.h"

namespace copse {
namespace {

using Strings = std::vector<std::string>;

TEST(EntityLabels, EncodingsOfTheSameSpans) {
  const std::vector<EntitySpan> spans = {{0, 1, "PER"}, {1, 4, "ORG"}};
  EXPECT_EQ(entity_labels(spans, 5, EntityEncoding::bio),
            (Strings{"B-PER", "B-ORG", "I-ORG", "I-ORG", "O"}));
  EXPECT_EQ(entity_labels(spans, 5, EntityEncoding::bioes),
            (Strings{"S-PER", "B-ORG", "I-ORG", "E-ORG", "O"}));
  EXPECT_EQ(entity_labels(spans, 5, EntityEncoding::sco, false),
            (Strings{"S", "S", "C", "C", "O"}));
}

TEST(EntityLabels, EveryEncodingRoundTrips) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<EntitySpan> spans;
    const int words = random.between(1, 12);
    for (int at = 0; at < words;) {
      const int end = std::min(words, at + random.between(1, 4));
      if (random.chance(0.6)) spans.push_back({at, end, random.chance(0.5) ? "A" : "B"});
      at = end;
    }
    for (const auto encoding : {EntityEncoding::sco, EntityEncoding::bio, EntityEncoding::bioes}) {
      EXPECT_EQ(entity_spans(entity_labels(spans, words, encoding)), spans);
    }
  }
}

TEST(EntityLabels, AContinuationOfNothingBeginsAndIsCounted) {
  long repaired = 0;
  const auto spans = entity_spans(Strings{"O", "I-PER", "I-PER", "I-LOC"}, &repaired);
  EXPECT_EQ(spans, (std::vector<EntitySpan>{{1, 3, "PER"}, {3, 4, "LOC"}}));
  EXPECT_EQ(repaired, 2);
}

TEST(EntityLabels, OtherLabelsAreRefused) {
  EXPECT_THROW(entity_spans(Strings{"NN"}), Error);
  EXPECT_THROW(entity_spans(Strings{""}), Error);
}

TEST(EntityLabels, OnlyLegalSequencesMayFollow) {
  EXPECT_TRUE(entity_label_may_follow("", "B-PER"));
  EXPECT_FALSE(entity_label_may_follow("", "I-PER"));
  EXPECT_TRUE(entity_label_may_follow("B-PER", "I-PER"));
  EXPECT_FALSE(entity_label_may_follow("B-PER", "I-LOC"));
  EXPECT_FALSE(entity_label_may_follow("O", "C"));
  EXPECT_TRUE(entity_label_may_follow("S", "C"));
  EXPECT_FALSE(entity_label_may_follow("S-PER", "I-PER"));
  EXPECT_FALSE(entity_label_may_follow("O", "E-PER"));
}

Sentence sentence_of(const std::vector<std::array<std::string, 3>>& rows) {
  Sentence sentence;
  for (const auto& [form, xpos, misc] : rows) {
    sentence.add_word(form);
    sentence.set(sentence.words(), Column::xpos, xpos);
    sentence.set(sentence.words(), Column::misc, misc);
  }
  return sentence;
}

TEST(EntityLabels, StandInTheLastColumnOrInMisc) {
  const Sentence two = sentence_of({{"Ann", "B-PER", "_"}, {"ran", "O", "_"}});
  EXPECT_EQ(labels_of_sentence(two), (Strings{"B-PER", "O"}));
  EXPECT_FALSE(has_parts_of_speech(two));
  const Sentence three = sentence_of({{"Ann", "NNP", "B-PER"}, {"ran", "VBD", "O"}});
  EXPECT_EQ(labels_of_sentence(three), (Strings{"B-PER", "O"}));
  EXPECT_TRUE(has_parts_of_speech(three));
  const Sentence misc = sentence_of({{"Ann", "NNP", "SpaceAfter=No|NE=B-PER"}, {".", ".", "_"}});
  EXPECT_EQ(labels_of_sentence(misc), (Strings{"B-PER", "O"}));
}

TEST(EntityLabels, AreSetWhereTheyWere) {
  const Strings labels = {"O", "B-LOC"};
  Sentence two = sentence_of({{"Ann", "B-PER", "_"}, {"ran", "O", "_"}});
  set_entity_labels(two, labels);
  EXPECT_EQ(two.xpos(2), "B-LOC");
  Sentence misc = sentence_of({{"Ann", "NNP", "SpaceAfter=No|NE=B-PER"}, {".", ".", "_"}});
  set_entity_labels(misc, labels);
  EXPECT_EQ(misc.misc(1), "SpaceAfter=No|NE=O");
  EXPECT_EQ(misc.misc(2), "NE=B-LOC");
  Sentence plain = sentence_of({{"Ann", "NNP", "_"}, {"ran", "VBD", "_"}});
  set_entity_labels(plain, labels, true);
  EXPECT_EQ(plain.misc(2), "B-LOC");
}

}  // namespace
}  // namespace copse
