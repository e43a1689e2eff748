// The parser in use: lists, probabilities, constraints, and sentences at the edges.
#include "copse/dependency/parser.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stop_token>

#include "copse/inference/tree_parts.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/inference/reference.h"

namespace copse {
namespace {

using dependency_testing::failure_of;
using dependency_testing::fixture;
using dependency_testing::parser_of;
using dependency_testing::quick_training;
using dependency_testing::sentence_of;
using dependency_testing::train;

// One parser of each sort, trained once.
struct Sort {
  const char* name;
  TreeKind kind;
  bool labelled = true;
};
const std::vector<Sort> kSorts{
    {"first", {Factorisation::first, RootRule::single, true}},
    {"unlabelled", {Factorisation::first, RootRule::single, true}, false},
    {"model1", {Factorisation::model1, RootRule::single, true}},
    {"nonprojective", {Factorisation::first, RootRule::single, false}},
    {"multi", {Factorisation::sibling, RootRule::multi, true}}};

const DependencyParser& parser_for(const Sort& sort) {
  static std::map<std::string, DependencyParser> parsers;
  const auto found = parsers.find(sort.name);
  if (found != parsers.end()) return found->second;
  DependencyTraining options = quick_training();
  options.kind = sort.kind;
  options.labelled = sort.labelled;
  options.pruner.filter = sort.labelled;  // else there are too few trees for a list
  const auto sentences = fixture("english.conllu", 30);
  return parsers.emplace(sort.name, parser_of(train(sentences, {}, options))).first->second;
}

Sentence three_words() {
  return sentence_of({{"Rain", "NOUN", "NN"}, {"fell", "VERB", "VBD"}, {"softly", "ADV", "RB"}});
}

Parse parse(const DependencyParser& parser, const Sentence& sentence,
            const DependencyParseOptions& options = {}) {
  DependencyParser::Scratch scratch;
  return parser.parse(sentence, options, scratch);
}

bool is_tree_of(const ParsedTree& parsed, const TreeKind& kind) {
  const std::vector<int> heads(parsed.heads.begin() + 1, parsed.heads.end());
  const DependencyTree tree = DependencyTree::from_heads(heads);
  return tree.is_tree() && (kind.root == RootRule::multi || tree.root_count() == 1);
}

TEST(DependencyParser, LearntSentencesAreParsedWell) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    const DependencyParser& parser = parser_for(sort);
    int right = 0, words = 0;
    for (const Sentence& sentence : fixture("english.conllu", 30)) {
      const Parse found = parse(parser, sentence);
      ASSERT_EQ(found.trees.size(), 1U);
      EXPECT_TRUE(is_tree_of(found.trees[0], sort.kind));
      EXPECT_EQ(found.trees[0].labels.empty(), !sort.labelled);
      const DependencyTree tree = parser.tree_of(found.trees[0]);
      for (int m = 1; m <= sentence.words(); ++m) {
        right += tree.head(m) == sentence.head(m) &&
                         (!sort.labelled || tree.label(m) == sentence.deprel(m))
                     ? 1
                     : 0;
        ++words;
      }
    }
    EXPECT_GT(right, 0.85 * words);
  }
}

TEST(DependencyParser, ASentenceWithoutWordsHasAnEmptyTree) {
  for (const Sort& sort : kSorts) {
    const Parse found = parse(parser_for(sort), Sentence(), {.k = 3, .marginals = true});
    ASSERT_EQ(found.trees.size(), 1U);
    EXPECT_EQ(parser_for(sort).tree_of(found.trees[0]).words(), 0);
  }
}

TEST(DependencyParser, ASentenceOfOneWordHangsOnTheRoot) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    const Sentence sentence = sentence_of({{"Rain", "NOUN", "NN"}});
    const Parse found = parse(parser_for(sort), sentence, {.marginals = true});
    ASSERT_EQ(found.trees.size(), 1U);
    EXPECT_EQ(found.trees[0].heads, (std::vector<int>{-1, 0}));
    EXPECT_NEAR(found.trees[0].arc_probability[1], 1, 1e-6);
    EXPECT_EQ(parse(parser_for(sort), sentence, {.mbr = true}).trees[0].heads,
              (std::vector<int>{-1, 0}));
  }
}

TEST(DependencyParser, UnseenTagsWordsAndMissingColumnsAreParsed) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    for (const Sentence& sentence :
         {sentence_of({{"Xyzzy", "FOO", "BAR"}, {"plugh", "BAZ", "QUX"}, {"zzz", "FOO", "BAR"}}),
          sentence_of({{"no"}, {"tags"}, {"at"}, {"all"}}),
          sentence_of({{"\xFF\xFE", "\x80", "\x80"}, {"\xC3", "X", "_", -1, "_", "|=|==|"}})}) {
      const Parse found = parse(parser_for(sort), sentence, {.marginals = true});
      EXPECT_TRUE(is_tree_of(found.trees[0], sort.kind));
    }
  }
}

