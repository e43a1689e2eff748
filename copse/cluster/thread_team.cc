#include "copse/cluster/thread_team.h"

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
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

template <class Condition>
void ThreadTeam::await(const std::atomic<unsigned>& value, Condition met) const {
  for (int i = 0; i < spins_; ++i) {
    if (met(value.load(std::memory_order_acquire))) return;
    relax();
  }
  for (;;) {
    const unsigned seen = value.load(std::memory_order_acquire);
    if (met(seen)) return;
    value.wait(seen, std::memory_order_acquire);
  }
}

void ThreadTeam::run(const std::function<void(int)>& work) {
  work_ = &work;
  running_.store(static_cast<unsigned>(helpers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  if (!helpers_.empty()) round_.notify_all();
  attempt(0);
  await(running_, [](unsigned running) { return running == 0; });
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

void ThreadTeam::serve(int thread) {
  for (unsigned round = 0;; ++round) {
    await(round_, [&](unsigned now) { return now != round; });
    if (over_.load(std::memory_order_relaxed)) return;
    attempt(thread);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.notify_one();
  }
}

}  // namespace copse
