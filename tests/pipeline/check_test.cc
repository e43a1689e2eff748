// The treebank doctor: what it must find, and what it must leave alone.
#include "copse/pipeline/treebank_check.h"

#include <gtest/gtest.h>

#include <fstream>

#include "copse/pipeline/model.h"
#include "copse/pipeline/variation.h"
#include "copse/treebank/treebank.h"
#include "tests/pipeline/pipeline_testing.h"

namespace copse {
namespace {

using pipeline_testing::bytes_of;
using pipeline_testing::fixture;
using pipeline_testing::folder;
using pipeline_testing::parser_model;

std::vector<Sentence> sentences_of(const std::string& columns) {
  std::vector<Sentence> out;
  for (Entry& entry : parse_treebank(columns, Format::conllu)) {
    out.push_back(std::move(entry.sentence));
  }
  return out;
}

std::string small(const std::string& relation) {
  return "1\tbig\t_\tADJ\t_\t_\t2\t" + relation +
         "\t_\t_\n2\tdogs\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n3\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_"
         "\n\n";
}

TEST(Variation, FindsTheRarerOfTwoWays) {
  const auto found = find_variations(sentences_of(small("amod") + small("amod") + small("det")));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].sentence, 2U);
  EXPECT_EQ(found[0].word, 1);
  EXPECT_EQ(found[0].here, "det");
  EXPECT_EQ(found[0].elsewhere, "amod");
  EXPECT_EQ(found[0].times, 2U);
  EXPECT_EQ(found[0].occurrences, 3U);
  EXPECT_TRUE(find_variations(sentences_of(small("amod") + small("amod"))).empty());
  // One against one: neither is the rarer.
  EXPECT_TRUE(find_variations(sentences_of(small("amod") + small("det"))).empty());
}

TEST(Check, SaysWhatIsWrongAndWhere) {
  const std::string path = folder().file("bad.conllu");
  std::ofstream(path) << "# sent_id = a\n1\tDogs\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
                         "2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
                      << small("amod") << "1\tcut\n\n";
  CheckOptions options;
  options.likely_errors = false;
  const CheckReport report = check_treebank(path, options);
  EXPECT_EQ(report.sentences, 3U);
  ASSERT_EQ(report.errors.size(), 2U);
  EXPECT_EQ(report.errors[0].kind, FindingKind::format);
  EXPECT_EQ(report.errors[0].place.line, 9U);
  EXPECT_EQ(report.errors[1].kind, FindingKind::structure);
  EXPECT_EQ(report.errors[1].sentence_id, "a");
  EXPECT_EQ(report.errors[1].place.line, 1U);
  EXPECT_NE(report.errors[1].message.find("2 words hang on the root"), std::string::npos);
  EXPECT_NE(check_text(report, 10).find("bad.conllu:9"), std::string::npos);
}

TEST(Check, AParserDoubtsWhatWasChanged) {
  // One relation and one head of a treebank that the parser knows by heart, changed.
  std::vector<Entry> entries = read_treebank(fixture("english.conllu"));
  const Model model = Model::load(parser_model());
  const auto before = [&] {
    std::vector<Sentence> all;
    for (const Entry& entry : entries) all.push_back(entry.sentence);
    return doubts_of(model.dependency_parser(), all, 1);
  };
  std::size_t wrong = before().size();
  Sentence& sentence = entries[3].sentence;
  sentence.set(1, Column::deprel, sentence.deprel(1) == "obj" ? "iobj" : "obj");
  const std::string path = folder().file("changed.conllu");
  write_treebank(path, entries, Format::conllu);
  CheckOptions options;
  options.parser = &model.dependency_parser();
  const CheckReport report = check_treebank(path, options);
  EXPECT_TRUE(report.errors.empty());
  EXPECT_GE(before().size(), wrong);
  const auto found = std::ranges::find_if(
      report.suspicions, [](const Finding& each) { return each.sentence == 4 && each.word == 1; });
  ASSERT_NE(found, report.suspicions.end());
  EXPECT_GT(found->weight, 0.4);
  for (std::size_t i = 1; i < report.suspicions.size(); ++i) {
    EXPECT_GE(report.suspicions[i - 1].weight, report.suspicions[i].weight);
  }
  EXPECT_NE(check_json(report, 3).find("\"all_suspicions\""), std::string::npos);
  EXPECT_NE(check_page(report, 3).find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace copse