TEST(DependencyParser, SentencesBeyondTheLimitAreRefused) {
  const DependencyParser& parser = parser_for(kSorts[0]);
  EXPECT_EQ(failure_of([&] { parse(parser, three_words(), {.most_words = 3}); }), "");
  const std::string failure = failure_of([&] { parse(parser, three_words(), {.most_words = 2}); });
  EXPECT_NE(failure.find("data: the sentence has 3 words; the limit is 2"), std::string::npos)
      << failure;
}

TEST(DependencyParser, ListsAreSortedNestedAndWithoutRepetition) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    DependencyParser parser = parser_for(sort);
    parser.set_prune_threshold(0);
    const Sentence sentence = fixture("english.conllu", 30).back();
    const Parse hundred = parse(parser, sentence, {.k = 100});
    const Parse ten = parse(parser, sentence, {.k = 10});
    const Parse one = parse(parser, sentence);
    ASSERT_GE(hundred.trees.size(), 10U);
    ASSERT_EQ(ten.trees.size(), 10U);
    EXPECT_NEAR(one.trees[0].score, hundred.trees[0].score, 1e-4);
    std::set<std::pair<std::vector<int>, std::vector<int>>> seen;
    for (std::size_t k = 0; k < hundred.trees.size(); ++k) {
      const ParsedTree& tree = hundred.trees[k];
      EXPECT_TRUE(is_tree_of(tree, sort.kind));
      EXPECT_TRUE(seen.emplace(tree.heads, tree.labels).second);
      if (k > 0) {
        EXPECT_LE(tree.score, hundred.trees[k - 1].score);
      }
      if (k < 10) {
        EXPECT_EQ(tree.heads, ten.trees[k].heads);
      }
    }
  }
}

TEST(DependencyParser, ProbabilitiesOfAllTreesSumToOne) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    DependencyParser parser = parser_for(sort);
    parser.set_prune_threshold(0);
    const Sentence sentence = sort.labelled
                                  ? sentence_of({{"Rain", "NOUN", "NN"}, {"fell", "VERB", "VBD"}})
                                  : three_words();
    const Parse all = parse(parser, sentence, {.k = 100000, .marginals = true});
    ASSERT_LT(all.trees.size(), 100000U);
    double sum = 0;
    std::vector<std::map<int, double>> arcs(4);
    for (const ParsedTree& tree : all.trees) {
      sum += tree.probability;
      for (std::size_t m = 1; m < tree.heads.size(); ++m)
        arcs[m][tree.heads[m]] += tree.probability;
    }
    EXPECT_NEAR(sum, 1, 1e-4);
    // And those of the trees with an arc to that of the arc.
    for (const ParsedTree& tree : {all.trees.front(), all.trees.back()}) {
      for (std::size_t m = 1; m < tree.heads.size(); ++m) {
        EXPECT_NEAR(tree.arc_probability[m], arcs[m][tree.heads[m]], 1e-4);
        EXPECT_LE(tree.label_probability[m], tree.arc_probability[m] + 1e-9);
      }
    }
  }
}

TEST(DependencyParser, ListsAndProbabilitiesTogetherGiveProbabilitiesOfEveryTree) {
  const Sentence sentence = fixture("english.conllu", 3).back();
  const Parse found = parse(parser_for(kSorts[2]), sentence, {.k = 20, .marginals = true});
  for (std::size_t k = 1; k < found.trees.size(); ++k) {
    EXPECT_LE(found.trees[k].probability, found.trees[k - 1].probability + 1e-12);
  }
  EXPECT_LE(found.trees[0].probability, 1 + 1e-9);
  EXPECT_GT(found.trees[0].probability, 0);
}

TEST(DependencyParser, MinimumRiskHasAtLeastTheExpectedArcsOfTheBestTree) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    for (const Sentence& sentence : fixture("english.conllu", 8)) {
      const auto expected = [&](const ParsedTree& tree) {
        double sum = 0;
        for (std::size_t m = 1; m < tree.heads.size(); ++m) sum += tree.label_probability[m];
        return sum;
      };
      const Parse best = parse(parser_for(sort), sentence, {.marginals = true});
      const Parse risk = parse(parser_for(sort), sentence, {.mbr = true});
      ASSERT_EQ(risk.trees.size(), 1U);
      EXPECT_TRUE(is_tree_of(risk.trees[0], sort.kind));
      EXPECT_GE(expected(risk.trees[0]), expected(best.trees[0]) - 1e-6);
      // The probability of the tree itself, which is that of the best if it is the best.
      EXPECT_GT(risk.trees[0].probability, 0);
      EXPECT_LE(risk.trees[0].probability, best.trees[0].probability * 1.0001);
      if (risk.trees[0].heads == best.trees[0].heads &&
          risk.trees[0].labels == best.trees[0].labels) {
        EXPECT_NEAR(risk.trees[0].probability, best.trees[0].probability, 1e-4);
      }
    }
  }
}

