// Smoothed probabilities against values worked out by hand from counts that fit on a page, one test
// for each distribution, with every back-off level at work. The 5 of c / (c + 5u) is in all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "copse/constituency/generative/event_shares.h"
#include "copse/constituency/generative/model.h"
#include "copse/constituency/generative/modifier_weights.h"
#include "tests/constituency/constituency_testing.h"

namespace copse::generative {
namespace {

using constituency_testing::plain_model;
using constituency_testing::prepared_trees;

ModelOptions words_as_they_are() {
  ModelOptions options = plain_model();
  options.lexicon.rare_below = 1;
  return options;
}

constexpr Subcat kOneNounPhrase = 1;

class Smoothing : public ::testing::Test {
 protected:
  explicit Smoothing(const ModelOptions& options = words_as_they_are())
      : model_(prepared_trees("(S (NP-SBJ (NNS dogs)) (VP (VBP sleep)))\n"
                              "(S (NP-SBJ (NNS cats)) (VP (VBP sleep)))\n"
                              "(S (NP-SBJ (NNS dogs)) (VP (VBP see) (NP (NNS cats))))\n"
                              "(S (NP-SBJ (NNS dogs)) (VP (VBD slept)))\n"
                              "(S (VP (VBD slept)))\n"
                              "(S (NP-SBJ (NNS dogs)) (VP (VBP sleep) (ADVP (RB today))))\n"
                              "(S (NP-SBJ (PRP they)) (VP (VBP see) (NP (PRP them))))\n"),
               options) {}

  LabelId tag(const char* name) const { return model_.labels().tag(name); }
  LabelId phrase(const char* name) const { return model_.labels().phrase(name); }
  WordId word(const char* text) const { return model_.lexicon().word(text); }
  ModifierContext context(const char* parent, LabelId head, const char* word_text, const char* t,
                          Side side, Subcat subcat) const {
    ModifierContext context;
    context.parent = phrase(parent);
    context.head = head;
    context.word = word(word_text);
    context.tag = tag(t);
    context.side = side;
    context.subcat = subcat;
    return context;
  }

