#include "copse/rerank/tree_views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "copse/base/error.h"
#include "copse/rerank/kernel_reasons.h"
#include "copse/rerank/tree_kernel.h"
#include "tests/rerank/random_trees.h"

namespace copse {
namespace {

// (TOP (S (NP (PRP she)) (VP (VBD saw) (NP (DT a) (JJ big) (NN dog)) (PP (IN with) (NP (NNS eyes))))))
PhraseTree she_saw() {
  PhraseTreeBuilder b;
  b.open("TOP");
  b.open("S");
  b.open("NP");
  b.leaf("PRP", "she");
  b.close();
  b.open("VP");
  b.leaf("VBD", "saw");
  b.open("NP");
  b.leaf("DT", "a");
  b.leaf("JJ", "big");
  b.leaf("NN", "dog");
  b.close();
  b.open("PP");
  b.leaf("IN", "with");
  b.open("NP");
  b.leaf("NNS", "eyes");
  b.close();
  b.close();
  b.close();
  b.close();
  b.close();
  return std::move(b).finish();
}

// The sub-trees of a view of a tree that are inside no other one, in their order.
std::vector<std::string> outer_trees(const PhraseTree& tree, TreeView view) {
  Productions productions;
  TreeListBuilder builder(productions);
  TreeViews({view}, "collins").add(tree, builder);
  const TreeForest list = builder.finish();
  std::set<std::uint32_t> inner(list.child.begin(), list.child.end());
  std::vector<std::string> texts;
  for (std::uint32_t node = 0; node < list.nodes(); ++node) {
    if (!inner.contains(node)) texts.push_back(subtree_text(list, productions, node));
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(TreeViews, TheTreeIsItself) {
  EXPECT_EQ(outer_trees(she_saw(), TreeView::tree), Texts{she_saw().str()});
}

TEST(TreeViews, BinaryGoesOutwardsFromTheHead) {
  EXPECT_EQ(outer_trees(she_saw(), TreeView::binary),
            Texts{"(TOP (S (NP (PRP she)) (VP (VP| (VBD saw) (NP (DT a) (NP| (JJ big) (NN dog)))) "
                  "(PP (IN with) (NP (NNS eyes))))))"});
}

TEST(TreeViews, HeadsAreAttachments) {
  EXPECT_EQ(
      outer_trees(she_saw(), TreeView::heads),
      (Texts{"(S<NP (@c VP) (@s VP) (@u TOP) (@d 0) (@h (VBD saw)) (@m (PRP she)) (@o -))",
             "(VP>NP (@c VBD) (@s VBD) (@u S) (@d 0) (@h (VBD saw)) (@m (NN dog)) (@o -))",
             "(VP>PP (@c VBD) (@s NP) (@u S) (@d 3) (@h (VBD saw)) (@m (IN with)) (@o (NNS eyes)))",
             "(NP<DT (@c NN) (@s JJ) (@u VP) (@d 1) (@h (NN dog)) (@m (DT a)) (@o -))",
             "(NP<JJ (@c NN) (@s NN) (@u VP) (@d 0) (@h (NN dog)) (@m (JJ big)) (@o -))",
             "(PP>NP (@c IN) (@s IN) (@u VP) (@d 0) (@h (IN with)) (@m (NNS eyes)) (@o -))"}));
}

TEST(TreeViews, SpansHaveTheirEdges) {
  EXPECT_EQ(outer_trees(she_saw(), TreeView::spans),
            (Texts{"(S: (@n 6-10) (@e 0) (@b -) (@f (PRP she)) (@l (NNS eyes)) (@a -))",
                   "(NP: (@n 1) (@e 6-10) (@b -) (@f (PRP she)) (@l (PRP she)) (@a (VBD saw)))",
                   "(VP: (@n 6-10) (@e 0) (@b (PRP she)) (@f (VBD saw)) (@l (NNS eyes)) (@a -))",
                   "(NP: (@n 3) (@e 2) (@b (VBD saw)) (@f (DT a)) (@l (NN dog)) (@a (IN with)))",
                   "(PP: (@n 2) (@e 0) (@b (NN dog)) (@f (IN with)) (@l (NNS eyes)) (@a -))",
                   "(NP: (@n 1) (@e 0) (@b (IN with)) (@f (NNS eyes)) (@l (NNS eyes)) (@a -))"}));
}

// Views see all of every tree: phrases without words, single words, recursion, great depth.
TEST(TreeViews, OddTreesAreFine) {
  PhraseTreeBuilder deep;
  constexpr int kDepth = 20'000;
  for (int i = 0; i < kDepth; ++i) deep.open("X");
  deep.leaf("N", "a");
  for (int i = 0; i < kDepth; ++i) {
    deep.leaf("N", "b");
    deep.close();
  }
  PhraseTreeBuilder empty;
  empty.open("TOP");
  empty.open("X");
  empty.close();
  empty.leaf("N", "a");
  empty.close();
  PhraseTreeBuilder leaf;
  leaf.leaf("N", "a");
  const std::vector<PhraseTree> trees{std::move(deep).finish(), std::move(empty).finish(),
                                      std::move(leaf).finish()};
  for (const std::string& name : tree_view_names()) {
    SCOPED_TRACE(name);
    Productions productions;
    TreeListBuilder builder(productions);
    const TreeViews views({tree_view(name)}, "collins");
    for (const PhraseTree& tree : trees) views.add(tree, builder);
    const TreeForest list = builder.finish();
    ASSERT_EQ(list.size(), trees.size());
    EXPECT_EQ(list.nodes_of(2).empty(), name == "heads" || name == "spans");
  }
}

// With productions that are known a list is made alike, and what is not known is left out.
TEST(TreeViews, KnownProductionsGiveTheSameKernel) {
  const TreeViews all({TreeView::tree, TreeView::binary, TreeView::heads, TreeView::spans},
                      "collins");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Productions productions;
    TreeListBuilder growing(productions);
    const PhraseTree x = random_tree(random), y = random_tree(random);
    all.add(x, growing);
    all.add(y, growing);
    const TreeForest list = growing.finish();
    TreeListBuilder fixed(std::as_const(productions));
    all.add(y, fixed);
    const TreeForest again = fixed.finish();
    TreeKernelScratch scratch;
    const KernelTree a(list, 0), b(list, 1), c(again, 0);
    EXPECT_DOUBLE_EQ(tree_kernel(a, b, 0.4, scratch), tree_kernel(a, c, 0.4, scratch));
    EXPECT_DOUBLE_EQ(tree_kernel(b, b, 0.4, scratch), tree_kernel(c, c, 0.4, scratch));
  }
}

TEST(TreeViews, NamesAreCheckedAndKept) {
  EXPECT_THROW(tree_view("leaves"), Error);
  EXPECT_THROW(TreeViews({}, "collins"), Error);
  EXPECT_THROW(TreeViews({TreeView::tree, TreeView::tree}, "collins"), Error);
  const TreeViews views({TreeView::spans, TreeView::tree}, "collins");
  EXPECT_EQ(views.names(), (Texts{"spans", "tree"}));
  const TreeViews kept = TreeViews::from(views.names(), views.heads().str());
  EXPECT_EQ(kept.names(), views.names());
  EXPECT_EQ(kept.heads().str(), views.heads().str());
  EXPECT_THROW(TreeViews::from(Texts{"leaves"}, views.heads().str()), Error);
  EXPECT_THROW(TreeViews::from(Texts{"tree"}, "no table"), Error);
}

}  // namespace
}  // namespace copse