TEST(DependencyParser, HeadsAndLabelsToBeKeptAreKept) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    const DependencyParser& parser = parser_for(sort);
    const std::string label = parser.labels().empty() ? "_" : parser.labels().front();
    // A most unlikely wish: everything hangs on the adverb.
    Sentence sentence = three_words();
    sentence.set_head(1, 3);
    sentence.set_head(3, 0);
    sentence.set(2, Column::deprel, label);
    for (const DependencyParseOptions& options :
         {DependencyParseOptions{.constraints = true},
          DependencyParseOptions{.k = 5, .constraints = true},
          DependencyParseOptions{.mbr = true, .constraints = true}}) {
      for (const ParsedTree& parsed : parse(parser, sentence, options).trees) {
        const DependencyTree tree = parser.tree_of(parsed);
        EXPECT_EQ(tree.head(1), 3);
        EXPECT_EQ(tree.head(3), 0);
        EXPECT_EQ(tree.label(2), label);
        EXPECT_TRUE(is_tree_of(parsed, sort.kind));
      }
    }
  }
}

TEST(DependencyParser, WithoutTheOptionHeadsInTheInputMeanNothing) {
  Sentence sentence = three_words();
  const auto& parser = parser_for(kSorts[0]);
  const std::vector<int> free = parse(parser, sentence).trees[0].heads;
  for (int m = 1; m <= 3; ++m) sentence.set_head(m, m == 1 ? 0 : 1);
  EXPECT_EQ(parse(parser, sentence).trees[0].heads, free);
}

TEST(DependencyParser, WholeTreesToBeKeptComeBack) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    for (const Sentence& sentence : fixture("english.conllu", 10)) {
      const std::string failure = failure_of([&] {
        const Parse found = parse(parser_for(sort), sentence, {.constraints = true});
        for (int m = 1; m <= sentence.words(); ++m) {
          EXPECT_EQ(found.trees[0].heads[static_cast<std::size_t>(m)], sentence.head(m));
        }
      });
      // Crossing arcs cannot be kept by a search of projective trees.
      if (!sort.kind.projective) {
        EXPECT_EQ(failure, "");
      }
      if (!failure.empty()) {
        EXPECT_NE(failure.find("cross, and the parser makes projective trees only"),
                  std::string::npos)
            << failure;
      }
    }
  }
}

TEST(DependencyParser, ContradictingConstraintsAreADataError) {
  for (const Sort& sort : kSorts) {
    SCOPED_TRACE(sort.name);
    const auto failure = [&](const std::vector<int>& heads) {
      Sentence sentence = three_words();
      for (int m = 1; m <= 3; ++m) {
        sentence.set_head(m, heads[static_cast<std::size_t>(m) - 1]);
      }
      return failure_of([&] { parse(parser_for(sort), sentence, {.constraints = true}); });
    };
    const std::string expected =
        "data: the demands contradict each other: no tree meets those on word";
    EXPECT_EQ(failure({2, 1, -1}), expected + "s 1 and 2");
    EXPECT_EQ(failure({1, -1, -1}), expected + " 1");
    if (sort.kind.root == RootRule::single) {
      EXPECT_EQ(
          failure({0, 0, -1}),
          "data: the demands contradict each other: words 1 and 2 are both to hang on the root, "
          "and the parser makes trees with one such word");
    } else {
      EXPECT_EQ(failure({0, 0, -1}), "");
    }
    EXPECT_EQ(failure({-1, -1, -1}), "");
  }
}

TEST(DependencyParser, ALabelNeverSeenCannotBeKept) {
  Sentence sentence = three_words();
  sentence.set(2, Column::deprel, "nosuch");
  const auto failure = [&](const Sort& sort) {
    return failure_of([&] { parse(parser_for(sort), sentence, {.constraints = true}); });
  };
  EXPECT_EQ(failure(kSorts[0]),
            "data: word 2: the label \"nosuch\" to be kept was never seen in training");
  EXPECT_EQ(failure(kSorts[1]), "");  // knows no labels
}

