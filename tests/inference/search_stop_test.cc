// Searches are given up half-way when they are told to, and their memory is as good as before.
#include <gtest/gtest.h>

#include <stop_token>
#include <vector>

#include "copse/inference/charts/run.h"
#include "copse/inference/dual_decomposition.h"
#include "copse/inference/tree_search.h"
#include "tests/inference/chart_oracle.h"
#include "tests/inference/crossing_oracle.h"

namespace copse {
namespace {

Stop already_asked() {
  std::stop_source source;
  source.request_stop();
  return Stop(source.get_token());
}

// A chart that calls the work off while it builds the spans of one width.
struct CalledOff {
  mutable std::stop_source source;
  int width;
  int words() const { return 6; }
  template <class Visit>
  void axioms(Visit&& visit) const {
    visit({.kind = 0});
  }
  template <class Visit>
  void cell(int i, int j, Visit&& visit) const {
    if (j - i == width) source.request_stop();
    visit({.kind = j - i});
  }
  template <class Visit>
  void top(Visit&& visit) const {
    visit({.kind = words() + 1});
  }
};

TEST(SearchStop, ChartsAreLeftAfterTheWidthInWhichTheyAreCalledOff) {
  const CalledOff chart{.source = {}, .width = 3};
  std::vector<int> seen;
  const auto note = [&](const charts::Row& row) { seen.push_back(row.kind); };
  EXPECT_THROW(charts::rows_upwards(chart, Stop(chart.source.get_token()), note), Stopped);
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3}));
  chart.source = {};
  seen.clear();
  EXPECT_THROW(charts::rows_downwards(chart, Stop(chart.source.get_token()), note), Stopped);
  EXPECT_EQ(seen, (std::vector<int>{7, 6, 5, 5, 4, 4, 4, 3, 3, 3, 3}));
}

TEST(SearchStop, EveryQuestionToAChartAsks) {
  Random random(5);
  for (const Factorisation order : reference::kFactorisations) {
    SCOPED_TRACE(name(order));
    const PartIndex index(ArcMask(5), order, RootRule::single);
    PartScores scores(index, 2);
    reference::randomise(scores, 4, random);
    const ProjectiveSearch search(index);
    Workspace workspace;
    const BestTree best = search.best(scores, workspace);
    const double log_z = search.marginals(scores, workspace).log_z;
    workspace.set_stop(already_asked());
    EXPECT_THROW(search.best(scores, workspace), Stopped);
    EXPECT_THROW(search.k_best(scores, 3, workspace), Stopped);
    EXPECT_THROW(search.log_sum(scores, workspace), Stopped);
    EXPECT_THROW(search.marginals(scores, workspace), Stopped);
    EXPECT_THROW(search.sample(scores, 3, random, workspace), Stopped);
    workspace.set_stop({});
    EXPECT_EQ(search.best(scores, workspace).tree, best.tree);
    EXPECT_EQ(search.marginals(scores, workspace).log_z, log_z);
  }
}

struct Loose {
  PartIndex index{ArcMask(6), Factorisation::model1, RootRule::single, Crossing::allowed};
  PartScores scores{index, 0};
  Loose() {
    Random random(21);
    reference::randomise(scores, 4, random);
  }
};

TEST(SearchStop, DualDecompositionAsksInEveryIteration) {
  const Loose problem;
  DualDecomposition search;
  const DualAnswer whole = search.best(problem.index, problem.scores, {});
  ASSERT_GT(whole.certificate.iterations, 10) << "the test sees nothing";
  std::stop_source source;
  search.set_stop(Stop(source.get_token()));
  int last = 0;
  search.watch([&](const DualStep& step) {
    last = step.iteration;
    if (last == 7) source.request_stop();
  });
  EXPECT_THROW(search.best(problem.index, problem.scores, {}), Stopped);
  EXPECT_EQ(last, 7);
  search.set_stop({});
  const DualAnswer again = search.best(problem.index, problem.scores, {});
  EXPECT_EQ(again.heads, whole.heads);
  EXPECT_EQ(again.certificate.iterations, whole.certificate.iterations);
}

TEST(SearchStop, TheDoorToAllSearchersTellsThemAll) {
  const Loose problem;
  const TreeKind crossing{Factorisation::model1, RootRule::single, false};
  const TreeKind projective{Factorisation::model1, RootRule::single, true};
  const PartIndex index = projective.index(ArcMask(4));
  const PartScores scores(index);
  TreeSearch search;
  search.set_stop(already_asked());
  EXPECT_THROW(search.best(crossing, problem.index, problem.scores), Stopped);
  EXPECT_THROW(search.k_best(crossing, problem.index, problem.scores, 2), Stopped);
  EXPECT_THROW(search.marginals(crossing, problem.index, problem.scores), Stopped);
  EXPECT_THROW(search.best(projective, index, scores), Stopped);
  search.set_stop({});
  EXPECT_EQ(search.best(crossing, problem.index, problem.scores).status, SearchStatus::ok);
  EXPECT_EQ(search.best(projective, index, scores).status, SearchStatus::ok);
}

}  // namespace
}  // namespace copse
