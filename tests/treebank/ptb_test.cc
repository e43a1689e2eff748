#include "copse/treebank/ptb.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "copse/treebank/block_reader.h"
#include "copse/treebank/bracket_scan.h"
#include "copse/treebank/tree_to_sentence.h"
#include "tests/repeats.h"
#include "tests/treebank/tree_testing.h"

namespace copse {
namespace {

using tree_testing::read_ptb;
using tree_testing::tree_of;
using tree_testing::trees_of;

std::string written(const PhraseTree& tree, const PtbWriteOptions& options = {}) {
  Entry entry;
  entry.tree = tree;
  std::string out;
  make_ptb_writer(options)->write(entry, out);
  return out;
}

std::string without_blanks(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), is_bracket_blank), text.end());
  return text;
}

// "line:column: message" of every item; trees as they are written on one line.
std::vector<std::string> outcomes(std::string bytes, const Limits& limits = {}) {
  std::vector<std::string> lines;
  for (const ReadItem& item : read_ptb(std::move(bytes), limits).items) {
    if (item.error) {
      const Place& place = item.error->place();
      lines.push_back(std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
                      item.error->message());
    } else {
      lines.push_back(item.entry.tree.str());
    }
  }
  return lines;
}

using Lines = std::vector<std::string>;

// Trees, and what is wrong without where it is.
Lines without_places(const std::string& bytes) {
  Lines lines;
  for (const ReadItem& item : read_ptb(bytes).items) {
    lines.push_back(item.error ? item.error->message() : item.entry.tree.str());
  }
  return lines;
}

TEST(PtbReader, KeepsTheUnlabelledOuterBracket) {
  const PhraseTree tree = tree_of("( (S (NP-SBJ (DT The) (NN cat) ) (VP (VBD sat) ) (. .) ))\n");
  EXPECT_EQ(tree.label(0), "");
  EXPECT_EQ(tree.label(1), "S");
  EXPECT_EQ(tree.label(2), "NP-SBJ");
  EXPECT_EQ(tree.words(), 4);
  EXPECT_EQ(tree.str(), "( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat)) (. .)))");
}

// A fault costs memory: a file of nothing else must not be many times its size there.
TEST(PtbReader, ManyUnclosedTreesInARowAreOneFaultInTheEnd) {
  const std::size_t apart = BracketScanner::kUnclosedApart;
  std::string bytes;
  for (std::size_t i = 0; i < apart + 5; ++i) bytes += "(S (NN a)\n";
  bytes += "(S (NN b))\n(S (NN c)\n(S (NN d)\n";
  const Lines lines = outcomes(bytes);
  ASSERT_EQ(lines.size(), apart + 2);
  EXPECT_EQ(lines[apart - 2],
            "999:1: the tree that begins here is never closed; a \")\" is missing");
  EXPECT_EQ(lines[apart - 1],
            "1000:1: the tree that begins here is never closed, nor are the 5 behind it");
  EXPECT_EQ(lines[apart], "(S (NN b))");
  EXPECT_EQ(lines[apart + 1],
            "1007:1: the tree that begins here is never closed, nor is the one behind it");
  // Whoever passes them on passes all of them on.
  Block block{bytes, "in", 1};
  std::string passed;
  for (const ReadItem& item : make_ptb_reader({})->parse(block).items) {
    passed += raw_bytes(block, item);
  }
  EXPECT_EQ(passed, bytes);
}

TEST(PtbReader, ReadsTreesOverSeveralLinesAndSeveralTreesOnOne) {
  EXPECT_EQ(outcomes("(S\r\n  (NN a)\r\n(VB b)\r\n)\r\n(S (NN c)) (S(NN d))(S (NN\te))"),
            (Lines{"(S (NN a) (VB b))", "(S (NN c))", "(S (NN d))", "(S (NN e))"}));
}

TEST(PtbReader, SkipsByteOrderMarkAndHeaderLines) {
  EXPECT_EQ(outcomes("\xEF\xBB\xBF*x*x*x*x*\n*x*  Copyright (C) 1992 ) *x*\n\n(S (NN a))\n"),
            (Lines{"(S (NN a))"}));
}

TEST(PtbReader, EmptyInputHasNoTrees) {
  EXPECT_TRUE(outcomes("").empty());
  EXPECT_TRUE(outcomes(" \n\t\r\n").empty());
}

