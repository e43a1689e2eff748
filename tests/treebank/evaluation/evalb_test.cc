#include "copse/treebank/evaluation/evalb.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/treebank/evaluation/evalb_line.h"
#include "copse/treebank/evaluation/report.h"

namespace copse {
namespace {

// One sentence against another.
EvalbSentence score(const std::string& gold, const std::string& system,
                    const EvalbOptions& options = {}) {
  const EvalbReport report = evaluate_constituency(gold + "\n", system + "\n", options);
  EXPECT_EQ(report.sentences.size(), 1U);
  return report.sentences.empty() ? EvalbSentence{} : report.sentences.front();
}

EvalbOptions with_parameters(const std::string& more) {
  EvalbOptions options;
  options.parameters = parse_evalb_parameters(
      "DELETE_LABEL TOP\nDELETE_LABEL -NONE-\nDELETE_LABEL ''\nDELETE_LABEL .\n"
      "DELETE_LABEL_FOR_LENGTH -NONE-\n" +
          more,
      "test.prm");
  return options;
}

constexpr const char* kCatGold =
    "(TOP (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))";
constexpr const char* kCatSystem =
    "(TOP (S (NP (DT The) (NN cat)) (VP (VBD sat) (PRT (RP on)) (NP (DT the) (NN mat))) (. .)))";

TEST(Evalb, OracleA) {
  const EvalbSentence s = score(kCatGold, kCatSystem);
  EXPECT_EQ(s.matched, 4);
  EXPECT_EQ(s.gold, 5);
  EXPECT_EQ(s.system, 5);
  EXPECT_EQ(s.crossing, 0);
  EXPECT_EQ(s.words, 6);
  EXPECT_EQ(s.correct_tags, 5);
  EXPECT_EQ(s.length, 7);
}

TEST(Evalb, OracleB) {
  const EvalbSentence s = score("(S (NP (NP (NN a)) (PP (IN of) (NP (NN b)))) (VP (VB c)))",
                                "(S (NP (NN a)) (VP (PP (IN of) (NP (NN b))) (VP (VB c))))");
  EXPECT_EQ(s.matched, 5);
  EXPECT_EQ(s.gold, 6);
  EXPECT_EQ(s.system, 6);
  EXPECT_EQ(s.crossing, 1);
}

TEST(Evalb, PrintsWhatEvalbPrints) {
  const EvalbReport report =
      evaluate_constituency(std::string(kCatGold) + "\n\n", std::string(kCatSystem) + "\n(())\n");
  EXPECT_EQ(evalb_text(report, true),
            "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
            " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n"
            "============================================================================\n"
            "   1    7    0   80.00  80.00     4      5    5      0      6     5    83.33\n"
            "   2    0    2    0.00   0.00     0      0    0      0      0     0     0.00\n"
            "============================================================================\n"
            "                 80.00  80.00      4     5     5      0      6     5    83.33\n"
            "=== Summary ===\n"
            "\n"
            "-- All --\n"
            "Number of sentence        =      2\n"
            "Number of Error sentence  =      0\n"
            "Number of Skip  sentence  =      1\n"
            "Number of Valid sentence  =      1\n"
            "Bracketing Recall         =  80.00\n"
            "Bracketing Precision      =  80.00\n"
            "Bracketing FMeasure       =  80.00\n"
            "Complete match            =   0.00\n"
            "Average crossing          =   0.00\n"
            "No crossing               = 100.00\n"
            "2 or less crossing        = 100.00\n"
            "Tagging accuracy          =  83.33\n"
            "\n"
            "-- len<=40 --\n"
            "Number of sentence        =      2\n"
            "Number of Error sentence  =      0\n"
            "Number of Skip  sentence  =      1\n"
            "Number of Valid sentence  =      1\n"
            "Bracketing Recall         =  80.00\n"
            "Bracketing Precision      =  80.00\n"
            "Bracketing FMeasure       =  80.00\n"
            "Complete match            =   0.00\n"
            "Average crossing          =   0.00\n"
            "No crossing               = 100.00\n"
            "2 or less crossing        = 100.00\n"
            "Tagging accuracy          =  83.33\n");
}

TEST(Evalb, DetailsAreByLabelAndByLength) {
  const EvalbReport report = evaluate_constituency(kCatGold, kCatSystem);
  const std::string text = evalb_details_text(report);
  EXPECT_NE(text.find("NP                100.00  100.00 100.00      2      2\n"),
            std::string::npos);
  EXPECT_NE(text.find("PP                  0.00    0.00   0.00      1      0\n"),
            std::string::npos);
  EXPECT_NE(text.find("1-10               80.00   80.00  80.00      5      5          1\n"),
            std::string::npos);
  EXPECT_NE(text.find("11-20               0.00    0.00   0.00      0      0          0\n"),
            std::string::npos);
}

TEST(Evalb, WithoutAMatchTheFMeasureIsNotANumberInTextAndZeroInJson) {
  const EvalbReport report = evaluate_constituency("(S (NN a))\n", "(X (NN a))\n");
  EXPECT_NE(evalb_text(report, false).find("Bracketing FMeasure       =    nan\n"),
            std::string::npos);
  EXPECT_NE(evalb_json(report, false).find("\"f1\": 0.0"), std::string::npos);
}

TEST(Evalb, MatchingIsAMultisetIntersection) {
  const EvalbSentence s = score("(S (NP (NP (NN x))) (VP (VB y)))", "(S (NP (NN x)) (VP (VB y)))");
  EXPECT_EQ(s.matched, 3);
  EXPECT_EQ(s.gold, 4);
  EXPECT_EQ(s.system, 3);
}

TEST(Evalb, LabelsAreCutAtTheFirstDashOrEqualsSignEvenAtTheFront) {
  EXPECT_EQ(score("(S (NP-SBJ-1 (NN x)))", "(S (NP=2 (NN x)))").matched, 2);
  EXPECT_EQ(score("(S (-X- (NN x)))", "(S (-Y- (NN x)))").matched, 2) << "both become empty";
}

TEST(Evalb, TagsAreNotCut) {
  EXPECT_EQ(score("(S (NN-X x))", "(S (NN x))").correct_tags, 0);
  EXPECT_EQ(score("(S (NN-X x))", "(S (NN-X x))").correct_tags, 1);
}

TEST(Evalb, EachSideDeletesWordsByItsOwnTags) {
  const EvalbSentence s = score("(S (NP (NNS dogs) (POS ')))", "(S (NP (NNS dogs) ('' ')))");
  EXPECT_EQ(s.status, EvalbStatus::error) << "two words against one";
  EXPECT_EQ(s.length, 2);
}

TEST(Evalb, DeletedTagsLeaveBothWordListsAndEmptyPhrasesDoNotCount) {
  const EvalbSentence s =
      score("(TOP (S (NP (-NONE- *)) (VP (VB go)) (. .)))", "(TOP (S (VP (VB go)) (. .)))");
  EXPECT_EQ(s.status, EvalbStatus::valid);
  EXPECT_EQ(s.matched, 2);
  EXPECT_EQ(s.gold, 2);
  EXPECT_EQ(s.words, 1);
  EXPECT_EQ(s.length, 2) << "traces do not count, punctuation does";
}

TEST(Evalb, AdvpAndPrtAreTheSameLabel) {
  EXPECT_EQ(score("(S (PRT (RP up)))", "(S (ADVP (RP up)))").matched, 2);
  EXPECT_EQ(score("(S (PRT (RP up)))", "(S (NP (RP up)))").matched, 1);
}

TEST(Evalb, LabelCountsKeepTheSidesApart) {
  const EvalbReport report = evaluate_constituency("(S (PRT (RP up)))\n", "(S (ADVP (RP up)))\n");
  EXPECT_EQ(report.labels.at("PRT").gold_matched, 1);
  EXPECT_EQ(report.labels.at("PRT").system, 0);
  EXPECT_EQ(report.labels.at("ADVP").system_matched, 1);
}

TEST(Evalb, DeletionComparesPhraseLabelsUnderEqLabel) {
  const EvalbSentence s =
      score("(ROOT (S (NN x)))", "(ROOT (S (NN x)))", with_parameters("EQ_LABEL ROOT TOP\n"));
  EXPECT_EQ(s.gold, 1);
}

TEST(Evalb, UnlabeledComparesSpansOnly) {
  EXPECT_EQ(score("(S (NP (NN x)))", "(A (B (NN x)))", with_parameters("LABELED 0\n")).matched, 2);
}

TEST(Evalb, EqWordMakesWordsTheSame) {
  EXPECT_EQ(score("(S (NN Cat))", "(S (NN cat))").status, EvalbStatus::error);
  EXPECT_EQ(score("(S (NN Cat))", "(S (NN cat))", with_parameters("EQ_WORD cat Cat\n")).status,
            EvalbStatus::valid);
}

TEST(Evalb, OtherWordsOrAnotherNumberOfWordsIsAnErrorAndLeavesTheTotals) {
  const EvalbReport report = evaluate_constituency("(S (NN a))\n(S (NN a))\n(S (NN a))\n",
                                                   "(S (NN b))\n(S (NN a) (NN b))\n(S (NN a))\n");
  EXPECT_EQ(report.all.errors, 2);
  EXPECT_EQ(report.all.sentences, 3);
  EXPECT_EQ(report.all.valid(), 1);
  EXPECT_EQ(report.all.gold, 1);
  ASSERT_EQ(report.messages.size(), 2U);
  EXPECT_EQ(report.messages[0], "line 1: word 1 is 'a' in gold, 'b' in system");
  EXPECT_EQ(report.messages[1], "line 2: 1 words in gold, 2 in system");
}

TEST(Evalb, NoWordsOnTheSystemSideIsSkipped) {
  for (const char* failure : {"", "   ", "()", "(())", "(S)", "(TOP (S (. .)))"}) {
    EXPECT_EQ(score("(S (NN a))", failure).status, EvalbStatus::skipped) << failure;
  }
  EXPECT_EQ(score("", "(S (NN a))").status, EvalbStatus::error) << "the other way round";
}

TEST(Evalb, BlanksBeforeTheClosingBracketMakeAWordWithoutLetters) {
  EXPECT_EQ(score("(S (NN a))", "(S )").status, EvalbStatus::error) << "'' is not 'a'";
  EXPECT_EQ(score("(S (NP ) (NN a))", "(S (NP ) (NN a))").words, 2);
}

TEST(Evalb, ABlankAfterTheWordIsAccepted) {
  const EvalbSentence s = score("(S (NN a ) )", "(S (NN a))");
  EXPECT_EQ(s.status, EvalbStatus::valid);
  EXPECT_EQ(s.matched, 1);
}

TEST(Evalb, LinesThatCannotBeReadAreErrorsOfTheirSentence) {
  for (const char* line : {"a", "(S a (NN b))", "(S (NN a b))", "(NN a", "(S (NN a) b)"}) {
    const EvalbSentence s = score("(S (NN a))", line);
    EXPECT_EQ(s.status, EvalbStatus::error) << line;
    EXPECT_EQ(s.words, 0) << line;
  }
}

TEST(Evalb, UnbalancedLinesAreScoredAsFarAsTheyGoAndCountedAsErrors) {
  const EvalbReport report = evaluate_constituency("(S (NP (NN a)))\n(S (NP (NN a)))\n",
                                                   "(S (NP (NN a))\n(S (NP (NN a))))\n");
  EXPECT_EQ(report.all.errors, 2);
  EXPECT_EQ(report.all.gold, 0) << "errors leave the totals";
  EXPECT_EQ(report.sentences[0].matched, 1) << "NP; S has no end";
  EXPECT_EQ(report.sentences[1].matched, 2);
}

TEST(Evalb, StopsAtErrorNumberMaxErrorPlusTwo) {
  std::string gold;
  std::string system;
  for (int i = 0; i < 11; ++i) {
    gold += "(S (NN a))\n";
    system += "(S (NN b))\n";
  }
  EXPECT_FALSE(evaluate_constituency(gold, system).stopped) << "MAX_ERROR is 10";
  const EvalbReport report = evaluate_constituency(gold + "(S (NN a))\n", system + "(S (NN b))\n");
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(report.sentences.size(), 11U) << "the row of the last error is not printed";
  EXPECT_EQ(evalb_text(report, true).find("Summary"), std::string::npos);
}

TEST(Evalb, MissingAndExtraLinesAreCountedAndNotScored) {
  const EvalbReport missing =
      evaluate_constituency("(S (NN a))\n(S (NN b))\n(S (NN c))", "(S (NN a))\n");
  EXPECT_EQ(missing.missing, 2U);
  EXPECT_EQ(missing.extra, 0U);
  EXPECT_EQ(missing.all.sentences, 1);
  const EvalbReport extra = evaluate_constituency("(S (NN a))\n", "(S (NN a))\n(S (NN b))\n");
  EXPECT_EQ(extra.extra, 1U);
  EXPECT_EQ(extra.all.sentences, 1);
}

TEST(Evalb, CutoffCountsGoldWordsWithoutTraces) {
  EvalbOptions options;
  options.parameters.cutoff = 2;
  const EvalbReport report =
      evaluate_constituency("(S (NN a) (-NONE- *) (. .))\n(S (NN a) (NN b) (. .))\n",
                            "(S (NN a) (. .))\n(S (NN a) (NN b) (. .))\n", options);
  EXPECT_EQ(report.up_to_cutoff.sentences, 1);
  EXPECT_EQ(report.all.sentences, 2);
}

TEST(Evalb, AnUnlabelledOuterBracketCountsUnlessItIsReadAsTop) {
  const char* unlabelled = "( (S (NN a)) )";
  EXPECT_EQ(score(unlabelled, unlabelled).gold, 2);
  EXPECT_EQ(score(unlabelled, "(TOP (S (NN a)))").system, 1);
  EvalbOptions options;
  options.outer = EvalbOuter::as_evalb;
  EXPECT_EQ(score(unlabelled, "(TOP (S (NN a)))", options).gold, 2);
  options.outer = EvalbOuter::top;
  EXPECT_EQ(score(unlabelled, unlabelled, options).gold, 1);
  EXPECT_EQ(score("(S ( (NN a)))", "(S ( (NN a)))", options).gold, 2) << "only the outermost";
  EXPECT_EQ(evaluate_constituency(unlabelled, "(S (NN a))").gold_unlabelled_outer, 1U);
}

// Gold from the Penn Treebank, output of a parser: what one side lacks is TOP on both.
TEST(Evalb, AnUnlabelledOuterBracketOnOneSideIsTopOnBoth) {
  const char* unlabelled = "( (S (NN a)) )\n";
  for (const char* other : {"(TOP (S (NN a)))\n", "(ROOT (S (NN a)))\n", "(S (NN a))\n"}) {
    for (const bool gold_has_it : {true, false}) {
      const EvalbReport report = gold_has_it ? evaluate_constituency(unlabelled, other)
                                             : evaluate_constituency(other, unlabelled);
      EXPECT_EQ(report.all.gold, 1) << other;
      EXPECT_EQ(report.all.system, 1) << other;
      EXPECT_EQ(report.all.matched, 1) << other;
      EXPECT_EQ(report.outer_read_as_top, 1U) << other;
    }
  }
  EXPECT_EQ(evaluate_constituency(unlabelled, unlabelled).outer_read_as_top, 0U);
  EXPECT_EQ(evaluate_constituency("(ROOT (S (NN a)))\n", "(ROOT (S (NN a)))\n").all.gold, 2);
}

TEST(Evalb, QuoteSignsComeBackUnderQuoteLabel) {
  const EvalbOptions options = with_parameters("QUOTE_LABEL ''\nQUOTE_LABEL POS\n");
  const EvalbSentence s = score("(S (NP (NNS dogs) (POS ')) (VP (VB bark)))",
                                "(S (NP (NNS dogs)) ('' ') (VP (VB bark)))", options);
  EXPECT_EQ(s.status, EvalbStatus::valid);
  EXPECT_EQ(s.words, 3);
  EXPECT_EQ(s.correct_tags, 2);
  EXPECT_EQ(s.matched, 2) << "S and VP, which has moved by a word; NP is shorter";
  EXPECT_EQ(s.crossing, 0);
}

TEST(Evalb, ReadsCrLfAndAByteOrderMark) {
  const EvalbReport report =
      evaluate_constituency("\xEF\xBB\xBF(S (NN a))\r\n(S (NN b))\r\n", "(S (NN a))\n(S (NN b))");
  EXPECT_EQ(report.all.valid(), 2);
  EXPECT_EQ(report.all.complete, 2);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// What a line costs has bounds: lines beyond them are unreadable.
TEST(Evalb, LinesBeyondTheLimitsAreUnreadable) {
  const auto problem = [](const std::string& line, const Limits& limits = {}) {
    EvalbParameters parameters = collins_parameters();
    parameters.quotes = {"''"};
    const EvalbLine read = parse_evalb_line(line, parameters, limits);
    return read.unreadable ? read.problems.back() : "";
  };
  EXPECT_EQ(problem(repeated("(", 20'000)), "brackets are nested more than 10000 deep");
  EXPECT_EQ(problem(repeated("(", 5'000'000)), "the line has more than 4194304 bytes");
  EXPECT_EQ(problem("(S " + repeated("(A b)", 50'001) + ")"), "the tree has more than 50000 words");
  EXPECT_EQ(problem(repeated("(S ", 5000) + repeated("('' ')", 2001)),
            "too many quote signs in brackets nested too deep");
  Limits wide;
  wide.max_depth = 20'000;
  EXPECT_EQ(problem(repeated("(", 20'000), wide), "");
  EXPECT_EQ(parse_evalb_line(repeated(")", 1'000'000), collins_parameters()).problems.size(), 100U);
}

// A random bracketing of words 0..n-1 with random labels.
std::string random_tree(Random& random, int begin, int end) {
  if (end - begin == 1 && random.chance(0.7)) return fmt::format("(T w{})", begin);
  std::string text = fmt::format("({}", "ABC"[random.below(3)]);
  if (end - begin == 1) return text + " " + random_tree(random, begin, end) + ")";
  const int cut = random.between(begin + 1, end - 1);
  text += " " + random_tree(random, begin, cut);
  text += " " + random_tree(random, cut, end);
  return text + ")";
}

TEST(Evalb, CrossingAndMatchingEqualTheDefinitionOnRandomTrees) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(seed);
    const int words = random.between(1, 12);
    const std::string gold = "(S " + random_tree(random, 0, words) + ")";
    const std::string system = "(S " + random_tree(random, 0, words) + ")";
    const EvalbParameters parameters = collins_parameters();
    const EvalbLine g = parse_evalb_line(gold, parameters);
    EvalbLine s = parse_evalb_line(system, parameters);
    int crossing = 0;
    for (const auto& t : s.brackets) {
      crossing += std::any_of(g.brackets.begin(), g.brackets.end(), [&](const auto& b) {
        return (b.begin < t.begin && t.begin < b.end && b.end < t.end) ||
               (t.begin < b.begin && b.begin < t.end && t.end < b.end);
      });
    }
    int matched = 0;
    for (const auto& b : g.brackets) {
      for (auto& t : s.brackets) {
        if (!t.counted || t.begin != b.begin || t.end != b.end || t.label != b.label) continue;
        t.counted = false;
        ++matched;
        break;
      }
    }
    const EvalbSentence result = score(gold, system);
    EXPECT_EQ(result.crossing, crossing);
    EXPECT_EQ(result.matched, matched);
  }
}

TEST(Evalb, AnyBytesGiveAReport) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto bytes = [&] {
      std::string text;
      for (int i = random.between(0, 80); i > 0; --i) text += "()( a\n-='.\xFF"[random.below(11)];
      return text;
    };
    const EvalbReport report = evaluate_constituency(bytes(), bytes());
    EXPECT_FALSE(evalb_text(report, true).empty()) << seed;
    EXPECT_FALSE(evalb_json(report, true).empty()) << seed;
  }
}

TEST(EvalbParameters, CollinsParametersAreBuiltIn) {
  const EvalbParameters parameters = collins_parameters();
  EXPECT_EQ(parameters.deleted,
            (std::vector<std::string>{"TOP", "-NONE-", ",", ":", "``", "''", "."}));
  EXPECT_EQ(parameters.deleted_for_length, std::vector<std::string>{"-NONE-"});
  EXPECT_TRUE(parameters.same_label("PRT", "ADVP"));
  EXPECT_EQ(parameters.max_errors, 10);
  EXPECT_EQ(parameters.cutoff, 40);
  EXPECT_TRUE(parameters.labeled);
}

TEST(EvalbParameters, ReadsEveryKeyword) {
  const EvalbParameters parameters = parse_evalb_parameters(
      "## comment\nDEBUG 0\nMAX_ERROR 3  \nCUTOFF_LEN\t70\r\nLABELED 0\nDELETE_LABEL .\n"
      "DELETE_LABEL_FOR_LENGTH X\nQUOTE_LABEL POS\nEQ_LABEL A B\nEQ_WORD c  d\n",
      "p");
  EXPECT_EQ(parameters.max_errors, 3);
  EXPECT_EQ(parameters.cutoff, 70);
  EXPECT_FALSE(parameters.labeled);
  EXPECT_TRUE(parameters.is_deleted("."));
  EXPECT_TRUE(parameters.is_deleted_for_length("X"));
  EXPECT_TRUE(parameters.is_quote("POS", "'"));
  EXPECT_FALSE(parameters.is_quote("POS", "'s"));
  EXPECT_TRUE(parameters.same_label("B", "A"));
  EXPECT_TRUE(parameters.same_word("d", "c"));
  EXPECT_FALSE(parameters.same_word("A", "B"));
}

TEST(EvalbParameters, UnknownKeywordsAndMissingValuesAreWarnings) {
  std::vector<std::string> warnings;
  parse_evalb_parameters("FROBNICATE 1\nLABELED\n", "x.prm", &warnings);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0], "x.prm:1: unknown keyword FROBNICATE; line skipped");
  EXPECT_EQ(warnings[1], "x.prm:2: LABELED has no value; line skipped");
}

TEST(EvalbParameters, ValuesThatCannotBeUsedAreErrorsWithTheirLine) {
  EXPECT_THROW(parse_evalb_parameters("MAX_ERROR many\n", "x.prm"), Error);
  try {
    parse_evalb_parameters("\nEQ_LABEL A\n", "x.prm");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "x.prm:2: EQ_LABEL takes two values that count as the same; found 1");
  }
}

}  // namespace
}  // namespace copse
