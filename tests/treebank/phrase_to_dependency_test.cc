#include "copse/treebank/phrase_to_dependency.h"

#include <gtest/gtest.h>

#include <sstream>

#include "copse/treebank/clean.h"
#include "tests/source_dir.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::tree_of;

struct GoldenSentence {
  PhraseTree tree;
  std::vector<std::string> words;
  DependencyTree yamada_matsumoto;
  DependencyTree collins;
};

std::vector<GoldenSentence> golden_sentences() {
  std::istringstream in(
      tree_testing::file_bytes(source_dir() + "/tests/treebank/golden/dependencies.txt"));
  std::vector<GoldenSentence> sentences;
  std::vector<int> heads[2];
  std::vector<std::string> labels[2];
  const auto finish = [&] {
    if (heads[0].empty()) return;
    sentences.back().yamada_matsumoto = DependencyTree::from_heads(heads[0], labels[0]);
    sentences.back().collins = DependencyTree::from_heads(heads[1], labels[1]);
    for (auto& list : heads) list.clear();
    for (auto& list : labels) list.clear();
  };
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    if (line.starts_with('(')) {
      sentences.emplace_back().tree = tree_of(line);
    } else if (line.empty()) {
      finish();
    } else {
      std::istringstream fields(line);
      int number = 0;
      int head[2];
      std::string word;
      std::string label[2];
      fields >> number >> word >> head[0] >> label[0] >> head[1] >> label[1];
      sentences.back().words.push_back(word);
      for (int table : {0, 1}) heads[table].push_back(head[table]);
      for (int table : {0, 1}) labels[table].push_back(label[table]);
    }
  }
  finish();
  return sentences;
}

void ExpectSameTree(const DependencyTree& found, const DependencyTree& expected,
                    const PhraseTree& tree) {
  ASSERT_EQ(found.words(), expected.words()) << tree.str();
  for (int word = 1; word <= found.words(); ++word) {
    EXPECT_EQ(found.head(word), expected.head(word)) << word << " in " << tree.str();
    EXPECT_EQ(found.label(word), expected.label(word)) << word << " in " << tree.str();
  }
}

TEST(PhraseToDependency, EqualsTheSentencesCheckedByEye) {
  const auto sentences = golden_sentences();
  ASSERT_EQ(sentences.size(), 30U);
  const HeadRules yamada_matsumoto = HeadRules::builtin("yamada-matsumoto");
  const HeadRules collins = HeadRules::builtin("collins");
  for (const GoldenSentence& golden : sentences) {
    ExpectSameTree(dependencies_from_tree(golden.tree, yamada_matsumoto), golden.yamada_matsumoto,
                   golden.tree);
    ExpectSameTree(dependencies_from_tree(golden.tree, collins), golden.collins, golden.tree);
    const Sentence sentence = dependency_sentence_from_tree(golden.tree, collins);
    ASSERT_EQ(sentence.words(), static_cast<int>(golden.words.size()));
    for (int word = 1; word <= sentence.words(); ++word) {
      EXPECT_EQ(sentence.form(word), golden.words[static_cast<std::size_t>(word) - 1]);
    }
  }
}

TEST(PhraseToDependency, SentenceNamesTheTable) {
  const HeadRules rules = HeadRules::builtin("yamada-matsumoto");
  const PhraseTree tree = tree_of("(S (NP (NN a)) (VP (VB b)))");
  const Sentence sentence = dependency_sentence_from_tree(tree, rules);
  EXPECT_EQ(sentence.comment("head_rules"), rules.provenance());
  EXPECT_EQ(sentence.head(1), 2);
  EXPECT_EQ(sentence.deprel(1), "VMOD");
  EXPECT_EQ(sentence.deprel(2), "ROOT");
  const Sentence bare =
      dependency_sentence_from_tree(tree, rules, {.labelled = false, .provenance = false});
  EXPECT_EQ(bare.comment("head_rules"), std::nullopt);
  EXPECT_EQ(bare.deprel(1), "_");
}

