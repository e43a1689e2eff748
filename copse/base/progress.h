// A progress line on standard error: share done, rate, time left. Shown only when standard
// error is a terminal and the user did not ask for quiet; otherwise every call does nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace copse {

class Progress {
 public:
  // `unit` is what is counted ("sentences"); shown only if `enabled`.
  Progress(std::string title, std::string unit, bool enabled);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // clears the line

  void add(std::size_t units) { update(units_ + units, fraction_); }
  // `fraction` of the whole work, 0..1, when it is known.
  void update(std::size_t units, std::optional<double> fraction);

  static bool terminal_attached();

  // The line itself, for tests: "convert [####......]  40%  1,200 sentences  600/s  eta 0:03".
  static std::string render(const std::string& title, const std::string& unit, std::size_t units,
                            std::optional<double> fraction, double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  std::string unit_;
  bool enabled_;
  std::size_t units_ = 0;
  std::optional<double> fraction_;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace copse
