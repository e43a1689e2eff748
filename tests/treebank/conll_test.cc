#include "copse/treebank/conll.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "copse/base/random.h"
#include "copse/treebank/block_reader.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

std::string fixture(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(source_dir() + "/fixtures/" + name).rdbuf();
  return text.str();
}

Parsed parse(const std::string& bytes, Dialect dialect = Dialect::conllu, Limits limits = {}) {
  return make_conll_reader(dialect, limits)->parse({bytes, "t.conllu", 1});
}

std::string write(const Parsed& parsed, Dialect dialect, const std::string& bytes = {}) {
  std::string out;
  const auto writer = make_conll_writer(dialect);
  for (const ReadItem& item : parsed.items) {
    if (item.error) {
      out += bytes.substr(item.begin, item.end - item.begin);
    } else {
      writer->write(item.entry, out);
    }
  }
  return out;
}

// The one error of `bytes`, as the user sees it.
std::string error_of(const std::string& bytes, Dialect dialect = Dialect::conllu,
                     Limits limits = {}) {
  const Parsed parsed = parse(bytes, dialect, limits);
  for (const ReadItem& item : parsed.items)
    if (item.error) return item.error->place().str() + ": " + item.error->message();
  return "no error";
}

std::string row(const std::string& id, const std::string& form, const std::string& head) {
  return id + "\t" + form + "\t_\tX\t_\t_\t" + head + "\tdep\t_\t_\n";
}

TEST(Conll, FixturesRoundTripByteForByte) {
  for (const char* name : {"english.conllu", "german.conllu", "japanese.conllu", "russian.conllu",
                           "multiroot.conllu"}) {
    const std::string bytes = fixture(name);
    ASSERT_FALSE(bytes.empty()) << name;
    const Parsed parsed = parse(bytes);
    for (const ReadItem& item : parsed.items) EXPECT_FALSE(item.error) << item.error->what();
    EXPECT_EQ(write(parsed, Dialect::conllu), bytes) << name;
  }
  const std::string bytes = fixture("sample.conllx");
  EXPECT_EQ(write(parse(bytes, Dialect::conllx), Dialect::conllx), bytes);
}

TEST(Conll, OddButLegalBytesRoundTrip) {
  const std::string one = row("1", "a", "0");
  for (const std::string& bytes :
       {std::string(), std::string("\n"), std::string("\n\n\n") + one, one,
        one.substr(0, one.size() - 1), one + "\n\n\n\n" + one + "\n", "# only a comment\n\n" + one,
        one + "# last\n\n", "\xEF\xBB\xBF# text = a\n" + one + "\n", one + " \t\n" + one,
        std::string(
            "1\ta\t_\tX\t_\t_\t0\tdep\t_\t_\r\n\r\n1\tb\t_\tX\t_\t_\t0\tdep\t_\t_\r\n\r\n")}) {
    const Parsed parsed = parse(bytes);
    for (const ReadItem& item : parsed.items) EXPECT_FALSE(item.error) << item.error->what();
    EXPECT_EQ(write(parsed, Dialect::conllu), bytes);
  }
}

TEST(Conll, ReadsColumnsHeadsAndKindsOfRow) {
  const Parsed parsed = parse(
      "# sent_id = s1\n# text = It isn't\n1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
      "2-3\tisn't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
      "2\tis\tbe\tAUX\tVBZ\tMood=Ind\t0\troot\t_\t_\n3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_\n"
      "3.1\t_\t_\t_\t_\t_\t_\t_\t2:dep\t_\n\n");
  ASSERT_EQ(parsed.items.size(), 1U);
  const Sentence& sentence = parsed.items[0].entry.sentence;
  EXPECT_EQ(sentence.words(), 3);
  EXPECT_EQ(sentence.form(3), "n't");
  EXPECT_EQ(sentence.feats(2), "Mood=Ind");
  EXPECT_EQ(sentence.head(1), 2);
  EXPECT_EQ(sentence.comment("sent_id"), "s1");
  EXPECT_EQ(sentence.comment("newdoc"), std::nullopt);
  EXPECT_EQ(sentence.surface_text(), "It isn't");
  EXPECT_EQ(sentence.tree().label(3), "advmod");
  EXPECT_EQ(sentence.rows()[3].kind, RowKind::multiword);
  EXPECT_EQ(sentence.rows()[6].kind, RowKind::empty);
}

TEST(Conll, ChangingAColumnRewritesThatLineOnly) {
  Parsed parsed = parse("# text =  odd   spacing\r\n1\ta\t_\tX\t_\t_\t0\tdep\t_\t_\r\n" +
                        std::string("2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\r\n\r\n"));
  Sentence& sentence = parsed.items[0].entry.sentence;
  sentence.set(1, Column::upos, "NOUN");
  sentence.set_head(2, 0);
  sentence.set_comment("sent_id", "7");
  EXPECT_EQ(write(parsed, Dialect::conllu),
            "# text =  odd   spacing\r\n# sent_id = 7\r\n1\ta\t_\tNOUN\t_\t_\t0\tdep\t_\t_\r\n"
            "2\tb\t_\tX\t_\t_\t0\tdep\t_\t_\r\n\r\n");
}