TEST(PtbReader, DropsBracketsWithoutWordsAndCountsThem) {
  const Parsed parsed = read_ptb("()\n(S (NP ) (X (Y ()) (NN a)))\n(())\n");
  ASSERT_EQ(parsed.items.size(), 1U);
  EXPECT_EQ(parsed.items[0].entry.tree.str(), "(S (X (NN a)))");
  ASSERT_EQ(parsed.warnings.size(), 1U);
  EXPECT_EQ(parsed.warnings[0].message, "6 brackets without a word dropped");
  EXPECT_EQ(parsed.warnings[0].place.str(), "test.mrg:1:1");
}

TEST(PtbReader, KeepsEmptyTreesWhenAsked) {
  const Parsed parsed = read_ptb("(())\n(NN a)\n", {}, {.keep_empty_trees = true});
  ASSERT_EQ(parsed.items.size(), 2U);
  EXPECT_TRUE(parsed.items[0].entry.tree.empty());
  EXPECT_EQ(parsed.items[1].entry.tree.str(), "(NN a)");
}

TEST(PtbReader, KeepsSeveralTreesInTheOuterBracketAndWarnsOnce) {
  const Parsed parsed = read_ptb("( (S (NN a)) (S (NN b)))\n( (S (NN a)) (S (NN b)))\n");
  ASSERT_EQ(parsed.items.size(), 2U);
  EXPECT_EQ(parsed.items[0].entry.tree.child_count(0), 2);
  ASSERT_EQ(parsed.warnings.size(), 1U);
  EXPECT_EQ(parsed.warnings[0].message,
            "2 outer brackets with several trees inside kept as one tree");
}

TEST(PtbReader, RefusesAWordBesidePhrasesAndGoesOn) {
  EXPECT_EQ(
      outcomes("(NP (DT a) dog)\n(S (NN x))"),
      (Lines{"1:12: the word \"dog\" stands beside phrases; expected brackets with either one "
             "word or phrases in them",
             "(S (NN x))"}));
  EXPECT_EQ(outcomes("(NP a dog)"),
            (Lines{"1:7: the brackets of \"NP\" have more in them than one word; expected \")\" "
                   "after the word \"a\""}));
  EXPECT_EQ(outcomes("(NP a (NN dog))").size(), 1U);
}

TEST(PtbReader, ResumesAtTheNextLineAfterAStrayBracket) {
  EXPECT_EQ(outcomes("(S (NN a))) (S (NN lost))\n  (S (NN lost))\n(S (NN b))\n"),
            (Lines{"(S (NN a))", "1:11: a \")\" without its \"(\"", "(S (NN b))"}));
}

TEST(PtbReader, RefusesTextOutsideTrees) {
  EXPECT_EQ(outcomes("(S (NN a))\nnull\n(S (NN b))\n"),
            (Lines{"(S (NN a))", "2:1: the text \"null\" stands outside any tree; expected \"(\"",
                   "(S (NN b))"}));
}

TEST(PtbReader, OneMissingBracketCostsOneTree) {
  const std::string never = ": the tree that begins here is never closed; a \")\" is missing";
  EXPECT_EQ(outcomes("(S (NN a))\n(S (NP (NN b))\n(S (NN c))\n(S\n  (NN d))\n(S (NN e)"),
            (Lines{"(S (NN a))", "2:1" + never, "(S (NN c))", "(S (NN d))", "6:1" + never}));
}

TEST(PtbReader, UnclosedTreesOnEveryLineCostLinearTime) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += "(A b) (C\n";
  EXPECT_EQ(outcomes(bytes).size(), 200'000U);
}

// One bracket missing and one too many a hundred trees later: the file balances.
TEST(PtbReader, ATreeThatSwallowsOthersIsReported) {
  for (const char* outer : {"", "TOP", "S1"}) {
    const std::string good = fmt::format("({} (S (NN a)))\n", outer);
    std::string bytes = fmt::format("({} (S (NN lost))\n", outer);
    for (int i = 0; i < 99; ++i) bytes += good;
    bytes += fmt::format("({} (S (NN b))))\n", outer) + good;
    const Parsed parsed = read_ptb(bytes);
    std::size_t trees = 0;
    std::vector<std::string> errors;
    for (const ReadItem& item : parsed.items) {
      if (item.error) {
        errors.emplace_back(item.error->what());
      } else {
        ++trees;
      }
    }
    EXPECT_EQ(trees, 101U) << outer;
    ASSERT_EQ(errors.size(), 2U) << outer;
    EXPECT_NE(errors[0].find("test.mrg:1:1: the tree that begins here goes on"), std::string::npos)
        << errors[0];
    EXPECT_NE(errors[1].find("test.mrg:101:"), std::string::npos) << errors[1];
  }
}

