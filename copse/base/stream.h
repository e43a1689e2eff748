// A deterministic parallel map over a stream: items are taken one by one, worked on by several
// threads, and given out in the order they were taken. Memory is bounded: at most a few items
// per thread are alive at a time, however long the stream is.
//
// Written with standard threads and one lock, not with TBB's pipeline: the hand-over of items then
// is visible to ThreadSanitizer, which cannot look into that library. The lock is held a few times
// per item, and an item is a megabyte of text.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace copse {

// 0 means every core; anything else is returned as it is.
int resolve_threads(int requested);

namespace detail {

// The calls are type-erased: one indirect call per item costs nothing, and GCC 12 at -O1 and above
// was seen to keep the state of an inlined source() in registers across the lock.
template <class In, class Out>
class OrderedStream {
 public:
  using Source = std::function<std::optional<In>()>;
  using Work = std::function<Out(In&&)>;
  using Sink = std::function<void(Out&&)>;

  OrderedStream(int threads, Source source, Work work, Sink sink)
      : threads_(threads),
        source_(std::move(source)),
        work_(std::move(work)),
        sink_(std::move(sink)),
        ring_(static_cast<std::size_t>(threads) * kItemsPerThread) {}

  void run() {
    {
      std::vector<std::jthread> helpers;
      for (int i = 1; i < threads_; ++i) helpers.emplace_back([this] { serve(); });
      serve();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t kItemsPerThread = 4;

  // Item number k is in slot k % size: it is given out before item k + size is taken.
  struct Slot {
    std::optional<Out> out;
    std::exception_ptr failure;
    bool ready = false;
  };

  // Every thread does whatever is next to do: give, else take and work, else wait.
  void serve() {
    std::unique_lock lock(mutex_);
    while (!over()) {
      if (can_give()) {
        give(lock);
      } else if (can_take()) {
        take(lock);
      } else {
        changed_.wait(lock);
      }
    }
  }

  bool over() const { return failure_ || (ended_ && given_ == taken_); }
  bool can_give() const { return !giving_ && given_ < taken_ && slot(given_).ready; }
  bool can_take() const { return !taking_ && !ended_ && taken_ - given_ < ring_.size(); }

  const Slot& slot(std::size_t item) const { return ring_[item % ring_.size()]; }
  Slot& slot(std::size_t item) { return ring_[item % ring_.size()]; }

  void take(std::unique_lock<std::mutex>& lock) {
    taking_ = true;
    lock.unlock();
    std::optional<In> in;
    std::exception_ptr failure;
    try {
      in = source_();
    } catch (...) {
      failure = std::current_exception();  // travels behind the good items
    }
    lock.lock();
    taking_ = false;
    ended_ = ended_ || !in;
    if (in || failure) {
      const std::size_t item = taken_++;
      slot(item) = {std::nullopt, failure, !in};
      if (in) {
        changed_.notify_all();  // somebody else may take the next
        work_on(item, std::move(*in), lock);
      }
    }
    changed_.notify_all();
  }

  void work_on(std::size_t item, In&& in, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    Slot done;
    try {
      done.out.emplace(work_(std::move(in)));
    } catch (...) {
      done.failure = std::current_exception();
    }
    done.ready = true;
    lock.lock();
    slot(item) = std::move(done);
  }

  void give(std::unique_lock<std::mutex>& lock) {
    giving_ = true;
    Slot done = std::move(slot(given_));
    lock.unlock();
    if (!done.failure) {
      try {
        sink_(std::move(*done.out));
      } catch (...) {
        done.failure = std::current_exception();
      }
    }
    lock.lock();
    giving_ = false;
    failure_ = done.failure;
    ++given_;
    changed_.notify_all();
  }

  const int threads_;
  const Source source_;
  const Work work_;
  const Sink sink_;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<Slot> ring_;
  std::size_t taken_ = 0;
  std::size_t given_ = 0;
  bool taking_ = false;  // a thread is inside source()
  bool giving_ = false;  // a thread is inside sink()
  bool ended_ = false;   // source() has no more
  std::exception_ptr failure_;
};

}  // namespace detail

// source: () -> std::optional<In>, called by one thread at a time until it returns nothing.
// work:   In -> Out, called by many threads at once.
// sink:   Out -> void, called by one thread at a time, in source order.
// The first exception in source order, from any of the three, ends the stream and is rethrown;
// everything before it has reached the sink.
template <class In, class Out, class Source, class Work, class Sink>
void stream_in_order(int threads, Source&& source, Work&& work, Sink&& sink) {
  threads = resolve_threads(threads);
  if (threads == 1) {
    while (std::optional<In> item = source()) sink(work(std::move(*item)));
    return;
  }
  detail::OrderedStream<In, Out>(threads, std::ref(source), std::ref(work), std::ref(sink)).run();
}

}  // namespace copse
