#include "copse/treebank/pseudo_projective.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/treebank/block_reader.h"
#include "copse/treebank/conll.h"
#include "copse/treebank/lifting.h"
#include "copse/treebank/projectivity.h"
#include "tests/source_dir.h"
#include "tests/treebank/dependency_testing.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::random_dependency_tree;

constexpr LiftLabels kSchemes[] = {LiftLabels::none, LiftLabels::head, LiftLabels::path,
                                   LiftLabels::head_path};

// "A hearing is scheduled on the issue today": the arc hearing -> on crosses the verb.
DependencyTree hearing() {
  return DependencyTree::from_heads({2, 3, 0, 3, 2, 7, 5, 4},
                                    {"NMOD", "SUB", "ROOT", "VC", "NMOD", "NMOD", "PMOD", "ADV"});
}

std::string labels_of(const DependencyTree& tree) {
  std::string text;
  for (int word = 1; word <= tree.words(); ++word) text += tree.label(word) + " ";
  return text;
}

TEST(PseudoProjective, LiftsTheShortestArcToTheHeadOfItsHead) {
  const DependencyTree tree = projectivise(hearing(), LiftLabels::none);
  EXPECT_EQ(tree, [] {
    DependencyTree expected = hearing();
    expected.set_head(5, 3);
    expected.set_head(8, 3);
    return expected;
  }());
}

// As the definition says it: after each lift all arcs are looked at anew.
LiftedTree lifted_slowly(DependencyTree tree) {
  LiftedTree result;
  result.passed_by.assign(static_cast<std::size_t>(tree.words()) + 1, false);
  while (true) {
    int best = 0;
    for (const int word : nonprojective_words(tree)) {
      const auto length = [&](int each) { return std::abs(tree.head(each) - each); };
      if (best == 0 || length(word) < length(best)) best = word;
    }
    if (best == 0) break;
    result.passed_by[static_cast<std::size_t>(tree.head(best))] = true;
    tree.set_head(best, tree.head(tree.head(best)));
  }
  result.heads.push_back(0);
  for (int word = 1; word <= tree.words(); ++word) result.heads.push_back(tree.head(word));
  return result;
}

TEST(PseudoProjective, LiftingEqualsItsDefinition) {
  for (const DependencyTree& tree : tree_testing::all_dependency_trees(5)) {
    ASSERT_EQ(lift_arcs(tree).heads, lifted_slowly(tree).heads);
    ASSERT_EQ(lift_arcs(tree).passed_by, lifted_slowly(tree).passed_by);
  }
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const DependencyTree tree = random_dependency_tree(random, random.between(4, 60));
    ASSERT_EQ(lift_arcs(tree).heads, lifted_slowly(tree).heads);
    ASSERT_EQ(lift_arcs(tree).passed_by, lifted_slowly(tree).passed_by);
  }
  EXPECT_THROW(lift_arcs(DependencyTree::from_heads({2, 1}, {"a", "b"})), Error);
}

TEST(PseudoProjective, LabelsTellWhereALiftedWordCameFrom) {
  EXPECT_EQ(labels_of(projectivise(hearing(), LiftLabels::head)),
            "NMOD SUB ROOT VC NMOD|SUB NMOD PMOD ADV|VC ");
  EXPECT_EQ(labels_of(projectivise(hearing(), LiftLabels::path)),
            "NMOD SUB| ROOT VC| NMOD|^ NMOD PMOD ADV|^ ");
  EXPECT_EQ(labels_of(projectivise(hearing(), LiftLabels::head_path)),
            "NMOD SUB| ROOT VC| NMOD|SUB NMOD PMOD ADV|VC ");
}

TEST(PseudoProjective, HeadLabelsBringTheExampleBack) {
  for (LiftLabels scheme : {LiftLabels::head, LiftLabels::head_path}) {
    EXPECT_EQ(deprojectivise(projectivise(hearing(), scheme), scheme), hearing());
  }
}

TEST(PseudoProjective, PathLabelsAloneFollowTheMarkedArcs) {
  const DependencyTree tree =
      DependencyTree::from_heads({3, 0, 4, 2, 1}, {"a", "root", "b", "c", "d"});
  EXPECT_FALSE(is_projective(tree));
  EXPECT_EQ(deprojectivise(projectivise(tree, LiftLabels::path), LiftLabels::path), tree);
}

TEST(PseudoProjective, IsTheIdentityOnProjectiveTrees) {
  for (const DependencyTree& tree : tree_testing::all_dependency_trees(5)) {
    if (!is_projective(tree)) continue;
    for (LiftLabels scheme : kSchemes) {
      EXPECT_EQ(projectivise(tree, scheme), tree);
      EXPECT_EQ(deprojectivise(tree, scheme), tree);
    }
  }
}

TEST(PseudoProjective, ResultIsProjectiveAndComesBackAsATreeWithItsLabels) {
  Random random(10);
  for (int round = 0; round < 200; ++round) {
    const DependencyTree tree = random_dependency_tree(random, random.between(4, 25));
    for (LiftLabels scheme : kSchemes) {
      const DependencyTree lifted = projectivise(tree, scheme);
      EXPECT_TRUE(is_projective(lifted));
      const DependencyTree lowered = deprojectivise(lifted, scheme);
      EXPECT_TRUE(lowered.is_tree());
      EXPECT_EQ(labels_of(lowered), labels_of(tree));
    }
  }
}

