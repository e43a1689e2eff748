#include "copse/cli/stage_bar.h"

#include <fmt/core.h>

#include <cstdio>

namespace copse {

void StageBar::show(const std::string& title, const std::string& unit, std::size_t done,
                    std::size_t all) {
  const std::lock_guard lock(mutex_);
  // Threads may tell of their work in another order than they did it.
  if (!progress_ || title != title_ || done < done_ / 2) {
    progress_.reset();  // clears its line
    progress_.emplace(title, unit, enabled_);
    title_ = title;
  }
  done_ = done;
  progress_->update(done, static_cast<double>(done) / static_cast<double>(all));
}

void StageBar::print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  progress_.reset();
  fmt::print(stderr, "{}\n", line);
}

}  // namespace copse
