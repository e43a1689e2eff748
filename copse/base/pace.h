// How fast something repeated goes on, for lines of a log: rate and time left.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace copse {

// Told, now and then, how many of all units of one round (a pass, a run) are done.
using WorkDone = std::function<void(std::size_t done, std::size_t all)>;

// Work that several threads share: adds up what each has done.
class SharedWork {
 public:
  // `told` must outlive this; it is called by whoever adds.
  SharedWork(std::size_t all, const WorkDone& told) : all_(all), told_(told) {}

  void add(std::size_t units) {
    if (told_) told_(std::min(all_, done_ += units), all_);
  }

 private:
  std::size_t all_;
  const WorkDone& told_;
  std::atomic<std::size_t> done_ = 0;
};

class Pace {
 public:
  // `rounds` of about `units` each ("sentences") are to be done at most.
  Pace(std::size_t rounds, std::string unit) : rounds_(rounds), unit_(std::move(unit)) {}

  // After round number `done`, which had `units`: "1,374 sentences/s, at most 1:40 left"; nothing
  // is left after the last.
  std::string after(std::size_t done, std::size_t units);

  // The same from numbers, for tests: `seconds` of that round, and of all rounds together.
  static std::string render(std::size_t units, const std::string& unit, double seconds,
                            double all_seconds, std::size_t done, std::size_t rounds);

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t rounds_;
  std::string unit_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  std::size_t first_ = 0;  // rounds that were done before, of a run that goes on
};

}  // namespace copse
