// Bundles: what goes in comes out, mapped where it lies; what is missing, misplaced or damaged is
// told by name.
#include "copse/pipeline/bundle.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/pipeline/pipeline.h"
#include "tests/pipeline/pipeline_testing.h"

namespace copse {
namespace {

using pipeline_testing::bytes_of;
using pipeline_testing::failure_of;
using pipeline_testing::folder;
using pipeline_testing::parser_model;
using pipeline_testing::phrase_model;
using pipeline_testing::tagger_model;

ModelWriter bundle_of(const std::vector<std::string>& paths) {
  std::vector<ModelFile> files;
  for (const std::string& path : paths) files.push_back(ModelFile::open(path));
  return make_bundle(files, {{"name", "tiny"}, {"language", "en"}});
}

const std::string& bundle_path() {
  static const std::string path = [] {
    const std::string made = folder().file("tiny.copse");
    bundle_of({phrase_model(), parser_model(), tagger_model()}).save(made);  // in any order
    return made;
  }();
  return path;
}

TEST(Bundle, HoldsItsComponentsByteForByteWhereTheyLie) {
  const ModelFile file = ModelFile::open(bundle_path());
  const std::vector<ModelFile> parts = bundle_files(file);
  ASSERT_EQ(parts.size(), 3U);
  const std::vector<std::string> paths = {tagger_model(), parser_model(), phrase_model()};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].bytes(), bytes_of(paths[i]));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(parts[i].bytes().data()) % 64, 0U);
    EXPECT_GE(parts[i].bytes().data(), file.bytes().data());
    EXPECT_LE(parts[i].bytes().data() + parts[i].size(), file.bytes().data() + file.size());
  }
  EXPECT_EQ(file.config()["components"], nlohmann::json({"tagger", "dependency", "constituency"}));
  EXPECT_EQ(bundle_files(file, {"dependency"}).size(), 1U);
  EXPECT_EQ(bundle_of({tagger_model()}).bytes(), bundle_of({tagger_model()}).bytes());
}

TEST(Bundle, ParsesAsItsComponentsDo) {
  const std::string text = "The shop opened early. Ben left.\n\nShe saw the dog.";
  const Document one = Pipeline::load({tagger_model(), parser_model(), phrase_model()})(text);
  const Pipeline nlp = load(bundle_path());
  EXPECT_EQ(nlp.name(), "tiny");
  EXPECT_NE(nlp.record().find("\"language\":\"en\""), std::string::npos);
  const Document two = nlp(text);
  ASSERT_EQ(two.size(), one.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(to_string(one[i].entry(), Format::json), to_string(two[i].entry(), Format::json));
  }
  EXPECT_NE(nlp.tagger(), nullptr);
  EXPECT_NE(nlp.phrase_parser(), nullptr);
  EXPECT_EQ(nlp.reranker(), nullptr);
}

TEST(Bundle, MissingComponentsAreSkippedAndNamedWhenNeeded) {
  const Pipeline nlp = Pipeline::from(ModelFile::open(bundle_path()), {"tagger"});
  const Document document = nlp("Ben left.");
  EXPECT_TRUE(document[0].dependencies.empty());
  EXPECT_TRUE(document[0].tree.empty());
  EXPECT_NE(document[0].columns.upos(1), "_");
  EXPECT_NE(failure_of([&] { nlp.require_dependency_parser(); }).find("no dependency parser"),
            std::string::npos);
  EXPECT_NE(failure_of([&] { nlp.require_phrase_parser(); }).find("no phrase-structure"),
            std::string::npos);
}

TEST(Bundle, RefusesWhatHasNoPlace) {
  EXPECT_NE(failure_of([] { bundle_of({}); }).find("at least one"), std::string::npos);
  EXPECT_NE(failure_of([] {
              bundle_of({tagger_model(), tagger_model()});
            }).find("one tagger"),
            std::string::npos);
  EXPECT_NE(failure_of([] { bundle_of({bundle_path()}); }).find("bundle"), std::string::npos);
  EXPECT_NE(failure_of([] { bundle_files(ModelFile::open(tagger_model())); }).find("'tagger'"),
            std::string::npos);
}

std::string failure_of_bundle(const ModelWriter& writer) {
  return failure_of([&] { Pipeline::from(ModelFile::from_bytes(writer.bytes(), "bad.copse")); });
}

TEST(Bundle, SaysWhichComponentIsWrong) {
  ModelWriter other("bundle", {});
  other.add("tagger", bytes_of(parser_model()));
  EXPECT_NE(failure_of_bundle(other).find("section 'tagger' holds a model of kind \"dependency\""),
            std::string::npos);

  ModelWriter unknown("bundle", {});
  unknown.add("crystal-ball", bytes_of(tagger_model()));
  EXPECT_NE(failure_of_bundle(unknown).find("crystal-ball"), std::string::npos);

  ModelWriter empty("bundle", {});
  empty.add("tagger", "");
  EXPECT_NE(failure_of_bundle(empty).find("bad.copse:tagger"), std::string::npos);

  std::string bytes = bytes_of(tagger_model());
  ModelWriter cut("bundle", {});
  cut.add("tagger", bytes.substr(0, bytes.size() - 64));
  EXPECT_NE(failure_of_bundle(cut).find("cut short"), std::string::npos);

  // Its checksum is that of the bundle: what is wrong inside is found by whoever reads it.
  bytes[70] ^= 0x20;
  ModelWriter table("bundle", {});
  table.add("tagger", bytes);
  EXPECT_NE(failure_of_bundle(table).find("table of sections"), std::string::npos);
}

TEST(Bundle, DamageAnywhereIsNoticed) {
  const std::string good = bytes_of(bundle_path());
  for (std::size_t at = 0; at < good.size(); at += good.size() / 37 + 1) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    EXPECT_NE(failure_of([&] { ModelFile::from_bytes(bad, "bad.copse"); }), "") << at;
    EXPECT_NE(failure_of([&] { ModelFile::from_bytes(good.substr(0, at), "bad.copse"); }), "");
  }
}

}  // namespace
}  // namespace copse
