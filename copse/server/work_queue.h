// Workers behind a queue of limited length. What was taken is done, also when it is told to stop.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace copse::server {

class WorkQueue {
 public:
  using Job = std::function<void()>;  // must not throw

  WorkQueue(int workers, std::size_t most_waiting);
  ~WorkQueue();  // does what waits, then ends

  // False, and nothing happens, if as many wait as may.
  bool add(Job job);
  std::size_t waiting() const;

 private:
  void work();

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool ending_ = false;
  std::vector<std::jthread> workers_;
};

}  // namespace copse::server
