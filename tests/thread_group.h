// A group whose members are threads of the test: what processes do by MPI, without it.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "copse/base/group.h"

namespace copse {

// Messages on their way, by sender and receiver.
class ThreadGroupMail {
 public:
  void put(int from, int to, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    boxes_[{from, to}].emplace_back(bytes.begin(), bytes.end());
    arrived_.notify_all();
  }
  std::vector<std::byte> get(int from, int to) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to}];
    arrived_.wait(lock, [&] { return !box.empty(); });
    std::vector<std::byte> out = std::move(box.front());
    box.pop_front();
    return out;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> boxes_;
};

class ThreadGroup final : public Group {
 public:
  ThreadGroup(int rank, int size, ThreadGroupMail& mail) : rank_(rank), size_(size), mail_(mail) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }

 private:
  void do_send(int to, std::span<const std::byte> bytes) override { mail_.put(rank_, to, bytes); }
  void do_receive(int from, std::span<std::byte> bytes) override {
    const std::vector<std::byte> message = mail_.get(from, rank_);
    if (message.size() != bytes.size()) throw std::length_error("sender and receiver disagree");
    std::memcpy(bytes.data(), message.data(), bytes.size());
  }

  int rank_, size_;
  ThreadGroupMail& mail_;
};

// work(group) by so many members at once; rethrows what the first of them threw. Members must not
// leave others waiting: all throw, or none.
inline void with_members(int size, const std::function<void(Group&)>& work) {
  ThreadGroupMail mail;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        ThreadGroup group(rank, size, mail);
        work(group);
      } catch (...) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  }
  threads.clear();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace copse
