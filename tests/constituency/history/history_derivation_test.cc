// Derivations of trees and back, and which actions are allowed.
#include <gtest/gtest.h>

#include <functional>

#include "copse/base/error.h"
#include "copse/constituency/history/derivation.h"
#include "copse/constituency/incremental/grammar.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/ptb.h"
#include "tests/constituency/history/history_testing.h"
#include "tests/repeats.h"

namespace copse::history {
namespace {

std::string text_of(std::span<const Action> actions, const Symbols& labels) {
  std::string out;
  for (const Action& each : actions) {
    out += each.kind == Kind::shift    ? std::string("s ")
           : each.kind == Kind::attach ? std::string("a ")
                                       : std::string(labels.text(each.label)) + " ";
  }
  return out;
}

PhraseTree again(std::span<const Action> actions, const Symbols& labels, const PhraseTree& tree) {
  std::vector<std::string> tags, words;
  for (int i = 0; i < tree.words(); ++i) {
    tags.emplace_back(tree.tag(i));
    words.emplace_back(tree.word_at(i));
  }
  return tree_of(actions, labels, tags, words);
}

std::size_t phrases(const PhraseTree& tree) {
  std::size_t out = 0;
  for (int node = 0; node < tree.size(); ++node) out += tree.is_leaf(node) ? 0 : 1;
  return out;
}

// Random trees with chains of phrases over one child.
void grow(Random& random, int depth, PhraseTreeBuilder& builder) {
  if (depth == 0 || random.chance(0.3)) {
    builder.leaf(random.chance(0.5) ? "N" : "V", "w");
    return;
  }
  const char* names[] = {"S", "NP", "VP"};
  builder.open(names[random.below(3)]);
  for (int k = random.chance(0.3) ? 1 : random.between(2, 4); k > 0; --k) {
    grow(random, depth - 1, builder);
  }
  builder.close();
}

TEST(HistoryDerivation, OfATree) {
  PhraseTreeBuilder b;
  b.open("TOP");
  b.open("S");
  b.open("NP");
  b.leaf("DT", "the");
  b.leaf("NN", "cat");
  b.close();
  b.open("VP");
  b.leaf("VBD", "sat");
  b.close();
  b.close();
  b.close();
  const PhraseTree tree = std::move(b).finish();
  Symbols labels;
  const auto actions = actions_of(tree, labels);
  EXPECT_EQ(text_of(actions, labels), "s NP s a S s VP a a ");
  EXPECT_EQ(again(actions, labels, tree).str(), tree.str());
  EXPECT_EQ(longest_chain(actions), 1);
}

TEST(HistoryDerivation, OneForEachTreeAndBack) {
  Random random(5);
  for (int time = 0; time < repeats(2000); ++time) {
    PhraseTreeBuilder builder;
    builder.open("TOP");
    grow(random, random.between(0, 6), builder);
    builder.close();
    const PhraseTree tree = std::move(builder).finish();
    Symbols labels;
    const auto actions = actions_of(tree, labels);
    ASSERT_EQ(again(actions, labels, tree).str(), tree.str());
    // 2 words + inner nodes; TOP is none of them.
    ASSERT_EQ(actions.size(), 2 * static_cast<std::size_t>(tree.words()) + phrases(tree) - 1);
  }
}

TEST(HistoryDerivation, OfTheFixtures) {
  Symbols labels;
  for (const Entry& entry : history_testing::some_trees()) {
    const PhraseTree tree = incremental::under_top(clean(entry.tree).tree);
    EXPECT_EQ(again(actions_of(tree, labels), labels, tree).str(), tree.str());
  }
  const Symbols none;
  EXPECT_THROW(actions_of(history_testing::some_trees()[0].tree, none), Error);
}

TEST(HistoryDerivation, SeveralRootsAreUnderOneThatIsProjected) {
  PhraseTreeBuilder b;
  b.open("TOP");
  b.leaf("N", "a");
  b.leaf("N", "b");
  b.close();
  const PhraseTree tree = std::move(b).finish();
  Symbols labels;
  const auto actions = actions_of(tree, labels);
  EXPECT_EQ(text_of(actions, labels), "s TOP s a a ");
  EXPECT_EQ(again(actions, labels, tree).str(), tree.str());
}

TEST(HistoryDerivation, RefusesWhatIsIllegal) {
  Symbols labels;
  labels.add("X");
  const std::vector<std::string> two{"a", "b"};
  const auto build = [&](std::vector<Action> actions) {
    return tree_of(actions, labels, two, two);
  };
  const Action s{Kind::shift, 0}, p{Kind::project, 0}, a{Kind::attach, 0};
  EXPECT_NO_THROW(build({s, p, s, a, a}));
  EXPECT_THROW(build({s, s, a, a}), Error);           // on a leaf
  EXPECT_THROW(build({p}), Error);                    // nothing there
  EXPECT_THROW(build({s, p, s, a}), Error);           // too early
  EXPECT_THROW(build({s, a}), Error);                 // a word is left
  EXPECT_THROW(build({s, p, s, a, a, a}), Error);     // after the end
  EXPECT_THROW(build({s, p, s, a, s, a, a}), Error);  // more words
  EXPECT_THROW(build({s, {Kind::project, 1}, s, a, a}), Error);
}

TEST(HistoryDerivation, AllowedKinds) {
  const std::uint32_t s = bit(Kind::shift), p = bit(Kind::project), a = bit(Kind::attach);
  EXPECT_EQ(allowed_kinds({false, true, false, 0}, 2, WordsLeft::unknown), s);
  EXPECT_EQ(allowed_kinds({true, false, true, 0}, 2, WordsLeft::unknown), p | a);
  EXPECT_EQ(allowed_kinds({false, false, true, 1}, 2, WordsLeft::unknown), s | p | a);
  EXPECT_EQ(allowed_kinds({false, false, true, 2}, 2, WordsLeft::unknown), s | a);
  EXPECT_EQ(allowed_kinds({false, false, true, 1}, 2, WordsLeft::some), s | p);
  EXPECT_EQ(allowed_kinds({false, false, false, 1}, 2, WordsLeft::some), s | p | a);
  EXPECT_EQ(allowed_kinds({false, false, true, 1}, 2, WordsLeft::none), p | a);
}

}  // namespace
}  // namespace copse::history
