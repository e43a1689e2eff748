// Saved and loaded parsers are the same; damaged ones are refused or harmless.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/base/random.h"
#include "copse/dependency/parser.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/model/edited_model.h"

namespace copse {
namespace {

using dependency_testing::bytes_of;
using dependency_testing::failure_of;
using dependency_testing::fixture;
using dependency_testing::parser_from;
using dependency_testing::quick_training;
using dependency_testing::train;

// A small model with every section there is.
const std::string& model_bytes() {
  static const std::string bytes = [] {
    DependencyTraining options = quick_training(Factorisation::sibling);
    options.lexical_limit = 50;
    options.clusters = std::make_shared<const WordClusters>(
        std::vector<WordClusters::Line>{{"00", "the", 3}, {"0101", "bakery", 1}});
    options.templates =
        "[dep]\ncopies = alone dir dist\npair = h.T m.T\nword = m.w\ncluster = m.k4\nbetween = "
        "h.c b.c m.c\n[sib]\ntags = h.t m.t s.t\n[stop]\ntags = h.t m.t\n[label]\ntags = h.t m.t\n";
    return bytes_of(train(fixture("english.conllu", 20), {}, options));
  }();
  return bytes;
}

std::string parses_of(const DependencyParser& parser) {
  DependencyParser::Scratch scratch;
  std::string text;
  for (const Sentence& sentence : fixture("english.conllu", 6)) {
    const Parse parse = parser.parse(sentence, {.k = 2, .marginals = true}, scratch);
    for (const ParsedTree& parsed : parse.trees) {
      const DependencyTree tree = parser.tree_of(parsed);
      for (int m = 1; m <= tree.words(); ++m) {
        text += std::to_string(tree.head(m)) + tree.label(m) + ' ';
      }
      text += std::to_string(parsed.score) + ' ' + std::to_string(parsed.probability) + '\n';
    }
  }
  return text;
}

// The model with one value of its configuration or one section replaced.
std::string with_config(const std::string& key, const nlohmann::json& value,
                        const std::string& model = model_bytes()) {
  const ModelFile file = ModelFile::from_bytes(model, "m");
  nlohmann::json config = file.config();
  config.erase("kind");
  if (value.is_null()) {
    config.erase(key);
  } else {
    config[key] = value;
  }
  return model_testing::with_config(file, config);
}

std::string with_section(const std::string& name, const std::optional<std::string>& bytes) {
  return model_testing::with_section(model_bytes(), name, bytes);
}

std::string loading(const std::string& bytes) {
  return failure_of([&] { parses_of(parser_from(bytes)); });
}

void ExpectDataError(const std::string& bytes, const std::string& what) {
  const std::string failure = loading(bytes);
  EXPECT_TRUE(failure.starts_with("data: ")) << what << ": " << failure;
  EXPECT_NE(failure.find("test.copse"), std::string::npos) << what << ": " << failure;
}

TEST(ParserFile, LoadedParsersParseTheSame) {
  const std::string expected = parses_of(parser_from(model_bytes()));
  EXPECT_EQ(parses_of(parser_from(model_bytes())), expected);
  EXPECT_FALSE(expected.empty());
  const DependencyParser parser = parser_from(model_bytes());
  EXPECT_EQ(parser.parts().kind, (TreeKind{Factorisation::sibling, RootRule::single, true}));
  EXPECT_TRUE(parser.parts().limit.is_limited());
  ASSERT_NE(parser.parts().clusters, nullptr);
  EXPECT_EQ(parser.parts().clusters->clusters(), 2U);
}

TEST(ParserFile, TheParserOutlivesTheFile) {
  std::optional<ModelFile> file = ModelFile::from_bytes(model_bytes(), "m");
  const DependencyParser parser = DependencyParser::load(*file);
  file.reset();
  EXPECT_EQ(parses_of(parser), parses_of(parser_from(model_bytes())));
}

TEST(ParserFile, OtherKindsOfModelAreRefused) {
  ExpectDataError(ModelWriter("tagger", nullptr).bytes(), "kind");
  ExpectDataError(ModelWriter(kDependencyKind, nullptr).bytes(), "empty");
}

TEST(ParserFile, EveryWrongValueOfTheConfigurationIsRefused) {
  ASSERT_EQ(loading(with_config("more", 1)), "");
  for (const std::string key : {"order", "root", "projective", "xpos", "own_coarse", "tags",
                                "lifted", "temperature", "prune"}) {
    ExpectDataError(with_config(key, nullptr), key + " missing");
    ExpectDataError(with_config(key, nlohmann::json::array()), key + " of the wrong type");
  }
  ExpectDataError(with_config("order", "tenth"), "order");
  ExpectDataError(with_config("root", "three"), "root");
  ExpectDataError(with_config("projective", false, with_config("order", "carreras")),
                  "non-projective, carreras");
  ExpectDataError(with_config("temperature", 0), "temperature");
  ExpectDataError(with_config("temperature", -1.5), "temperature");
  ExpectDataError(with_config("label_temperature", 0), "temperature");
  ExpectDataError(with_config("label_temperature", "warm"), "label_temperature");
  ExpectDataError(with_config("temperature", 1e300), "temperature");
  ExpectDataError(with_config("temperature", 1e-300), "temperature");
  ExpectDataError(with_config("prune", 1.5), "prune");
  ExpectDataError(with_config("prune", -0.5), "prune");
  ExpectDataError(with_config("tree_temperature", -1), "temperature");
  ExpectDataError(with_config("tree_temperature", "warm"), "tree_temperature");
  using nlohmann::json;
  ExpectDataError(with_config("tree_odds", "even"), "tree_odds");
  ExpectDataError(with_config("tree_odds", json::array({1})), "tree_odds");
  ExpectDataError(with_config("tree_odds", json::array({-1, 0})), "tree_odds");
  ExpectDataError(with_config("tree_odds", json::array({1, 1e300})), "tree_odds");
}

TEST(ParserFile, ModelsSayHowTheirKeysAreMadeAndThoseThatDoNotHaveChainedOnes) {
  const DependencyParser parser = parser_from(model_bytes());
  EXPECT_EQ(parser.parts().scorer.features().scheme(), KeyScheme::summed);
  EXPECT_EQ(parser.parts().pruner.scorer().features().scheme(), KeyScheme::summed);
  for (const nlohmann::json& before : {nlohmann::json(), nlohmann::json("chained")}) {
    const DependencyParser old = parser_from(with_config("keys", before));
    EXPECT_EQ(old.parts().keys, KeyScheme::chained);
    EXPECT_EQ(old.parts().scorer.features().scheme(), KeyScheme::chained);
    EXPECT_EQ(old.parts().pruner.scorer().features().scheme(), KeyScheme::chained);
    EXPECT_NE(parses_of(old), parses_of(parser));
  }
  EXPECT_NE(failure_of([] {
              parser_from(with_config("keys", "knotted"));
            }).find("has keys \"knotted\"; expected chained or summed"),
            std::string::npos);
}

TEST(ParserFile, OddsOfWholeTreesAreKeptAndMayBeMissing) {
  const auto odds = nlohmann::json::array({0.5, -0.25});
  const DependencyParser parser = parser_from(with_config("tree_odds", odds));
  EXPECT_EQ(parser.parts().tree_odds, (TreeOdds{0.5, -0.25}));
  EXPECT_EQ(parser_config(parser.parts())["tree_odds"], odds);
  EXPECT_EQ(parser_from(with_config("tree_odds", nullptr)).parts().tree_odds, TreeOdds());
}

TEST(ParserFile, MissingSectionsAreRefused) {
  const ModelFile file = ModelFile::from_bytes(model_bytes(), "m");
  std::vector<std::string> names;
  for (const auto& section : file.sections()) {
    if (section.name != "config") names.push_back(section.name);
  }
  EXPECT_EQ(names.size(), 10U);
  for (const std::string& name : names) {
    if (name == "lexicon" || name == "clusters") continue;  // are there or not
    ExpectDataError(with_section(name, std::nullopt), name);
  }
}

TEST(ParserFile, SectionsOfNonsenseAreRefused) {
  for (const std::string name : {"templates", "pruner.templates"}) {
    ExpectDataError(with_section(name, "[dep]\nx = h.w nosuch\n"), name);
    ExpectDataError(with_section(name, "\xFF\xFE nonsense"), name);
  }
  for (const std::string name : {"weights", "label.weights", "pruner.weights", "filter.longest"}) {
    ExpectDataError(with_section(name, "nonsense"), name);
    ExpectDataError(with_section(name, std::string(1000, '\xFF')), name);
  }
  ExpectDataError(with_section("labels", "one\ntwo\n"), "another number of labels");
  ExpectDataError(with_section("clusters", "nonsense"), "clusters");
}

// A section damaged at random, its checksum made right: never a crash, never an error of another
// kind.
TEST(ParserFile, DamagedSectionsAreRefusedOrHarmless) {
  const ModelFile file = ModelFile::from_bytes(model_bytes(), "m");
  int refused = 0, harmless = 0;
  Random random(1);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto sections = file.sections();
    const auto& section = sections[random.below(sections.size())];
    if (section.name == "config" || section.bytes.empty()) continue;
    std::string bytes(file.text(section.name));
    for (int changes = random.between(1, 5); changes > 0; --changes) {
      // Headers and texts are short: half of the damage goes to the beginning.
      const std::size_t reach =
          random.chance(0.5) ? std::min<std::size_t>(bytes.size(), 64) : bytes.size();
      bytes[random.below(reach)] = static_cast<char>(random.below(256));
    }
    const std::string failure = loading(with_section(section.name, bytes));
    ASSERT_TRUE(failure.empty() || failure.starts_with("data: "))
        << section.name << ": " << failure;
    ++(failure.empty() ? harmless : refused);
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(harmless, 20);
}

TEST(ParserFile, DamageToAnyByteIsADataError) {
  Random random(2);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::string bytes = model_bytes();
    char& byte = bytes[random.below(bytes.size())];
    byte = static_cast<char>(byte ^ (1 << random.below(8)));
    const std::string failure = loading(bytes);
    EXPECT_TRUE(failure.starts_with("data: ")) << failure;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64},
                                 model_bytes().size() / 2, model_bytes().size() - 1}) {
    EXPECT_TRUE(loading(model_bytes().substr(0, size)).starts_with("data: ")) << size;
  }
}

}  // namespace
}  // namespace copse
