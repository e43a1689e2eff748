#include "copse/rerank/linear_training.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/base/random.h"
#include "copse/rerank/boosting_grid.h"
#include "copse/rerank/dev_curve.h"
#include "tests/rerank/rerank_testing.h"

namespace copse {
namespace {

using rerank_testing::half_of;
using rerank_testing::lists_of;
using rerank_testing::TextFile;

// Lists in which good features speak for a candidate, with noise.
std::string random_text(std::uint64_t seed, int lists) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < lists; ++i) {
    const int size = random.between(1, 7);
    for (int c = 0; c < size; ++c) {
      double score = 5 + random.normal();
      std::string features;
      for (int k = 0; k < 20; ++k) {
        if (!random.chance(0.3)) continue;
        const int times = random.between(1, 3);
        features += " f" + std::to_string(k) + ":" + std::to_string(times);
        score += times * (k % 4 == 0 ? 1.0 : k % 4 == 1 ? -1.0 : 0.0);
      }
      text += std::to_string(score) + "\t" + std::to_string(-10 * random.uniform()) + "\t" +
              features + "\tc" + std::to_string(c) + "\n";
    }
    text += "\n";
  }
  return text;
}

LinearTrainingOptions small(const std::string& method) {
  LinearTrainingOptions options;
  options.method = method;
  options.rounds = 60;
  options.smoothing = {0.001, 0.01};
  options.variances = {0.1, 1};
  options.scales = {1, 3};
  options.epochs = 3;
  options.cutoff.min_lists = 2;
  return options;
}

double chosen_score(const Reranker& reranker, const std::string& text) {
  double sum = 0;
  for (const Candidates& list : lists_of(text)) {
    sum += *list.items[ranking(list, reranker.scores(list)).at(0)].score;
  }
  return sum;
}

TEST(LinearTraining, EveryMethodLearnsAndTheSavedModelDoesWhatWasReported) {
  const std::string train = random_text(1, 150), dev = random_text(2, 100);
  const TextFile train_file("train", train), dev_file("dev", dev);
  for (const std::string method : {"boost", "logboost", "loglinear", "perceptron"}) {
    SCOPED_TRACE(method);
    const ModelWriter model =
        train_linear_reranker({train_file.path(), "", dev_file.path(), ""}, small(method), {});
    const ModelFile file = ModelFile::from_bytes(model.bytes(), "model");
    const auto reranker = load_reranker(file);
    EXPECT_EQ(reranker->method(), method);
    const auto& figures = file.config().at("provenance").at("figures").at("dev");
    EXPECT_NEAR(chosen_score(*reranker, dev), figures.at("score").get<double>(), 1e-6);
    const double baseline = figures.at("score_baseline"), oracle = figures.at("score_oracle");
    // at least half of what could be won
    EXPECT_GT(figures.at("score").get<double>(), baseline + (oracle - baseline) / 2);
  }
}

TEST(LinearTraining, CrossedFiguresAreThoseOfModelsChosenOnTheOtherHalf) {
  const std::string dev = random_text(2, 61);
  const TextFile train_file("train", random_text(1, 80)), dev_file("dev", dev);
  const TextFile odd("odd", half_of(dev, 0)), even("even", half_of(dev, 1));
  for (const std::string method : {"boost", "logboost", "loglinear", "perceptron"}) {
    SCOPED_TRACE(method);
    const auto trained = [&](const TextFile& chosen_by) {
      return ModelFile::from_bytes(
          train_linear_reranker({train_file.path(), "", chosen_by.path(), ""}, small(method), {})
              .bytes(),
          "model");
    };
    const ModelFile both = trained(dev_file), by_odd = trained(odd), by_even = trained(even);
    const auto& crossed = both.config().at("provenance").at("figures").at("dev_crossed");
    EXPECT_NEAR(crossed.at("chosen").get<double>(),
                chosen_score(*load_reranker(by_odd), half_of(dev, 1)) +
                    chosen_score(*load_reranker(by_even), half_of(dev, 0)),
                1e-6);
    EXPECT_LT(crossed.at("p").get<double>(), 0.05);
  }
}

TEST(CrossFigures, CountsAreShuffledAndScoresAreCompared) {
  CrossFigures scores;
  for (int i = 0; i < 5; ++i) scores.add(1, 2);
  scores.add(3, 3);
  EXPECT_DOUBLE_EQ(scores.base(), 8);
  EXPECT_DOUBLE_EQ(scores.chosen(), 13);
  EXPECT_DOUBLE_EQ(scores.p(), 2.0 / 32);  // five wins of five
  CrossFigures counts;
  for (int i = 0; i < 12; ++i) {
    counts.add(0.5, 1);
    counts.add({{5, 10, 10}, {10, 10, 10}});
  }
  EXPECT_DOUBLE_EQ(counts.base(), 50);
  EXPECT_DOUBLE_EQ(counts.chosen(), 100);
  EXPECT_LT(counts.p(), 0.002);
}

