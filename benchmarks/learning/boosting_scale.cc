// Boosting at the scale of Collins & Koo 2005, on lists made up for it:
//
//   boosting_scale [exp|log|both|compare] [ROUNDS [LISTS]]     (both, 100,000, 36,000)
//
// A list has 24 places, each with three ways to fill it; a way brings 12 features. One candidate
// fills every place best; the others go wrong in one to four of the places that are in doubt. So a
// candidate has 288 features, and two of a list differ in dozens. Features are drawn by
// frequency ~ 1 / (rank + 300), which makes the 500,000th about as frequent as the article's cut-off
// of five sentences asks. Each feature has a hidden worth, and the best way of a place is the one
// whose features are worth most, with noise: there is something to learn, and not all of it can be.
//
// Printed: what the data is like, seconds of user time, Work(n), Savings(a, b) beside the
// article's. "compare" runs the naive algorithm as well and says how far the choices are equal.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "copse/base/random.h"
#include "copse/learning/boosting.h"
#include "copse/learning/log_loss_boosting.h"

namespace copse {
namespace {

constexpr std::size_t kFeatures = 500'000;
constexpr int kPlaces = 24, kWays = 3, kFeaturesOfWay = 12, kPlacesInDoubt = 8;
constexpr double kShift = 300, kNoise = 3;

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e6;
}

// 1 / (rank + shift) by inverting its integral.
std::uint32_t draw_feature(Random& random) {
  const double span = std::log((static_cast<double>(kFeatures) + kShift) / kShift);
  const double rank = kShift * std::exp(random.uniform() * span) - kShift;
  return static_cast<std::uint32_t>(std::min(rank, static_cast<double>(kFeatures - 1)));
}

struct Way {
  std::vector<std::uint32_t> features;
  double worth = 0;
};

void add_list(Random& random, const std::vector<float>& worth, RankingLists& lists) {
  std::vector<std::vector<Way>> places(kPlaces);
  for (auto& ways : places) {
    ways.resize(kWays);
    for (Way& way : ways) {
      for (int f = 0; f < kFeaturesOfWay; ++f) way.features.push_back(draw_feature(random));
      for (const auto k : way.features) way.worth += worth[k];
      way.worth += kNoise * random.normal();
    }
    std::sort(ways.begin(), ways.end(),
              [](const Way& a, const Way& b) { return a.worth > b.worth; });
  }
  const int candidates = random.between(20, 36);
  std::vector<std::uint32_t> features;
  for (int c = 0; c < candidates; ++c) {
    std::vector<int> choice(kPlaces, 0);
    int wrong = 0;
    if (c > 0) {
      for (int errors = random.between(1, 4); errors > 0; --errors) {
        int& way = choice[random.below(kPlacesInDoubt)];
        wrong += way == 0 ? 1 : 0;
        way = random.between(1, kWays - 1);
      }
    }
    features.clear();
    for (int p = 0; p < kPlaces; ++p) {
      const Way& way = places[static_cast<std::size_t>(p)]
                             [static_cast<std::size_t>(choice[static_cast<std::size_t>(p)])];
      features.insert(features.end(), way.features.begin(), way.features.end());
    }
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
    lists.add_candidate(-wrong + 2 * random.normal(), kPlaces - wrong, features);
  }
  lists.end_list();
}

RankingPairs make_pairs(int count, const PairOptions& options) {
  Random random(1);
  std::vector<float> worth(kFeatures);
  for (float& each : worth) each = random.chance(0.1) ? static_cast<float>(random.normal()) : 0.0F;
  RankingLists lists;
  for (int i = 0; i < count; ++i) add_list(random, worth, lists);
  fmt::print("{} lists, {} candidates, {:.1f} features each, {} features\n", lists.size(),
             lists.candidates(),
             static_cast<double>(lists.entries()) / static_cast<double>(lists.candidates()),
             lists.dimension());
  RankingPairs pairs(lists, options);
  fmt::print("{} pairs that differ in {:.1f} features; {} features equal to others\n", pairs.size(),
             static_cast<double>(pairs.entries()) / static_cast<double>(pairs.size()),
             pairs.merged());
  return pairs;
}

void print_table(const BoostingRun& run) {
  struct Row {
    std::size_t first, last;
    double article;
  };
  fmt::print("Work({}) = {:.1f} (article, 100,000: 37.1)\n", run.rounds.size(),
             run.work(run.rounds.size()));
  fmt::print("{:>8} {:>8} {:>10} {:>10}\n", "from", "to", "savings", "article");
  for (const Row& row :
       {Row{1, 10, 48.6}, Row{11, 100, 83.5}, Row{101, 1'000, 280.0}, Row{1'001, 10'000, 1263.9},
        Row{10'001, 50'000, 2920.2}, Row{50'001, 100'000, 4229.8}, Row{1, 100'000, 2692.7}}) {
    if (row.last > run.rounds.size()) continue;
    fmt::print("{:>8} {:>8} {:>10.1f} {:>10.1f}\n", row.first, row.last,
               run.savings(row.first, row.last), row.article);
  }
}

void compare(const RankingPairs& pairs, double weight, const BoostingOptions& options) {
  const double before = user_seconds();
  const BoostingRun fast = boost(pairs, weight, options);
  const double between = user_seconds();
  const BoostingRun slow = boost_naively(pairs, weight, options);
  const double after = user_seconds();
  std::size_t same = 0;
  double farthest = 0;
  while (same < std::min(fast.rounds.size(), slow.rounds.size()) &&
         fast.rounds[same].feature == slow.rounds[same].feature) {
    farthest = std::max(farthest, std::abs(fast.rounds[same].step - slow.rounds[same].step));
    ++same;
  }
  fmt::print(
      "naive and efficient: the same choice in {} of {} rounds, steps differ by {:.2g} at "
      "most; {:.1f} s and {:.1f} s\n",
      same, slow.rounds.size(), farthest, after - between, between - before);
}

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "both";
  BoostingOptions options;
  options.rounds = argc > 2 ? std::stoi(argv[2]) : 100'000;
  const int lists = argc > 3 ? std::stoi(argv[3]) : 36'000;
  double exp_seconds = 0;
  if (what != "log") {
    const RankingPairs pairs = make_pairs(lists, {});
    const double weight = initial_log_probability_weight(pairs).weight;
    if (what == "compare") {
      compare(pairs, weight, options);
      return 0;
    }
    const double before = user_seconds();
    const BoostingRun run = boost(pairs, weight, options);
    exp_seconds = user_seconds() - before;
    fmt::print("ExpLoss: {} rounds in {:.1f} s of user time, loss {:.6g}, peak {:.2f} GB\n",
               run.rounds.size(), exp_seconds, run.loss, peak_gigabytes());
    print_table(run);
  }
  if (what != "exp") {
    PairOptions uniform;
    uniform.uniform = true;
    const RankingPairs pairs = make_pairs(lists, uniform);
    const double before = user_seconds();
    const BoostingRun run = boost_log_loss(pairs, 1, options);
    const double seconds = user_seconds() - before;
    fmt::print(
        "LogLoss by Appendix B: {} rounds in {:.1f} s of user time, loss {:.6g}, peak {:.2f} GB",
        run.rounds.size(), seconds, run.loss, peak_gigabytes());
    if (exp_seconds > 0) fmt::print("; {:.2f} times ExpLoss", seconds / exp_seconds);
    fmt::print("\n");
    print_table(run);
  }
  return 0;
}

}  // namespace
}  // namespace copse

int main(int argc, char** argv) {
  return copse::run(argc, argv);
}
