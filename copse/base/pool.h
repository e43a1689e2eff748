// Scratch objects shared by threads: whoever needs one takes a free one or makes a new one, and
// gives it back. There are never more than threads at work.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace copse {

template <class T>
class Pool {
 public:
  // Gives the object back at the end of its life.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<T> object) : pool_(&pool), object_(std::move(object)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (object_) pool_->put_back(std::move(object_));
    }
    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }

   private:
    Pool* pool_;
    std::unique_ptr<T> object_;
  };

  Lease take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return {*this, std::make_unique<T>()};
    std::unique_ptr<T> object = std::move(free_.back());
    free_.pop_back();
    return {*this, std::move(object)};
  }

 private:
  void put_back(std::unique_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(object));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace copse
