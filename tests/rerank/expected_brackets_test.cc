// A parser as a member of a mixture: what its brackets are worth.
#include "copse/rerank/expected_brackets.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/constituency/gold_line.h"
#include "copse/rerank/mixture.h"
#include "tests/rerank/generative_testing.h"
#include "tests/rerank/rerank_testing.h"

namespace copse {
namespace {

using rerank_testing::generative_bytes;
using rerank_testing::lists_of;
using rerank_testing::TextFile;

constexpr const char* kLists =
    "2 1\n-1\n(TOP (S (NP (DT the)) (VP (NN cat) (VBZ sleeps))))\n-3\n(TOP (S (NP (DT the) (NN "
    "cat)) (VP (VBZ sleeps))))\n\n"
    "2 2\n-1\n(TOP (S (NP (NN dog) (VBZ sees)) (NP (NN cat))))\n-1.5\n(TOP (S (NP (NN dog)) (VP "
    "(VBZ sees) (NP (NN cat)))))\n\n";
constexpr const char* kGold =
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NN dog)) (VP (VBZ sees) (NP (NN "
    "cat))))\n";

std::unique_ptr<PhraseParser> generative() {
  return load_phrase_parser(ModelFile::from_bytes(generative_bytes(), "g"));
}

// With the probability of a bracket found by a search through all of them.
TEST(ExpectedBrackets, AreTheProbabilitiesLessWhatABracketCosts) {
  const auto parser = generative();
  const ExpectedBrackets reranker(generative());
  for (const Candidates& list : lists_of(std::string(kLists) + "0 3\n\n")) {
    const std::vector<double> scores = reranker.scores(list);
    ASSERT_EQ(scores.size(), list.items.size());
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const PhraseTree& tree = list.items[k].tree;
      const auto answer = parser->parse({words_of(tree)}, {.brackets = true});
      double sum = 0;
      for (int node = 1; node < tree.size(); ++node) {
        if (tree.is_leaf(node)) continue;
        sum -= 0.5;
        for (const Bracket& each : answer.brackets) {
          const bool same = each.label == tree.label(node) && each.begin == tree.begin(node) &&
                            each.end == tree.end(node);
          if (same) sum += each.probability;
        }
      }
      EXPECT_NEAR(scores[k], sum, 1e-12);
      double shares = 0;
      for (const Reason& reason : reranker.reasons(list, k)) shares += reason.share;
      EXPECT_NEAR(shares, sum, 1e-12);
    }
    if (scores.size() == 2) {
      EXPECT_GT(scores[1], scores[0]) << "the parser knows better";
    }
  }
}

TEST(ExpectedBrackets, NeedTreesAndProbabilities) {
  const ExpectedBrackets reranker(generative());
  EXPECT_THROW(reranker.scores(lists_of("1\t-1\ta\ttext\n")[0]), Error);
  const ModelFile other = ModelFile::from_bytes(
      ModelWriter(kConstituencyKind, {{"model", "no such model"}}).bytes(), "o");
  EXPECT_THROW(ExpectedBrackets::load(other), Error);
}

TEST(Mixture, TakesAParser) {
  const TextFile parser("g.copse", generative_bytes()), lists("l", kLists), gold("g", kGold);
  MixtureTrainingOptions options;
  options.members = {parser.path()};
  const RerankerPaths paths{lists.path(), gold.path(), "", ""};
  const std::string bytes = train_mixture(paths, options, [](const std::string&) {}).bytes();
  const auto mixture = load_reranker(ModelFile::from_bytes(bytes, "mix"));
  const auto all = lists_of(kLists);
  EXPECT_EQ(ranking(all[0], mixture->scores(all[0]))[0], 1U);
  EXPECT_EQ(ranking(all[1], mixture->scores(all[1]))[0], 1U);
}

}  // namespace
}  // namespace copse
