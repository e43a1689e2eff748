// Model files of the generative parser with wrong numbers in them and sound checksums: each is
// refused with its section, or parses like any other.
#include "copse/constituency/generative/parser_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "copse/base/random.h"
#include "tests/constituency/constituency_testing.h"
#include "tests/model/edited_model.h"

namespace copse::generative {
namespace {

using constituency_testing::fixture_trees;
using constituency_testing::split;
using model_testing::with_config;
using model_testing::with_element;
using model_testing::with_section;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::string& model_bytes() {
  static const std::string bytes = [] {
    ModelOptions options;
    options.tagger.epochs = 1;
    const GenerativeParser parser = GenerativeParser::train(fixture_trees(), options);
    return write_parser(parser, nlohmann::json::object()).bytes();
  }();
  return bytes;
}

// Loads and uses it; the message when it is refused.
std::string loading(const std::string& bytes) {
  try {
    const GenerativeParser parser = read_parser(ModelFile::from_bytes(bytes, "test.copse"));
    ParserWorkspace workspace;
    ParseOptions options;
    options.k = 3;
    options.max_edges = 20'000;
    for (const std::string text : {"The cat sat on the mat .", "Never-seen words , 42 Of them"}) {
      const auto words = split(text);
      for (const ScoredTree& scored : parser.parse({words}, options, workspace).trees) {
        EXPECT_FALSE(std::isnan(scored.log_probability));
      }
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.place().file, "test.copse") << error.message();
    return error.message();
  }
  return {};
}

void ExpectRefused(const std::string& bytes, const std::string& what) {
  EXPECT_NE(loading(bytes).find(what), std::string::npos) << what << ": '" << loading(bytes) << "'";
}

TEST(GenerativeParserFile, OptionsStayWithinTheirRanges) {
  ASSERT_EQ(loading(model_bytes()), "");
  const nlohmann::json config = ModelFile::from_bytes(model_bytes(), "m").config();
  for (const auto& [name, ignored] : config.at("options").items()) {
    SCOPED_TRACE(name);
    const std::string pointer = "/options/" + name;
    for (const nlohmann::json& value :
         {nlohmann::json(-1), nlohmann::json(1e300), nlohmann::json("x"), nlohmann::json(nullptr),
          nlohmann::json(std::nan("")), nlohmann::json(nlohmann::json::array())}) {
      ExpectRefused(with_config(model_bytes(), pointer, value), "\"" + name + "\"");
    }
  }
  ExpectRefused(with_config(model_bytes(), "/sharpness", 0), "sharpness");
  ExpectRefused(with_config(model_bytes(), "/options/least_share", 1.5), "least_share");
  ExpectRefused(with_config(model_bytes(), "/options/rare_below", 2.5), "rare_below");
}

TEST(GenerativeParserFile, CountsOfTagsAreNumbersOfWords) {
  for (const double count : {std::nan(""), 0.0, -3.0, kInfinity, 1e300}) {
    ExpectRefused(with_element(model_bytes(), "generative/tag-counts", 1, count), "tag-counts");
  }
}

TEST(GenerativeParserFile, SharesAndProbabilitiesAreThat) {
  for (const double share : {std::nan(""), 0.0, -0.5, 2.0, kInfinity}) {
    ExpectRefused(with_element(model_bytes(), "generative/label-shares", 0, share), "label-shares");
    const auto value = static_cast<float>(share);
    if (share == 0) continue;  // a probability may be 0
    ExpectRefused(with_element(model_bytes(), "generative/top", 0, value), "top");
    ExpectRefused(with_element(model_bytes(), "generative/stops-left", 0, value), "stops-left");
  }
  for (const double value : {std::nan(""), 1e300, kInfinity}) {
    ExpectRefused(with_element(model_bytes(), "generative/root-weights", 0, value), "root-weights");
    ExpectRefused(with_element(model_bytes(), "generative/root-shares", 0, value), "root-shares");
  }
  struct Weight {
    std::uint32_t phrase;
    float value;
  };
  for (const float value : {std::nanf(""), 1e30F}) {
    ExpectRefused(with_element(model_bytes(), "generative/span-weights", 0, Weight{0, value}),
                  "span-weights");
  }
  ExpectRefused(with_element(model_bytes(), "generative/span-weights", 0, Weight{9999, 0.0F}),
                "names no phrase");
  for (const std::uint32_t size : {0U, 99U}) {
    ExpectRefused(with_element(model_bytes(), "generative/span-sizes", 0, size), "span-sizes");
  }
  for (const float probability : {-1.0F, 1e30F, std::nanf("")}) {
    ExpectRefused(
        with_element(model_bytes(), "generative/openings", 0, CoarseGrammar::Rule{0, probability}),
        "leads nowhere");
  }
}

TEST(GenerativeParserFile, FramesAreOfTheLabelsAndInOrder) {
  for (const std::uint64_t frame : {UINT64_MAX, std::uint64_t{1} << 40}) {
    ExpectRefused(with_element(model_bytes(), "generative/frame-numbers", 0, frame),
                  "frame-numbers");
  }
  const ModelFile file = ModelFile::from_bytes(model_bytes(), "m");
  const auto frames = file.array<std::uint64_t>("generative/frame-numbers");
  ASSERT_GT(frames.size(), 1U);
  ExpectRefused(with_element(model_bytes(), "generative/frame-numbers", 0, frames[1]),
                "frame-numbers");
}

TEST(GenerativeParserFile, CountsOfWordsAddUp) {
  using Pair = std::array<std::uint32_t, 2>;
  ExpectRefused(with_element(model_bytes(), "generative/word-tags", 0, Pair{0, 0}), "never seen");
  ExpectRefused(with_element(model_bytes(), "generative/word-tags", 0, Pair{0, UINT32_MAX}),
                "more than there can be");
  ExpectRefused(with_element(model_bytes(), "generative/ending-tags", 0, Pair{0, 0}), "never seen");
  ExpectRefused(with_element(model_bytes(), "generative/ending-tags", 0, Pair{9999, 1}),
                "names no tag");
}

TEST(GenerativeParserFile, TheTableOfEventsHasFreeSlots) {
  const ModelFile file = ModelFile::from_bytes(model_bytes(), "m");
  const auto entries = file.array<EventCounts::Entry>("generative/events");
  const auto table = [&](std::size_t size, std::size_t taken) {
    std::vector<EventCounts::Entry> made(size);
    for (std::size_t i = 0; i < taken; ++i) made[i] = {i + 1, 1, 1};
    return with_section(
        model_bytes(), "generative/events",
        std::string(reinterpret_cast<const char*>(made.data()), size * sizeof(EventCounts::Entry)));
  };
  EXPECT_EQ(loading(table(2048, 1000)), "");
  ExpectRefused(table(2048, 2047), "too few free slots");  // one is free
  ExpectRefused(table(8192, 2000), "too few free slots");  // in one row
  ExpectRefused(table(1000, 100), "too few free slots");   // no power of two
  std::vector<EventCounts::Entry> odd(entries.begin(), entries.end());
  const auto with_odd = [&](const EventCounts::Entry& entry) {
    return with_element(model_bytes(), "generative/events", 0, entry);
  };
  ExpectRefused(with_odd({7, 1, 2}), "more futures than events");
  ExpectRefused(with_odd({0, 1, 0}), "counts of nothing");
}

// Any counts whatever: parses have log-probabilities that are numbers.
TEST(GenerativeParserFile, WildCountsDoNoHarm) {
  const ModelFile file = ModelFile::from_bytes(model_bytes(), "m");
  const auto entries = file.array<EventCounts::Entry>("generative/events");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<EventCounts::Entry> wild(entries.begin(), entries.end());
    for (EventCounts::Entry& entry : wild) {
      if (entry.key == 0 || !random.chance(0.3)) continue;
      entry.count = random.chance(0.3) ? 0 : static_cast<std::uint32_t>(random.next());
      entry.futures = static_cast<std::uint32_t>(random.below(std::uint64_t{entry.count} + 1));
    }
    const std::string bytes(reinterpret_cast<const char*>(wild.data()),
                            wild.size() * sizeof(EventCounts::Entry));
    EXPECT_EQ(loading(with_section(model_bytes(), "generative/events", bytes)), "") << seed;
  }
}

}  // namespace
}  // namespace copse::generative
