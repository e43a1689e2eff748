// When work is to be given up half-way: at a time, or when somebody says so. Whoever does long work
// calls check() every few milliseconds of it.
//
//   const Stop stop = Stop::after(std::chrono::seconds(2));
//   for (...) { stop.check(); ... }
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <utility>

#include "copse/base/error.h"

namespace copse {

// Thrown by work that was told to stop. Nothing is wrong with its input.
class Stopped : public Error {
 public:
  explicit Stopped(std::string message) : Error(ErrorKind::machine, std::move(message)) {}
};

// May be copied and asked by any number of threads.
class Stop {
 public:
  using Clock = std::chrono::steady_clock;

  // Never.
  Stop() = default;
  // At that time, or when the token is asked to stop, whichever comes first.
  explicit Stop(std::stop_token token, Clock::time_point deadline = Clock::time_point::max())
      : token_(std::move(token)), deadline_(deadline) {}
  static Stop at(Clock::time_point deadline) { return Stop({}, deadline); }
  static Stop after(Clock::duration time) { return at(Clock::now() + time); }

  bool time_is_up() const {
    return deadline_ != Clock::time_point::max() && Clock::now() >= deadline_;
  }
  bool is_asked() const { return token_.stop_requested() || time_is_up(); }
  void check() const {
    if (token_.stop_requested()) throw Stopped("the work was called off");
    if (time_is_up()) throw Stopped("the time for the work is up");
  }

 private:
  std::stop_token token_;
  Clock::time_point deadline_ = Clock::time_point::max();
};

}  // namespace copse
