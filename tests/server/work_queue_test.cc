#include "copse/server/work_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>

namespace copse::server {
namespace {

TEST(WorkQueueThreads, TakesNoMoreThanItMayAndDoesAllThatItTook) {
  std::atomic<int> done = 0;
  std::latch begun(1), go(1);
  std::optional<WorkQueue> queue(std::in_place, 1, 2);
  ASSERT_TRUE(queue->add([&] {
    begun.count_down();
    go.wait();
    ++done;
  }));
  begun.wait();  // the only worker is at work
  EXPECT_TRUE(queue->add([&] { ++done; }));
  EXPECT_TRUE(queue->add([&] { ++done; }));
  EXPECT_FALSE(queue->add([&] { ++done; }));
  EXPECT_EQ(queue->waiting(), 2U);
  go.count_down();
  queue.reset();
  EXPECT_EQ(done, 3);
}

TEST(WorkQueueThreads, ManyWorkersDoEachJobOnce) {
  std::atomic<int> sum = 0;
  {
    WorkQueue queue(4, 1000);
    for (int i = 1; i <= 500; ++i) ASSERT_TRUE(queue.add([&sum, i] { sum += i; }));
  }
  EXPECT_EQ(sum, 500 * 501 / 2);
}

}  // namespace
}  // namespace copse::server
