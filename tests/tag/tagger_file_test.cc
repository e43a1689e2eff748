// Model files of taggers with wrong numbers in them and sound checksums.
#include <gtest/gtest.h>

#include <climits>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/tag/perceptron_tagger.h"
#include "copse/treebank/treebank.h"
#include "tests/model/edited_model.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

using model_testing::with_setting;

const std::string& model_bytes() {
  static const std::string bytes = [] {
    std::vector<TagExample> examples;
    for (const Entry& entry : read_treebank(source_dir() + "/fixtures/english.conllu")) {
      TagExample& example = examples.emplace_back();
      for (int word = 1; word <= entry.sentence.words(); ++word) {
        example.words.emplace_back(entry.sentence.form(word));
        example.labels.emplace_back(entry.sentence.upos(word));
      }
    }
    PerceptronTaggerOptions options;
    options.epochs = 1;
    ModelWriter writer("test", nlohmann::json::object());
    train_perceptron_tagger(examples, options).tagger.save(writer, "x/");
    return writer.bytes();
  }();
  return bytes;
}

std::string loading(const std::string& bytes) {
  try {
    const SequenceTagger tagger =
        SequenceTagger::load(ModelFile::from_bytes(bytes, "test.copse"), "x/");
    TagScratch scratch;
    const std::vector<std::string_view> words = {"The", "unseen-word", "of", "2015", "!"};
    EXPECT_EQ(tagger.tag({words}, scratch).size(), words.size());
    EXPECT_EQ(tagger.marginals({words}, scratch).size(), words.size());
    EXPECT_FALSE(tagger.k_best_with_probabilities({words}, 5, scratch).empty());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.message();
  }
  return {};
}

std::string setting(const std::string& name, const nlohmann::json& value) {
  return loading(with_setting(model_bytes(), "x/config", name, value));
}

TEST(TaggerFile, SettingsStayWithinTheirRanges) {
  ASSERT_EQ(loading(model_bytes()), "");
  for (const std::string name : {"rare_below", "max_rare", "extra_common", "reach", "sharpness",
                                 "beam", "scores", "open_class"}) {
    for (const nlohmann::json& value :
         {nlohmann::json(-1), nlohmann::json(1e300), nlohmann::json(nullptr),
          nlohmann::json(nlohmann::json::object())}) {
      EXPECT_NE(setting(name, value).find('"' + name + '"'), std::string::npos)
          << name << ' ' << value << ": " << setting(name, value);
    }
  }
  for (const std::string name : {"rare_below", "max_rare", "extra_common", "beam"}) {
    EXPECT_NE(setting(name, LONG_MAX).find(name), std::string::npos) << name;
  }
}

// A word that was never seen is rare: else it would have no tag to choose from.
TEST(TaggerFile, EveryWordHasATagToChoose) {
  EXPECT_NE(setting("rare_below", 0).find("rare_below"), std::string::npos);
  EXPECT_NE(setting("max_rare", 0).find("max_rare"), std::string::npos);
  EXPECT_NE(setting("max_rare", INT_MIN).find("max_rare"), std::string::npos);
  EXPECT_NE(setting("max_rare", INT_MAX).find("max_rare"), std::string::npos);
  EXPECT_EQ(setting("extra_common", 0), "");
  EXPECT_EQ(setting("rare_below", INT_MAX), "");
}

TEST(TaggerFile, TheOpenClassNamesLabelsInOrder) {
  EXPECT_EQ(setting("open_class", {0, 1}), "");
  for (const nlohmann::json& value :
       {nlohmann::json::array(), nlohmann::json{1, 0}, nlohmann::json{1, 1},
        nlohmann::json{0, 60000}, nlohmann::json{0, -1}, nlohmann::json{0.5},
        nlohmann::json{"NOUN"}}) {
    EXPECT_NE(setting("open_class", value).find("open_class"), std::string::npos) << value;
  }
}

}  // namespace
}  // namespace copse
