// Passes of the incremental parser's learner: broken off and gone on with, several weights of the
// generative model.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/constituency/phrase_training.h"
#include "tests/constituency/incremental/incremental_testing.h"

namespace copse::incremental {
namespace {

using incremental_testing::quick;
using incremental_testing::some_trees;

const std::span<const Entry> few() {
  return std::span<const Entry>(some_trees()).first(24);
}

// F1 on some of the trees, halves included.
Measure on_some() {
  const auto judge = [](const IncrementalParser& parser) {
    PhraseTraining recipe;
    recipe.threads = 1;
    SearchOptions narrow;
    narrow.beam = 2;
    const auto door = make_phrase_parser(parser, narrow);
    const auto figures =
        judge_phrase_parser(*door, std::span<const Entry>(some_trees()).subspan(24, 12), recipe);
    return DevFigures{figures.totals.f1(), figures.odd.f1(), figures.even.f1()};
  };
  return {judge, "some"};
}

TrainingOptions small() {
  TrainingOptions options = quick();
  options.epochs = 3;
  options.beam = 3;
  options.cache.rounds = 2;
  options.cache.every = 10;
  return options;
}

Trained learn(const TrainingOptions& options, const Measure& measure,
              const std::function<void(const std::string&)>& progress = {}) {
  const std::span<const Entry> trees = few();
  return train(std::span(&trees, 1), options, measure, progress);
}
std::string bytes_of(const Trained& trained) {
  return write_parser(trained.parser, nlohmann::json::object()).bytes();
}

struct StateFile {
  StateFile()
      : path((std::filesystem::temp_directory_path() /
              ("copse-incremental-" + std::to_string(::getpid()) + ".state"))
                 .string()) {
    std::filesystem::remove(path);
  }
  ~StateFile() { std::filesystem::remove(path); }
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;
  std::string path;
};

TEST(IncrementalTraining, GoesOnFromACheckpoint) {
  const StateFile state;
  TrainingOptions options = small();
  const auto bytes = [&] { return bytes_of(learn(options, {})); };
  const std::string whole = bytes();
  options.checkpoint = state.path;
  options.epochs = 1;
  EXPECT_NE(bytes(), whole);
  options.epochs = 3;
  EXPECT_EQ(bytes(), whole);
  EXPECT_EQ(bytes(), whole);  // nothing is left to do
  options.epochs = 2;
  EXPECT_THROW(bytes(), Error);  // it is further already
  options.epochs = 4;
  options.seed = 2;
  EXPECT_THROW(bytes(), Error);  // another training
  std::ofstream(state.path) << "no model";
  EXPECT_THROW(bytes(), Error);
}

// With trees to choose by and several weights, wherever it is broken off.
TEST(IncrementalTraining, GoesOnAmongSeveralWeightsOfTheGenerativeModel) {
  TrainingOptions options = small();
  options.epochs = 2;
  options.mix_grid = {0, 1, 4};
  const Trained whole = learn(options, on_some());
  ASSERT_EQ(whole.report.epochs.size(), 6U);
  const Epoch& best = whole.report.epochs[whole.report.best];
  for (const Epoch& each : whole.report.epochs) EXPECT_LE(each.dev.all, best.dev.all);
  EXPECT_EQ(whole.parser.parts().options.generative_weight, best.mix);
  EXPECT_EQ(whole.parser.parts().companion == nullptr, best.mix == 0);
  EXPECT_NE(whole.report.str().find("chosen on odd trees"), std::string::npos);

  const StateFile state;
  options.checkpoint = state.path;
  int passes = 0;
  const auto break_off = [&](const std::string& line) {
    // After passes 1, 3 (the second weight begun) and 5 of 6.
    if (line.find("epoch") != std::string::npos && ++passes % 2 == 1)
      throw data_error("broken off");
  };
  for (int k = 0; k < 3; ++k) EXPECT_THROW(learn(options, on_some(), break_off), Error);
  const Trained again = learn(options, on_some());
  EXPECT_EQ(bytes_of(again), bytes_of(whole));
  ASSERT_EQ(again.report.epochs.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(again.report.epochs[i].mix, options.mix_grid[i / 2]);
    EXPECT_EQ(again.report.epochs[i].dev.odd, whole.report.epochs[i].dev.odd);
  }
  Measure other = on_some();
  other.identity = "others";
  EXPECT_THROW(learn(options, other), Error);
  options.checkpoint.clear();
  EXPECT_THROW(learn(options, {}), Error);  // nothing to choose by
}

}  // namespace
}  // namespace copse::incremental