TEST(DependencyParser, LittleMemoryGivesALowerOrderAndSaysSo) {
  const Sentence sentence = fixture("english.conllu", 1).front();
  DependencyParseOptions options;
  options.limits.most_bytes = 1;
  DependencyParser parser = parser_for(kSorts[2]);
  parser.set_prune_threshold(0);
  const std::string failure = failure_of([&] {
    const Parse found = parse(parser, sentence, options);
    EXPECT_NE(found.degraded, "");
    EXPECT_TRUE(is_tree_of(found.trees[0], kSorts[2].kind));
  });
  if (!failure.empty()) {
    EXPECT_NE(failure.find("data: "), std::string::npos) << failure;
  }
  EXPECT_EQ(parse(parser, sentence).degraded, "");
}

TEST(DependencyParser, ScratchMemoryDoesNotChangeTheAnswers) {
  const DependencyParser& parser = parser_for(kSorts[2]);
  DependencyParser::Scratch scratch;
  const auto sentences = fixture("english.conllu", 12);
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (const Sentence& sentence : sentences) {
      const Parse again = parser.parse(sentence, {.k = 2, .marginals = true}, scratch);
      const Parse fresh = parse(parser, sentence, {.k = 2, .marginals = true});
      EXPECT_EQ(again.trees[0].heads, fresh.trees[0].heads);
      EXPECT_EQ(again.trees[0].score, fresh.trees[0].score);
      EXPECT_EQ(again.trees[0].probability, fresh.trees[0].probability);
    }
  }
}

TEST(DependencyParser, EveryStepAsksWhetherToStopAndForgetsWhomItAsked) {
  const DependencyParser& parser = parser_for(kSorts[2]);
  const Sentence sentence = fixture("english.conllu", 1).front();
  DependencyParser::Scratch scratch;
  const std::vector<int> heads = parser.parse(sentence, {}, scratch).trees[0].heads;
  std::stop_source source;
  const Stop stop(source.get_token());
  EXPECT_EQ(parser.parse(sentence, {.stop = stop}, scratch).trees[0].heads, heads);
  source.request_stop();
  EXPECT_THROW(parser.parse(sentence, {.stop = stop}, scratch), Stopped);
  // The steps by themselves, with what the calls above left behind: nobody to ask.
  const SearchSpace space = parser.search_space(sentence, {}, scratch);
  EXPECT_NO_THROW(parser.score(space.index, scratch, scratch.scores));
  EXPECT_NO_THROW(scratch.search.best(space.kind, space.index, scratch.scores));
  scratch.scorer.stop = stop;
  EXPECT_THROW(parser.score(space.index, scratch, scratch.scores), Stopped);
  scratch.pruner.scorer.stop = stop;
  EXPECT_THROW(parser.search_space(sentence, {}, scratch), Stopped);
  scratch.pruner.scorer.stop = {};
  scratch.pruner.search.set_stop(stop);
  EXPECT_THROW(parser.search_space(sentence, {}, scratch), Stopped);
  EXPECT_EQ(parser.parse(sentence, {}, scratch).trees[0].heads, heads);
}

TEST(DependencyParser, AThresholdNeedsAPruner) {
  DependencyTraining options = quick_training();
  options.pruner.threshold = 0;
  DependencyParser parser = parser_of(train(fixture("english.conllu", 5), {}, options));
  EXPECT_EQ(failure_of([&] { parser.set_prune_threshold(0); }), "");
  EXPECT_NE(failure_of([&] { parser.set_prune_threshold(0.1); }).find("usage: "),
            std::string::npos);
}

// The highest score of a tree that the parser may find, by enumeration.
double best_of_all(const DependencyParser& parser, const Sentence& sentence) {
  DependencyParser::Scratch scratch;
  const SearchSpace space = parser.search_space(sentence, {}, scratch);
  parser.score(space.index, scratch, scratch.scores);
  const auto crossing = space.kind.projective ? Crossing::never : Crossing::allowed;
  double best = -std::numeric_limits<double>::infinity();
  for (const auto& heads : reference::all_trees(space.mask, space.kind.root, crossing)) {
    std::vector<PartIndex::Id> parts;
    append_parts_of_tree(space.index, heads, parts);
    double score = 0;
    for (const PartIndex::Id part : parts) score += scratch.scores[part];
    best = std::max(best, score);
  }
  return best;
}

