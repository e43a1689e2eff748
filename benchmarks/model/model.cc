// The linear model: looking up a million features, loading 50 MB, updating while learning.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "copse/base/random.h"
#include "copse/model/frozen_weights.h"
#include "copse/model/model_file.h"
#include "copse/model/training_weights.h"

namespace copse {
namespace {

constexpr std::size_t kFeatures = 1'000'000;
constexpr std::size_t kLabels = 50;

// Features of a tagger: most have a weight for two or three labels, a few for many.
WeightRows random_rows(std::size_t count) {
  Random random(1);
  WeightRows rows;
  std::vector<LabelWeight> row;
  for (std::size_t i = 0; i < count; ++i) {
    row.clear();
    const double density = random.chance(0.05) ? 0.4 : 0.05;
    for (Label label = 0; label < kLabels; ++label) {
      if (random.chance(density)) row.push_back({label, static_cast<float>(random.normal())});
    }
    if (row.empty()) row.push_back({0, 1.0F});
    rows.add(scramble(i + 1), row);
  }
  return rows;
}

const ModelFile& million(Precision precision) {
  const auto make = [](Precision kind) {
    ModelWriter writer("benchmark", nullptr);
    writer.add("weights", freeze(random_rows(kFeatures), kLabels, {kind, 0}));
    return ModelFile::from_bytes(writer.bytes(), "benchmark");
  };
  static const ModelFile float32 = make(Precision::float32);
  static const ModelFile int16 = make(Precision::int16);
  return precision == Precision::float32 ? float32 : int16;
}

// Positions of text: 40 features each, the given share of which were never seen.
std::vector<FeatureKey> positions(double unseen) {
  Random random(2);
  std::vector<FeatureKey> keys(40 * 5000);
  for (FeatureKey& key : keys) {
    const std::uint64_t seen = 1 + random.below(kFeatures);
    key = scramble(random.chance(unseen) ? seen + kFeatures : seen);
  }
  return keys;
}

Precision precision_of(const benchmark::State& state) {
  return state.range(0) == 16 ? Precision::int16 : Precision::float32;
}

template <class Look>
void look_up(benchmark::State& state, Look look) {
  const auto table = FrozenWeights::view(million(precision_of(state)).section("weights"));
  const auto keys = positions(static_cast<double>(state.range(1)) / 100);
  std::vector<float> scores(kLabels);
  for (auto _ : state) {
    for (std::size_t at = 0; at < keys.size(); at += 40) {
      look(table, std::span(keys).subspan(at, 40), std::span(scores));
    }
    benchmark::DoNotOptimize(scores.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(keys.size()) * state.iterations());
}

void one_by_one(const FrozenWeights& table, std::span<const FeatureKey> keys,
                std::span<float> scores) {
  for (const FeatureKey key : keys) table.add_to(table.find(key), scores);
}
void all_at_once(const FrozenWeights& table, std::span<const FeatureKey> keys,
                 std::span<float> scores) {
  table.add_all_to(keys, scores);
}

void lookup_one_by_one(benchmark::State& state) {
  look_up(state, one_by_one);
}
void lookup_all_at_once(benchmark::State& state) {
  look_up(state, all_at_once);
}
void lookups(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"bits", "unseen"});
  for (const int bits : {16, 32}) {
    for (const int unseen : {0, 50}) benchmark->Args({bits, unseen});
  }
}
BENCHMARK(lookup_one_by_one)->Apply(lookups);
BENCHMARK(lookup_all_at_once)->Apply(lookups);

// A model of about 50 MB on disk, for as long as the program runs.
class FileOf50Megabytes {
 public:
  explicit FileOf50Megabytes(Precision precision)
      : path_((std::filesystem::temp_directory_path() /
               ("copse-benchmark-" + std::to_string(::getpid()) + ".copse"))
                  .string()) {
    const std::size_t rows = precision == Precision::int16 ? 1'650'000 : 1'000'000;
    ModelWriter writer("benchmark", nullptr);
    writer.add("weights", freeze(random_rows(rows), kLabels, {precision, 0}));
    writer.save(path_);
  }
  FileOf50Megabytes(const FileOf50Megabytes&) = delete;
  FileOf50Megabytes& operator=(const FileOf50Megabytes&) = delete;
  ~FileOf50Megabytes() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void load(benchmark::State& state) {
  const FileOf50Megabytes file(precision_of(state));
  std::size_t bytes = 0;
  for (auto _ : state) {
    const ModelFile model = ModelFile::open(file.path());
    benchmark::DoNotOptimize(FrozenWeights::view(model.section("weights")));
    bytes += model.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.counters["MB"] = static_cast<double>(bytes) / static_cast<double>(state.iterations()) / 1e6;
}
BENCHMARK(load)->ArgName("bits")->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);

void load_open_and_checksums(benchmark::State& state) {
  const FileOf50Megabytes file(precision_of(state));
  for (auto _ : state) benchmark::DoNotOptimize(ModelFile::open(file.path()).size());
}
BENCHMARK(load_open_and_checksums)
    ->ArgName("bits")
    ->Arg(16)
    ->Arg(32)
    ->Unit(benchmark::kMillisecond);

// Half the updates go to a few thousand frequent features, as in text.
void train_update(benchmark::State& state) {
  Random random(3);
  TrainingWeights weights;
  std::vector<std::pair<FeatureKey, Label>> changes(1 << 18);
  for (auto& [key, label] : changes) {
    key = scramble(1 + random.below(random.chance(0.5) ? 3000 : kFeatures));
    label = static_cast<Label>(random.below(random.chance(0.8) ? 4 : kLabels));
  }
  for (auto _ : state) {
    for (const auto& [key, label] : changes) weights.update(weights.intern(key), label, 1);
    weights.end_step();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(changes.size()) * state.iterations());
  state.counters["MB"] = static_cast<double>(weights.bytes()) / 1e6;
}
BENCHMARK(train_update);

// Scores of a position under the weights while they learn, its rows known.
template <class Look>
void score_in_training(benchmark::State& state, Look look) {
  TrainingWeights weights;
  const WeightRows rows = random_rows(kFeatures);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto row = weights.intern(rows.key(i));
    for (const auto& [label, weight] : rows.row(i)) weights.update(row, label, weight);
  }
  std::vector<TrainingWeights::Row> known;
  for (const FeatureKey key : positions(0)) known.push_back(weights.find(key));
  std::vector<float> scores(kLabels);
  for (auto _ : state) {
    for (std::size_t at = 0; at < known.size(); at += 40) {
      look(weights, std::span(known).subspan(at, 40), std::span(scores));
    }
    benchmark::DoNotOptimize(scores.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(known.size()) * state.iterations());
}

void train_score_one_by_one(benchmark::State& state) {
  score_in_training(state, [](const TrainingWeights& weights, auto rows, std::span<float> scores) {
    for (const auto row : rows) weights.add_to(row, scores);
  });
}
void train_score_all_at_once(benchmark::State& state) {
  score_in_training(state, [](const TrainingWeights& weights, auto rows, std::span<float> scores) {
    weights.add_all_to(rows, scores);
  });
}
BENCHMARK(train_score_one_by_one);
BENCHMARK(train_score_all_at_once);

void freeze_a_million(benchmark::State& state) {
  const WeightRows rows = random_rows(kFeatures);
  for (auto _ : state) benchmark::DoNotOptimize(freeze(rows, kLabels).size());
}
BENCHMARK(freeze_a_million)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace copse
