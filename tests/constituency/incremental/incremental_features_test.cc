// The feature tables: which lines each option brings, and the keys of one step worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "copse/base/error.h"
#include "copse/constituency/incremental/features.h"
#include "copse/constituency/incremental/parser.h"
#include "tests/treebank/tree_testing.h"

namespace copse::incremental {
namespace {

std::vector<std::string> names(const std::vector<Template>& table) {
  std::vector<std::string> out;
  for (const Template& row : table) out.push_back(row.name);
  return out;
}

const std::vector<std::string> kPaper = {"F0", "F1", "F2", "F3", "F4", "F5",
                                         "F6", "F7", "F8", "F9", "F10"};

TEST(IncrementalFeatures, OptionsBringTheirLines) {
  const Grammar grammar;
  const auto node = [&](const FeatureOptions& options) {
    return names(Features(builtin_templates(options), grammar, "").node_table());
  };
  EXPECT_EQ(node({false, false, 0, false}), kPaper);
  auto with = kPaper;
  with.insert(with.end(), {"P3", "P3-F0"});
  EXPECT_EQ(node({true, false, 0, false}), with);
  with.insert(with.end(), {"P1", "P1-F0", "P2", "P2-F0", "A-1", "A-1-word", "A-1-lk", "A-1-left",
                           "A-1-up", "A-1-clp", "A-2"});
  EXPECT_EQ(node({true, false, 1, false}), with);
  EXPECT_EQ(node({false, true, 0, false}).size(), kPaper.size() + 33);
  EXPECT_EQ(node({false, false, 0, true}).size(), kPaper.size() + 16);
  EXPECT_EQ(names(Features(builtin_templates({}), grammar, "").word_table()),
            (std::vector<std::string>{"W0", "F11", "F12", "F13", "F14", "F15"}));
}

TEST(IncrementalFeatures, TablesThatCannotBeReadAreRefused) {
  const Grammar grammar;
  EXPECT_THROW(Features({"X = L99\n", "W = L00\n"}, grammar, ""), Error);
  EXPECT_THROW(Features({"X = Y L10\nY = L10\n", "W = L00\n"}, grammar, ""), Error);
}

// VP put under S after (NP The dog), while "barks" is attached.
TEST(IncrementalFeatures, KeysOfAStepByHand) {
  Grammar grammar;
  const PhraseTree tree =
      tree_testing::tree_of("(TOP (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. ?)))");
  const std::vector<Move> moves = grammar.add(tree);
  grammar.finish();
  Lexicon lexicon;
  const std::vector<std::string> words = {"The", "dog", "barks", "?"},
                                 tags = {"DT", "NN", "VBZ", "."};
  for (const std::string& word : words) {
    for (int k = 0; k < 3; ++k) lexicon.count(word);
  }
  const WordViews views(words, tags, lexicon);
  SentenceWords atoms;
  atoms.fill(views.words(), nullptr);
  const HeadRules heads = HeadRules::builtin("collins");
  Spines spines;
  spines.start(grammar, heads);
  const Cell* cell = spines.root();
  cell = spines.attach(cell, grammar.chain(moves[0].chain), 0);
  cell = spines.attach(cell, grammar.chain(moves[1].chain), 1);
  ASSERT_EQ(moves[2].closes, 1);
  cell = spines.close(cell);
  EXPECT_EQ(cell->label, grammar.find("S"));
  EXPECT_EQ(cell->head.word, 1);

  const Features features(builtin_templates({true, false, 1, false}), grammar, "");
  Features::Keys keys;
  features.node_keys(features.context(*cell, atoms, 2, grammar.find("VBZ")), atoms, 2, keys);
  const auto text = [](const char* each) { return atom_of(std::string_view(each)); };
  const FeatureKey f0 = join(join(text("F0"), 1), text("S"));
  const FeatureKey f1 = join(join(text("F1"), f0), text("VBZ"));
  const FeatureKey f2 = join(join(text("F2"), f1), text("NP"));
  const FeatureKey f3 = join(join(text("F3"), f2), text(" null"));
  const FeatureKey f4 = join(join(text("F4"), f3), text(" null"));
  const FeatureKey f5 = join(join(text("F5"), f4), text("TOP"));
  const FeatureKey f6 = join(join(text("F6"), f5), text(" begin"));
  const FeatureKey f7 = join(join(text("F7"), f6), text(" null"));
  const FeatureKey f8 = join(join(text("F8"), f7), text(" null"));
  const FeatureKey f9 = join(join(text("F9"), f8), text("dog"));
  const FeatureKey f10 = join(join(text("F10"), f9), text("barks"));
  ASSERT_GE(keys.size(), 13U);
  EXPECT_EQ(Features::Keys(keys.begin(), keys.begin() + 11),
            (Features::Keys{f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10}));
  // A question; "barks" is no punctuation (P2), nor is what stands before NP (P3).
  EXPECT_EQ(keys[11], join(join(text("P1"), 1), 1));
  EXPECT_EQ(keys[12], join(join(text("P1-F0"), f0), 1));
  EXPECT_EQ(keys[13], join(join(join(text("A-1"), f0), text("VBZ")), text(".")));
}

}  // namespace
}  // namespace copse::incremental
