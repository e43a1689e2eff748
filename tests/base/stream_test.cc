#include "copse/base/stream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "copse/base/random.h"

namespace copse {
namespace {

// Counts 0, 1, ..., last - 1.
auto count_to(int last) {
  return [next = 0, last]() mutable -> std::optional<int> {
    if (next == last) return std::nullopt;
    return next++;
  };
}

// Work whose duration differs from item to item, so that threads overtake each other.
std::string uneven_work(int item) {
  Random random(static_cast<std::uint64_t>(item));
  std::uint64_t sum = 0;
  for (std::uint64_t i = random.below(2000); i > 0; --i) sum += random.next();
  return std::to_string(item) + ":" + std::to_string(sum % 10);
}

std::vector<std::string> run_with(int threads, int items) {
  std::vector<std::string> out;
  stream_in_order<int, std::string>(threads, count_to(items), uneven_work,
                                    [&](std::string&& text) { out.push_back(std::move(text)); });
  return out;
}

TEST(Stream, GivesTheSameOutputForEveryThreadCount) {
  const auto expected = run_with(1, 500);
  ASSERT_EQ(expected.size(), 500U);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(run_with(threads, 500), expected);
}

TEST(Stream, AnEmptySourceGivesNothing) {
  EXPECT_TRUE(run_with(2, 0).empty());
}

TEST(Stream, KeepsABoundedNumberOfItemsAlive) {
  std::atomic<int> alive = 0;
  std::atomic<int> most = 0;
  auto source = [&, count = 0]() mutable -> std::optional<int> {
    if (count == 2000) return std::nullopt;
    const int now = ++alive;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    return count++;
  };
  stream_in_order<int, int>(
      4, source, [](int item) { return item; }, [&](int) { --alive; });
  EXPECT_LE(most, 4 * 4);
}

// The first failure in order is the one reported, and all before it is delivered.
void ExpectFailureAfter(int delivered, const std::string& message, int threads, int failing_source,
                        int failing_work, int failing_sink) {
  std::vector<int> out;
  std::string caught;
  try {
    stream_in_order<int, int>(
        threads,
        [&, next = 0]() mutable -> std::optional<int> {
          if (next == failing_source) throw std::runtime_error("source");
          return next < 100 ? std::optional(next++) : std::nullopt;
        },
        [&](int item) {
          if (item >= failing_work) throw std::runtime_error("work " + std::to_string(item));
          return item;
        },
        [&](int item) {
          if (item == failing_sink) throw std::runtime_error("sink");
          out.push_back(item);
        });
  } catch (const std::runtime_error& error) {
    caught = error.what();
  }
  EXPECT_EQ(caught, message) << "threads " << threads;
  EXPECT_EQ(out.size(), static_cast<std::size_t>(delivered)) << "threads " << threads;
}

TEST(Stream, ReportsTheFirstFailureInOrder) {
  for (const int threads : {1, 2, 4}) {
    ExpectFailureAfter(60, "source", threads, 60, 1000, 1000);
    ExpectFailureAfter(30, "work 30", threads, 60, 30, 1000);
    ExpectFailureAfter(10, "sink", threads, 60, 30, 10);
  }
}

}  // namespace
}  // namespace copse
