#include "copse/treebank/phrase_tree.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"

namespace copse {
namespace {

PhraseTree cat_sat() {
  PhraseTreeBuilder b;
  b.open("S");
  b.open("NP");
  b.leaf("DT", "the");
  b.leaf("NN", "cat");
  b.close();
  b.open("VP");
  b.leaf("VBD", "sat");
  b.close();
  b.close();
  return std::move(b).finish();
}

TEST(PhraseTree, NodesLieInPreorderWithSpans) {
  const PhraseTree tree = cat_sat();
  EXPECT_EQ(tree.size(), 6);
  EXPECT_EQ(tree.words(), 3);
  EXPECT_EQ(tree.label(4), "VP");
  EXPECT_EQ(tree.parent(4), 0);
  EXPECT_EQ(tree.next(1), 4);
  EXPECT_EQ(tree.begin(1), 0);
  EXPECT_EQ(tree.end(1), 2);
  EXPECT_EQ(tree.child_count(0), 2);
  EXPECT_EQ(tree.tag(1), "NN");
  EXPECT_EQ(tree.word_at(2), "sat");
  std::vector<int> children;
  for (const int child : tree.children(0)) children.push_back(child);
  EXPECT_EQ(children, (std::vector<int>{1, 4}));
  EXPECT_EQ(tree.child_count(2), 0);  // a leaf has no children
}

TEST(PhraseTree, WritesBrackets) {
  EXPECT_EQ(cat_sat().str(), "(S (NP (DT the) (NN cat)) (VP (VBD sat)))");
  EXPECT_EQ(cat_sat().str(1), "(NP (DT the) (NN cat))");
}

TEST(PhraseTree, CopiesSubtrees) {
  const PhraseTree tree = cat_sat();
  PhraseTreeBuilder b;
  b.open("X");
  b.copy(tree, 1);
  b.copy(tree, 5);
  b.close();
  EXPECT_EQ(std::move(b).finish().str(), "(X (NP (DT the) (NN cat)) (VBD sat))");
}

TEST(PhraseTree, ComparesShapeLabelsAndWords) {
  EXPECT_EQ(cat_sat(), cat_sat());
  PhraseTreeBuilder b;
  b.open("S");
  b.leaf("DT", "the");
  b.close();
  EXPECT_FALSE(cat_sat() == std::move(b).finish());
}

TEST(PhraseTreeBuilder, RefusesUnfinishedAndDoubleTrees) {
  PhraseTreeBuilder open;
  open.open("S");
  EXPECT_THROW(std::move(open).finish(), Error);
  PhraseTreeBuilder twice;
  twice.leaf("NN", "a");
  EXPECT_THROW(twice.leaf("NN", "b"), Error);
  PhraseTreeBuilder closed;
  EXPECT_THROW(closed.close(), Error);
}

TEST(PhraseTree, DeepTreesNeedNoStack) {
  PhraseTreeBuilder b;
  constexpr int kDepth = 200000;
  for (int i = 0; i < kDepth; ++i) b.open("X");
  b.leaf("NN", "a");
  for (int i = 0; i < kDepth; ++i) b.close();
  const PhraseTree tree = std::move(b).finish();
  EXPECT_EQ(tree.str().size(), static_cast<std::size_t>(kDepth) * 4 + 6);
  PhraseTreeBuilder copy;
  copy.copy(tree, 0);
  EXPECT_EQ(std::move(copy).finish(), tree);
}

}  // namespace
}  // namespace copse