// The same where trees are spread over lines, as treebanks have them.
TEST(PtbReader, ATreeThatSwallowsIndentedOnesIsReported) {
  const std::string good = "( (S\n    (NN a)\n    (VB b)))\n";
  std::string bytes = "( (S\n    (NN lost)\n    (VB b))\n";
  for (int i = 0; i < 99; ++i) bytes += good;
  bytes += "( (S\n    (NN a)\n    (VB b))))\n" + good;
  const Lines lines = outcomes(bytes);
  ASSERT_EQ(lines.size(), 103U);
  EXPECT_EQ(
      lines[0],
      "1:1: the tree that begins here goes on over the line of another one; a \")\" is missing");
  EXPECT_EQ(lines[101], "303:13: a \")\" without its \"(\"");
}

TEST(PtbReader, ALineThatMayBeATreeOfItsOwnIsDoubtful) {
  const Parsed parsed = read_ptb("(S (NN a)\n(S (NN b)))\n(S\n (S (NN c)))\n");
  EXPECT_EQ(parsed.items.size(), 2U);
  const Parsed doubtful = read_ptb("(S (NN a)\n(S (NN b))\n(NN c))\n");
  ASSERT_EQ(doubtful.warnings.size(), 1U);
  EXPECT_EQ(doubtful.warnings[0].place.line, 2U);
  EXPECT_TRUE(parsed.warnings.empty());
  // Where lines are indented none inside a tree begins with a bracket, whatever its label.
  const Parsed indented = read_ptb("(S\n  (NN a)\n(FRAG\n  (NN b)))\n");
  ASSERT_EQ(indented.warnings.size(), 1U);
  EXPECT_EQ(indented.warnings[0].place.line, 3U);
}

// A sentence that has no end keeps all behind it waiting; what is handed out is in blocks all the same.
TEST(PtbReader, WhatWaitedForAnEndIsHandedOutInBlocks) {
  for (const char* first : {"(A b) (C\n", "(S\n", "(A b)) (C\n"}) {
    std::string bytes = first;
    for (int i = 0; i < 3000; ++i) bytes += i % 3 == 0 ? "(A b) (C\n" : "(A b)\n";
    const auto reader = make_ptb_reader({});
    Input input = Input::from_memory(bytes, "in");
    BlockReader blocks(input, *reader, {}, 1000);
    std::string passed;
    Lines places;
    while (const auto block = blocks.next()) {
      EXPECT_LE(block->bytes.size(), 1020U);
      for (const ReadItem& item : reader->parse(*block).items) {
        passed += block->bytes.substr(item.begin, item.end - item.begin);
        places.push_back(std::to_string(item.first_line));
      }
    }
    Lines expected;
    std::string whole;
    const Block all{bytes, "in", 1};
    for (const ReadItem& item : reader->parse(all).items) {
      whole += bytes.substr(item.begin, item.end - item.begin);
      expected.push_back(std::to_string(item.first_line));
    }
    EXPECT_EQ(passed, whole) << first;
    EXPECT_EQ(places, expected) << first;
  }
}

TEST(PtbReader, PartsOfAnyBytesParseAsTheWhole) {
  Random random(19);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    const int size = random.between(0, 120);
    for (int i = 0; i < size; ++i) bytes += "((()))\n\n\n aS"[random.below(12)];
    const auto reader = make_ptb_reader({});
    Lines parts;
    std::size_t begin = 0;
    for (const std::size_t end :
         reader->cuts(bytes, static_cast<std::size_t>(random.between(1, 30)))) {
      ASSERT_GT(end, begin);
      for (std::string& line : without_places(bytes.substr(begin, end - begin))) {
        parts.push_back(std::move(line));
      }
      begin = end;
    }
    EXPECT_EQ(begin, bytes.size());
    EXPECT_EQ(parts, without_places(bytes)) << bytes;
  }
}

