#include "copse/cluster/corpus.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/thread_group.h"

namespace copse {
namespace {

// Words, "\n" for the end of a line, "long" for a word that was too long.
std::vector<std::string> events(std::string text) {
  Input input = Input::from_memory(std::move(text), "text");
  TextWords words(input);
  std::vector<std::string> found;
  for (;;) {
    switch (words.next()) {
      case TextWords::Event::word:
        found.emplace_back(words.word());
        break;
      case TextWords::Event::line_end:
        found.emplace_back("\n");
        break;
      case TextWords::Event::too_long:
        found.emplace_back("long");
        break;
      case TextWords::Event::end:
        return found;
    }
  }
}

Bigrams count(const std::string& text, CorpusOptions corpus = {},
              const VocabularyOptions& vocabulary = {}, int threads = 1) {
  CorpusCounter counter(std::move(corpus));
  Input input = Input::from_memory(text, "text");
  counter.add_text(input, threads, [] {});
  return counter.finish(vocabulary);
}

using Strings = std::vector<std::string>;

TEST(TextWords, SplitsAtBlanksAndLineEnds) {
  EXPECT_EQ(events(" a  b\tc\r\n\nd\v\f e"), (Strings{"a", "b", "c", "\n", "\n", "d", "e", "\n"}));
  EXPECT_EQ(events(""), Strings{});
  EXPECT_EQ(events(" \n"), Strings{"\n"});
  EXPECT_EQ(events("\xEF\xBB\xBFx\n"), (Strings{"x", "\n"}));
}

TEST(TextWords, ControlCharactersNulAndUnicodeBelongToWords) {
  const std::string odd("a\0b\x01", 4);
  EXPECT_EQ(events(odd + " caf\xC3\xA9\xC2\xA0x"), (Strings{odd, "caf\xC3\xA9\xC2\xA0x", "\n"}));
}

TEST(TextWords, WordsAcrossBuffersAreWhole) {
  std::string text;
  Strings expected;
  for (int i = 0; i < 200000; ++i) {
    expected.push_back("word" + std::to_string(i));
    text += expected.back() + ' ';
  }
  expected.emplace_back("\n");
  EXPECT_EQ(events(text), expected);
}

TEST(TextWords, PassesOverWordsThatAreTooLong) {
  const std::string longest(TextWords::kLongestWord, 'x');
  EXPECT_EQ(events("a " + longest + " b"), (Strings{"a", longest, "b", "\n"}));
  EXPECT_EQ(events("a " + longest + "x b"), (Strings{"a", "long", "b", "\n"}));
  EXPECT_EQ(events("a " + std::string(3'000'000, 'x') + " b"), (Strings{"a", "long", "b", "\n"}));
  EXPECT_EQ(events(std::string(3'000'000, 'x')), (Strings{"long", "\n"}));
}

TEST(Corpus, CountsBigramsInsideLines) {
  const Bigrams bigrams = count("a b a\nb b\n\nc\n");
  ASSERT_EQ(bigrams.words, (Strings{"b", "a", "c"}));  // by count, then bytes
  EXPECT_EQ(bigrams.counts, (std::vector<std::uint64_t>{3, 2, 1}));
  EXPECT_EQ(bigrams.total, 3U);
  EXPECT_EQ(bigrams.self, (std::vector<std::uint64_t>{1, 0, 0}));
  EXPECT_EQ(bigrams.left, (std::vector<std::uint64_t>{2, 1, 0}));
  EXPECT_EQ(bigrams.right, (std::vector<std::uint64_t>{2, 1, 0}));
  ASSERT_EQ(bigrams.following(1).words.size(), 1U);
  EXPECT_EQ(bigrams.following(1).words[0], 0U);
  EXPECT_EQ(bigrams.following(1).counts[0], 1U);
  EXPECT_EQ(bigrams.preceding(1).counts[0], 1U);
  EXPECT_TRUE(bigrams.following(2).words.empty());
}

TEST(Corpus, LinesMayBeJoined) {
  CorpusOptions options;
  options.across_lines = true;
  EXPECT_EQ(count("a b\nc\n\nd\n", options).total, 3U);
  EXPECT_EQ(count("a b\nc\n\nd\n").total, 1U);
}

// (head, modifier) or (left, right) with their counts.
std::map<std::pair<std::string, std::string>, std::uint64_t> pairs(const Bigrams& bigrams) {
  std::map<std::pair<std::string, std::string>, std::uint64_t> found;
  for (std::uint32_t word = 0; word < bigrams.words.size(); ++word) {
    const auto add = [&](const Bigrams::Row& row, bool first) {
      for (std::size_t i = 0; i < row.words.size(); ++i) {
        const std::string& other = bigrams.words[row.words[i]];
        const std::string& own = bigrams.words[word];
        found[first ? std::pair(own, other) : std::pair(other, own)] = row.counts[i];
      }
    };
    add(bigrams.following(word), true);
    add(bigrams.preceding(word), false);
    if (bigrams.self[word] > 0) {
      found[{bigrams.words[word], bigrams.words[word]}] = bigrams.self[word];
    }
  }
  return found;
}

TEST(Corpus, HeadsAndModifiersMayBePairs) {
  CorpusOptions options;
  options.arcs = true;
  options.across_lines = true;  // lines of words, not of pairs
  const auto count_trees = [&] {
    CorpusCounter counter(options);
    counter.add_tree(Strings{"cats", "saw", "cats"}, std::vector<int>{2, 0, 2});
    counter.add_tree(Strings{"a b", "sat"}, std::vector<int>{2, 0});  // no word of a file
    EXPECT_EQ(counter.tokens(), 4U);
    EXPECT_EQ(counter.arcs(), 3U);
    return pairs(counter.finish({}));
  };
  using Pairs = std::map<std::pair<std::string, std::string>, std::uint64_t>;
  EXPECT_EQ(count_trees(), (Pairs{{{"cats", "saw"}, 1}, {{"saw", "cats"}, 3}}));
  options.neighbours = false;
  EXPECT_EQ(count_trees(), (Pairs{{{"saw", "cats"}, 2}}));
}

TEST(Corpus, WordsLeftOutLeaveAGap) {
  VocabularyOptions rare;
  rare.min_count = 2;
  const Bigrams bigrams = count("a x a b\nb\n", {}, rare);
  EXPECT_EQ(bigrams.words, (Strings{"a", "b"}));
  EXPECT_EQ(bigrams.total, 1U);
  VocabularyOptions few;
  few.max_words = 1;
  EXPECT_EQ(count("a x a b\nb\n", {}, few).words, Strings{"a"});
  CorpusOptions only;
  only.only.emplace();
  only.only->insert("x");
  only.only->insert("b");
  EXPECT_EQ(count("a x a b\nb b\n", only).words, (Strings{"b", "x"}));
  EXPECT_EQ(count("x a b\n", only).total, 0U);
}

TEST(Corpus, ThreadsCountTheSame) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += fmt::format("w{}{}", i * 7919 % 1013, i % 11 == 0 ? "\n" : " ");
    if (i % 30'000 == 0) text += std::string(TextWords::kLongestWord + 1, 'x') + " B\xFF ";
  }
  const Bigrams one = count(text);
  for (const int threads : {2, 5}) {
    const Bigrams several = count(text, {}, {}, threads);
    EXPECT_EQ(several.words, one.words);
    EXPECT_EQ(several.counts, one.counts);
    EXPECT_EQ(several.total, one.total);
    EXPECT_EQ(pairs(several), pairs(one));
  }
}

TEST(Corpus, ProcessesCountTheSame) {
  const std::vector<std::string> texts{"a b c a\nb a\n", "c c \xFF b\n", "", "a d d\n", "b a\n"};
  const auto counted = [&](CorpusCounter& counter, std::size_t first, std::size_t step) {
    for (std::size_t i = first; i < texts.size(); i += step) {
      Input input = Input::from_memory(texts[i], "text");
      counter.add_text(input, 1, [] {});
    }
  };
  CorpusCounter one({});
  counted(one, 0, 1);
  const std::uint64_t tokens = one.tokens(), repaired = one.repaired();
  const Bigrams expected = one.finish({});
  for (const int members : {1, 2, 3, 7}) {
    with_members(members, [&](Group& group) {
      CorpusCounter counter({});
      counted(counter, static_cast<std::size_t>(group.rank()),
              static_cast<std::size_t>(group.size()));
      counter.gather_counts(group);
      if (!group.leads()) return;
      EXPECT_EQ(counter.tokens(), tokens);
      EXPECT_EQ(counter.repaired(), repaired);
      const Bigrams found = counter.finish({});
      EXPECT_EQ(found.words, expected.words);
      EXPECT_EQ(found.counts, expected.counts);
      EXPECT_EQ(found.left, expected.left);
      EXPECT_EQ(found.right, expected.right);
      EXPECT_EQ(found.self, expected.self);
      EXPECT_EQ(found.total, expected.total);
      for (std::uint32_t word = 0; word < expected.words.size(); ++word) {
        EXPECT_TRUE(
            std::ranges::equal(found.following(word).counts, expected.following(word).counts));
        EXPECT_TRUE(
            std::ranges::equal(found.preceding(word).words, expected.preceding(word).words));
      }
    });
  }
}

TEST(Corpus, FormsAreNormalised) {
  CorpusOptions options;
  options.form = {true, true};
  EXPECT_EQ(count("\xC3\x89t\xC3\xA9 \xC3\xA9T\xC3\xA9 1987 2001 A1\n", options).words,
            (Strings{"0000", "\xC3\xA9t\xC3\xA9", "a0"}));
}

TEST(Corpus, InvalidBytesAreReplacedAndCounted) {
  CorpusCounter counter({});
  Input input = Input::from_memory("a\xFF b \xC3\n", "text");
  counter.add_text(input, 1, [] {});
  counter.add_word("two words");
  counter.add_word("");
  EXPECT_EQ(counter.repaired(), 2U);
  EXPECT_EQ(counter.unusable(), 2U);
  EXPECT_EQ(counter.tokens(), 3U);
  EXPECT_EQ(counter.finish({}).words, (Strings{"a\xEF\xBF\xBD", "b", "\xEF\xBF\xBD"}));
}

TEST(Corpus, ManyBigramsAreCountedAsFew) {
  // More than the counter sorts at a time.
  BigramCounter counter;
  std::map<std::pair<int, int>, std::uint64_t> expected;
  for (int i = 0; i < 40000; ++i) {
    counter.add_word(std::to_string(i * i % 1009));
    if (i > 0) ++expected[{(i - 1) * (i - 1) % 1009, i * i % 1009}];
  }
  for (int round = 0; round < 60; ++round) {
    counter.add_gap();
    for (int i = 0; i < 40000; ++i) {
      counter.add_word(std::to_string(i % 1009));
      if (i > 0) ++expected[{(i - 1) % 1009, i % 1009}];
    }
  }
  const Bigrams bigrams = counter.finish({});
  std::map<std::pair<int, int>, std::uint64_t> found;
  const auto number = [&](std::uint32_t word) { return std::stoi(bigrams.words[word]); };
  for (std::uint32_t w = 0; w < bigrams.words.size(); ++w) {
    if (bigrams.self[w] > 0) found[{number(w), number(w)}] = bigrams.self[w];
    const auto following = bigrams.following(w);
    for (std::size_t i = 0; i < following.words.size(); ++i) {
      found[{number(w), number(following.words[i])}] = following.counts[i];
    }
    const auto preceding = bigrams.preceding(w);
    for (std::size_t i = 0; i < preceding.words.size(); ++i) {
      found[{number(preceding.words[i]), number(w)}] = preceding.counts[i];
    }
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace copse
