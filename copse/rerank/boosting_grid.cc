#include "copse/rerank/boosting_grid.h"

#include <fmt/core.h>

#include <optional>

#include "copse/base/pace.h"
#include "copse/base/stream.h"
#include "copse/rerank/dev_curve.h"

namespace copse {
namespace {

struct Point {
  double smoothing = 0;
  std::shared_ptr<const BoostingRun> run;
  std::vector<CurvePoint> curve;  // empty without development lists
  std::size_t rounds = 0;         // that were counted

  std::size_t best(std::size_t part) const {
    return curve.empty() ? rounds : best_round(curve, part);
  }
};

std::size_t counted_rounds(const BoostingRun& run) {
  std::size_t rounds = 0;
  for (const BoostingRound& round : run.rounds) {
    rounds += round.feature != BoostingRound::kLogProbability ? 1 : 0;
  }
  return rounds;
}

// "smoothing round feature step loss gain cost dev-score dev-f1"
void write_rounds(const Point& point, const FeatureDictionary& dictionary,
                  const TrainingOutput& output) {
  std::size_t round_number = 0;
  for (const BoostingRound& round : point.run->rounds) {
    const bool moved = round.feature == BoostingRound::kLogProbability;
    if (!moved) ++round_number;
    std::string line = fmt::format(
        "{:g}\t{}\t{}\t{:.17g}\t{:.17g}\t{:.17g}\t{}", point.smoothing, round_number,
        moved ? std::string(kLogProbabilityReason)
              : name_of_times(dictionary[round.feature].name, dictionary[round.feature].times),
        round.step, round.loss, round.gain, round.cost);
    if (!point.curve.empty()) {
      const CurvePoint& at = point.curve[round_number];
      line += fmt::format("\t{:.17g}\t{:.4f}", at.score[kAllLists], at.f1);
    }
    output.rounds(line);
  }
}

std::string summary(const Point& point, const ListFigures* dev) {
  std::string text =
      fmt::format("smoothing {:g}: {} rounds, loss {:.6g}, work {:.1f} passes", point.smoothing,
                  point.rounds, point.run->loss, point.run->work(point.run->rounds.size()));
  if (dev != nullptr) {
    const std::size_t rounds = point.best(kAllLists);
    const CurvePoint& best = point.curve[rounds];
    text += fmt::format("; best after {}: dev score {:.3f} % of the most probable", rounds,
                        100 * best.score[kAllLists] / dev->score_baseline);
    if (dev->counted)
      text += fmt::format(", F1 {:.2f} ({:+.2f})", best.f1, best.f1 - dev->f1_baseline);
  }
  return text;
}

}  // namespace

std::string work_table(const BoostingRun& run) {
  struct Range {
    std::size_t first, last;
  };
  constexpr Range kRanges[] = {{1, 10},          {11, 100},         {101, 1'000}, {1'001, 10'000},
                               {10'001, 50'000}, {50'001, 100'000}, {1, 100'000}};
  std::string text =
      fmt::format("Work({}) = {:.1f}; savings:", run.rounds.size(), run.work(run.rounds.size()));
  for (const Range& range : kRanges) {
    if (range.first > run.rounds.size()) continue;
    const std::size_t last = std::min(range.last, run.rounds.size());
    text += fmt::format("  {}-{} {:.1f}", range.first, last, run.savings(range.first, last));
    if (last < range.last && range.first == 1 && range.last == 100'000) break;
  }
  return text;
}

GridChoices run_grid(const GridRuns& grid, const RankingData* dev,
                     const FeatureDictionary& dictionary, int threads,
                     const TrainingOutput& output) {
  std::optional<CurveIndex> index;
  std::optional<ListFigures> figures;
  if (dev != nullptr) {
    index.emplace(*dev);
    figures = figures_of(*dev);
  }
  if (output.rounds) {
    output.rounds(std::string("smoothing\tround\tfeature\tstep\tloss\tgain\tcost") +
                  (dev != nullptr ? "\tdev-score\tdev-f1" : ""));
  }
  GridChoices choices;
  std::array<double, kListParts.size()> scores = {};
  std::size_t next = 0, done = 0;
  Pace pace(grid.smoothing.size(), "rounds");
  stream_in_order<double, Point>(
      threads,
      [&]() -> std::optional<double> {
        if (next == grid.smoothing.size()) return std::nullopt;
        return grid.smoothing[next++];
      },
      [&](double smoothing) {
        Point point{smoothing, std::make_shared<const BoostingRun>(grid.learn(smoothing)), {}, 0};
        point.rounds = counted_rounds(*point.run);
        if (index) point.curve = dev_curve(*index, *point.run);
        return point;
      },
      [&](Point&& point) {
        output.report(summary(point, figures ? &*figures : nullptr) + "  " +
                      pace.after(++done, point.rounds));
        if (output.rounds) write_rounds(point, dictionary, output);
        for (std::size_t part = 0; part < choices.size(); ++part) {
          const std::size_t rounds = point.best(part);
          const double score = index ? point.curve[rounds].score[part] : 0;
          if (choices[part].run && score <= scores[part]) continue;
          scores[part] = score;
          choices[part] = {point.smoothing, rounds, point.run};
        }
      });
  output.report(work_table(*choices[kAllLists].run));
  return choices;
}

}  // namespace copse
