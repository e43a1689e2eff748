#include "copse/treebank/sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "copse/base/error.h"
#include "copse/treebank/conll.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/projectivity.h"

namespace copse {
namespace {

std::string conllu(const Entry& entry) {
  std::string out;
  make_conll_writer(Dialect::conllu)->write(entry, out);
  return out;
}

TEST(Sampler, SentencesAreProjectiveTreesWithTheSameWordsInBothForms) {
  const Grammar grammar = Grammar::english();
  SamplerOptions options;
  double words = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Entry entry = sample_sentence(grammar, options, i);
    const DependencyTree tree = entry.sentence.tree();
    ASSERT_TRUE(tree.is_tree());
    ASSERT_TRUE(is_projective(tree));
    ASSERT_EQ(tree.root_count(), 1);
    ASSERT_EQ(entry.tree.words(), entry.sentence.words());
    for (int word = 1; word <= entry.sentence.words(); ++word) {
      ASSERT_EQ(entry.tree.word_at(word - 1), entry.sentence.form(word));
      ASSERT_EQ(entry.tree.tag(word - 1), entry.sentence.xpos(word));
    }
    // What is written is read back without complaint.
    const Parsed parsed = make_conll_reader(Dialect::conllu)->parse({conllu(entry), "s", 1});
    ASSERT_FALSE(parsed.items.at(0).error);
    words += entry.sentence.words();
  }
  EXPECT_GT(words / 500, 12);
  EXPECT_LT(words / 500, 25);
}

TEST(Sampler, ASentenceDependsOnSeedAndNumberAlone) {
  const Grammar grammar = Grammar::english();
  SamplerOptions options;
  const std::string seventh = conllu(sample_sentence(grammar, options, 7));
  sample_sentence(grammar, options, 3);
  EXPECT_EQ(conllu(sample_sentence(grammar, options, 7)), seventh);
  EXPECT_NE(conllu(sample_sentence(grammar, options, 8)), seventh);
  options.seed = 2;
  EXPECT_NE(conllu(sample_sentence(grammar, options, 7)), seventh);
}

TEST(Sampler, FrequenciesFollowTheWeights) {
  const Grammar grammar =
      Grammar::parse("TOP -> A* : 3\nTOP -> B* : 1\nA := a/a/X/_\nB := b/b/X/_\n", "g");
  int a = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    if (sample_sentence(grammar, {}, i).sentence.form(1) == "A") ++a;
  }
  EXPECT_NEAR(a, 7500, 4 * std::sqrt(10000 * 0.75 * 0.25));
}

TEST(Sampler, HeadsRelationsAndSuffixesFollowTheRules) {
  const Grammar grammar = Grammar::parse(
      "TOP -> S-x* : 1\nS -> NP-sg-SBJ/nsubj VP* : 1\nNP -> DT/det NN* : 1\nVP -> VB* : 1\n"
      "DT := the/the/DET/_\nNN-sg := cat/cat/NOUN/_\nNN := cats/cat/NOUN/_\nVB := "
      "sat/sit/VERB/A=b\n",
      "g");
  const Entry entry = sample_sentence(grammar, {}, 0);
  EXPECT_EQ(entry.tree.str(), "(TOP (S (NP-SBJ (DT The) (NN cats)) (VP (VB sat))))");
  EXPECT_EQ(entry.sentence.tree(), DependencyTree::from_heads({2, 3, 0}, {"det", "nsubj", "root"}));
  EXPECT_EQ(entry.sentence.feats(3), "A=b");
}

std::string grammar_error(const std::string& text) {
  try {
    Grammar::parse(text, "g");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Sampler, GrammarErrorsNameTheLine) {
  EXPECT_EQ(grammar_error("TOP -> A* : 1\n"), "g:1: A has neither rules nor words");
  EXPECT_EQ(grammar_error("A := a/a/X/_\nTOP -> A : 1\n"),
            "g:2: child A is neither the head (*) nor has a relation (/rel)");
  EXPECT_EQ(grammar_error("A := a/a/X/_\nTOP -> A* A* : 1\n"),
            "g:2: a rule with 2 heads (*); expected exactly one");
  EXPECT_EQ(grammar_error("A := a/a/X/_\nTOP -> A*\n"),
            "g:2: a rule without a weight; expected it to end in \" : NUMBER\"");
  EXPECT_EQ(grammar_error("A := a/a/X\n"), "g:1: a/a/X: expected word/lemma/UPOS/Feats");
  EXPECT_EQ(grammar_error("A := a/a/X/_\n"), "g: no rule for TOP");
  EXPECT_EQ(grammar_error("what\n"),
            "g:1: neither a rule (LHS -> ...) nor a lexicon line (TAG := ...)");
}

TEST(Sampler, AGrammarThatNeverEndsIsReported) {
  const Grammar grammar =
      Grammar::parse("TOP -> TOP* TOP/x : 1\nTOP -> A* : 0.001\nA := a/a/X/_\n", "g");
  EXPECT_THROW(sample_sentence(grammar, {}, 0), Error);
}

}  // namespace
}  // namespace copse