TEST(PtbReader, NestingBeyondTheLimitIsAnErrorOfOneTree) {
  const std::size_t deep = 100'000;
  std::string bytes;
  for (std::size_t i = 0; i < deep; ++i) bytes += "(S ";
  bytes += "(NN a)" + std::string(deep, ')') + "\n(S (NN b))\n";
  EXPECT_EQ(outcomes(bytes),
            (Lines{"1:30001: brackets are nested more than 10000 deep", "(S (NN b))"}));
}

TEST(PtbReader, NestingUpToTheLimitIsRead) {
  std::string bytes;
  for (int i = 0; i < 10'000; ++i) bytes += "(S ";
  bytes += "(NN a)" + std::string(10'000, ')');
  const PhraseTree tree = tree_of(bytes);
  EXPECT_EQ(tree.size(), 10'001);
  EXPECT_EQ(written(tree), bytes + "\n");
  EXPECT_EQ(tree_of(written(tree, {.indent = true})), tree);
}

TEST(PtbReader, OtherLimitsAreNamedInTheError) {
  Limits limits;
  limits.max_words = 2;
  EXPECT_EQ(outcomes("(S (A a) (B b) (C c))", limits),
            (Lines{"1:19: the tree has more than 2 words"}));
  limits = {};
  limits.max_sentence_bytes = 10;
  EXPECT_EQ(outcomes("(S (A abc))\n(S (A b))", limits),
            (Lines{"1:1: the tree has more than 10 bytes", "(S (A b))"}));
  limits = {};
  limits.max_line_bytes = 5;
  EXPECT_EQ(outcomes("(S (A abcdef))", limits),
            (Lines{"1:7: the word \"abcdef\" has more than 5 bytes"}));
}

TEST(PtbReader, InvalidUtf8IsReportedWithItsPlace) {
  EXPECT_EQ(outcomes("(S (NN caf\xC3\xA9))\n(S (NN caf\xE9))\n(S (NN b))\n(S (NN \xFF))"),
            (Lines{"(S (NN caf\xC3\xA9))", "2:11: the byte 0xE9 is not UTF-8", "(S (NN b))",
                   "4:8: the byte 0xFF is not UTF-8"}));
}

TEST(PtbReader, AnyBytesAreReadOrRefused) {
  Random random(7);
  const std::string alphabet = "(()) \n\rab*x\\-\xEF\xBB\xBF\xFF";
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    const int size = random.between(0, 60);
    for (int i = 0; i < size; ++i) {
      bytes += random.chance(0.02) ? static_cast<char>(random.below(256))
                                   : alphabet[random.below(alphabet.size())];
    }
    Limits limits;
    limits.max_depth = 5;
    const auto reader = make_ptb_reader(limits);
    EXPECT_LE(reader->cut(bytes, 0), bytes.size());
    for (const ReadItem& item : read_ptb(bytes, limits).items) {
      if (item.error) continue;
      EXPECT_EQ(trees_of(written(item.entry.tree)), std::vector{item.entry.tree}) << bytes;
    }
  }
}

TEST(PtbReader, CutsBehindTheLastWholeTree) {
  const auto reader = make_ptb_reader({});
  const std::string trees = "(S (NN a))\n(S\n(NN b))\n";
  EXPECT_EQ(reader->cut(trees + "(S (NN", 0), trees.size());
  EXPECT_EQ(reader->cut("(S (NN", 0), 0U);
  EXPECT_EQ(reader->cut("", 0), 0U);
  EXPECT_EQ(reader->cut("(S (NN a)) (S (NN b)) (S", 0), 22U);  // one long line
  EXPECT_EQ(reader->cut("*x* (C) *x*\n(S (NN a))\r\n", 0), 24U);
}

TEST(PtbReader, CutGivesUpATreeBeyondTheLimit) {
  Limits limits;
  limits.max_sentence_bytes = 30;
  const auto reader = make_ptb_reader(limits);
  const std::string lost = "(S (NN a)\n(S (NN b))\n(S (NN c))\n";
  EXPECT_EQ(reader->cut("(S (NN a)\n(S (NN b))\n", 0), 0U);
  EXPECT_EQ(reader->cut(lost + "(S (NN d))\n", 0), lost.size());
}

TEST(PtbReader, BlocksOfAnySizeGiveTheSameTrees) {
  Random random(11);
  std::string bytes;
  for (int i = 0; i < 40; ++i) {
    PhraseTree tree = tree_testing::random_tree(random);
    bytes += written(tree, {.indent = random.chance(0.5), .width = 20});
    if (random.chance(0.1)) bytes += "stray )\n";
  }
  const Lines whole = outcomes(bytes);
  const auto reader = make_ptb_reader({});
  for (std::size_t step : {1U, 7U, 100U}) {
    Lines pieces;
    std::string buffer;
    const auto take = [&](std::size_t size) {
      Block block{buffer.substr(0, size), "test.mrg", 1};
      for (const ReadItem& item : reader->parse(block).items) {
        pieces.push_back(item.error ? "error" : item.entry.tree.str());
      }
      buffer.erase(0, size);
    };
    for (std::size_t i = 0; i < bytes.size(); i += step) {
      buffer += bytes.substr(i, step);
      if (const std::size_t size = reader->cut(buffer, 0); size > 0) take(size);
    }
    take(buffer.size());
    ASSERT_EQ(pieces.size(), whole.size()) << step;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (pieces[i] == "error") continue;
      EXPECT_EQ(pieces[i], whole[i]);
    }
  }
}

