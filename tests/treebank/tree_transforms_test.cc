// Unary chains, binarisation and the left-corner transform: examples, and inverses on random
// trees, on strange labels and on real treebanks.
#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/treebank/binarise.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/label_escape.h"
#include "copse/treebank/left_corner.h"
#include "copse/treebank/unary_chains.h"
#include "tests/repeats.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::tree_of;

const HeadRules& collins() {
  static const HeadRules rules = HeadRules::builtin("collins");
  return rules;
}

// Labels with every special character of the transforms, and few of them, for long chains.
tree_testing::RandomTreeShape strange_shape() {
  tree_testing::RandomTreeShape shape;
  shape.labels = {"A", "A", "B", "A/A", "@A", "A+B", "\\", "A\\", "\\/", "", "@", "+", "/"};
  shape.tags = {"A", "N+N", "\\", "@T", "A/A", "+"};
  shape.max_depth = 8;
  shape.max_children = 3;
  return shape;
}

// Wide, deep and repetitive, so that chains and recursion are frequent.
tree_testing::RandomTreeShape plain_shape() {
  tree_testing::RandomTreeShape shape;
  shape.labels = {"S", "NP", "VP"};
  shape.tags = {"NN", "VB", "CC"};
  shape.max_depth = 8;
  shape.max_children = 6;
  return shape;
}

template <class Check>
void for_random_trees(Check check) {
  Random random(21);
  for (int round = 0; round < repeats(300); ++round) {
    const auto shape = round % 2 == 0 ? strange_shape() : plain_shape();
    const PhraseTree tree = tree_testing::random_tree(random, shape);
    SCOPED_TRACE(tree.str());
    check(tree);
  }
}

std::vector<BinariseOptions> all_binarisations() {
  std::vector<BinariseOptions> all;
  for (Factor factor : {Factor::left, Factor::right, Factor::head})
    for (int order : {0, 1, 2, 100}) all.push_back({factor, order, &collins()});
  return all;
}

TEST(LabelEscape, SplitsAtBareSeparatorsOnly) {
  EXPECT_EQ(escape_label("a+b\\", "+"), "a\\+b\\\\");
  EXPECT_EQ(unescape_label("a\\+b\\\\"), "a+b\\");
  EXPECT_EQ(split_escaped_label("a\\+b+c", '+'), (std::vector<std::string_view>{"a\\+b", "c"}));
  EXPECT_EQ(split_escaped_label("", '+'), (std::vector<std::string_view>{""}));
  EXPECT_EQ(split_escaped_label("\\", '+'), (std::vector<std::string_view>{"\\"}));
}

TEST(UnaryChains, AreJoinedWithPlus) {
  const PhraseTree tree = tree_of("( (S (VP (VB go) (NP (NX (NN home))))))");
  EXPECT_EQ(collapse_unaries(tree).str(), "( (S+VP (VB go) (NP+NX (NN home))))");
  EXPECT_EQ(collapse_unaries(tree, {.join_tags = true}).str(), "( (S+VP (VB go) (NP+NX+NN home)))");
  EXPECT_EQ(collapse_unaries(tree, {.keep_outer = false}).str(),
            "(+S+VP (VB go) (NP+NX (NN home)))");
}

TEST(UnaryChains, CollapsingLeavesNoneAndIsUndoneExactly) {
  for_random_trees([](const PhraseTree& tree) {
    for (bool join_tags : {false, true}) {
      for (bool keep_outer : {false, true}) {
        const PhraseTree collapsed = collapse_unaries(tree, {join_tags, keep_outer});
        EXPECT_EQ(restore_unaries(collapsed), tree);
        for (int node = keep_outer ? 1 : 0; node < collapsed.size(); ++node) {
          if (collapsed.is_leaf(node) || collapsed.child_count(node) > 1) continue;
          EXPECT_TRUE(!join_tags && collapsed.is_leaf(collapsed.first_child(node)));
        }
      }
    }
  });
}

TEST(Binarise, FactorsToTheRightToTheLeftAndOutwardsFromTheHead) {
  const PhraseTree tree = tree_of("(S (NP (NN a)) (VP (VB b)) (PP (IN c)) (. d))");
  EXPECT_EQ(binarise(tree, {.factor = Factor::right}).str(),
            "(S (NP (NN a)) (@S[VP,PP] (VP (VB b)) (@S[PP,.] (PP (IN c)) (. d))))");
  EXPECT_EQ(binarise(tree, {.factor = Factor::left}).str(),
            "(S (@S[VP,PP] (@S[NP,VP] (NP (NN a)) (VP (VB b))) (PP (IN c))) (. d))");
  EXPECT_EQ(binarise(tree, {.factor = Factor::head, .heads = &collins()}).str(),
            "(S (NP (NN a)) (@S[PP,.] (@S[VP,PP] (VP (VB b)) (PP (IN c))) (. d)))");
  EXPECT_EQ(binarise(tree, {.factor = Factor::right, .order = 0}).str(),
            "(S (NP (NN a)) (@S (VP (VB b)) (@S (PP (IN c)) (. d))))");
}

