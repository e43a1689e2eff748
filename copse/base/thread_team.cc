#include "copse/base/thread_team.h"

#include <utility>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace copse {
namespace {

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#endif
}

}  // namespace

ThreadTeam::ThreadTeam(int threads)
    : spins_(threads <= static_cast<int>(std::thread::hardware_concurrency()) ? 3000 : 0) {
  helpers_.reserve(static_cast<std::size_t>(threads) - 1);
  for (int i = 1; i < threads; ++i) helpers_.emplace_back([this, i] { serve(i); });
}

ThreadTeam::~ThreadTeam() {
  over_.store(true, std::memory_order_relaxed);
  state_.fetch_add(kRound, std::memory_order_release);
  state_.notify_all();
}

void ThreadTeam::run(const std::function<void(int)>& work) {
  work_ = &work;
  const State next = (state_.load(std::memory_order_relaxed) & ~(kRound - 1)) + kRound;
  state_.store(next | kOpen, std::memory_order_release);
  if (!helpers_.empty()) state_.notify_all();
  attempt(0);
  State inside = state_.fetch_and(~kOpen, std::memory_order_acquire) & kInside;
  for (int i = 0; inside != 0; ++i) {
    if (i < spins_) {
      relax();
    } else {
      state_.wait(next | inside, std::memory_order_acquire);
    }
    inside = state_.load(std::memory_order_acquire) & kInside;
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadTeam::attempt(int thread) {
  try {
    (*work_)(thread);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

// Takes part in a round that is open and later than `last`, which becomes it.
bool ThreadTeam::enter(State& last) {
  State state = state_.load(std::memory_order_acquire);
  while ((state & kOpen) != 0 && state / kRound != last) {
    if (state_.compare_exchange_weak(state, state + 1, std::memory_order_acquire)) {
      last = state / kRound;
      return true;
    }
  }
  return false;
}

void ThreadTeam::serve(int thread) {
  State last = 0;
  for (int idle = 0; !over_.load(std::memory_order_relaxed);) {
    if (enter(last)) {
      attempt(thread);
      state_.fetch_sub(1, std::memory_order_release);
      state_.notify_all();
      idle = 0;
    } else if (idle < spins_) {
      ++idle;
      relax();
    } else {
      const State state = state_.load(std::memory_order_acquire);
      const bool open = (state & kOpen) != 0 && state / kRound != last;
      if (!open && !over_.load(std::memory_order_relaxed)) state_.wait(state);
    }
  }
}

}  // namespace copse