TEST(Conll, AnItemOfMiscReplacesThoseWithItsKey) {
  Sentence sentence;
  sentence.add_word("a");
  sentence.set_misc(1, "Prob", "0.5");
  EXPECT_EQ(sentence.misc(1), "Prob=0.5");
  sentence.set(1, Column::misc, "SpaceAfter=No|Prob=1||Probable=yes|Prob|Prob=2");
  sentence.set_misc(1, "Prob", "0.25");
  EXPECT_EQ(sentence.misc(1), "SpaceAfter=No|Probable=yes|Prob|Prob=0.25");
}

TEST(Conll, AByteOrderMarkHidesNoComment) {
  Parsed parsed = parse("\xEF\xBB\xBF# sent_id = s1\n" + row("1", "a", "0") + "\n");
  EXPECT_EQ(parsed.items.at(0).entry.sentence.comment("sent_id"), "s1");
}

TEST(Conll, ValuesCannotBreakALine) {
  Sentence sentence;
  sentence.add_word("a\tb\nc");
  sentence.set(1, Column::lemma, "");
  std::string out;
  make_conll_writer(Dialect::conllu)->write({sentence, {}}, out);
  EXPECT_EQ(out, "1\ta b c\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
}

TEST(Conll, DialectsConvertIntoEachOther) {
  const Parsed parsed = parse(
      "# c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\tA\tX\tY\tF=1\t2\tdep\t2:dep\tM=1\n"
      "2\tb\t_\tX\t_\t_\t0\troot\t0:root\t_\n2.1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
  const std::string conllx = write(parsed, Dialect::conllx);
  EXPECT_EQ(conllx, "1\ta\tA\tX\tY\tF=1\t2\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n");
  const Parsed back = parse("1\ta\t_\tX\tY\t_\t0\tROOT\n\n", Dialect::conllx);
  EXPECT_EQ(write(back, Dialect::conllx), "1\ta\t_\tX\tY\t_\t0\tROOT\n\n");
  EXPECT_EQ(write(back, Dialect::conllu), "1\ta\t_\tX\tY\t_\t0\tROOT\t_\t_\n\n");
}

TEST(Conll, ConllxKeepsColumnsBeyondTheTenth) {
  const std::string bytes = "1\ta\t_\tX\tY\t_\t0\tROOT\t_\t_\textra\tmore\n\n";
  Parsed parsed = parse(bytes, Dialect::conllx);
  EXPECT_EQ(write(parsed, Dialect::conllx), bytes);
  parsed.items[0].entry.sentence.set(1, Column::lemma, "A");
  EXPECT_EQ(write(parsed, Dialect::conllx), "1\ta\tA\tX\tY\t_\t0\tROOT\t_\t_\textra\tmore\n\n");
}

TEST(Conll, BadLinesAreNamedWithLineAndExpectation) {
  const std::string first = row("1", "a", "0");
  EXPECT_EQ(error_of("1\ta\tb\n"), "t.conllu:1: found 3 columns; expected 10");
  EXPECT_EQ(error_of("# c\n1 a b c\n"), "t.conllu:2: found 1 column; expected 10");
  EXPECT_EQ(error_of("1\t\t_\t_\t_\t_\t_\t_\t_\t_\n"),
            "t.conllu:1: column 2 (FORM) is empty; expected a value or _");
  EXPECT_EQ(error_of(first + row("3", "b", "0")), "t.conllu:2:1: ID is 3; expected 2");
  EXPECT_EQ(error_of(row("x", "a", "0")),
            "t.conllu:1:1: ID is 'x'; expected a whole number, a range like 3-4 or an empty node "
            "like 3.1");
  EXPECT_EQ(error_of(first + row("2", "b", "31")),
            "t.conllu:2: HEAD is 31 but the sentence has 2 words; expected 0 to 2");
  EXPECT_EQ(error_of(first + row("2", "b", "-1")),
            "t.conllu:2: HEAD is '-1'; expected a whole number or _");
  EXPECT_EQ(error_of(first + row("2", "b", "2")), "t.conllu:2: word 2 is its own head");
  EXPECT_EQ(error_of("# sent_id = q\n" + first + row("2", "b", "3") + row("3", "c", "2")),
            "t.conllu:3: word 2 is on a cycle of heads: it is its own ancestor (sent_id q)");
  EXPECT_EQ(error_of(row("1-2", "ab", "_") + first),
            "t.conllu:1: a range ends at word 2 but the "
            "sentence has 1 words");
  EXPECT_EQ(error_of(first + row("1.2", "b", "_")),
            "t.conllu:2:1: empty node 1.2 does not fit here; expected 1.1");
  EXPECT_EQ(error_of("1\ta\xFF\t_\t_\t_\t_\t_\t_\t_\t_\n"),
            "t.conllu:1:4: byte 0xFF is not valid UTF-8");
  EXPECT_EQ(error_of("1\ta\rb\t_\t_\t_\t_\t_\t_\t_\t_\n"),
            "t.conllu:1:4: a carriage return inside the line; expected it at the end, if at all");
  EXPECT_EQ(error_of("1\ta\t_\t_\t_\t_\t0\n", Dialect::conllx),
            "t.conllu:1: found 7 columns; expected 8 to 10");
  EXPECT_EQ(error_of(row("99999999999999999999", "a", "0")).find("t.conllu:1:1: ID is "), 0U);
}

TEST(Conll, OverlappingRangesAreRefused) {
  const std::string words = row("1", "a", "0") + row("2", "b", "1") + row("3", "c", "1");
  EXPECT_NE(error_of(row("1-2", "ab", "_") + row("1", "a", "0") + row("2-3", "bc", "_") +
                     row("2", "b", "1") + row("3", "c", "1")),
            "no error");
  EXPECT_NE(error_of(row("2-3", "bc", "_") + words), "no error");
  EXPECT_NE(error_of(row("1-1", "a", "_") + words), "no error");
  EXPECT_EQ(error_of(row("1-3", "abc", "_") + words), "no error");
}

TEST(Conll, LimitsAreExplicitAndNamed) {
  Limits limits;
  limits.max_words = 1;
  const std::string two = row("1", "a", "0") + row("2", "b", "1");
  EXPECT_EQ(error_of(two, Dialect::conllu, limits),
            "t.conllu:2: the sentence has more than 1 words, the limit");
  limits = {};
  limits.max_line_bytes = 20;
  EXPECT_EQ(error_of(two, Dialect::conllu, limits),
            "t.conllu:1: the line has 22 bytes; the limit is 20");
}

TEST(Conll, OneBadSentenceDoesNotTouchTheOthers) {
  const std::string good = row("1", "a", "0") + "\n";
  const std::string bad = row("7", "b", "0") + "\n";
  const Parsed parsed = parse(good + bad + good);
  ASSERT_EQ(parsed.items.size(), 3U);
  EXPECT_FALSE(parsed.items[0].error);
  EXPECT_TRUE(parsed.items[1].error);
  EXPECT_EQ(parsed.items[1].error->place().line, 3U);
  EXPECT_FALSE(parsed.items[2].error);
  EXPECT_EQ(write(parsed, Dialect::conllu, good + bad + good), good + bad + good);
}

TEST(Conll, CommentBetweenWordsIsAWarning) {
  const Parsed parsed = parse(row("1", "a", "0") + "# late\n" + row("2", "b", "1") + "\n");
  ASSERT_EQ(parsed.warnings.size(), 1U);
  EXPECT_EQ(parsed.warnings[0].place.str(), "t.conllu:2");
  EXPECT_EQ(parsed.items[0].entry.sentence.words(), 2);
}

// Whatever the size of the pieces in which a file arrives, the sentences and line numbers are
// those of the file read at once.
TEST(Conll, BlocksOfAnySizeGiveTheSameSentences) {
  const std::string bytes =
      fixture("english.conllu") + "\n" + row("5", "bad", "0") + "\n" + fixture("german.conllu");
  const Parsed whole = parse(bytes);
  const auto reader = make_conll_reader(Dialect::conllu);
  for (const std::size_t size : {1U, 2U, 7U, 100U, 1000U, 65536U}) {
    Input input = Input::from_memory(bytes, "t.conllu");
    BlockReader blocks(input, *reader, {}, size);
    std::string out;
    std::size_t items = 0;
    std::string error;
    while (const auto block = blocks.next()) {
      const Parsed parsed = reader->parse(*block);
      items += parsed.items.size();
      for (const ReadItem& item : parsed.items)
        if (item.error) error = item.error->what();
      out += write(parsed, Dialect::conllu, block->bytes);
    }
    EXPECT_EQ(out, bytes) << size;
    EXPECT_EQ(items, whole.items.size()) << size;
    EXPECT_EQ(error, "t.conllu:718:1: ID is 5; expected 1") << size;
  }
}

TEST(Conll, ASentenceThatNeverEndsIsRefusedBeforeItFillsTheMemory) {
  std::string bytes;
  for (int i = 1; i < 3000; ++i) bytes += row(std::to_string(i), "a", "0");
  Limits limits;
  limits.max_sentence_bytes = 10000;
  const auto reader = make_conll_reader(Dialect::conllu, limits);
  Input input = Input::from_memory(bytes, "t.conllu");
  BlockReader blocks(input, *reader, limits, 4096);
  EXPECT_THROW(while (blocks.next()){}, Error);
}

}  // namespace
}  // namespace copse
