#include "copse/rerank/linear_reranker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/rerank/rerank_testing.h"

namespace copse {
namespace {

using rerank_testing::lists_of;

LinearReranker sample() {
  return {"boost",
          0.5,
          {{"a", atom_of("a"), 1, 1.0}, {"a", atom_of("a"), 3, -4.0}, {"b", atom_of("b"), 2, 0.25}},
          make_given_features()};
}

constexpr const char* kList =
    "-\t-2\ta\tone\n"
    "-\t-4\ta:2 b c\ttwo\n"
    "-\t-6\ta:3 b:7\tthree\n";

TEST(LinearReranker, SumsWeightsOfEachCount) {
  const Candidates list = lists_of(kList).at(0);
  const auto scores = sample().scores(list);
  EXPECT_EQ(scores, (std::vector<double>{-1 + 1, -2 + 1, -3 + 1 - 4 + 0.25}));
  EXPECT_EQ(ranking(list, scores), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(LinearReranker, ReasonsSumToTheScore) {
  const Candidates list = lists_of(kList).at(0);
  const LinearReranker reranker = sample();
  const auto scores = reranker.scores(list);
  for (std::size_t c = 0; c < list.items.size(); ++c) {
    double sum = 0;
    for (const Reason& reason : reranker.reasons(list, c)) sum += reason.share;
    EXPECT_DOUBLE_EQ(sum, scores[c]);
  }
  const auto reasons = reranker.reasons(list, 2);
  ASSERT_EQ(reasons.size(), 4U);
  EXPECT_EQ(reasons[0].name, "log-probability");
  EXPECT_EQ(reasons[0].value, -6);
  EXPECT_EQ(reasons[2].name, "a x3");
  EXPECT_EQ(reasons[2].share, -4);
}

TEST(LinearReranker, IsTheSameAfterSaving) {
  const std::string bytes = sample().save({{"extra", 1}}).bytes();
  const auto loaded = load_reranker(ModelFile::from_bytes(bytes, "model"));
  EXPECT_EQ(loaded->method(), "boost");
  const Candidates list = lists_of(kList).at(0);
  EXPECT_EQ(loaded->scores(list), sample().scores(list));
}

TEST(LinearReranker, TiesGoToTheHigherLogProbabilityThenTheFirst) {
  const Candidates list = lists_of("-\t-3\t\n-\t-1\t\n-\t-1\t\n").at(0);
  EXPECT_EQ(ranking(list, std::vector<double>{7, 7, 7}), (std::vector<std::size_t>{1, 2, 0}));
}

std::string problem(const ModelWriter& writer) {
  try {
    load_reranker(ModelFile::from_bytes(writer.bytes(), "model"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "none";
}

TEST(LinearReranker, CraftedFilesAreRefused) {
  const auto crafted = [](nlohmann::json config, std::vector<std::uint32_t> times,
                          std::vector<double> weights) {
    ModelWriter writer(kRerankerKind, config);
    writer.add_strings("names", std::vector<std::string>{"a", "a"});
    writer.add_array<FeatureKey>("keys", std::vector<FeatureKey>{1, 1});
    writer.add_array<std::uint32_t>("times", times);
    writer.add_array<double>("weights", weights);
    return problem(writer);
  };
  const nlohmann::json good = {
      {"method", "boost"}, {"features", "given"}, {"log_probability_weight", 1}};
  const auto with = [&](const char* key, nlohmann::json value) {
    nlohmann::json config = good;
    config[key] = std::move(value);
    return config;
  };
  EXPECT_EQ(crafted(good, {1, 2}, {1, 1}), "none");
  EXPECT_NE(crafted(good, {1, 1}, {1, 1}).find("or two"), std::string::npos);
  EXPECT_NE(crafted(good, {0, 1}, {1, 1}).find("or two"), std::string::npos);
  EXPECT_NE(crafted(good, {1, 2}, {1, std::nan("")}).find("finite"), std::string::npos);
  EXPECT_NE(crafted(good, {1, 2, 3}, {1, 1}).find("number of features"), std::string::npos);
  EXPECT_NE(crafted(with("method", "magic"), {1, 2}, {1, 1}).find("magic"), std::string::npos);
  EXPECT_NE(crafted(with("method", 7), {1, 2}, {1, 1}).find("method"), std::string::npos);
  EXPECT_NE(crafted(with("features", "x"), {1, 2}, {1, 1}).find("\"x\""), std::string::npos);
  EXPECT_NE(crafted(with("log_probability_weight", "1"), {1, 2}, {1, 1}).find("number"),
            std::string::npos);
}

TEST(LinearReranker, FeaturesThatAreNoCountsAreRefused) {
  for (const char* feature : {"a:0.5", "a:-1", "a:2e9"}) {
    const Candidates list = lists_of(std::string("-\t0\t") + feature + "\n").at(0);
    EXPECT_THROW(sample().scores(list), Error) << feature;
  }
}

}  // namespace
}  // namespace copse