// With a label of its own for every word, the head's label finds the head and nothing is lost.
TEST(PseudoProjective, DistinctLabelsAreRestoredCompletely) {
  Random random(12);
  for (int round = 0; round < 200; ++round) {
    DependencyTree tree = random_dependency_tree(random, random.between(4, 20));
    for (int word = 1; word <= tree.words(); ++word) tree.set_label(word, std::to_string(word));
    EXPECT_EQ(deprojectivise(projectivise(tree, LiftLabels::head), LiftLabels::head), tree);
    EXPECT_EQ(deprojectivise(projectivise(tree, LiftLabels::head_path), LiftLabels::head_path),
              tree);
  }
}

// The rule of the header, done in the most obvious way.
DependencyTree slow_projectivise(DependencyTree tree) {
  while (true) {
    int best = 0;
    for (int word = 1; word <= tree.words(); ++word) {
      if (tree_testing::slow_is_projective_arc(tree, word)) continue;
      const auto length = [&](int m) { return std::abs(m - tree.head(m)); };
      if (best == 0 || length(word) < length(best)) best = word;
    }
    if (best == 0) return tree;
    tree.set_head(best, tree.head(tree.head(best)));
  }
}

TEST(PseudoProjective, LiftsInTheOrderOfTheRule) {
  Random random(13);
  for (int round = 0; round < 300; ++round) {
    const DependencyTree tree = random_dependency_tree(random, random.between(3, 15));
    EXPECT_EQ(projectivise(tree, LiftLabels::none), slow_projectivise(tree));
  }
}

TEST(PseudoProjective, MarksInLabelsAreRefusedWhereTheyWouldBeMisread) {
  DependencyTree tree = hearing();
  tree.set_label(1, "a|b");
  EXPECT_THROW(projectivise(tree, LiftLabels::head), Error);
  EXPECT_TRUE(is_projective(projectivise(tree, LiftLabels::none)));
}

TEST(PseudoProjective, StrangeMarksNeverBreakTheTree) {
  Random random(14);
  const std::vector<std::string> labels = {"a", "|", "a|", "a|b", "||", "b|^", "b|a|", "", "^"};
  for (int round = 0; round < 300; ++round) {
    DependencyTree tree = random_dependency_tree(random, 10);
    for (int word = 1; word <= 10; ++word) tree.set_label(word, labels[random.below(9)]);
    for (LiftLabels scheme : kSchemes) EXPECT_TRUE(deprojectivise(tree, scheme).is_tree());
  }
}

TEST(PseudoProjective, AThousandWordsAreNoTrouble) {
  Random random(15);
  const DependencyTree tree = random_dependency_tree(random, 1000);
  const DependencyTree lifted = projectivise(tree, LiftLabels::head);
  EXPECT_TRUE(is_projective(lifted));
  EXPECT_TRUE(deprojectivise(lifted, LiftLabels::head).is_tree());
}

TEST(PseudoProjective, SchemesHaveNames) {
  EXPECT_EQ(parse_lift_labels("head+path"), LiftLabels::head_path);
  EXPECT_THROW(parse_lift_labels("heads"), Error);
}

std::vector<DependencyTree> dependency_trees_of(const std::string& file) {
  Input input = Input::open(file);
  std::vector<DependencyTree> trees;
  for (const Entry& entry : read_all(input, *make_conll_reader(Dialect::conllu))) {
    trees.push_back(entry.sentence.tree());
  }
  return trees;
}

struct LiftCounts {
  int nonprojective = 0;
  int lifted = 0;
  int restored = 0;
};

LiftCounts count_lifts(const std::string& file, LiftLabels scheme) {
  LiftCounts counts;
  for (const DependencyTree& tree : dependency_trees_of(file)) {
    counts.nonprojective += static_cast<int>(nonprojective_words(tree).size());
    const DependencyTree lifted = projectivise(tree, scheme);
    const DependencyTree lowered = deprojectivise(lifted, scheme);
    EXPECT_TRUE(is_projective(lifted)) << file;
    EXPECT_EQ(labels_of(lowered), labels_of(tree)) << file;
    for (int word = 1; word <= tree.words(); ++word) {
      if (lifted.head(word) == tree.head(word)) continue;
      ++counts.lifted;
      counts.restored += lowered.head(word) == tree.head(word) ? 1 : 0;
    }
  }
  return counts;
}

TEST(PseudoProjectiveFiles, LiftedArcsOfTheFixturesComeBack) {
  for (const char* name : {"english", "german", "spanish", "russian", "multiroot"}) {
    const std::string file = source_dir() + "/fixtures/" + std::string(name) + ".conllu";
    const LiftCounts counts = count_lifts(file, LiftLabels::head_path);
    EXPECT_GT(counts.lifted, 0) << name;
    EXPECT_EQ(counts.restored, counts.lifted) << name;
  }
}

// The counts follow the definition that the description of the data gives with its shares.
TEST(PseudoProjectiveData, MostLiftedArcsComeBack) {
  const std::string folder = tree_testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << "COPSE_DATA is not set";
  const std::pair<const char*, int> files[] = {{"/ewt/dev.conllu", 36},
                                               {"/dutch/dev.conllu", 667},
                                               {"/basque/dev.conllu", 1245},
                                               {"/turkish/dev.conllu", 46},
                                               {"/slovene/dev.conllu", 42}};
  for (const auto& [name, nonprojective] : files) {
    const LiftCounts head = count_lifts(folder + name, LiftLabels::head);
    EXPECT_EQ(head.nonprojective, nonprojective) << name;
    EXPECT_GE(head.restored * 100, head.lifted * 84) << name;
    const LiftCounts head_path = count_lifts(folder + name, LiftLabels::head_path);
    EXPECT_GE(head_path.restored * 100, head_path.lifted * 97) << name;
  }
}

}  // namespace
}  // namespace copse
