#include "copse/cluster/word_clusters.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "copse/base/error.h"
#include "copse/base/random.h"

namespace copse {
namespace {

WordClusters read(std::string text) {
  Input input = Input::from_memory(std::move(text), "words.paths");
  return WordClusters::read(input);
}

const char* const kSmall =
    "00\tthe\t50\n"
    "00\ta\t50\n"
    "010\tcat\t7\n"
    "011\tdog\t9\n"
    "1\truns\t3\n";

void ExpectRefused(const std::string& text, std::size_t line, const std::string& part) {
  SCOPED_TRACE(text);
  try {
    read(text);
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.place().file, "words.paths");
    EXPECT_EQ(error.place().line, line);
    EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
  }
}

TEST(WordClusters, FindsTheBitsOfAWord) {
  const WordClusters clusters = read(kSmall);
  EXPECT_EQ(clusters.words(), 5U);
  ASSERT_EQ(clusters.clusters(), 4U);
  EXPECT_EQ(clusters.bits(clusters.find("the")), "00");
  EXPECT_EQ(clusters.bits(clusters.find("cat")), "010");
  EXPECT_EQ(clusters.bits(clusters.find(std::string_view("runs fast").substr(0, 4))), "1");
  EXPECT_EQ(clusters.find("The"), WordClusters::kNone);
  EXPECT_EQ(clusters.find(""), WordClusters::kNone);
}

TEST(WordClusters, WordsAreOrderedByBitsThenCountThenBytes) {
  const WordClusters clusters = read(kSmall);
  EXPECT_EQ(clusters.word(0).text, "a");  // ties with "the"
  EXPECT_EQ(clusters.word(1).text, "the");
  EXPECT_EQ(clusters.word(2).count, 7U);
  const auto range = clusters.clusters_below("01");
  EXPECT_EQ(range.first, 1U);
  EXPECT_EQ(range.last, 3U);
  EXPECT_EQ(clusters.words_of(range.first).first, 2U);
  const auto none = clusters.clusters_below("0111");
  EXPECT_EQ(none.first, none.last);
}

TEST(WordClusters, PrefixNumbersAreDenseAndEqualExactlyForEqualPrefixes) {
  Random random(7);
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    std::string text;
    for (int word = 0; word < 60; ++word) {
      std::string bits;
      for (int length = random.between(0, round < 20 ? 9 : 40); length > 0; --length) {
        bits += round % 2 == 0 || random.chance(0.2) ? "01"[random.below(2)] : '1';
      }
      text += bits + "\tw" + std::to_string(word) + "\t1\n";
    }
    const WordClusters clusters = read(text);
    for (int length = 0; length < 45; ++length) {
      std::map<std::string_view, WordClusters::Id> numbers;
      for (WordClusters::Id id = 0; id < clusters.clusters(); ++id) {
        const auto start = clusters.bits(id).substr(0, static_cast<std::size_t>(length));
        numbers.emplace(start, numbers.size());
        ASSERT_EQ(clusters.prefix(id, length), numbers[start]) << id << " " << length;
      }
      EXPECT_EQ(clusters.prefixes(length), numbers.size());
    }
  }
}

TEST(WordClusters, ChoosesTheLengthWithTheWantedNumberOfPrefixes) {
  std::string text;
  for (int i = 0; i < 64; ++i) {
    for (int bit = 5; bit >= 0; --bit) text += (i >> bit & 1) != 0 ? '1' : '0';
    text += "\tw" + std::to_string(i) + "\t1\n";
  }
  const WordClusters clusters = read(text);
  EXPECT_EQ(clusters.length_with_prefixes(15), 4);
  EXPECT_EQ(clusters.length_with_prefixes(45), 5);
  EXPECT_EQ(clusters.length_with_prefixes(49), 6);
  EXPECT_EQ(clusters.length_with_prefixes(100000), 6);
}

