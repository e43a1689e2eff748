#include "copse/treebank/evaluation/conll18.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/random.h"
#include "copse/treebank/evaluation/conll18_alignment.h"
#include "copse/treebank/evaluation/report.h"

namespace copse {
namespace {

// A sentence from a short notation: "a" is a word, "du=de+le" a multiword token. Every word but
// the first hangs from the first.
std::string words(const std::string& notation) {
  std::istringstream in(notation);
  std::string out;
  std::string item;
  int count = 0;
  const auto add_word = [&](const std::string& form) {
    ++count;
    out += fmt::format("{}\t{}\t_\t_\t_\t_\t{}\t{}\t_\t_\n", count, form, count > 1 ? 1 : 0,
                       count > 1 ? "dep" : "root");
  };
  while (in >> item) {
    const auto equals = item.find('=');
    if (equals == std::string::npos) {
      add_word(item);
      continue;
    }
    std::vector<std::string> parts(1);
    for (const char c : item.substr(equals + 1)) {
      if (c == '+') {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    out += fmt::format("{}-{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n", count + 1,
                       count + static_cast<int>(parts.size()), item.substr(0, equals));
    for (const std::string& part : parts) add_word(part);
  }
  return out + "\n";
}

long aligned_words(const std::string& gold, const std::string& system) {
  return evaluate_conll18(words(gold), words(system))["Words"].correct;
}

// Rows given as "form lemma upos feats head deprel".
std::string sentence(const std::vector<std::string>& rows) {
  std::string out;
  int id = 0;
  for (const std::string& row : rows) {
    std::istringstream in(row);
    std::string form, lemma, upos, feats, head, deprel;
    in >> form >> lemma >> upos >> feats >> head >> deprel;
    out += fmt::format("{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t_\n", ++id, form, lemma, upos, feats,
                       head, deprel);
  }
  return out + "\n";
}

std::string message_of(const std::string& gold, const std::string& system) {
  try {
    evaluate_conll18(gold, system, "g.conllu", "s.conllu");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Conll18Alignment, WordsOutsideMultiwordTokensAlignBySpan) {
  EXPECT_EQ(aligned_words("a b c", "a b c"), 3);
  EXPECT_EQ(aligned_words("abcd", "a b c d"), 0);
  EXPECT_EQ(aligned_words("abc d", "a b c d"), 1);
  EXPECT_EQ(aligned_words("a bc d", "a b c d"), 2);
}

TEST(Conll18Alignment, WordsOfMultiwordTokensAlignByForm) {
  EXPECT_EQ(aligned_words("abc=a+b+c", "a b c"), 3);
  EXPECT_EQ(aligned_words("a bc=b+c d", "a b c d"), 4);
  EXPECT_EQ(aligned_words("abcd=a+b+c+d", "ab=a+b cd=c+d"), 4);
  EXPECT_EQ(aligned_words("du=de+le", "du=De+LE"), 2) << "lower-cased";
  EXPECT_EQ(aligned_words("du=de+le", "du=de+les"), 1);
}

TEST(Conll18Alignment, ARegionGrowsUntilItCutsNoMultiwordToken) {
  EXPECT_EQ(aligned_words("abc=a+b+c de=d+e", "a bcd=b+c+d e"), 5);
  EXPECT_EQ(aligned_words("abc=a+X+c def=d+Y+f", "ab=a+b cd=c+d ef=e+f"), 4);
  EXPECT_EQ(aligned_words("a bc=b+c d", "a b cd"), 2);
  EXPECT_EQ(aligned_words("ab=a+b cd=bc+d", "a bc d"), 2);
  EXPECT_EQ(aligned_words("a bc=b+c d", "ab=X+Y cd=Z+a"), 1);
}

TEST(Conll18Alignment, WithoutMultiwordTokensItIsTheIntersectionOfSpans) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int length = random.between(1, 30);
    std::set<std::pair<int, int>> spans[2];
    std::string notation[2];
    for (int side = 0; side < 2; ++side) {
      for (int at = 0; at < length;) {
        const int end = std::min(length, at + random.between(1, 3));
        spans[side].emplace(at, end);
        notation[side] += std::string(static_cast<std::size_t>(end - at), 'x') + " ";
        at = end;
      }
    }
    std::vector<std::pair<int, int>> common;
    std::set_intersection(spans[0].begin(), spans[0].end(), spans[1].begin(), spans[1].end(),
                          std::back_inserter(common));
    EXPECT_EQ(aligned_words(notation[0], notation[1]), static_cast<long>(common.size()));
  }
}

// Longest common subsequence by trying every subset of the first sequence.
int longest_common_subsequence(const std::string& a, const std::string& b) {
  int best = 0;
  for (unsigned subset = 0; subset < 1U << a.size(); ++subset) {
    std::size_t at = 0;
    int length = 0;
    for (std::size_t i = 0; i < a.size() && at != std::string::npos; ++i) {
      if ((subset >> i & 1U) == 0) continue;
      at = b.find(a[i], at);
      if (at != std::string::npos) {
        ++at;
        ++length;
      } else {
        length = 0;
      }
    }
    best = std::max(best, length);
  }
  return best;
}

TEST(Conll18Alignment, InsideOneTokenItIsALongestCommonSubsequence) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::string letters[2];
    std::string notation[2];
    for (int side = 0; side < 2; ++side) {
      for (int i = random.between(2, 8); i > 0; --i) letters[side] += "abc"[random.below(3)];
      notation[side] = "surface=";
      for (const char c : letters[side]) notation[side] += fmt::format("{}+", c);
      notation[side].pop_back();
    }
    EXPECT_EQ(aligned_words(notation[0], notation[1]),
              longest_common_subsequence(letters[0], letters[1]));
  }
}

TEST(Conll18Alignment, LowerCaseIsPythons) {
  EXPECT_EQ(python_lower("ÄÖÜ Straße"), "äöü straße");
  EXPECT_EQ(python_lower("\u0130"), "i\u0307") << "not a plain i";
  EXPECT_EQ(python_lower("ΟΔΟΣ"), "οδος") << "final sigma";
  EXPECT_EQ(python_lower("ΣΑΣ Σ"), "σας σ") << "a sigma alone is not final";
  EXPECT_EQ(python_lower("ΑΣ."), "ας.");
}

TEST(Conll18, PrintsTheOfficialTable) {
  const Conll18Report report = evaluate_conll18(words("a bc d"), words("a b c d"));
  EXPECT_EQ(conll18_text(report),
            "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
            "-----------+-----------+-----------+-----------+-----------\n"
            "Tokens     |     50.00 |     66.67 |     57.14 |\n"
            "Sentences  |    100.00 |    100.00 |    100.00 |\n"
            "Words      |     50.00 |     66.67 |     57.14 |\n"
            "UPOS       |     50.00 |     66.67 |     57.14 |    100.00\n"
            "XPOS       |     50.00 |     66.67 |     57.14 |    100.00\n"
            "UFeats     |     50.00 |     66.67 |     57.14 |    100.00\n"
            "AllTags    |     50.00 |     66.67 |     57.14 |    100.00\n"
            "Lemmas     |     50.00 |     66.67 |     57.14 |    100.00\n"
            "UAS        |     50.00 |     66.67 |     57.14 |    100.00\n"
            "LAS        |     50.00 |     66.67 |     57.14 |    100.00\n"
            "CLAS       |     50.00 |     66.67 |     57.14 |    100.00\n"
            "MLAS       |     50.00 |     66.67 |     57.14 |    100.00\n"
            "BLEX       |     50.00 |     66.67 |     57.14 |    100.00\n");
}

TEST(Conll18, SubtypesAndLanguageSpecificFeaturesAreIgnored) {
  const auto report = evaluate_conll18(
      sentence({"a x NOUN Case=Nom|Number=Sing|Typo=Yes 0 root", "b y VERB _ 1 acl:relcl"}),
      sentence({"a x NOUN Number=Sing|Case=Nom 0 root", "b y VERB Foo=Bar 1 acl:madeup"}));
  EXPECT_EQ(report["UFeats"].correct, 2);
  EXPECT_EQ(report["LAS"].correct, 2);
  EXPECT_EQ(report["MLAS"].correct, 2);
}

TEST(Conll18, AGoldLemmaOfUnderscoreAcceptsAnything) {
  const auto report = evaluate_conll18(sentence({"a _ X _ 0 root", "b y X _ 1 dep"}),
                                       sentence({"a z X _ 0 root", "b _ X _ 1 dep"}));
  EXPECT_EQ(report["Lemmas"].correct, 1);
  EXPECT_EQ(report["BLEX"].correct, 1);
}

TEST(Conll18, ContentWordsAreCountedOnEachSideByItsOwnRelations) {
  const auto report =
      evaluate_conll18(sentence({"a a X _ 0 root", "b b X _ 1 obj", "c c X _ 1 punct"}),
                       sentence({"a a X _ 0 root", "b b X _ 1 case", "c c X _ 1 unheardof"}));
  EXPECT_EQ(report["CLAS"].gold, 2);
  EXPECT_EQ(report["CLAS"].system, 1);
  EXPECT_EQ(report["CLAS"].aligned, 2);
  EXPECT_EQ(report["CLAS"].correct, 1);
}

TEST(Conll18, MlasComparesFunctionalChildren) {
  const auto gold = sentence({"the the DET _ 2 det", "cat cat NOUN _ 0 root"});
  const auto report =
      evaluate_conll18(gold, sentence({"the the PRON _ 2 det", "cat cat NOUN _ 0 root"}));
  EXPECT_EQ(report["CLAS"].correct, 1);
  EXPECT_EQ(report["MLAS"].correct, 0) << "the tag of the determiner differs";
  EXPECT_EQ(evaluate_conll18(gold, sentence({"the x DET _ 2 det", "cat cat NOUN _ 0 root"}))["MLAS"]
                .correct,
            1)
      << "its lemma does not matter";
}

TEST(Conll18, MlasAsksForTheSameFunctionalChildrenNotForSuchAsThem) {
  const auto report =
      evaluate_conll18(sentence({"a a X _ 3 det", "b b X _ 3 dep", "c c X _ 0 root"}),
                       sentence({"a a X _ 3 dep", "b b X _ 3 det", "c c X _ 0 root"}));
  EXPECT_EQ(report["CLAS"].correct, 1);
  EXPECT_EQ(report["MLAS"].correct, 0) << "c has a determiner on both sides, but not the same";
}

TEST(Conll18, AHeadThatIsNotAlignedIsWrong) {
  // In the system "ab" is one word: its dependent has no counterpart to hang from.
  const auto report =
      evaluate_conll18(sentence({"a a X _ 0 root", "b b X _ 1 dep", "c c X _ 1 dep"}),
                       sentence({"ab ab X _ 0 root", "c c X _ 1 dep"}));
  EXPECT_EQ(report["Words"].correct, 1);
  EXPECT_EQ(report["UAS"].correct, 0);
}

TEST(Conll18, SpacesInsideFormsDoNotMatter) {
  EXPECT_EQ(evaluate_conll18("1\t10 000\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
                             "1\t10\u00A0000\t_\t_\t_\t_\t0\troot\t_\t_\n\n")["Words"]
                .correct,
            1);
}

TEST(Conll18, SentencesMayBeCutDifferently) {
  const auto report = evaluate_conll18(words("a b") + words("c"), words("a") + words("b c"));
  EXPECT_EQ(report["Sentences"].correct, 0);
  EXPECT_EQ(report["Tokens"].correct, 3);
  EXPECT_EQ(report["UAS"].correct, 1) << "a; b is a root now and c hangs from b";
}

TEST(Conll18, EmptyNodesAreIgnoredAlsoInsideMultiwordTokens) {
  const std::string plain = words("du=de+le x");
  std::string with_nodes = plain;
  with_nodes.insert(with_nodes.find("2\tle"), "1.1\tnode\t_\t_\t_\t_\t_\t_\t0:x\t_\n");
  with_nodes.insert(0, "0.1\tnode\t_\t_\t_\t_\t_\t_\t0:x\t_\n");
  EXPECT_EQ(evaluate_conll18(plain, with_nodes)["LAS"].correct, 3);
}

TEST(Conll18, DifferentTextIsAnErrorWithItsContext) {
  EXPECT_EQ(message_of(words("über alles"), words("über älles")),
            "s.conllu:2: the two files are not the same text: after the same 4 characters s.conllu "
            "goes on 'älles' where g.conllu:2 goes on 'alles'");
  EXPECT_EQ(message_of(words("a b"), words("a")),
            "s.conllu:1: the two files are not the same text: after the same 1 characters s.conllu "
            "ends where g.conllu:2 goes on 'b'");
}

TEST(Conll18, RefusesWhatTheOfficialScriptRefuses) {
  const std::string good = words("a b");
  const auto row = [](const std::string& id, const std::string& head) {
    return fmt::format("{}\ta\t_\t_\t_\t_\t{}\tdep\t_\t_\n", id, head);
  };
  const auto message = [&](const std::string& bytes) { return message_of(bytes, good); };
  EXPECT_EQ(message("1\ta\t_\n\n"), "g.conllu:1: found 3 tab-separated columns; expected 10");
  EXPECT_EQ(message(row("2", "0") + "\n"), "g.conllu:1: ID is '2'; expected 1");
  EXPECT_EQ(message(row("x", "0") + "\n"), "g.conllu:1: ID is 'x'; expected 1");
  EXPECT_EQ(message(row("1", "x") + "\n"),
            "g.conllu:1: HEAD is 'x'; expected the number of a word, or 0");
  EXPECT_EQ(message(row("1", "5") + "\n"),
            "g.conllu:1: HEAD is 5 but the sentence has 1 words; expected 0 to 1");
  EXPECT_EQ(message("# c\n" + row("1", "0") + row("2", "0") + "\n"),
            "g.conllu:2: this sentence has 2 roots; expected one word with HEAD 0");
  EXPECT_EQ(message(row("1", "2") + row("2", "1") + "\n"),
            "g.conllu:1: the heads of this sentence form a cycle through word 1");
  EXPECT_EQ(message(row("1", "0")),
            "g.conllu:1: the last sentence is not followed by an empty line");
  EXPECT_EQ(message(good + "\n"),
            "g.conllu:4: a sentence without words\n  hint: remove the empty line");
  EXPECT_EQ(message("1-2\tab" + std::string(8, '\t') + "_\n" + row("1", "0") + "\n"),
            "g.conllu:3: the sentence ends inside the multiword token 1-2");
  EXPECT_EQ(message("1\t \t_\t_\t_\t_\t0\troot\t_\t_\n\n"), "g.conllu:1: FORM is empty");
  EXPECT_EQ(message("\n1\t\xFF\t_\t_\t_\t_\t0\troot\t_\t_\n\n"), "g.conllu:2: not UTF-8");
}

TEST(Conll18, TwoEmptyFilesScoreNothing) {
  const Conll18Report report = evaluate_conll18("", "");
  EXPECT_EQ(report["Words"].gold, 0);
  EXPECT_EQ(report["LAS"].f1(), 0.0);
}

TEST(Conll18, UnknownMetricIsAUsageError) {
  EXPECT_THROW(Conll18Report()["las"], Error);
}

TEST(Conll18, SentencesWithoutHeadsAreScoredForTheirTokens) {
  const std::string gold = "1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
  const std::string system = "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t_\t_\t_\t_\n\n";
  const Conll18Report report = evaluate_conll18(gold, system);
  EXPECT_EQ(report["Tokens"].correct, 2);
  EXPECT_EQ(report["Sentences"].correct, 1);
  EXPECT_EQ(report["UPOS"].correct, 2);
  EXPECT_EQ(report["UAS"].correct, 0);
  const Conll18Report neither = evaluate_conll18(system, system);
  EXPECT_EQ(neither["UAS"].correct, 0);
  const std::string half = "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
  EXPECT_THROW(evaluate_conll18(gold, half), Error);
  const std::string negative = "1\ta\t_\tX\t_\t_\t-2\tdep\t_\t_\n\n";
  EXPECT_THROW(evaluate_conll18(negative, negative), Error);
}

}  // namespace
}  // namespace copse
