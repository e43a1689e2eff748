#include "copse/treebank/training_treebank.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace copse {
namespace {

namespace fs = std::filesystem;

std::string conllu_line(int word, const std::string& form, const std::string& head) {
  return std::to_string(word) + "\t" + form + "\t_\tNOUN\tNN\t_\t" + head + "\tdep\t_\t_\n";
}

const std::string kGood = conllu_line(1, "a", "0") + conllu_line(2, "b", "1") + "\n";
const std::string kCycle = conllu_line(1, "c", "2") + conllu_line(2, "d", "1") + "\n";
const std::string kNoHead = conllu_line(1, "e", "_") + "\n";
const std::string kBroken = "1\tonly three\tcolumns\n\n";
const std::string kTrees = "(S (NP (NN trees)) (VP (VBP grow)))\n(S (NN x))\n";

struct Heard {
  std::vector<Error> errors;
  std::size_t warnings = 0;
  ReadReport report() {
    return [this](const std::vector<Error>& found, const std::vector<Warning>& said) {
      errors.insert(errors.end(), found.begin(), found.end());
      warnings += said.size();
    };
  }
};

TrainingTreebank read(const std::string& bytes, Format format, const Accept& accept,
                      const ReadReport& report = {}) {
  Input input = Input::from_memory(bytes, "some/train.conllu");
  return read_training_treebank(input, "train", format, {}, accept, report);
}

TEST(TrainingTreebank, KeepsWhatIsGoodAndReportsTheRestWithItsLine) {
  Heard heard;
  const TrainingTreebank found = read(kGood + kBroken + kCycle + kGood + kNoHead, Format::conllu,
                                      accept_dependencies(), heard.report());
  EXPECT_EQ(found.entries.size(), 2U);
  ASSERT_EQ(heard.errors.size(), 3U);
  EXPECT_EQ(heard.errors[0].place().line, 4U);
  EXPECT_EQ(heard.errors[1].place().str(), "some/train.conllu:6");
  EXPECT_EQ(heard.errors[1].message(), "word 1 is on a cycle of heads: it is its own ancestor");
  EXPECT_EQ(heard.errors[2].place().line, 12U);
  EXPECT_EQ(heard.errors[2].message(), "word 1 has no head");
  EXPECT_EQ(found.source.role, "train");
  EXPECT_EQ(found.source.name, "train.conllu");
  EXPECT_EQ(found.source.sentences, 2);
  EXPECT_EQ(found.source.words, 4);
}

TEST(TrainingTreebank, WithoutAReportTheFirstErrorEndsTheReading) {
  EXPECT_THROW(read(kGood + kNoHead, Format::conllu, accept_dependencies()), Error);
  EXPECT_NO_THROW(read(kGood + kNoHead, Format::conllu, accept_words()));
}

TEST(TrainingTreebank, TheChecksumIsThatOfTheBytesWhoeverReadsThem) {
  Heard heard;
  for (const std::string& bytes : {kGood, kGood + kBroken + kNoHead, std::string()}) {
    for (const Accept& accept :
         {accept_entries(), accept_words(), accept_dependencies(), accept_phrase_trees()}) {
      const TrainingTreebank found = read(bytes, Format::conllu, accept, heard.report());
      EXPECT_EQ(found.source.checksum, checksum_text(bytes));
    }
  }
  EXPECT_EQ(read(kTrees, Format::ptb, accept_phrase_trees()).source.checksum,
            checksum_text(kTrees));
}

TEST(TrainingTreebank, TheChecksumIsThatOfTheBytesWhereTheFileHasManyBlocks) {
  std::string bytes;
  while (bytes.size() < (std::size_t{5} << 20)) bytes += kGood;
  Heard heard;
  const TrainingTreebank found =
      read(bytes + kNoHead, Format::conllu, accept_dependencies(), heard.report());
  EXPECT_EQ(found.source.checksum, checksum_text(bytes + kNoHead));
  EXPECT_EQ(static_cast<std::size_t>(found.source.sentences), bytes.size() / kGood.size());
  ASSERT_EQ(heard.errors.size(), 1U);
  EXPECT_EQ(heard.errors[0].place().line, bytes.size() / kGood.size() * 3 + 1);
}

TEST(TrainingTreebank, TreesBecomeWhatTheLearnerNeeds) {
  const TrainingTreebank trees = read(kTrees, Format::ptb, accept_phrase_trees());
  ASSERT_EQ(trees.entries.size(), 2U);
  EXPECT_EQ(trees.entries[0].tree.words(), 2);
  EXPECT_EQ(trees.entries[0].sentence.words(), 0);
  const std::vector<Sentence> words = read(kTrees, Format::ptb, accept_words()).sentences();
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].form(2), "grow");
  EXPECT_EQ(words[0].tree().head(1), DependencyTree::kNoHead);
  const std::vector<Sentence> dependencies =
      read(kTrees, Format::ptb, accept_dependencies("collins")).sentences();
  ASSERT_EQ(dependencies.size(), 2U);
  EXPECT_EQ(dependencies[0].tree().head(1), 2);
  EXPECT_EQ(dependencies[0].tree().head(2), 0);
}

TEST(TrainingTreebank, AnUnknownHeadTableEndsTheReading) {
  Heard heard;
  EXPECT_THROW(read(kTrees, Format::ptb, accept_dependencies("no such table"), heard.report()),
               Error);
}

TEST(TrainingTreebank, AFileTellsItsFormatAndName) {
  const fs::path folder =
      fs::temp_directory_path() / ("copse-training-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto path = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name) << bytes;
    return (folder / name).string();
  };
  const TrainingTreebank trees =
      read_training_treebank({path("no_ending", kTrees), "dev"}, accept_phrase_trees());
  EXPECT_EQ(trees.entries.size(), 2U);
  EXPECT_EQ(trees.source.name, "no_ending");
  EXPECT_EQ(trees.source.role, "dev");
  TreebankFile file{path("x.mrg", kGood)};
  file.format = Format::conllu;
  EXPECT_EQ(read_training_treebank(file).entries.size(), 1U);
  EXPECT_THROW(read_training_treebank({(folder / "absent.conllu").string()}), Error);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace copse
