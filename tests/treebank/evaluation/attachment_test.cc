#include "copse/treebank/evaluation/attachment.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/treebank/block_reader.h"
#include "copse/treebank/conll.h"
#include "copse/treebank/evaluation/report.h"

namespace copse {
namespace {

std::vector<Sentence> read(const std::string& bytes) {
  Input input = Input::from_memory(bytes, "memory");
  std::vector<Sentence> sentences;
  for (Entry& entry : read_all(input, *make_conll_reader(Dialect::conllu))) {
    sentences.push_back(std::move(entry.sentence));
  }
  return sentences;
}

AttachmentReport score(const std::string& gold, const std::string& system,
                       const AttachmentOptions& options = {}) {
  const auto g = read(gold);
  const auto s = read(system);
  return evaluate_attachment({g, "g.conllu"}, {s, "s.conllu"}, options);
}

std::string message_of(const std::string& gold, const std::string& system) {
  try {
    score(gold, system);
  } catch (const Error& error) {
    return error.message() + " @" + error.place().str();
  }
  return "no error";
}

constexpr const char* kGold =
    "# sent_id = s1\n"
    "1\tShe\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
    "2\tsaw\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n"
    "3\t``\t_\tPUNCT\t``\t_\t4\tpunct\t_\t_\n"
    "4\tit\t_\tPRON\tPRP\t_\t2\tobj\t_\t_\n"
    "5\t(\t_\tPUNCT\t-LRB-\t_\t2\tpunct\t_\t_\n"
    "6\t%\t_\tSYM\tNN\t_\t2\tobl:tmod\t_\t_\n"
    "7\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n"
    "\n";
// Wrong: 1 label, 3 head, 5 head, 6 subtype, 7 head and label.
constexpr const char* kSystem =
    "1\tShe\t_\t_\t_\t_\t2\tobj\t_\t_\n"
    "2\tsaw\t_\t_\t_\t_\t0\troot\t_\t_\n"
    "3\t``\t_\t_\t_\t_\t2\tpunct\t_\t_\n"
    "4\tit\t_\t_\t_\t_\t2\tobj\t_\t_\n"
    "5\t(\t_\t_\t_\t_\t6\tpunct\t_\t_\n"
    "6\t%\t_\t_\t_\t_\t2\tobl\t_\t_\n"
    "7\t.\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "\n";

TEST(Attachment, CountsHeadsLabelsAndBoth) {
  const AttachmentReport report = score(kGold, kSystem);
  EXPECT_EQ(report.total.words, 7);
  EXPECT_EQ(report.total.heads, 4);
  EXPECT_EQ(report.total.both, 2);
  EXPECT_EQ(report.total.labels, 4);
  EXPECT_DOUBLE_EQ(report.total.uas(), 400.0 / 7);
  EXPECT_EQ(report.without_head, 1);
  EXPECT_EQ(report.roots.words, 1);
  EXPECT_DOUBLE_EQ(report.root_accuracy(), 100);
  EXPECT_EQ(report.complete, 0);
}

TEST(Attachment, PunctuationPoliciesLookAtGold) {
  const auto words = [&](PunctuationPolicy policy) {
    return score(kGold, kSystem, {policy, false}).total.words;
  };
  EXPECT_EQ(words(PunctuationPolicy::all), 7);
  EXPECT_EQ(words(PunctuationPolicy::ptb), 6) << "`` goes; -LRB- stays; . has no XPOS, UPOS PUNCT";
  EXPECT_EQ(words(PunctuationPolicy::ud), 4);
  EXPECT_EQ(words(PunctuationPolicy::conllx), 4) << "`` is a symbol (Sk), ( % . are punctuation";
}

TEST(Attachment, PtbPolicyFallsBackToUposWhereXposIsMissing) {
  const std::string file = "1\ta\t_\t.\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t,\t_\t1\tdep\t_\t_\n\n";
  EXPECT_EQ(score(file, file, {PunctuationPolicy::ptb, false}).total.words, 0);
}

TEST(Attachment, SubtypesCanBeIgnored) {
  EXPECT_EQ(score(kGold, kSystem, {PunctuationPolicy::all, true}).total.both, 3);
}

TEST(Attachment, AFileAgainstItselfIsPerfect) {
  const AttachmentReport report = score(kGold, kGold);
  EXPECT_DOUBLE_EQ(report.total.las(), 100);
  EXPECT_DOUBLE_EQ(report.complete_match(), 100);
  EXPECT_DOUBLE_EQ(report.complete_unlabeled_match(), 100);
  for (const auto& [label, counts] : report.relations) EXPECT_DOUBLE_EQ(counts.f1(), 100) << label;
}

TEST(Attachment, BreakdownsAddUpToTheTotal) {
  const AttachmentReport report = score(kGold, kSystem);
  const auto sum = [](const auto& breakdown, auto member) {
    long total = 0;
    for (const auto& row : breakdown) total += row.second.*member;
    return total;
  };
  EXPECT_EQ(sum(report.relations, &FoundCounts::gold), 7);
  EXPECT_EQ(sum(report.relations, &FoundCounts::system), 7);
  EXPECT_EQ(sum(report.relations, &FoundCounts::correct), report.total.both);
  EXPECT_EQ(sum(report.distances, &FoundCounts::gold), 7);
  EXPECT_EQ(sum(report.distances, &FoundCounts::system), 6) << "one has no head";
  EXPECT_EQ(sum(report.directions, &FoundCounts::correct), report.total.heads);
  EXPECT_EQ(sum(report.tags, &AttachmentCounts::both), report.total.both);
  EXPECT_EQ(sum(report.lengths, &AttachmentCounts::heads), report.total.heads);
  EXPECT_EQ(report.relations.front().first, "punct") << "most frequent first";
}

TEST(Attachment, DistanceAndDirectionBins) {
  const AttachmentReport report = score(kGold, kGold);
  const auto gold = [](const auto& breakdown) {
    std::vector<long> counts;
    for (const auto& row : breakdown) counts.push_back(row.second.gold);
    return counts;
  };
  EXPECT_EQ(gold(report.distances), (std::vector<long>{1, 2, 1, 3, 0})) << "root 1 2 3-6 7-";
  EXPECT_EQ(gold(report.directions), (std::vector<long>{1, 4, 2})) << "root left right";
}

TEST(Attachment, PerWordBitsSayHeadAndBoth) {
  EXPECT_EQ(score(kGold, kSystem).per_word, (std::vector<unsigned char>{1, 3, 0, 3, 0, 1, 0}));
}

TEST(Attachment, DifferentFilesAreErrorsWithSentenceAndLine) {
  const std::string one = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
  const std::string two =
      "# c\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";
  EXPECT_EQ(message_of(one + two, one + one),
            "sentence 2 has 1 words but 2 in g.conllu:4 @s.conllu:3");
  EXPECT_EQ(message_of(one, one + one), "2 sentences but 1 in g.conllu @s.conllu");
  std::string other = one;
  other[2] = 'z';
  EXPECT_EQ(message_of(one + one, one + other),
            "sentence 2: word 1 is 'z' but 'a' in g.conllu:3 @s.conllu:3");
}

TEST(Attachment, GoldWithoutAHeadIsAnError) {
  const std::string gold = "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n";
  EXPECT_EQ(message_of(gold, gold), "sentence 1: word 1 of gold has no HEAD @g.conllu:1");
}

TEST(Attachment, PoliciesHaveNames) {
  for (const char* name : {"all", "ptb", "ud", "conllx"}) {
    EXPECT_EQ(name_of(punctuation_policy_named(name)), name);
  }
  EXPECT_EQ(punctuation_policy_named("none"), PunctuationPolicy::all);
  EXPECT_THROW(punctuation_policy_named("some"), Error);
}

TEST(Attachment, JsonHasTheKeysThatScriptsRelyOn) {
  const std::string json = attachment_json(score(kGold, kGold));
  for (const char* key : {"\"uas\": 100.0", "\"las\": 100.0", "\"la\": 100.0", "\"n\": 7"}) {
    EXPECT_NE(json.find(key), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace copse
