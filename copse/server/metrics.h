// Counts of what a server does, as Prometheus reads them (text format 0.0.4).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::server {

// Any thread may count at any time.
class Metrics {
 public:
  // Seconds; the last bucket is for all that take longer.
  static constexpr std::array<double, 11> kBuckets = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                      0.1,   0.25,   0.5,   1,    5};

  explicit Metrics(std::vector<std::string> routes);

  // `route`: a place in the list given to the constructor; any other number counts as "other".
  void count(std::size_t route, int status, double seconds);
  void count_work(int sentences, int words);

  std::atomic<std::int64_t> connections{0}, queued{0}, working{0};
  std::atomic<std::uint64_t> accepted{0}, evicted{0}, refused_by_queue{0}, timed_out{0};
  std::atomic<std::uint64_t> reloads{0}, failed_reloads{0};

  std::string text() const;

 private:
  struct Route {
    std::string name;
    std::array<std::atomic<std::uint64_t>, 600> by_status{};
    std::array<std::atomic<std::uint64_t>, kBuckets.size() + 1> by_time{};
    std::atomic<std::uint64_t> microseconds{0};
  };

  std::vector<Route> routes_;
  std::atomic<std::uint64_t> sentences_{0}, words_{0};
};

}  // namespace copse::server