TEST(Binarise, NoPhraseHasMoreThanTwoChildrenAndTheInverseIsExact) {
  for_random_trees([](const PhraseTree& tree) {
    for (const BinariseOptions& options : all_binarisations()) {
      const PhraseTree binary = binarise(tree, options);
      EXPECT_EQ(debinarise(binary), tree);
      for (int node = 0; node < binary.size(); ++node) EXPECT_LE(binary.child_count(node), 2);
    }
  });
}

TEST(Binarise, RefusesWhatItCannotDo) {
  const PhraseTree tree = tree_of("(S (A a) (B b) (C c))");
  EXPECT_THROW(binarise(tree, {.factor = Factor::head}), Error);
  EXPECT_THROW(binarise(tree, {.order = -1}), Error);
  EXPECT_THROW(binarise(tree, {.order = 101}), Error);
}

TEST(Binarise, AFlatPhraseWithManyChildrenIsNoTrouble) {
  PhraseTreeBuilder builder;
  builder.open("X");
  for (int i = 0; i < repeats(20'000); ++i) builder.leaf("T", "w");
  builder.close();
  const PhraseTree tree = std::move(builder).finish();
  for (const BinariseOptions& options : all_binarisations()) {
    EXPECT_EQ(debinarise(binarise(tree, options)), tree);
  }
}

TEST(LeftCorner, FlattensDirectLeftRecursion) {
  const PhraseTree tree =
      tree_of("(NP (NP (NP (NNP Jim) (POS 's)) (NN dog)) (PP (IN with) (NP (NN fleas))))");
  EXPECT_EQ(left_corner_transform(tree).str(),
            "(NP (NNP Jim) (POS 's) (NP/NP (NN dog)) (NP/NP (PP (IN with) (NP (NN fleas)))))");
}

TEST(LeftCorner, LeavesUnariesAlone) {
  const PhraseTree tree = tree_of("(NP (NP (NP (NN a))) (PP (IN b)))");
  EXPECT_EQ(left_corner_transform(tree).str(), "(NP (NP (NN a)) (NP/NP (PP (IN b))))");
}

TEST(LeftCorner, LeavesNoLeftRecursionAndIsUndoneExactly) {
  for_random_trees([](const PhraseTree& tree) {
    const PhraseTree transformed = left_corner_transform(tree);
    int misplaced = -1;
    EXPECT_EQ(undo_left_corner_transform(transformed, &misplaced), tree);
    EXPECT_EQ(misplaced, 0);
    for (int node = 0; node < transformed.size(); ++node) {
      if (transformed.child_count(node) < 2) continue;
      const int child = transformed.first_child(node);
      // A chain ends in a unary A_0 -> A at most.
      const bool recursive =
          !transformed.is_leaf(child) && transformed.label(child) == transformed.label(node) &&
          transformed.label(transformed.next(child)) !=
              std::string(transformed.label(node)) + "/" + std::string(transformed.label(node));
      EXPECT_FALSE(recursive) << transformed.str();
    }
  });
}

TEST(LeftCorner, MisplacedSlashesGiveWayToTheirChildren) {
  int misplaced = 0;
  const PhraseTree tree = tree_of("(S (NP/NP (NN a)) (VP (S/S (VB b)) (NP (NN c))))");
  EXPECT_EQ(undo_left_corner_transform(tree, &misplaced).str(),
            "(S (NN a) (VP (VB b) (NP (NN c))))");
  EXPECT_EQ(misplaced, 2);
}

TEST(TreeTransforms, VeryDeepTreesAreNoTrouble) {
  PhraseTreeBuilder builder;
  for (int i = 0; i < 10'000; ++i) builder.open("A");
  builder.leaf("T", "w");
  for (int i = 0; i < 10'000; ++i) {
    builder.leaf("T", "v");
    builder.close();
  }
  const PhraseTree tree = std::move(builder).finish();
  EXPECT_EQ(undo_left_corner_transform(left_corner_transform(tree)), tree);
  EXPECT_EQ(debinarise(binarise(tree)), tree);
  EXPECT_EQ(restore_unaries(collapse_unaries(tree, {.join_tags = true})), tree);
  EXPECT_EQ(clean(tree).tree, tree);
}

TEST(TreeTransforms, EmptyTreesStayEmpty) {
  EXPECT_TRUE(binarise(PhraseTree()).empty());
  EXPECT_TRUE(debinarise(PhraseTree()).empty());
  EXPECT_TRUE(collapse_unaries(PhraseTree()).empty());
  EXPECT_TRUE(restore_unaries(PhraseTree()).empty());
  EXPECT_TRUE(left_corner_transform(PhraseTree()).empty());
  EXPECT_TRUE(undo_left_corner_transform(PhraseTree()).empty());
}

TEST(TreeTransformsFiles, AllAreUndoneExactlyOnTreebanks) {
  for (const std::string& file : tree_testing::tree_files()) {
    for (const PhraseTree& raw : tree_testing::trees_of(tree_testing::file_bytes(file))) {
      for (bool collapse : {false, true}) {
        const PhraseTree tree = clean(raw, {.collapse_same_unaries = collapse}).tree;
        EXPECT_EQ(undo_left_corner_transform(left_corner_transform(tree)), tree);
        EXPECT_EQ(debinarise(binarise(tree, {Factor::head, 2, &collins()})), tree);
        EXPECT_EQ(restore_unaries(collapse_unaries(tree, {.join_tags = true})), tree);
      }
    }
  }
}

}  // namespace
}  // namespace copse