TEST(WordClusters, AcceptsCarriageReturnsAndAnEmptyLastLine) {
  const WordClusters clusters = read("0\ta\t1\r\n1\tb\t2\r\n\r\n");
  EXPECT_EQ(clusters.words(), 2U);
  EXPECT_EQ(clusters.bits(clusters.find("b")), "1");
  EXPECT_EQ(read("0\ta\t1\n1\tb\t2").words(), 2U);
  EXPECT_EQ(read("").words(), 0U);
  EXPECT_EQ(read("").prefixes(4), 0U);
}

TEST(WordClusters, KeepsTheFirstOfDuplicatesAndCountsTheOthers) {
  const WordClusters clusters = read("01\ta\t5\n1\tb\t2\n1\ta\t9\n1\ta\t9\n");
  EXPECT_EQ(clusters.duplicates(), 2U);
  EXPECT_EQ(clusters.bits(clusters.find("a")), "01");
  EXPECT_EQ(clusters.words(), 2U);
}

TEST(WordClusters, TakesAnyBytesInWords) {
  const std::string odd("a\0b\x01\xFF", 5);
  const WordClusters clusters = read("0\t" + odd + "\t1\n1\t\xC3\xA9t\xC3\xA9\t2\n\tx\t3\n");
  EXPECT_EQ(clusters.bits(clusters.find(odd)), "0");
  EXPECT_EQ(clusters.bits(clusters.find("\xC3\xA9t\xC3\xA9")), "1");
  EXPECT_EQ(clusters.bits(clusters.find("x")), "");
}

TEST(WordClusters, NamesFileAndLineOfWhatItCannotRead) {
  ExpectRefused("0\ta\t1\n0 b 1\n", 2, "found 1 column instead of 3");
  ExpectRefused("0\ta\n", 1, "found 2 columns");
  ExpectRefused("0\ta\t1\t\n", 1, "found 4 columns");
  ExpectRefused("012\ta\t1\n", 1, "not a string of 0 and 1");
  ExpectRefused("0\t\t1\n", 1, "the word is empty");
  ExpectRefused("0\ta b\t1\n", 1, "contains a blank");
  ExpectRefused("0\ta\tmany\n", 1, "not a number");
  ExpectRefused("0\ta\t\n", 1, "not a number");
  ExpectRefused("0\ta\t-1\n", 1, "not a number");
  ExpectRefused("0\ta\t1x\n", 1, "not a number");
  ExpectRefused("0\ta\t9223372036854775808\n", 1, "2^63");
  ExpectRefused("0\ta\t99999999999999999999999\n", 1, "2^63");
  ExpectRefused("0\ta\t1\n\n0\tb\t1\n", 2, "found 1 column");
}

TEST(WordClusters, TextAndBytesRoundTrip) {
  const WordClusters clusters = read(std::string(kSmall) + "0111\tbig\t9223372036854775807\n");
  const std::string paths = clusters.paths();
  EXPECT_EQ(read(paths).paths(), paths);
  const WordClusters copy = WordClusters::from_bytes(clusters.bytes());
  EXPECT_EQ(copy.paths(), paths);
  EXPECT_EQ(copy.bits(copy.find("dog")), "011");
  EXPECT_EQ(WordClusters::from_bytes(WordClusters().bytes()).words(), 0U);
}

TEST(WordClusters, DamagedBytesAreADataErrorOrOtherClusters) {
  const std::string good = read(kSmall).bytes();
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    EXPECT_THROW(WordClusters::from_bytes(good.substr(0, cut)), Error) << cut;
  }
  EXPECT_THROW(WordClusters::from_bytes(good + "x"), Error);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      try {
        WordClusters::from_bytes(bad);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
      }
    }
  }
}

TEST(WordClusters, IsSharedByThreadsAndMayBeMoved) {
  WordClusters made = read(kSmall);
  const WordClusters clusters = std::move(made);
  std::vector<std::thread> threads;
  std::vector<WordClusters::Id> found(4);
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] { found[i] = clusters.prefix(clusters.find("dog"), 2); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto id : found) EXPECT_EQ(id, clusters.prefix(clusters.find("cat"), 2));
}

}  // namespace
}  // namespace copse