// The first words of sentences, without a tree, so that all trees can be looked at.
std::vector<Sentence> beginnings(const std::vector<Sentence>& sentences) {
  std::vector<Sentence> out;
  for (const Sentence& sentence : sentences) {
    std::vector<dependency_testing::WordLine> lines;
    for (int m = 1; m <= std::min(6, sentence.words()); ++m) {
      lines.push_back({std::string(sentence.form(m)), std::string(sentence.upos(m)),
                       std::string(sentence.xpos(m))});
    }
    out.push_back(sentence_of(lines));
  }
  return out;
}

TEST(DependencyParser, SearchesTheOtherKindOfTrees) {
  const auto sentences = fixture("german.conllu");
  for (const Factorisation order : {Factorisation::first, Factorisation::model1}) {
    for (const bool trained_projective : {true, false}) {
      DependencyTraining options = quick_training(order);
      options.kind.projective = trained_projective;
      options.labelled = false;
      options.pruner.filter = false;
      DependencyParser parser = parser_of(train(sentences, {}, options));
      for (const bool projective : {trained_projective, !trained_projective}) {
        parser.search_projective(projective);
        EXPECT_EQ(parser.parts().kind.projective, projective);
        for (const double threshold : {0.0, 1.0}) {  // 1: what is left must hold such a tree
          parser.set_prune_threshold(threshold);
          for (const Sentence& sentence : beginnings(sentences)) {
            const ParsedTree tree = parse(parser, sentence).trees.at(0);
            EXPECT_TRUE(parser.parts().kind.holds(tree.heads));
            EXPECT_NEAR(tree.score, best_of_all(parser, sentence), 1e-4);
          }
        }
      }
    }
  }
}

TEST(DependencyParser, SomeTreesCannotBeSearchedOtherwise) {
  const auto sentences = fixture("german.conllu", 5);
  DependencyTraining options = quick_training(Factorisation::carreras);
  DependencyParser carreras = parser_of(train(sentences, {}, options));
  EXPECT_NE(failure_of([&] { carreras.search_projective(false); }).find("order carreras"),
            std::string::npos);
  EXPECT_TRUE(carreras.parts().kind.projective);
  options = quick_training(Factorisation::sibling);
  options.lifted = true;
  DependencyParser lifted = parser_of(train(sentences, {}, options));
  EXPECT_NE(failure_of([&] { lifted.search_projective(false); }).find("lifted"), std::string::npos);
  EXPECT_EQ(failure_of([&] { lifted.search_projective(true); }), "");
}

TEST(DependencyParser, MarkedLabelsBecomeCrossingArcs) {
  DependencyTraining options = quick_training(Factorisation::sibling);
  options.lifted = true;
  options.learner.passes = 6;
  const auto sentences = fixture("german.conllu");
  const DependencyParser parser = parser_of(train(sentences, {}, options));
  EXPECT_TRUE(parser.parts().lifted);
  int crossing = 0;
  for (const Sentence& sentence : sentences) {
    const DependencyTree tree = parser.tree_of(parse(parser, sentence).trees[0]);
    EXPECT_TRUE(tree.is_tree());
    for (int m = 1; m <= tree.words(); ++m) {
      EXPECT_EQ(tree.label(m).find('|'), std::string::npos) << "marks are gone";
      const int low = std::min(m, tree.head(m)), high = std::max(m, tree.head(m));
      for (int k = low + 1; k < high; ++k) {
        crossing += tree.head(k) < low || tree.head(k) > high ? 1 : 0;
      }
    }
  }
  EXPECT_GT(crossing, 0);
}

TEST(DependencyParser, ThreadsShareAParser) {
  const DependencyParser& parser = parser_for(kSorts[0]);
  const auto sentences = fixture("english.conllu");
  std::vector<std::vector<int>> expected(sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    expected[i] = parse(parser, sentences[i]).trees[0].heads;
  }
  ThreadTeam team(3);
  std::atomic<std::size_t> next = 0;
  std::vector<std::vector<int>> found(sentences.size());
  team.run([&](int) {
    DependencyParser::Scratch scratch;
    for (std::size_t i = next++; i < sentences.size(); i = next++) {
      found[i] = parser.parse(sentences[i], {}, scratch).trees[0].heads;
    }
  });
  EXPECT_EQ(found, expected);
}

TEST(ParseOrder, KnowsEveryOrderByName) {
  for (const Factorisation order :
       {Factorisation::first, Factorisation::sibling, Factorisation::carreras,
        Factorisation::model0, Factorisation::model1, Factorisation::model2}) {
    EXPECT_EQ(parse_order(name(order)), order);
  }
  EXPECT_EQ(parse_order("grandsibling"), Factorisation::model1);
  for (const std::string none : {"", "second", "model3", "First"}) {
    EXPECT_NE(failure_of([&] { parse_order(none); }).find("usage: unknown order"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace copse