// A label at the end of a buffer may go on, and what shows that a tree swallows others is the line behind it.
TEST(PtbReader, BlocksOfAnySizeShowTheSameFaults) {
  constexpr std::array kPieces = {"(TOP ", "( ", "(S ",    "(A b)",        "(A b)",
                                  ")",     ")",  "\n",     "\n",           "(",
                                  " ",     "x",  "\n(TOP", "(TOP (A b))\n"};
  const auto reader = make_ptb_reader({});
  for (int seed = 1; seed <= repeats(3000); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    std::string bytes;
    for (int pieces = random.between(1, 25); pieces > 0; --pieces) {
      bytes += kPieces[random.below(kPieces.size())];
    }
    const Lines whole = without_places(bytes);
    for (const std::size_t size : {1U, 3U, 7U, 64U}) {
      Input input = Input::from_memory(bytes, "in");
      BlockReader blocks(input, *reader, {}, size);
      Lines parts;
      while (const auto block = blocks.next()) {
        for (std::string& line : without_places(block->bytes)) parts.push_back(std::move(line));
      }
      ASSERT_EQ(parts, whole) << "seed " << seed << ", blocks of " << size << ":\n" << bytes;
    }
  }
}

TEST(PtbReader, TreesThatSwallowOthersWithoutEndAreCutAtLast) {
  std::string bytes;
  while (bytes.size() < (std::size_t{3} << 20)) bytes += "(TOP (A b)\n";
  const auto reader = make_ptb_reader({});
  Input input = Input::from_memory(bytes, "in");
  BlockReader blocks(input, *reader, {});
  std::size_t most = 0, items = 0;
  while (const auto block = blocks.next()) {
    most = std::max(most, block->bytes.size());
    items += reader->parse(*block).items.size();
  }
  EXPECT_LE(most, std::size_t{2} << 20);
  EXPECT_EQ(items, bytes.size() / 11);
}

TEST(PtbReader, BracketEndEqualsAByteByByteCount) {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = "(";
    const int size = random.between(0, 200);
    for (int i = 0; i < size; ++i) bytes += "(()a"[random.below(4)];
    bytes += std::string(random.below(100), ')');
    std::size_t expected = std::string::npos;
    int depth = 0;
    for (std::size_t i = 0; i < bytes.size() && expected == std::string::npos; ++i) {
      depth += bytes[i] == '(' ? 1 : bytes[i] == ')' ? -1 : 0;
      if (depth == 0) expected = i + 1;
    }
    EXPECT_EQ(find_bracket_end(bytes, 0), expected) << bytes;
  }
}

TEST(PtbWriter, WritesTheOuterBracketAsAsked) {
  const PhraseTree bare = tree_of("(S (NN a))");
  const PhraseTree outer = tree_of("( (S (NN a)))");
  const auto as = [](OuterBracket o) { return PtbWriteOptions{.outer = o}; };
  for (const PhraseTree& tree : {bare, outer}) {
    EXPECT_EQ(written(tree), tree.str() + "\n");
    EXPECT_EQ(written(tree, as(OuterBracket::empty)), "( (S (NN a)))\n");
    EXPECT_EQ(written(tree, as(OuterBracket::top)), "(TOP (S (NN a)))\n");
    EXPECT_EQ(written(tree, as(OuterBracket::root)), "(ROOT (S (NN a)))\n");
    EXPECT_EQ(written(tree, as(OuterBracket::s1)), "(S1 (S (NN a)))\n");
    EXPECT_EQ(written(tree, as(OuterBracket::none)), "(S (NN a))\n");
  }
  const PhraseTree several = tree_of("(TOP (S (NN a)) (S (NN b)))");
  EXPECT_EQ(written(several, as(OuterBracket::none)), "( (S (NN a)) (S (NN b)))\n");
}

