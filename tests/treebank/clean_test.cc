#include "copse/treebank/clean.h"

#include <gtest/gtest.h>

#include "copse/treebank/label.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::tree_of;

std::string cleaned(const char* tree, const CleanOptions& options = {}) {
  return clean(tree_of(tree), options).tree.str();
}

TEST(Clean, RemovesTracesAndPhrasesOverNothingElse) {
  EXPECT_EQ(cleaned("(S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB go) (NP (-NONE- *T*)))))"),
            "(S (VP (TO to) (VP (VB go))))");
}

TEST(Clean, StripsLabelsOfPhrasesButNotTags) {
  EXPECT_EQ(cleaned("( (S=2 (NP-SBJ-1 (JJ|NN x)) (ADVP|PRT (RP y)) (-LRB- -LRB-)))"),
            "( (S (NP (JJ|NN x)) (ADVP (RP y)) (-LRB- -LRB-)))");
}

TEST(Clean, CollapsesUnariesWithTheSameLabelUnlessToldNotTo) {
  const char* tree = "(S (NP-SBJ (NP (NP (NN a))) (SBAR (-NONE- *))) (VP (VB b)))";
  EXPECT_EQ(cleaned(tree), "(S (NP (NN a)) (VP (VB b)))");
  EXPECT_EQ(cleaned(tree, {.collapse_same_unaries = false}),
            "(S (NP (NP (NP (NN a)))) (VP (VB b)))");
}

TEST(Clean, DoesNotCollapseAPhraseOverALeafWithItsLabel) {
  EXPECT_EQ(cleaned("(NN (NN a))"), "(NN (NN a))");
}

TEST(Clean, SourceIsTheUpperNodeOfACollapsedChain) {
  const PhraseTree tree = tree_of("(S (NP-SBJ (NP (NN a))) (VP (VB b)))");
  const CleanTree result = clean(tree);
  EXPECT_EQ(result.source, (std::vector<int>{0, 1, 3, 4, 5}));
  EXPECT_TRUE(has_function_tag(tree.label(result.source[1]), "SBJ"));
}

TEST(Clean, NothingIsLeftOfTracesOnly) {
  EXPECT_TRUE(clean(tree_of("(S (NP (-NONE- *)))")).tree.empty());
  EXPECT_TRUE(clean(PhraseTree()).tree.empty());
}

// The recursive definition in the header, word for word.
std::string reference(const PhraseTree& tree, int node, std::string* label) {
  if (tree.is_leaf(node)) return tree.label(node) == kTraceTag ? "" : tree.str(node);
  std::vector<std::string> kids;
  std::vector<std::string> labels;
  for (int child : tree.children(node)) {
    std::string kid_label;
    std::string kid = reference(tree, child, &kid_label);
    if (kid.empty()) continue;
    kids.push_back(kid);
    labels.push_back(kid_label);
  }
  if (kids.empty()) return "";
  *label = base_label(tree.label(node));
  if (kids.size() == 1 && labels[0] == *label) return kids[0];
  std::string text = "(" + *label;
  for (const std::string& kid : kids) text += " " + kid;
  return text + ")";
}

TEST(Clean, EqualsTheRecursiveDefinitionOnRandomTrees) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    const PhraseTree tree = tree_testing::random_tree(random);
    std::string label;
    const CleanTree result = clean(tree);
    EXPECT_EQ(result.tree.str(), reference(tree, 0, &label)) << tree.str();
    EXPECT_EQ(result.source.size(), static_cast<std::size_t>(result.tree.size()));
  }
}

TEST(Clean, RemoveTracesKeepsLabels) {
  EXPECT_EQ(remove_traces(tree_of("(S (NP-SBJ (NP (NN a)) (X (-NONE- *))) (VP-1 (VB b)))")).str(),
            "(S (NP-SBJ (NP (NN a))) (VP-1 (VB b)))");
}

TEST(CleanData, CountsOnTheSampleOfTheWallStreetJournal) {
  const std::string folder = tree_testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << "COPSE_DATA is not set";
  int leaves = 0;
  int words = 0;
  for (const char* name : {"/wsj-sample/train.mrg", "/wsj-sample/dev.mrg"}) {
    for (const PhraseTree& tree : tree_testing::trees_of(tree_testing::file_bytes(folder + name))) {
      leaves += tree.words();
      words += clean(tree).tree.words();
    }
  }
  // As the description of the data has them: words, and traces.
  EXPECT_EQ(words, 71'633 + 10'305);
  EXPECT_EQ(leaves - words, 5'036 + 700);
}

}  // namespace
}  // namespace copse
