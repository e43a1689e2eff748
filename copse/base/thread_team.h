// A few threads that wait for short pieces of work, thousands a second. Waiting threads look for
// work for some microseconds before they go to sleep, because waking a thread costs more than most
// pieces do; and nobody waits for a thread that has not begun, so that a busy machine costs little.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace copse {

class ThreadTeam {
 public:
  // `threads` counts the calling thread, which takes part in the work; at most 1024.
  explicit ThreadTeam(int threads);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  int size() const { return static_cast<int>(helpers_.size()) + 1; }

  // work(0) here, and work(1) ... work(size() - 1) on those other threads that are free before it
  // returns: the work itself must see to it that everything is done by whoever is there. Returns
  // when all that began are done; an exception from any of them is rethrown. Called by one thread
  // at a time.
  void run(const std::function<void(int)>& work);

  // work(i) once for every i below count, each by whoever is free. After an error the threads that
  // met none still go on to the end; then it is rethrown.
  template <class Work>
  void for_each(std::size_t count, Work&& work) {
    for_each(
        count, [] { return 0; }, [&work](std::size_t i, int) { work(i); });
  }
  // The same with memory of its own for each thread that takes part: work(i, memory), where
  // `auto memory = make()`.
  template <class Make, class Work>
  void for_each(std::size_t count, Make&& make, Work&& work) {
    std::atomic<std::size_t> next = 0;
    run([&](int) {
      auto memory = make();
      for (std::size_t i = next++; i < count; i = next++) work(i, memory);
    });
  }

 private:
  // One word: number of the round, whether it is open, how many helpers are inside.
  using State = std::uint64_t;
  static constexpr State kInside = 0xFFFF;
  static constexpr State kOpen = 0x10000;
  static constexpr State kRound = 0x20000;

  void serve(int thread);
  bool enter(State& last);
  void attempt(int thread);

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<State> state_ = 0;
  std::atomic<bool> over_ = false;
  int spins_;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::jthread> helpers_;
};

}  // namespace copse
