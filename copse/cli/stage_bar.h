// The line on a terminal that shows how far a stage of training has come: share, rate, time left.
// Lines of the log are written through it, or they would stand in the middle of that line.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "copse/base/progress.h"

namespace copse {

class StageBar {
 public:
  // Shows nothing unless `enabled` and standard error is a terminal.
  explicit StageBar(bool enabled) : enabled_(enabled) {}

  // A stage of so many units. Safe to call from many threads, as are the others; a stage begins
  // where the title is another one or far less is done than before.
  void show(const std::string& title, const std::string& unit, std::size_t done, std::size_t all);
  // A line of the log.
  void print(const std::string& line);

 private:
  bool enabled_;
  std::mutex mutex_;
  std::string title_;
  std::size_t done_ = 0;
  std::optional<Progress> progress_;
};

}  // namespace copse