TEST(PhraseToDependency, AnAllTraceTreeHasNoWords) {
  const HeadRules rules = HeadRules::builtin("collins");
  EXPECT_EQ(dependencies_from_tree(tree_of("(S (-NONE- *))"), rules).words(), 0);
}

// Every arc of the dependency tree, followed upwards, stays inside the phrases: word m is headed
// by the head word of the lowest phrase that m does not head itself.
void ExpectHeadsFollowTable(const PhraseTree& original, const HeadRules& rules) {
  const PhraseTree tree = remove_traces(original);
  const DependencyTree dependencies = dependencies_from_tree(original, rules);
  ASSERT_EQ(dependencies.words(), tree.words());
  const auto lexical_head = [&](int node) {
    while (!tree.is_leaf(node)) node = rules.head_child(tree, node);
    return tree.begin(node) + 1;
  };
  for (int leaf : tree.leaves()) {
    const int word = tree.begin(leaf) + 1;
    int phrase = leaf;
    while (phrase >= 0 && lexical_head(phrase) == word) phrase = tree.parent(phrase);
    EXPECT_EQ(dependencies.head(word), phrase < 0 ? 0 : lexical_head(phrase)) << tree.str();
  }
}

void ExpectProjectiveTreeWithOneRoot(const DependencyTree& tree) {
  EXPECT_TRUE(tree.is_tree());
  EXPECT_EQ(tree.root_count(), 1);
  for (int m = 1; m <= tree.words(); ++m) {
    const int h = tree.head(m);
    for (int k = std::min(h, m) + 1; k < std::max(h, m); ++k) {
      int up = k;
      while (up != 0 && up != h) up = tree.head(up);
      EXPECT_EQ(up, h) << "arc " << h << " -> " << m;
    }
  }
}

TEST(PhraseToDependency, RandomTreesBecomeProjectiveTreesWithOneRoot) {
  Random random(2);
  for (const char* table : {"collins", "yamada-matsumoto"}) {
    const HeadRules rules = HeadRules::builtin(table);
    for (int round = 0; round < 200; ++round) {
      const PhraseTree tree = tree_testing::random_tree(random);
      const DependencyTree dependencies = dependencies_from_tree(tree, rules);
      if (dependencies.words() == 0) continue;
      ExpectProjectiveTreeWithOneRoot(dependencies);
      ExpectHeadsFollowTable(tree, rules);
    }
  }
}

TEST(PhraseToDependencyData, TheFirstSentencesOfTheWallStreetJournal) {
  const std::string folder = tree_testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << "COPSE_DATA is not set";
  const auto trees =
      tree_testing::trees_of(tree_testing::file_bytes(folder + "/wsj-sample/train.mrg"));
  ASSERT_FALSE(trees.empty());
  const DependencyTree first =
      dependencies_from_tree(trees[0], HeadRules::builtin("yamada-matsumoto"));
  const std::vector<int> expected = {2, 8, 2, 5, 6, 2, 2, 0, 8, 11, 9, 9, 15, 15, 12, 9, 16, 8};
  ASSERT_EQ(first.words(), static_cast<int>(expected.size()));
  for (int word = 1; word <= first.words(); ++word) {
    EXPECT_EQ(first.head(word), expected[static_cast<std::size_t>(word) - 1]) << word;
  }
}

TEST(PhraseToDependencyFiles, EverySentenceIsAProjectiveTreeThatFollowsItsTable) {
  for (const char* table : {"collins", "yamada-matsumoto"}) {
    const HeadRules rules = HeadRules::builtin(table);
    for (const std::string& file : tree_testing::tree_files()) {
      for (const PhraseTree& tree : tree_testing::trees_of(tree_testing::file_bytes(file))) {
        ExpectProjectiveTreeWithOneRoot(dependencies_from_tree(tree, rules));
        ExpectHeadsFollowTable(tree, rules);
      }
    }
  }
}

}  // namespace
}  // namespace copse
