// A few threads that wait for short pieces of work: the same function is run by all of them at
// once, thousands of times a second. Waiting threads look for work for some microseconds before
// they go to sleep, because waking a thread costs more than most pieces do.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace copse {

class ThreadTeam {
 public:
  // `threads` counts the calling thread, which takes part in the work.
  explicit ThreadTeam(int threads);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  int size() const { return static_cast<int>(helpers_.size()) + 1; }

  // work(0) ... work(size() - 1), each on its own thread; returns when all are done. An exception
  // from any of them is rethrown here. Called by one thread at a time.
  void run(const std::function<void(int)>& work);

 private:
  void serve(int thread);
  void attempt(int thread);
  template <class Condition>
  void await(const std::atomic<unsigned>& value, Condition met) const;

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_ = 0;    // one more for each piece of work
  std::atomic<unsigned> running_ = 0;  // helpers not yet done with it
  std::atomic<bool> over_ = false;
  int spins_;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::jthread> helpers_;
};

}  // namespace copse
