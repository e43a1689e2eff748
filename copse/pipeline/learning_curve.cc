#include "copse/pipeline/learning_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "copse/base/error.h"
#include "copse/treebank/drawing/curve_svg.h"

namespace copse {
namespace {

bool has_clusters(const std::vector<LearningCurvePoint>& curve) {
  return std::any_of(curve.begin(), curve.end(),
                     [](const auto& point) { return point.clusters.words > 0; });
}

nlohmann::json scores_json(const DependencyScores& scores, bool labelled) {
  nlohmann::json out = {{"uas", scores.uas()}};
  if (labelled) out["las"] = scores.las();
  return out;
}

}  // namespace

std::string training_curve_svg(const std::vector<TrainingPass>& passes, DependencyLearner learner,
                               bool labelled) {
  const bool dual =
      learner == DependencyLearner::eg_log_linear || learner == DependencyLearner::eg_max_margin;
  CurveSeries uas{"UAS", {}}, las{"LAS", {}}, loss{dual ? "dual objective" : "loss", {}};
  for (const TrainingPass& pass : passes) {
    loss.points.push_back({static_cast<double>(pass.pass), pass.loss});
    if (pass.dev.words == 0) continue;
    uas.points.push_back({static_cast<double>(pass.pass), pass.dev.uas()});
    las.points.push_back({static_cast<double>(pass.pass), pass.dev.las()});
  }
  CurveChart chart{"Training a dependency parser", {}};
  if (!uas.points.empty()) {
    CurvePanel accuracy{"pass", "right on dev, %", {uas}};
    if (labelled) accuracy.series.push_back(las);
    chart.panels.push_back(std::move(accuracy));
  }
  chart.panels.push_back({"pass", "in training", {loss}});
  return curve_svg(chart);
}

std::vector<LearningCurvePoint> learning_curve(const TrainingSentences& data,
                                               const DependencyTraining& options,
                                               const std::vector<std::size_t>& sizes,
                                               const TrainingProgress& progress) {
  if (data.dev.empty())
    throw usage_error("a learning curve is measured on other data", "give dev data");
  if (!options.checkpoint.empty()) {
    throw usage_error("a learning curve trains many parsers; a checkpoint is for one");
  }
  std::set<std::size_t> distinct;
  for (const std::size_t size : sizes) distinct.insert(std::min(size, data.train.size()));
  DependencyTraining plain = options;
  plain.clusters = nullptr;
  plain.lexical_limit = 0;
  const auto train = [&](std::size_t size, const DependencyTraining& how, std::string_view name) {
    if (progress.step) progress.step(fmt::format("{} sentences, {}", size, name));
    const std::vector<Sentence> first(data.train.begin(),
                                      data.train.begin() + static_cast<std::ptrdiff_t>(size));
    return train_dependency_parser(first, data.dev, how, progress).dev;
  };
  std::vector<LearningCurvePoint> curve;
  for (const std::size_t size : distinct) {
    LearningCurvePoint point{size, train(size, plain, "baseline"), {}};
    if (options.clusters) point.clusters = train(size, options, "with clusters");
    curve.push_back(point);
  }
  return curve;
}

std::string learning_curve_table(const std::vector<LearningCurvePoint>& curve, bool labelled) {
  const bool clusters = has_clusters(curve);
  std::string out = fmt::format("{:>9}  {:>7}", "sentences", "UAS");
  if (labelled) out += fmt::format("  {:>7}", "LAS");
  if (clusters) out += fmt::format("  {:>14}", "clusters: UAS");
  if (clusters && labelled) out += fmt::format("  {:>7}", "LAS");
  out += '\n';
  for (const LearningCurvePoint& point : curve) {
    out += fmt::format("{:>9}  {:>7.2f}", point.sentences, point.baseline.uas());
    if (labelled) out += fmt::format("  {:>7.2f}", point.baseline.las());
    if (clusters) out += fmt::format("  {:>14.2f}", point.clusters.uas());
    if (clusters && labelled) out += fmt::format("  {:>7.2f}", point.clusters.las());
    out += '\n';
  }
  return out;
}

std::string learning_curve_json(const std::vector<LearningCurvePoint>& curve, bool labelled) {
  nlohmann::json points = nlohmann::json::array();
  for (const LearningCurvePoint& point : curve) {
    nlohmann::json next = {{"sentences", point.sentences},
                           {"baseline", scores_json(point.baseline, labelled)}};
    if (point.clusters.words > 0) next["clusters"] = scores_json(point.clusters, labelled);
    points.push_back(std::move(next));
  }
  return nlohmann::json{{"curve", std::move(points)}}.dump(1) + "\n";
}

std::string learning_curve_svg(const std::vector<LearningCurvePoint>& curve, bool labelled) {
  CurvePanel uas{"training sentences", "UAS on dev, %", {{"baseline", {}}}, true};
  CurvePanel las{"training sentences", "LAS on dev, %", {{"baseline", {}}}, true};
  if (has_clusters(curve)) {
    uas.series.push_back({"with clusters", {}});
    las.series.push_back({"with clusters", {}});
  }
  for (const LearningCurvePoint& point : curve) {
    const auto x = static_cast<double>(point.sentences);
    const auto add = [&](std::size_t k, const DependencyScores& scores) {
      if (scores.words == 0) return;
      uas.series[k].points.push_back({x, scores.uas()});
      las.series[k].points.push_back({x, scores.las()});
    };
    add(0, point.baseline);
    add(1, point.clusters);
  }
  CurveChart chart{"Accuracy by training data", {uas}};
  if (labelled) chart.panels.push_back(las);
  return curve_svg(chart);
}

}  // namespace copse
