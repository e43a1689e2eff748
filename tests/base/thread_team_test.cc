#include "copse/base/thread_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "copse/base/shared_range.h"

namespace copse {
namespace {

TEST(ThreadTeam, EveryPieceIsDoneOnceWhoeverIsThere) {
  for (const int threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    EXPECT_EQ(team.size(), threads);
    for (int round = 0; round < 200; ++round) {
      std::atomic<int> next = 0;
      std::vector<int> done(50);
      team.run([&](int) {
        for (int i; (i = next++) < 50;) ++done[static_cast<std::size_t>(i)];
      });
      ASSERT_EQ(done, std::vector<int>(50, 1));
    }
  }
}

TEST(ThreadTeam, AnErrorComesOutAndTheTeamGoesOn) {
  ThreadTeam team(3);
  EXPECT_THROW(team.run([](int) { throw std::runtime_error("no"); }), std::runtime_error);
  std::atomic<int> runs = 0;
  team.run([&](int) { ++runs; });
  EXPECT_GE(runs, 1);
}

TEST(ThreadTeam, ForEachDoesEveryNumberOnceWithTheMemoryOfItsThread) {
  for (const int threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    for (const std::size_t count : {0U, 1U, 50U}) {
      std::vector<int> done(count);
      team.for_each(count, [&](std::size_t i) { ++done[i]; });
      ASSERT_EQ(done, std::vector<int>(count, 1));
      std::atomic<int> made = 0;
      std::vector<int> by(count, -1);
      team.for_each(
          count,
          [&] {
            return std::vector<int>{made++, 0};
          },
          [&](std::size_t i, std::vector<int>& memory) {
            by[i] = memory[0];
            ++memory[1];  // a race, should two threads have the same
          });
      ASSERT_LE(made, threads);
      for (const int thread : by) {
        ASSERT_GE(thread, 0);
        ASSERT_LT(thread, made);
      }
    }
    EXPECT_THROW(team.for_each(9, [](std::size_t) { throw std::runtime_error("no"); }),
                 std::runtime_error);
  }
}

TEST(SharedRange, ThreadsVisitEveryNumberOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    SharedRange range(threads);
    for (const std::size_t size : {0U, 1U, 7U, 64U, 1001U}) {
      for (const std::size_t block : {1U, 16U, 2000U}) {
        range.start(size, block);
        std::vector<int> visits(size);
        team.run([&](int thread) {
          range.for_each_block(thread, [&](std::size_t first, std::size_t end) {
            EXPECT_LE(end - first, block);
            for (std::size_t i = first; i < end; ++i) ++visits[i];
          });
        });
        ASSERT_EQ(visits, std::vector<int>(size, 1));
      }
    }
  }
}

}  // namespace
}  // namespace copse
