#include "copse/base/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "copse/base/pace.h"

namespace copse {
namespace {

std::string with_thousands(std::size_t number) {
  std::string digits = std::to_string(number);
  for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) {
    digits.insert(static_cast<std::size_t>(i), ",");
  }
  return digits;
}

std::string clock_time(double seconds) {
  const auto whole = std::lround(std::min(seconds, 359999.0));
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

Progress::Progress(std::string title, std::string unit, bool enabled)
    : title_(std::move(title)),
      unit_(std::move(unit)),
      enabled_(enabled && terminal_attached()),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (!enabled_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

bool Progress::terminal_attached() {
  return ::isatty(STDERR_FILENO) == 1;
}

std::string Progress::render(const std::string& title, const std::string& unit, std::size_t units,
                             std::optional<double> fraction, double seconds) {
  const double rate = static_cast<double>(units) / std::max(seconds, 1e-9);
  std::string line = title;
  if (fraction) {
    constexpr int kWidth = 20;
    const int filled = static_cast<int>(std::clamp(*fraction, 0.0, 1.0) * kWidth);
    line += fmt::format(" [{:#<{}}{:.<{}}] {:3.0f}%", "", filled, "", kWidth - filled,
                        std::clamp(*fraction, 0.0, 1.0) * 100);
  }
  line += fmt::format("  {} {}  {}/s", with_thousands(units), unit,
                      with_thousands(static_cast<std::size_t>(rate)));
  if (fraction && *fraction > 0) {
    line += "  eta " + clock_time(seconds * (1 - std::min(*fraction, 1.0)) / *fraction);
  }
  return line;
}

void Progress::update(std::size_t units, std::optional<double> fraction) {
  units_ = units;
  fraction_ = fraction;
  if (!enabled_) return;
  const auto now = Clock::now();
  // Ten times a second is enough for the eye; the end is always shown, however fast the work was.
  const bool complete = fraction && *fraction >= 1;
  if (!complete && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fputs(("\r" + render(title_, unit_, units, fraction, seconds) + "\x1b[K").c_str(), stderr);
  std::fflush(stderr);
}

std::string Pace::after(std::size_t done, std::size_t units) {
  const auto now = Clock::now();
  const auto since = [&](Clock::time_point then) {
    return std::chrono::duration<double>(now - then).count();
  };
  if (last_ == start_ && done > 0) first_ = done - 1;
  std::string text = render(units, unit_, since(last_), since(start_), done - first_,
                            rounds_ - std::min(rounds_, first_));
  last_ = now;
  return text;
}

std::string Pace::render(std::size_t units, const std::string& unit, double seconds,
                         double all_seconds, std::size_t done, std::size_t rounds) {
  const double rate = static_cast<double>(units) / std::max(seconds, 1e-9);
  std::string text = fmt::format("{} {}/s", with_thousands(static_cast<std::size_t>(rate)), unit);
  if (done == 0 || done >= rounds) return text;
  const double left = all_seconds / static_cast<double>(done) * static_cast<double>(rounds - done);
  return text + fmt::format(", at most {} left", clock_time(left));
}

}  // namespace copse
