#include "copse/cluster/merge_window.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "copse/base/random.h"

namespace copse {
namespace {

using Slot = MergeWindow::Slot;

// The loss of a pair by its definition, from the counts in the window.
class Definition {
 public:
  Definition(const MergeWindow& window, const FixedLog& logs) : window_(window), logs_(logs) {
    for (Slot slot = 0; slot < window.clusters(); ++slot) slots_.push_back(slot);
  }

  Fixed loss(Slot i, Slot j) const {
    std::vector<std::vector<Slot>> before;
    std::vector<std::vector<Slot>> after{{i, j}};
    for (const Slot slot : slots_) {
      before.push_back({slot});
      if (slot != i && slot != j) after.push_back({slot});
    }
    return information(before) - information(after);
  }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  Fixed information(const std::vector<std::vector<Slot>>& clusters) const {
    Fixed total = 0;
    for (const auto& a : clusters) {
      for (const auto& b : clusters) {
        std::uint64_t cell = 0;
        std::uint64_t left = 0;
        std::uint64_t right = 0;
        for (const Slot v : a) {
          left += window_.counts().marginals(v).left;
          for (const Slot w : b) cell += window_.counts().count(v, w);
        }
        for (const Slot w : b) right += window_.counts().marginals(w).right;
        if (cell == 0) continue;
        total += static_cast<Fixed>(cell) * (logs_.log(cell) - logs_.log(left) - logs_.log(right));
      }
    }
    return total;
  }

  const MergeWindow& window_;
  const FixedLog& logs_;
  std::vector<Slot> slots_;
};

void ExpectLossesAsDefined(const MergeWindow& window, const FixedLog& logs) {
  const Definition definition(window, logs);
  for (const Slot i : definition.slots()) {
    for (const Slot j : definition.slots()) {
      if (i == j) continue;
      ASSERT_EQ(window.loss(i, j), definition.loss(i, j)) << i << " " << j;
    }
  }
}

std::vector<Cell> random_cells(Random& random, const MergeWindow& window, double density,
                               int largest) {
  std::vector<Cell> cells;
  for (Slot slot = 0; slot < window.clusters(); ++slot) {
    if (random.chance(density)) {
      cells.emplace_back(slot, static_cast<std::uint64_t>(random.between(1, largest)));
    }
  }
  return cells;
}

std::uint64_t sum(const std::vector<Cell>& cells) {
  std::uint64_t total = 0;
  for (const Cell cell : cells) total += cell.count();
  return total;
}

Fixed least_loss(const MergeWindow& window) {
  Fixed least = RowBounds::kNever;
  for (Slot i = 0; i < window.clusters(); ++i) {
    for (Slot j = 0; j < i; ++j) least = std::min(least, window.loss(i, j));
  }
  return least;
}

void CheckRandomSteps(std::uint64_t seed, std::uint32_t size, int steps, int largest,
                      ThreadTeam& team, const FixedLog& logs) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const double density = random.uniform();
  MergeWindow window(size, logs, team);
  for (int step = 0; step < steps; ++step) {
    if (window.clusters() < size && (window.clusters() < 2 || random.chance(0.6))) {
      const auto follows = random_cells(random, window, density, largest);
      const auto precedes = random_cells(random, window, density, largest);
      const std::uint64_t self = random.below(3);
      const std::uint64_t outside = random.below(5);  // neighbours not yet in the window
      window.add({static_cast<std::uint32_t>(step), sum(follows) + self + outside,
                  sum(precedes) + self + outside, self, follows, precedes});
    } else {
      const Fixed least = least_loss(window);
      const MergeWindow::Merged merged = window.merge_least();
      EXPECT_EQ(merged.loss, least);
      EXPECT_LT(merged.into, merged.from);
      EXPECT_EQ(window.id(merged.slot), merged.into);
    }
    ExpectLossesAsDefined(window, logs);
    if (testing::Test::HasFailure()) return;
  }
}

// Cells may count more than l or r here, which no text does; the arithmetic is the same.
TEST(MergeWindow, LossesEqualTheirDefinitionAfterEveryStep) {
  const FixedLog logs(20);
  ThreadTeam team(1);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CheckRandomSteps(seed, 2 + static_cast<std::uint32_t>(seed % 9), 30, 4, team, logs);
  }
}

TEST(MergeWindow, CountsBeyondTheTableGiveExactLossesToo) {
  const FixedLog logs(18);
  ThreadTeam team(1);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CheckRandomSteps(seed, 7, 20, 2 * static_cast<int>(FixedLog::kTabled), team, logs);
  }
}

TEST(MergeWindow, SeveralThreadsGiveExactLosses) {
  const FixedLog logs(20);
  ThreadTeam team(3);
  MergeWindow window(151, logs, team);
  ThreadTeam alone(1);
  MergeWindow other(151, logs, alone);
  Random random(5);
  for (std::uint32_t id = 0; id < 170; ++id) {
    const auto follows = random_cells(random, window, 0.7, 9);
    const auto precedes = random_cells(random, window, 0.7, 9);
    const MergeWindow::NewCluster cluster{id, sum(follows) + 1, sum(precedes) + 1,
                                          1,  follows,          precedes};
    EXPECT_EQ(window.add(cluster), other.add(cluster));
    if (window.clusters() <= 150) continue;
    const auto here = window.merge_least();
    const auto there = other.merge_least();
    EXPECT_EQ(here.loss, there.loss);
    EXPECT_EQ(here.into, there.into);
    EXPECT_EQ(here.slot, there.slot);
  }
  for (Slot i = 0; i < window.clusters(); ++i) {
    for (Slot j = 0; j < i; ++j) ASSERT_EQ(window.loss(i, j), other.loss(i, j));
  }
}

}  // namespace
}  // namespace copse