TEST(PtbWriter, OuterBracketNamesAreParsed) {
  EXPECT_EQ(parse_outer_bracket("S1"), OuterBracket::s1);
  EXPECT_EQ(parse_outer_bracket("none"), OuterBracket::none);
  EXPECT_THROW(parse_outer_bracket("top"), Error);
}

TEST(PtbWriter, IndentsPhrasesThatDoNotFit) {
  const PhraseTree tree = tree_of("( (S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down)))))");
  EXPECT_EQ(written(tree, {.indent = true, .width = 30}),
            "(\n  (S\n    (NP (DT the) (NN cat))\n    (VP\n      (VBD sat)\n      (ADVP (RB "
            "down)))))\n");
  EXPECT_EQ(written(tree, {.indent = true, .width = 100}), tree.str() + "\n");
}

TEST(PtbWriter, WordsThatAreNoTokensAreMadeOne) {
  PhraseTreeBuilder builder;
  builder.open("S");
  builder.leaf("-LRB-", "(");
  builder.leaf("CD", "10 000");
  builder.close();
  EXPECT_EQ(written(std::move(builder).finish()), "(S (-LRB- -LRB-) (CD 10_000))\n");
}

TEST(PtbWriter, RefusesWhatBracketsCannotShow) {
  EXPECT_THROW(written(PhraseTree()), Error);
  PhraseTreeBuilder builder;
  builder.leaf("NN", "");
  EXPECT_THROW(written(std::move(builder).finish()), Error);
}

TEST(PtbWriter, RandomTreesRoundTrip) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const PhraseTree tree = tree_testing::random_tree(random);
    EXPECT_EQ(tree_of(written(tree)), tree);
    EXPECT_EQ(tree_of(written(tree, {.indent = true, .width = 30})), tree);
  }
}

TEST(PtbWord, UnescapesBracketsAndSlashes) {
  EXPECT_EQ(unescape_ptb_word("-LRB-"), "(");
  EXPECT_EQ(unescape_ptb_word("friend-LRB-s-RRB-"), "friend(s)");
  EXPECT_EQ(unescape_ptb_word("1\\/2"), "1/2");
  EXPECT_EQ(unescape_ptb_word("\\*\\*"), "**");
  EXPECT_EQ(unescape_ptb_word("a\\b-L"), "a\\b-L");
}

TEST(PtbWord, EscapeIsUndoneByUnescape) {
  for (const char* word : {"(", "}", "[x]", "and/or", "*", "plain", ""}) {
    EXPECT_EQ(unescape_ptb_word(escape_ptb_word(word)), word);
  }
}

TEST(TreeToSentence, TakesWordsAndTagsWithoutTraces) {
  const PhraseTree tree = tree_of("(S (NP (-NONE- *)) (VP (TO to) (VP (VB go))))");
  const Sentence sentence = sentence_from_tree(tree);
  ASSERT_EQ(sentence.words(), 2);
  EXPECT_EQ(sentence.form(1), "to");
  EXPECT_EQ(sentence.xpos(2), "VB");
  EXPECT_EQ(sentence.upos(2), "_");
  EXPECT_EQ(sentence_from_tree(tree, Dialect::conllx).upos(2), "VB");
}

TEST(PtbFiles, TreebankFilesRoundTrip) {
  for (const std::string& file : tree_testing::tree_files()) {
    const std::string bytes = tree_testing::file_bytes(file);
    const auto trees = trees_of(bytes);
    EXPECT_GT(trees.size(), 200U);
    std::string copy;
    std::string indented;
    for (const PhraseTree& tree : trees) {
      copy += written(tree);
      indented += written(tree, {.indent = true});
    }
    EXPECT_EQ(without_blanks(copy), without_blanks(bytes)) << file;
    EXPECT_EQ(trees_of(copy), trees) << file;
    EXPECT_EQ(trees_of(indented), trees) << file;
  }
}

}  // namespace
}  // namespace copse