TEST(LinearTraining, ThreadsDoNotMatter) {
  const TextFile train("train", random_text(1, 60)), dev("dev", random_text(2, 40));
  for (const std::string method : {"boost", "loglinear"}) {
    LinearTrainingOptions options = small(method);
    const RerankerPaths paths{train.path(), "", dev.path(), ""};
    const std::string one = train_linear_reranker(paths, options, {}).bytes();
    options.threads = 3;
    EXPECT_EQ(train_linear_reranker(paths, options, {}).bytes(), one) << method;
  }
}

TEST(LinearTraining, EveryRoundIsLogged) {
  const TextFile train("train", random_text(1, 60)), dev("dev", random_text(2, 40));
  LinearTrainingOptions options = small("boost");
  options.move_log_probability_every = 20;
  std::vector<std::string> lines;
  TrainingOutput output;
  output.rounds = [&](const std::string& line) { lines.push_back(line); };
  train_linear_reranker({train.path(), "", dev.path(), ""}, options, output);
  ASSERT_EQ(lines.size(), 1 + 2 * (60U + 3));
  EXPECT_EQ(lines[0], "smoothing\tround\tfeature\tstep\tloss\tgain\tcost\tdev-score\tdev-f1");
  EXPECT_TRUE(lines[21].starts_with("0.001\t20\tlog-probability\t")) << lines[21];
}

TEST(LinearTraining, WithoutDevelopmentListsTheDefaultsAreTaken) {
  const TextFile train("train", random_text(1, 60));
  for (const std::string method : {"boost", "logboost", "loglinear", "perceptron"}) {
    const auto model = train_linear_reranker({train.path(), "", "", ""}, small(method), {});
    EXPECT_GT(
        chosen_score(*load_reranker(ModelFile::from_bytes(model.bytes(), "m")), random_text(1, 60)),
        0);
  }
}

TEST(LinearTraining, TheNaiveAlgorithmLearnsTheSame) {
  const TextFile train("train", random_text(3, 60)), dev("dev", random_text(4, 40));
  LinearTrainingOptions options = small("boost");
  const RerankerPaths paths{train.path(), "", dev.path(), ""};
  const auto weights = [&] {
    const auto model = train_linear_reranker(paths, options, {});
    std::map<std::string, double> result;
    const auto file = ModelFile::from_bytes(model.bytes(), "model");
    const LinearReranker reranker = LinearReranker::load(file);
    for (const auto& feature : reranker.features()) {
      result[name_of_times(feature.name, feature.times)] = feature.weight;
    }
    return result;
  };
  const auto fast = weights();
  options.naive = true;
  const auto slow = weights();
  ASSERT_EQ(fast.size(), slow.size());
  for (const auto& [name, weight] : slow) EXPECT_NEAR(fast.at(name), weight, 1e-9) << name;
}

TEST(LinearTraining, ParsesGetTreeFeatures) {
  const std::string gold = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat))))";
  const std::string list =
      "2 1\n-1\n(TOP (S (NP (DT the) (NN cat) (VBD sat))))\n-2\n" + gold + "\n\n";
  std::string lists, golds;
  for (int i = 0; i < 6; ++i) {
    lists += list;
    golds += gold + "\n";
  }
  const TextFile file("lists", lists), trees("gold.mrg", golds);
  LinearTrainingOptions options = small("boost");
  options.cutoff.min_lists = 5;
  const auto model =
      train_linear_reranker({file.path(), trees.path(), file.path(), trees.path()}, options, {});
  const auto reranker = load_reranker(ModelFile::from_bytes(model.bytes(), "model"));
  const Candidates one = lists_of(lists).at(0);
  EXPECT_EQ(ranking(one, reranker->scores(one)).at(0), 1U);
  EXPECT_FALSE(reranker->reasons(one, 1).empty());
}

TEST(DevCurve, EqualsDirectScoringAfterEveryRound) {
  const TextFile train_file("train", random_text(5, 80)), dev_file("dev", random_text(6, 50));
  GradedLists train({train_file.path(), "", "train"}), dev({dev_file.path(), "", "dev"});
  const auto source = make_given_features();
  FeatureDictionary dictionary;
  const RankingData data = read_training_lists(train, *source, {2, 20}, 1, dictionary);
  const RankingData other = read_other_lists(dev, *source, {2, 20}, 1, dictionary);
  BoostingOptions options;
  options.rounds = 50;
  options.move_log_probability_every = 7;
  const BoostingRun run = boost(RankingPairs(data.lists, {}), 0.5, options);
  const auto curve = dev_curve(CurveIndex(other), run);
  ASSERT_EQ(curve.size(), 51U);
  for (std::size_t n = 0; n < curve.size(); ++n) {
    auto weights = run.weights_after(n, data.lists.dimension());
    EXPECT_NEAR(curve[n].score[kAllLists],
                measure(other, weights.log_probability, weights.features).score, 1e-9)
        << n;
  }
  const std::size_t best = best_round(curve);
  for (const CurvePoint& point : curve)
    EXPECT_LE(point.score[kAllLists], curve[best].score[kAllLists]);
}

}  // namespace
}  // namespace copse
