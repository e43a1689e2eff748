// On real treebanks, named by COPSE_DATA.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "copse/tokenize/boundary_walk.h"
#include "copse/tokenize/rule_tokenizer.h"
#include "copse/tokenize/tokenized_text.h"
#include "copse/treebank/evaluation/conll18.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

class TokenizeData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("COPSE_DATA");
    if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "COPSE_DATA is not set";
    folder_ = folder;
  }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

std::string joined(const std::vector<GoldText>& paragraphs) {
  std::string text;
  for (const GoldText& paragraph : paragraphs) {
    text += paragraph.text.substr(0, paragraph.text.find_last_not_of(' ') + 1) + "\n\n";
  }
  return text;
}

TEST_F(TokenizeData, GoldSegmentationOfEveryTreebankComesBack) {
  int files = 0;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder_)) {
    if (item.path().extension() != ".conllu") continue;
    SCOPED_TRACE(item.path().string());
    ++files;
    const auto entries = read_treebank(item.path().string());
    Characters characters;
    Segmentation back;
    for (const GoldText& paragraph : gold_paragraphs(entries)) {
      characters.read(paragraph.text);
      tokens_of_labels(characters, labels_of_tokens(characters, paragraph.gold), back);
      ASSERT_EQ(back, paragraph.gold) << paragraph.text;
    }
    for (const Entry& entry : entries) {
      const auto text = entry.sentence.comment("text");
      if (!text) continue;
      const auto alone = gold_paragraphs(std::span(&entry, 1));
      ASSERT_EQ(alone[0].text.substr(0, text->size()), *text);
    }
  }
  EXPECT_GT(files, 0);
}

TEST_F(TokenizeData, RealTextComesBackByteForByte) {
  const RuleTokenizer rules;
  for (const char* name : {"ewt/dev.conllu", "gum/dev.conllu", "turkish/dev.conllu"}) {
    const std::string text = joined(gold_paragraphs(read_treebank(file(name))));
    EXPECT_EQ(restore_text(testing::parse_conllu(tokenize_text(rules, text))), text);
    EXPECT_EQ(
        restore_text(testing::parse_conllu(tokenize_text(testing::fixture_tokenizer(), text))),
        text);
  }
}

TEST_F(TokenizeData, EnglishWebTreebankFromRawText) {
  const auto train = read_treebank(file("ewt/train.conllu"));
  const auto dev = read_treebank(file("ewt/dev.conllu"));
  const ModelWriter model = train_tokenizer(train, dev, {}, {}, {});
  const auto tokenizer = TrainedTokenizer::from(ModelFile::from_bytes(model.bytes(), "test"));
  const std::string text = joined(gold_paragraphs(dev));
  const std::string out = tokenize_text(tokenizer, text);
  EXPECT_EQ(restore_text(testing::parse_conllu(out)), text);
  std::string gold;
  const auto writer = make_writer(Format::conllu);
  for (const Entry& entry : dev) writer->write(entry, gold);
  const Conll18Report report = evaluate_conll18(gold, out);
  EXPECT_GT(report["Tokens"].f1(), 0.992);
  EXPECT_GT(report["Words"].f1(), 0.988);
  EXPECT_GT(report["Sentences"].f1(), 0.880);
}

}  // namespace
}  // namespace copse
