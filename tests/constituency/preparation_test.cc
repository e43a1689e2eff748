#include "copse/constituency/generative/preparation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "copse/base/error.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/evaluation/evalb.h"
#include "tests/constituency/constituency_testing.h"
#include "tests/source_dir.h"

namespace copse::generative {
namespace {

using constituency_testing::prepared;
using tree_testing::tree_of;

// The prepared tree with complements marked.
std::string shown(const std::string& text, const PreparationOptions& options = {}) {
  const PreparedTree tree = prepared(text, options);
  PhraseTreeBuilder builder;
  std::vector<int> ends;
  for (int node = 0; node < tree.tree.size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) builder.close();
    if (tree.tree.is_leaf(node)) {
      builder.leaf(tree.tree.label(node), tree.tree.word(node));
      continue;
    }
    const bool complement = tree.complement[static_cast<std::size_t>(node)];
    builder.open(std::string(tree.tree.label(node)) + (complement ? "-A" : ""));
    ends.push_back(tree.tree.next(node));
  }
  for (; !ends.empty(); ends.pop_back()) builder.close();
  return std::move(builder).finish().str();
}

TEST(Preparation, PutsNounPhrasesOverBaseNounPhrases) {
  EXPECT_EQ(shown("( (S (NP-SBJ (DT a) (NN dog)) (VP (VBZ sees) (NP (NN rain)))))"),
            "(S (NP-A (NPB (DT a) (NN dog))) (VP (VBZ sees) (NP-A (NPB (NN rain)))))");
}

TEST(Preparation, AddsNoLevelToTheHeadOfANounPhrase) {
  EXPECT_EQ(shown("(NP (NP (DT a) (NN dog)) (PP (IN in) (NP (NN rain))))"),
            "(NP (NPB (DT a) (NN dog)) (PP (IN in) (NP-A (NPB (NN rain)))))");
}

TEST(Preparation, KeepsPossessivesInsideBaseNounPhrases) {
  EXPECT_EQ(shown("(NP (NP (NNP Tom) (POS 's)) (NN dog))"),
            "(NP (NPB (NPB (NNP Tom) (POS 's)) (NN dog)))");
}

TEST(Preparation, GivesConjunctsOfANounPhraseALevelOfTheirOwn) {
  EXPECT_EQ(shown("(NP (NP (NN rain)) (CC and) (NP (NN wind)))"),
            "(NP (NP (NPB (NN rain))) (CC and) (NP (NPB (NN wind))))");
}

TEST(Preparation, MovesAClauseOutOfABaseNounPhrase) {
  const std::string text = "(NP (DT the) (NN plan) (S (VP (TO to) (VP (VB go)))))";
  EXPECT_EQ(shown(text), "(NP (NPB (DT the) (NN plan)) (S (VP (TO to) (VP-A (VB go)))))");
  EXPECT_EQ(shown(text, {.npb_repair = false}),
            "(NP (NPB (DT the) (NN plan) (S (VP (TO to) (VP-A (VB go))))))");
}

TEST(Preparation, MarksClausesWhoseSubjectIsATrace) {
  EXPECT_EQ(shown("(S (NP-SBJ-1 (NN Tom)) (VP (VBZ wants) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) "
                  "(VP (VB go))))))"),
            "(S (NP-A (NPB (NN Tom))) (VP (VBZ wants) (SG-A (VP (TO to) (VP-A (VB go))))))");
}

TEST(Preparation, RaisesCommasAndDropsThoseAtTheEdges) {
  EXPECT_EQ(shown("(S (, ,) (NP-SBJ (NP (NN Tom)) (, ,) (NP (DT a) (NN dog)) (, ,)) (VP (VBZ "
                  "sleeps) (, ,)) (. .))"),
            "(S (NP-A (NPB (NN Tom)) (, ,) (NP (NPB (DT a) (NN dog)))) (, ,) (VP (VBZ sleeps)))");
}

TEST(Preparation, AdjunctTagsMakeAdjuncts) {
  EXPECT_EQ(shown("(S (NP-TMP (NN today)) (NP-SBJ (NN Tom)) (VP (VBZ sleeps)))"),
            "(S (NP (NPB (NN today))) (NP-A (NPB (NN Tom))) (VP (VBZ sleeps)))");
}

TEST(Preparation, HasNoComplementsInACoordination) {
  EXPECT_EQ(shown("(VP (VP (VB go)) (CC and) (VP (VB see)))"),
            "(VP (VP (VB go)) (CC and) (VP (VB see)))");
}

TEST(Preparation, RefusesTreesWithoutWords) {
  EXPECT_THROW(prepared("(S (. .))"), Error);
  EXPECT_THROW(prepared("(S (NP (-NONE- *)))"), Error);
  EXPECT_THROW(prepared("( (S (NN a)) (S (NN b)))"), Error);
}

TEST(Restore, PutsTokensBackAsHighAsPossible) {
  const std::vector<std::string> words = {"``", "Tom", "''", "sleeps", "."};
  const std::vector<std::string> tags = {"``", "NN", "''", "VBZ", "."};
  EXPECT_EQ(
      restore(tree_of("(S (NP-A (NPB (NN Tom))) (VP (VBZ sleeps)))"), {1, 3}, words, tags).str(),
      "(TOP (S (`` ``) (NP (NN Tom)) ('' '') (VP (VBZ sleeps)) (. .)))");
}

TEST(Restore, HandlesASingleWordAndASingleNounPhrase) {
  EXPECT_EQ(restore(tree_of("(NN Tom)"), {0}, {"Tom", "."}, {"NN", "."}).str(),
            "(TOP (NN Tom) (. .))");
  EXPECT_EQ(
      restore(tree_of("(NP (NPB (NN Tom)))"), {1}, {"``", "Tom", "."}, {"``", "NN", "."}).str(),
      "(TOP (NP (`` ``) (NN Tom) (. .)))");
}

struct RoundTrip {
  double precision = 0, recall = 0;
  std::size_t base_noun_phrases = 0;
};

RoundTrip round_trip(const std::vector<std::string>& files, const PreparationOptions& options) {
  RoundTrip result;
  const HeadRules heads = HeadRules::builtin("collins");
  std::string gold, restored;
  for (const std::string& file : files) {
    for (const PhraseTree& tree : tree_testing::trees_of(tree_testing::file_bytes(file))) {
      const PreparedTree made = prepare(tree, heads, options);
      for (int node = 0; node < made.tree.size(); ++node) {
        result.base_noun_phrases += made.tree.label(node) == kBaseNounPhrase ? 1 : 0;
      }
      gold += gold_line(tree) + "\n";
      restored += restore(made.tree, made.tokens, made.words, made.tags).str() + "\n";
    }
  }
  const EvalbReport report = evaluate_constituency(gold, restored);
  EXPECT_EQ(report.all.errors, 0);
  result.precision = report.all.precision();
  result.recall = report.all.recall();
  return result;
}

TEST(Preparation, RoundTripsOnTheFixtures) {
  const std::vector<std::string> files = {source_dir() + "/fixtures/english.mrg"};
  const RoundTrip exact = round_trip(files, {.npb_repair = false});
  EXPECT_EQ(exact.precision, 100);
  EXPECT_EQ(exact.recall, 100);
  const RoundTrip repaired = round_trip(files, {});
  EXPECT_EQ(repaired.recall, 100);
  EXPECT_GT(repaired.precision, 99);
}

TEST(PreparationData, LosesNothingButWhatNpbRepairAdds) {
  const std::string folder = tree_testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << "COPSE_DATA is not set";
  const std::vector<std::string> files = {folder + "/wsj-sample/train.mrg",
                                          folder + "/wsj-sample/dev.mrg"};
  const RoundTrip exact = round_trip(files, {.npb_repair = false});
  EXPECT_GT(exact.precision, 99.99);
  EXPECT_GT(exact.recall, 99.99);
  const RoundTrip repaired = round_trip(files, {});
  EXPECT_GT(repaired.recall, 99.98);
  EXPECT_NEAR(repaired.precision, 99.7, 0.1);
  EXPECT_GT(repaired.base_noun_phrases, 20'000U);
}

}  // namespace
}  // namespace copse::generative