  const GenerativeModel model_;
};

TEST_F(Smoothing, Heads) {
  // VP sleep VBP: VBP 3 of 3.  VP VBP: 5 of 5.  VP: VBP 5, VBD 2.
  const double trust0 = 3.0 / 8, trust1 = 5.0 / 10;
  EXPECT_NEAR(model_.head(phrase("VP"), word("sleep"), tag("VBP"), tag("VBP")),
              trust0 + (1 - trust0) * (trust1 + (1 - trust1) * 5 / 7), 1e-12);
  EXPECT_NEAR(model_.head(phrase("VP"), word("sleep"), tag("VBP"), tag("VBD")),
              (1 - trust0) * (1 - trust1) * 2 / 7, 1e-12);
  // A word never seen: the levels below alone.
  EXPECT_NEAR(model_.head(phrase("VP"), kUnknownWord, tag("VBP"), tag("VBD")), (1 - trust1) * 2 / 7,
              1e-12);
}

TEST_F(Smoothing, BagsOfComplements) {
  // S VP slept VBD: {NP} 1, {} 1.  S VP VBD: the same.  S VP: {NP} 6, {} 1.
  const double trust = 2.0 / 12;
  EXPECT_NEAR(model_.subcat(Side::left, phrase("S"), phrase("VP"), word("slept"), tag("VBD"), 0),
              trust / 2 + (1 - trust) * (trust / 2 + (1 - trust) / 7), 1e-12);
  // S VP sleep VBP: {NP} 3 of 3.  S VP VBP: {NP} 5 of 5.
  EXPECT_NEAR(model_.subcat(Side::left, phrase("S"), phrase("VP"), word("sleep"), tag("VBP"), 0),
              5.0 / 8 * 5 / 10 / 7, 1e-12);
}

TEST_F(Smoothing, Modifiers) {
  const Modifier adverb{phrase("ADVP"), false};
  // VP VBP sleep right start {}: STOP 2, ADVP 1, and the same without the word and without the tag.
  // VP right start {}: STOP 4, ADVP 1.
  EXPECT_NEAR(
      model_.modifier(context("VP", tag("VBP"), "sleep", "VBP", Side::right, 0), adverb, tag("RB")),
      599.0 / 2197, 1e-12);
  EXPECT_NEAR(model_.modifier(context("VP", tag("VBP"), "nobody", "VBP", Side::right, 0), adverb,
                              tag("RB")),
              43.0 / 169, 1e-12);
  EXPECT_NEAR(
      model_.modifier(context("VP", tag("VBD"), "slept", "VBD", Side::right, 0), adverb, tag("RB")),
      25.0 / 343, 1e-12);
}

TEST_F(Smoothing, TagsOfModifiersBelowAllLevels) {
  const Modifier object{phrase("NP"), true};
  // VP right start {NP}: an NP-A always, NNS 1, PRP 1 on every level; P(NNS | NP) = 6 / 8.
  EXPECT_NEAR(model_.modifier(context("VP", tag("VBP"), "see", "VBP", Side::right, kOneNounPhrase),
                              object, tag("NNS")),
              3217.0 / 5184, 1e-12);
  // "slept" had no PRP as its subject; six subjects of S over VP had one; P(PRP | NP) = 2 / 8.
  EXPECT_NEAR(
      model_.modifier(context("S", phrase("VP"), "slept", "VBD", Side::left, kOneNounPhrase),
                      object, tag("PRP")),
      1275.0 / 9216, 1e-12);
  // No NP was headed by an adverb, and none may be left out when one is due.
  EXPECT_EQ(model_.modifier(context("VP", tag("VBP"), "see", "VBP", Side::right, kOneNounPhrase),
                            object, tag("RB")),
            0);
  EXPECT_EQ(model_.modifier(context("VP", tag("VBP"), "see", "VBP", Side::right, kOneNounPhrase),
                            kStop, 0),
            0);
}

TEST_F(Smoothing, WordsOfModifiers) {
  const Modifier object{phrase("NP"), true};
  const ModifierContext see = context("VP", tag("VBP"), "see", "VBP", Side::right, kOneNounPhrase);
  // One NNS object, "cats", on three levels; below them NNS is "dogs" 4 and "cats" 2 of 6, with
  // 0.05 for the signature that nobody has.
  const auto climb = [](double below) { return 1.0 / 6 + 5.0 / 6 * below; };
  EXPECT_NEAR(model_.modifier_word(see, object, tag("NNS"), word("cats")),
              climb(climb(climb(2 / 6.05))), 1e-12);
  EXPECT_NEAR(model_.modifier_word(see, object, tag("NNS"), word("dogs")),
              5.0 / 6 * 5 / 6 * 5 / 6 * 4 / 6.05, 1e-12);
  EXPECT_EQ(model_.modifier_word(see, object, tag("NNS"), word("see")), 1e-19);
}

// Asked for the first time and when it is kept; contexts that differ in one thing do not share.
TEST_F(Smoothing, WeightsOfModifiersAreThoseOfTheModel) {
  ModifierWeights weights;
  weights.start(model_);
  int possible = 0;
  for (int round = 0; round < 2; ++round) {
    for (const char* verb : {"see", "sleep", "slept"}) {
      for (const Subcat due : {Subcat{0}, kOneNounPhrase}) {
        const auto asked = context("VP", tag("VBP"), verb, "VBP", Side::right, due);
        ModifierWeights::Context history(model_, asked);
        for (const char* noun : {"cats", "dogs"}) {
          const auto expected = [&](bool complement) {
            const Modifier modifier{phrase("NP"), complement};
            return std::log(model_.modifier(asked, modifier, tag("NNS"))) +
                   std::log(model_.modifier_word(asked, modifier, tag("NNS"), word(noun)));
          };
          const ModifierWeight found = weights.of(history, phrase("NP"), tag("NNS"), word(noun));
          EXPECT_EQ(found.adjunct, expected(false));
          EXPECT_EQ(found.complement, expected(true));
          possible += std::isfinite(found.complement) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(possible, 12);
}

TEST_F(Smoothing, RootsAndTheirWords) {
  EXPECT_NEAR(model_.top(phrase("S"), tag("VBP")), 5.0 / 7, 1e-12);
  // "sleep" 3 of 5 as the head of a root, and 3 of 5.05 of VBP.
  EXPECT_NEAR(model_.top_word(phrase("S"), tag("VBP"), word("sleep")),
              1.0 / 3 * 3 / 5 + 2.0 / 3 * 3 / 5.05, 1e-12);
}

double share_of(const EventShares& shares, const Histories& histories, std::size_t level,
                std::uint64_t future) {
  const auto found = shares.find(extend_key(histories.keys()[level], future));
  return found == shares.end() ? 0 : found->second;
}

TEST_F(Smoothing, SharesOfTheLevels) {
  const auto tree = prepared_trees("(S (NP (NNS dogs)) (VP (VBP sleep) (ADVP (RB today))))\n")[0];
  const EventShares shares = event_shares(model_, tree);
  // As in Heads and in Modifiers above.
  const double trust0 = 3.0 / 8, trust1 = 5.0 / 10;
  const double head = trust0 + (1 - trust0) * (trust1 + (1 - trust1) * 5 / 7);
  const Histories heads = Histories::head(phrase("VP"), word("sleep"), tag("VBP"));
  EXPECT_NEAR(share_of(shares, heads, 0, tag("VBP")), trust0 / head, 1e-12);
  EXPECT_NEAR(share_of(shares, heads, 1, tag("VBP")), (1 - trust0) * trust1 / head, 1e-12);
  EXPECT_NEAR(share_of(shares, heads, 2, tag("VBP")), (1 - trust0) * (1 - trust1) * 5 / 7 / head,
              1e-12);
  const Modifier adverb{phrase("ADVP"), false};
  const ModifierContext place = context("VP", tag("VBP"), "sleep", "VBP", Side::right, 0);
  const Histories modifiers = Histories::modifier(place, false, true);
  const std::uint64_t future = Histories::with_tag(adverb.code(), tag("RB"));
  const double trust = 3.0 / 13, whole = 599.0 / 2197;
  EXPECT_NEAR(share_of(shares, modifiers, 0, future), trust / 3 / whole, 1e-12);
  EXPECT_NEAR(share_of(shares, modifiers, 1, future), (1 - trust) * trust / 3 / whole, 1e-12);
  EXPECT_TRUE(event_shares(model_, prepared_trees("(X (NNS dogs))\n")[0]).empty());
}

TEST(EventShares, OfAFactorSumToOne) {
  struct Factors {
    double number = 2;  // the root and its word
    void node(LabelId, WordId, LabelId) {}
    void head(LabelId, WordId, LabelId, LabelId) { ++number; }
    void subcat(Side, LabelId, LabelId, WordId, LabelId, Subcat) { ++number; }
    void modifier(const ModifierContext&, Modifier, LabelId) { ++number; }
    void modifier_word(const ModifierContext&, Modifier, const LexicalHead&) { ++number; }
    void top(const LexicalHead&) {}
    void word(const LexicalHead&) {}
  };
  ModelOptions options = plain_model();
  options.extra_levels = false;  // below the others stands a product, which counts twice
  const auto trees = constituency_testing::fixture_trees();
  const GenerativeModel model(trees, options);
  for (const PreparedTree& tree : trees) {
    Factors factors;
    EventWalk(tree, model.labels(), model.lexicon()).visit(factors);
    double sum = 0;
    for (const auto& [key, share] : event_shares(model, tree)) sum += share;
    EXPECT_NEAR(sum, factors.number, 1e-9) << tree.tree.str();
  }
}

ModelOptions only_histories_seen_four_times() {
  ModelOptions options = words_as_they_are();
  options.least_history = 4;
  return options;
}

class RareHistories : public Smoothing {
 protected:
  RareHistories() : Smoothing(only_histories_seen_four_times()) {}
};

TEST_F(RareHistories, LeaveHeadsToCoarserOnes) {
  // VP sleep VBP was seen 3 times.  VP VBP: 5 of 5.  VP: VBP 5, VBD 2.
  const double trust = 5.0 / 10;
  EXPECT_NEAR(model_.head(phrase("VP"), word("sleep"), tag("VBP"), tag("VBP")),
              trust + (1 - trust) * 5 / 7, 1e-12);
  EXPECT_NEAR(model_.head(phrase("VP"), word("sleep"), tag("VBP"), tag("VBD")), (1 - trust) * 2 / 7,
              1e-12);
  // VP VBD was seen twice: the last level alone, which has every history.
  EXPECT_NEAR(model_.head(phrase("VP"), word("slept"), tag("VBD"), tag("VBD")), 2.0 / 7, 1e-12);
}

TEST_F(RareHistories, StayWhereTheyAreTheLast) {
  // ADVP was seen once, over RB.
  EXPECT_NEAR(model_.head(phrase("ADVP"), word("today"), tag("RB"), tag("RB")), 1, 1e-12);
  EXPECT_NEAR(model_.subcat(Side::left, phrase("S"), phrase("VP"), word("slept"), tag("VBD"), 0),
              1.0 / 7, 1e-12);
}

TEST_F(RareHistories, LeaveWordsOfModifiersToTheLexicon) {
  const ModifierContext see = context("VP", tag("VBP"), "see", "VBP", Side::right, kOneNounPhrase);
  EXPECT_NEAR(model_.modifier_word(see, {phrase("NP"), true}, tag("NNS"), word("dogs")), 4 / 6.05,
              1e-12);
}

TEST(RareHistoriesOfTheSample, AreLeftOut) {
  const auto trees = prepared_trees(
      "(S (NP-SBJ (NNS dogs)) (VP (VBP sleep)))\n"
      "(S (NP-SBJ (NNS cats)) (VP (VBP sleep)))\n");
  const GenerativeModel all(trees, words_as_they_are());
  const GenerativeModel often(trees, only_histories_seen_four_times());
  EXPECT_LT(often.events(), all.events());
  EXPECT_GT(often.log_probability(trees[0]), -100);  // and not minus infinity
}

TEST(BaseNounPhrases, ModifiersFollowTheOneBefore) {
  const GenerativeModel model(prepared_trees("(NP (JJ old) (NNS dogs))\n"
                                             "(NP (NNS cats))\n"
                                             "(NP (DT the) (JJ old) (NN cat))\n"),
                              words_as_they_are());
  const LabelSet& labels = model.labels();
  ModifierContext context;
  context.parent = labels.phrase("NPB");
  context.head = context.tag = labels.tag("NNS");
  context.word = model.lexicon().word("dogs");
  context.side = Side::left;
  // Left of NNS "dogs": JJ 1 of 1.  Of NNS: JJ 1, STOP 1, by tag and by label.  Anywhere left:
  // STOP 3, JJ 2, DT 1.
  EXPECT_NEAR(model.modifier(context, {labels.tag("JJ"), false}, labels.tag("JJ")), 631.0 / 1296,
              1e-12);
}

TEST(CollinsLevels, HaveNothingBelowTheTag) {
  ModelOptions options = words_as_they_are();
  options.extra_levels = false;
  const GenerativeModel model(
      prepared_trees("(S (NP-SBJ (NNS dogs)) (VP (VBP sleep)))\n"
                     "(S (NP-SBJ (NNS dogs)) (VP (VBP sleep) (ADVP (RB today))))\n"
                     "(S (NP-SBJ (NNS dogs)) (VP (VBD slept)))\n"),
      options);
  const LabelSet& labels = model.labels();
  ModifierContext context;
  context.parent = labels.phrase("VP");
  context.head = context.tag = labels.tag("VBP");
  const Modifier adverb{labels.phrase("ADVP"), false};
  // An unknown verb: 1 of 2 by the tag and by the label of the head.
  EXPECT_NEAR(model.modifier(context, adverb, labels.tag("RB")), 0.5, 1e-12);
  context.head = context.tag = labels.tag("VBD");
  EXPECT_EQ(model.modifier(context, adverb, labels.tag("RB")), 0);
}

}  // namespace
}  // namespace copse::generative
