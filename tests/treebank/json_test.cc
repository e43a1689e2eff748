#include "copse/treebank/json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "copse/treebank/formats.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

std::string fixture(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(source_dir() + "/fixtures/" + name).rdbuf();
  return text.str();
}

std::string convert(const std::string& bytes, Format from, Format to) {
  const auto reader = make_reader(from);
  const auto writer = make_writer(to);
  std::string out;
  const Parsed parsed = reader->parse({bytes, "t", 1});
  for (const ReadItem& item : parsed.items) {
    EXPECT_FALSE(item.error) << item.error->what();
    writer->write(item.entry, out);
  }
  return out;
}

std::string error_of(const std::string& line, Limits limits = {}) {
  const Parsed parsed = make_json_reader(limits)->parse({"\n" + line, "t.json", 1});
  return parsed.items.empty() || !parsed.items[0].error ? "no error"
                                                        : parsed.items[0].error->what();
}

TEST(Json, ColumnFixturesSurviveTheDetour) {
  for (const char* name :
       {"english.conllu", "german.conllu", "russian.conllu", "multiroot.conllu"}) {
    const std::string bytes = fixture(name);
    EXPECT_EQ(convert(convert(bytes, Format::conllu, Format::json), Format::json, Format::conllu),
              bytes)
        << name;
  }
  const std::string bytes = fixture("sample.conllx");
  EXPECT_EQ(convert(convert(bytes, Format::conllx, Format::json), Format::json, Format::conllx),
            bytes);
}

TEST(Json, TreesSurviveTheDetour) {
  const std::string bytes = fixture("english.mrg");
  const std::string normal = convert(bytes, Format::ptb, Format::ptb);
  EXPECT_EQ(convert(convert(bytes, Format::ptb, Format::json), Format::json, Format::ptb), normal);
}

TEST(Json, CommentsMayHoldTabs) {
  const std::string bytes = "# a\tb\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  EXPECT_EQ(convert(convert(bytes, Format::conllu, Format::json), Format::json, Format::conllu),
            bytes);
}

TEST(Json, HeadsWithLeadingZerosSurvive) {
  const std::string bytes = "1\ta\t_\t_\t_\t_\t02\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n";
  EXPECT_EQ(convert(convert(bytes, Format::conllu, Format::json), Format::json, Format::conllu),
            bytes);
}

TEST(Json, EscapesWhatJsonCannotHold) {
  Sentence sentence;
  sentence.add_word("a\"b\\c\x01");
  std::string out;
  make_json_writer()->write({sentence, {}}, out);
  EXPECT_EQ(out, "{\"tokens\": [{\"id\": \"1\", \"form\": \"a\\\"b\\\\c\\u0001\"}]}\n");
  EXPECT_EQ(convert(out, Format::json, Format::text), "a\"b\\c\x01\n");
}

TEST(Json, BadInputGetsTheLineAndAReason) {
  EXPECT_EQ(error_of("[1]"), "t.json:2: the line is not a JSON object");
  EXPECT_EQ(error_of("{\"tokens\": 3}"), "t.json:2: \"tokens\" is not an array");
  EXPECT_EQ(error_of("{\"tokens\": [{\"id\": \"2\", \"form\": \"a\"}]}"),
            "t.json:2: ID is 2; expected 1");
  EXPECT_EQ(error_of("{\"tokens\": [{\"id\": \"1\", \"form\": \"a\\tb\"}]}"),
            "t.json:2: \"form\" holds a tab or a line end");
  EXPECT_EQ(error_of("{\"tree\": {\"label\": \"S\"}}"),
            "t.json:2: a node of the tree has neither word nor children");
  EXPECT_EQ(error_of("{\"tree\": {\"label\": \"S\", \"children\": []}}"),
            "t.json:2: \"children\" is not an array with something in it");
  EXPECT_EQ(error_of("{\"tree\": {\"label\": \"a b\", \"word\": \"c\"}}"),
            "t.json:2: \"label\" in the tree holds a blank or a bracket");
  EXPECT_EQ(error_of("{\"tokens\"").find("t.json:2: not a JSON object: "), 0U);
  EXPECT_EQ(error_of("{\"x\": 1}"), "t.json:2: the object has neither \"tokens\" nor \"tree\"");
  EXPECT_EQ(error_of("{\"comments\": [\"x\"]}"), "t.json:2: a comment does not start with #");
  EXPECT_EQ(error_of("{\"comments\": [\"# x\\ny\"]}"), "t.json:2: a comment holds a line end");
  EXPECT_EQ(error_of("{\"tree\": {\"label\": \"S\", \"children\": [1]}}"),
            "t.json:2: a node of the tree is not an object");
  EXPECT_EQ(error_of("{\"tokens\": [{\"id\": \"1\", \"form\": \"a\", \"not_head\": \"1|2\"}]}"),
            "t.json:2: \"not_head\" holds a '|'");
}

TEST(Json, LimitsAreNamed) {
  const std::string tree =
      R"({"tree": {"label": "S", "children": [{"label": "A", "children": [{"label": "B", "word": "b"}]},)"
      R"( {"label": "C", "word": "c"}]}})";
  Limits limits;
  limits.max_words = 1;
  EXPECT_EQ(error_of(tree, limits),
            "t.json:2: the tree has more than 1 words, the limit\n  hint: raise max_words");
  limits = {};
  limits.max_depth = 1;
  EXPECT_EQ(error_of(tree, limits),
            "t.json:2: the tree is deeper than 1, the limit\n  hint: raise max_depth");
  limits = {};
  limits.max_sentence_bytes = 20;
  EXPECT_EQ(error_of(tree, limits).find("t.json:2: the line has "), 0U);
}

// Sixty megabytes of brackets would be gigabytes in memory.
TEST(Json, BracketsAreCountedBeforeTheyAreRead) {
  EXPECT_EQ(error_of("{\"x\": " + std::string(1'000'000, '[')),
            "t.json:2: the brackets are nested more than 20008 deep\n  hint: raise max_depth");
  std::string wide = "{\"x\": [1";
  for (int i = 0; i < 3'300'000; ++i) wide += ",1";
  EXPECT_NE(error_of(wide + "]}").find("more than 3201000 values"), std::string::npos);
  EXPECT_EQ(error_of("{\"comments\": [\"# \\\"[[[,,,\"], \"tokens\": []}"), "no error");
}

TEST(Json, DeepTreesAreReadAndLimited) {
  std::string deep;
  for (int i = 0; i < 9000; ++i) deep += "{\"label\":\"X\",\"children\":[";
  deep += "{\"label\":\"Y\",\"word\":\"w\"}";
  for (int i = 0; i < 9000; ++i) deep += "]}";
  EXPECT_EQ(error_of("{\"tree\": " + deep + "}"), "no error");
  Limits limits;
  limits.max_depth = 100;
  EXPECT_EQ(error_of("{\"tree\": " + deep + "}", limits)
                .find("t.json:2: the brackets are nested more than 208 deep"),
            0U);
  EXPECT_NE(error_of(std::string(2000000, '[')), "no error");
}

}  // namespace
}  // namespace copse
