// What a group of members agrees on, and sums that do not depend on how many there are.
#include "copse/base/group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>

#include "copse/base/block_sum.h"
#include "copse/base/error.h"
#include "tests/thread_group.h"

namespace copse {
namespace {

TEST(Group, BroadcastReachesAll) {
  for (const int size : {1, 2, 3, 4, 5, 8, 13}) {
    std::atomic<int> right = 0;
    with_members(size, [&](Group& group) {
      std::vector<int> values(3, group.leads() ? 7 : 0);
      broadcast(group, std::span(values));
      std::string text = group.leads() ? "abc" : "";
      broadcast(group, text);
      right += values == std::vector<int>(3, 7) && text == "abc" ? 1 : 0;
    });
    EXPECT_EQ(right, size);
  }
}

TEST(Group, GatherKeepsTheOrderOfTheMembers) {
  with_members(4, [](Group& group) {
    const std::string mine(static_cast<std::size_t>(group.rank()), 'x');
    const std::vector<std::string> expected{"", "x", "xx", "xxx"};
    EXPECT_EQ(gather_for_all(group, mine), expected);
    EXPECT_EQ(gather(group, mine), group.leads() ? expected : std::vector<std::string>());
  });
}

TEST(Group, JobsAreDoneOnceAndAnsweredInOrder) {
  for (const int size : {1, 3, 9}) {
    std::atomic<int> done = 0;
    with_members(size, [&](Group& group) {
      const auto answers = share_jobs(group, 7, [&](std::size_t i) {
        ++done;
        return std::string(i % 3, static_cast<char>('a' + i));
      });
      EXPECT_EQ(answers, (std::vector<std::string>{"", "b", "cc", "", "e", "ff", ""}));
    });
    EXPECT_EQ(done, 7);
  }
}

TEST(Group, MembersThatDifferAreRefusedByAll) {
  std::atomic<int> refused = 0;
  with_members(3, [&](Group& group) {
    require_same(group, "same", "data");
    try {
      require_same(group, group.rank() == 2 ? "other" : "same", "data");
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "process 2 has other data than process 0");
      ++refused;
    }
  });
  EXPECT_EQ(refused, 3);
}

TEST(Group, CountsWhatItSends) {
  with_members(2, [](Group& group) {
    std::vector<double> values(5);
    broadcast(group, std::span(values));
    EXPECT_EQ(group.sent_bytes(), group.leads() ? 40U : 0U);
  });
}

TEST(BlockTree, EveryBlockHasTheOwnerWhoseRangeItIsIn) {
  for (const std::size_t blocks : {1U, 4U, 16U, 64U}) {
    for (int members = 1; members <= 20; ++members) {
      const BlockTree tree(blocks, members);
      std::size_t next = 0;
      for (int member = 0; member < members; ++member) {
        const Range range = tree.blocks_of(member);
        EXPECT_EQ(range.begin, next);
        next = range.end;
        for (std::size_t b = range.begin; b < range.end; ++b) EXPECT_EQ(tree.owner(b), member);
      }
      EXPECT_EQ(next, blocks);
    }
  }
}

// Numbers whose sum depends on the order in which they are added.
double number(std::size_t block, std::size_t j) {
  return std::sin(static_cast<double>(block * 31 + j)) *
         std::pow(10.0, static_cast<double>(block % 7));
}

// The tree as the header draws it, straightforwardly.
double tree_sum(std::size_t first, std::size_t blocks, std::size_t j) {
  if (blocks == 1) return number(first, j);
  return tree_sum(first, blocks / 2, j) + tree_sum(first + blocks / 2, blocks / 2, j);
}

TEST(BlockSum, IsTheTreesForAnyNumberOfMembersAndThreads) {
  constexpr std::size_t kLength = 5;
  for (const std::size_t blocks : {1U, 2U, 16U, 32U}) {
    for (const int members : {1, 2, 3, 4, 5, 7, 40}) {
      for (const int threads : {1, 3}) {
        with_members(members, [&](Group& group) {
          ThreadTeam team(threads);
          BlockSum sum(blocks, group, team);
          std::vector<double> total(kLength, 99);
          for (int again = 0; again < 2; ++again) {
            sum.evaluate(total, [](std::size_t block, BlockSum::Sums& sums) {
              for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += number(block, j);
            });
          }
          for (std::size_t j = 0; j < kLength; ++j) {
            EXPECT_EQ(std::bit_cast<std::uint64_t>(total[j]),
                      std::bit_cast<std::uint64_t>(tree_sum(0, blocks, j)));
          }
        });
      }
    }
  }
}

}  // namespace
}  // namespace copse
