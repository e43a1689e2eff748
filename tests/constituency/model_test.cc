#include "copse/constituency/generative/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "copse/base/random.h"
#include "tests/constituency/constituency_testing.h"
#include "tests/repeats.h"

namespace copse::generative {
namespace {

using constituency_testing::fixture_trees;

class GenerativeModelTest : public ::testing::Test {
 protected:
  const std::vector<PreparedTree> trees_ = fixture_trees();
  const GenerativeModel model_{trees_, {}};

  WordId random_word(Random& random) const {
    return static_cast<WordId>(random.below(model_.lexicon().words()));
  }
  LabelId random_tag(Random& random) const {
    return static_cast<LabelId>(random.below(static_cast<std::uint64_t>(model_.labels().tags())));
  }
  LabelId random_label(Random& random) const {
    return static_cast<LabelId>(random.below(static_cast<std::uint64_t>(model_.labels().size())));
  }
  LabelId random_phrase(Random& random) const {
    return model_.labels().phrase_at(random.between(0, model_.labels().phrases() - 1));
  }
};

// A distribution sums to one, or to nothing where even its last history was never seen.
void ExpectSumOrNothing(double sum) {
  if (sum != 0) {
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST_F(GenerativeModelTest, HeadsAndFramesSumToOne) {
  Random random(1);
  int seen = 0;
  for (int i = 0; i < repeats(1000); ++i) {
    const LabelId parent = random_phrase(random), tag = random_tag(random);
    const WordId word = random_word(random);
    double sum = 0;
    for (int head = 0; head < model_.labels().size(); ++head) {
      sum += model_.head(parent, word, tag, static_cast<LabelId>(head));
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    const LabelId head = random_label(random);
    for (const Side side : {Side::left, Side::right}) {
      double frames = 0;
      for (int bag = 0; bag < 1 << (2 * kSubcatSlots); ++bag) {
        frames += model_.subcat(side, parent, head, word, tag, static_cast<Subcat>(bag));
      }
      ExpectSumOrNothing(frames);
      seen += frames > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(seen, repeats(10));
}

TEST_F(GenerativeModelTest, ModifiersAndTheirWordsSumToOne) {
  Random random(2);
  int seen = 0;
  for (int i = 0; i < repeats(1000); ++i) {
    ModifierContext context;
    context.parent = random_phrase(random);
    context.head = random_label(random);
    context.word = random_word(random);
    context.tag = random_tag(random);
    context.side = random.chance(0.5) ? Side::left : Side::right;
    if (!model_.labels().is_base_noun_phrase(context.parent)) {
      context.subcat = random.chance(0.5) ? subcat_of_slot(0) : 0;
      context.verb = random.chance(0.5);
      context.previous = static_cast<Previous>(random.between(0, 3));
    }
    double sum = model_.modifier(context, kStop, 0);
    for (int label = 0; label < model_.labels().size(); ++label) {
      for (const bool complement : {false, true}) {
        for (int tag = 0; tag < model_.labels().tags(); ++tag) {
          sum += model_.modifier(context, {static_cast<LabelId>(label), complement},
                                 static_cast<LabelId>(tag));
        }
      }
    }
    ExpectSumOrNothing(sum);
    seen += sum > 0 ? 1 : 0;
    const LabelId tag = random_tag(random);
    double words = 0;
    for (WordId word = 0; word < model_.lexicon().words(); ++word) {
      const double probability =
          model_.modifier_word(context, {random_label(random), false}, tag, word);
      EXPECT_GT(probability, 0);
      words += model_.lexicon().emission(word, tag);
    }
    EXPECT_NEAR(words, 1, 1e-9);
  }
  EXPECT_GT(seen, repeats(100));
}

TEST_F(GenerativeModelTest, WordsSumToOneUnderAnyContext) {
  Random random(3);
  for (int i = 0; i < repeats(200); ++i) {
    ModifierContext context;
    context.parent = random_phrase(random);
    context.head = random_label(random);
    context.word = random_word(random);
    context.tag = random_tag(random);
    const Modifier modifier{random_label(random), false};
    const LabelId tag = random_tag(random);
    double sum = 0;
    for (WordId word = 0; word < model_.lexicon().words(); ++word) {
      const double probability = model_.modifier_word(context, modifier, tag, word);
      if (probability > 1e-18) sum += probability;  // without the floor
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST_F(GenerativeModelTest, ATooLargeBagOfComplementsCannotBeMade) {
  ModifierContext context;
  context.parent = model_.labels().phrase("VP");
  context.head = model_.labels().tag("VBD");
  context.tag = context.head;
  context.subcat = subcat_of_slot(0);
  EXPECT_EQ(model_.modifier(context, kStop, 0), 0);
  context.subcat = 0;
  EXPECT_EQ(
      model_.modifier(context, {model_.labels().phrase("NP"), true}, model_.labels().tag("NN")), 0);
  EXPECT_GT(model_.modifier(context, kStop, 0), 0);
}

TEST_F(GenerativeModelTest, GivesEveryTrainingTreeAProbability) {
  EXPECT_EQ(model_.skipped(), 0U);
  for (const PreparedTree& tree : trees_) {
    const double score = model_.log_probability(tree);
    EXPECT_TRUE(std::isfinite(score)) << tree.tree.str();
    EXPECT_LT(score, 0);
  }
}

TEST(Lexicon, SignaturesTellTheShape) {
  EXPECT_EQ(word_signature("walked", false), "UNK+ed");
  EXPECT_EQ(word_signature("Walked", true), "UNK+Init+ed");
  EXPECT_EQ(word_signature("Peters", false), "UNK+Cap+s");
  EXPECT_EQ(word_signature("IBM", false), "UNK+ALL");
  EXPECT_EQ(word_signature("1,234.5", false), "UNK+number");
  EXPECT_EQ(word_signature("30-year-old", false), "UNK+digit+dash");
  EXPECT_EQ(word_signature("%", false), "UNK+sign");
  EXPECT_EQ(word_signature("", false), "UNK+sign");
}

TEST(Lexicon, GuessesTagsOfUnknownWordsFromTheirEndings) {
  const auto trees = fixture_trees();
  const LabelSet labels = LabelSet::of(trees);
  const Lexicon lexicon(trees, labels, {});
  const WordReading verb = lexicon.read("zombling", false);
  ASSERT_FALSE(verb.tags.empty());
  EXPECT_EQ(verb.word, kUnknownWord);
  const WordReading forced = lexicon.read("zombling", false, labels.tag("NNP"));
  ASSERT_EQ(forced.tags.size(), 1U);
  EXPECT_EQ(forced.tags[0].tag, labels.tag("NNP"));
  for (const std::string word : {"", "\xFF\xFE", "\xC3\xA9t\xC3\xA9", "-", "(", "12"}) {
    EXPECT_FALSE(lexicon.read(word, true).tags.empty()) << word;
  }
}

}  // namespace
}  // namespace copse::generative
