#include "copse/inference/search_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/inference/chart_oracle.h"

namespace copse {
namespace {

using reference::kFactorisations;

// Neighbours look best.
double near(int h, int m) {
  return -std::abs(h - m);
}

TEST(SearchPlan, KeepsWhatFits) {
  Workspace workspace;
  for (const Factorisation f : kFactorisations) {
    const SearchPlan plan = plan_search(ArcMask(20), f, RootRule::single, {}, near, workspace);
    EXPECT_EQ(plan.status, SearchStatus::ok);
    EXPECT_EQ(plan.used, f);
    EXPECT_FALSE(plan.degraded());
    EXPECT_EQ(plan.mask.arcs(), 400);
    EXPECT_EQ(plan.report(), "");
  }
}

TEST(SearchPlan, ForcesAMaskOnLongSentencesAndLeavesATree) {
  Workspace workspace;
  const SearchPlan plan =
      plan_search(ArcMask(160), Factorisation::model1, RootRule::single, {}, near, workspace);
  ASSERT_EQ(plan.status, SearchStatus::ok);
  EXPECT_EQ(plan.used, Factorisation::model1);
  EXPECT_TRUE(plan.heads_capped);
  EXPECT_EQ(plan.report(), "model1 asked for, model1 used, heads per word capped");
  for (int m = 1; m <= 160; ++m) EXPECT_LE(plan.mask.heads(m).size(), 21U);
  const PartIndex index(plan.mask, plan.used, RootRule::single);
  EXPECT_EQ(ProjectiveSearch(index).best(PartScores(index), workspace).status, SearchStatus::ok);
}

TEST(SearchPlan, StepsDownThroughTheOrdersAsMemoryShrinks) {
  Workspace workspace;
  std::vector<Factorisation> used;
  std::vector<SearchStatus> status;
  for (const std::size_t bytes : {1U << 30, 1U << 23, 1U << 20, 360'000U, 100'000U}) {
    SearchLimits limits;
    limits.most_bytes = bytes;
    limits.most_heads = 30;
    const SearchPlan plan =
        plan_search(ArcMask(40), Factorisation::model2, RootRule::multi, limits, near, workspace);
    used.push_back(plan.used);
    status.push_back(plan.status);
    if (plan.status != SearchStatus::ok) continue;
    EXPECT_TRUE(fits(plan.mask, plan.used, RootRule::multi, limits));
    EXPECT_EQ(plan.degraded(), plan.report() != "");
  }
  EXPECT_TRUE(std::is_sorted(used.rbegin(), used.rend()));  // never upwards
  EXPECT_EQ(used.front(), Factorisation::model2);
  EXPECT_EQ(used[2], Factorisation::sibling);
  EXPECT_EQ(used[3], Factorisation::first);
  EXPECT_EQ(status.back(), SearchStatus::too_long);
}

TEST(SearchPlan, ReportsAMaskWithoutATree) {
  ArcMask mask(200);
  for (int h = 0; h <= 200; ++h)
    if (h != 7) mask.forbid(h, 7);
  Workspace workspace;
  EXPECT_EQ(plan_search(mask, Factorisation::model1, RootRule::single, {}, near, workspace).status,
            SearchStatus::no_tree);
}

TEST(SearchPlan, CostIsAnUpperBoundOfWhatTheSearchTakes) {
  Random random(1);
  for (const Factorisation f : kFactorisations)
    for (const double removed : {0.0, 0.6}) {
      const ArcMask mask = reference::random_mask(20, removed, random);
      const PartIndex index(mask, f, RootRule::multi);
      const ProjectiveSearch search(index);
      const PartScores scores(index);
      Workspace workspace;
      const BestTree best = search.best(scores, workspace);
      const Marginals marginals = search.marginals(scores, workspace);
      const SearchCost cost = search_cost(mask, f, RootRule::multi);
      EXPECT_GE(cost.parts + 42, index.size()) << name(f);  // two "nobody" per word
      EXPECT_GE(cost.items, static_cast<std::int64_t>(search.items())) << name(f);
      EXPECT_GE(static_cast<std::size_t>(cost.bytes) + 4096,
                workspace.bytes() + scores.bytes() + marginals.mu.bytes())
          << name(f);
      EXPECT_EQ(best.status, marginals.status);
    }
}

TEST(SearchMemory, ThirdOrderChartsOfAHundredWordsStayBelow150Megabytes) {
  for (const Factorisation f : {Factorisation::model1, Factorisation::model2}) {
    const PartIndex index(ArcMask(100), f, RootRule::multi);
    const ProjectiveSearch search(index);
    const std::size_t scores = static_cast<std::size_t>(index.size()) * sizeof(float);
    EXPECT_LT(search.best_bytes(), 15'000'000U);
    EXPECT_LT(search.best_bytes() + scores, 150'000'000U);
    EXPECT_LT(search.marginal_bytes() - search.answer_bytes(), 60'000'000U);
    EXPECT_LT(search.marginal_bytes(), 180'000'000U);
  }
}

TEST(SearchMemory, SixHeadsPerWordAt250WordsStayBelow100Megabytes) {
  ArcMask mask = ArcMask::none(250);
  Random random(2);
  for (int m = 1; m <= 250; ++m) {
    mask.allow(m - 1, m);
    for (int kept = 1; kept < 6;) {
      const int h = random.between(0, 250);
      if (h == m || mask.allowed(h, m)) continue;
      mask.allow(h, m);
      ++kept;
    }
  }
  for (const Factorisation f : {Factorisation::model1, Factorisation::model2}) {
    const PartIndex index(mask, f, RootRule::multi);
    const ProjectiveSearch search(index);
    PartScores scores(index);
    Workspace workspace;
    EXPECT_EQ(search.best(scores, workspace).status, SearchStatus::ok);
    const Marginals marginals = search.marginals(scores, workspace);
    EXPECT_LT(workspace.bytes() + scores.bytes() + marginals.mu.bytes(), 100'000'000U);
  }
}

}  // namespace
}  // namespace copse
