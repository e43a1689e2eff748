#include "copse/pipeline/document_pipe.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "copse/base/stream.h"

namespace copse {
namespace {

// Enough that nobody waits while the oldest text, which may be a long one, is worked on.
constexpr std::size_t kTextsPerThread = 8;

}  // namespace

class DocumentPipe::Work {
 public:
  Work(Pipeline pipeline, PipelineOptions options)
      : pipeline_(std::move(pipeline)),
        threads_(resolve_threads(options.threads)),
        options_(std::move(options)) {
    options_.threads = 1;
    if (threads_ == 1) return;
    for (int i = 0; i < threads_; ++i) helpers_.emplace_back([this] { serve(); });
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    asked_.notify_all();
  }

  std::size_t size() const { return items_.size(); }
  std::size_t room() const {
    return threads_ == 1 ? 1 : kTextsPerThread * static_cast<std::size_t>(threads_);
  }

  void put(Question question) {
    {
      const std::lock_guard lock(mutex_);
      items_.push_back(std::make_shared<Item>(std::move(question)));
      waiting_.push_back(items_.back());
    }
    asked_.notify_one();
  }

  std::optional<Document> take(std::optional<std::chrono::milliseconds> time) {
    const std::shared_ptr<Item> item = items_.front();
    if (threads_ == 1) {
      items_.clear();
      waiting_.clear();
      answer(*item);
    } else {
      std::unique_lock lock(mutex_);
      const auto ready = [&] { return item->ready; };
      if (!time) {
        answered_.wait(lock, ready);
      } else if (!answered_.wait_for(lock, *time, ready)) {
        return std::nullopt;
      }
      items_.pop_front();
    }
    if (item->failure) std::rethrow_exception(item->failure);
    return std::move(item->document);
  }

 private:
  struct Item {
    explicit Item(Question asked) : question(std::move(asked)) {}
    Question question;
    std::optional<Document> document;
    std::exception_ptr failure;
    bool ready = false;  // under the lock
  };

  void answer(Item& item) const {
    try {
      item.document = std::visit(
          [&](auto& question) { return pipeline_(std::move(question), options_); }, item.question);
    } catch (...) {
      item.failure = std::current_exception();
    }
  }

  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      asked_.wait(lock, [&] { return over_ || !waiting_.empty(); });
      if (over_) return;
      const std::shared_ptr<Item> item = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      answer(*item);
      lock.lock();
      item->ready = true;
      if (item == items_.front()) answered_.notify_one();
    }
  }

  const Pipeline pipeline_;
  const int threads_;
  PipelineOptions options_;

  std::mutex mutex_;  // guards all below
  std::condition_variable asked_, answered_;
  std::deque<std::shared_ptr<Item>> items_;    // oldest first; changed by the owner alone
  std::deque<std::shared_ptr<Item>> waiting_;  // those that nobody works on yet
  bool over_ = false;
  std::vector<std::jthread> helpers_;  // last: they end before the rest goes
};

DocumentPipe::DocumentPipe(Pipeline pipeline, PipelineOptions options)
    : work_(std::make_unique<Work>(std::move(pipeline), std::move(options))) {}
DocumentPipe::~DocumentPipe() = default;

bool DocumentPipe::has_room() const {
  return work_->size() < work_->room();
}
bool DocumentPipe::empty() const {
  return work_->size() == 0;
}
void DocumentPipe::put(Question question) {
  work_->put(std::move(question));
}
Document DocumentPipe::take() {
  return *work_->take(std::nullopt);
}
std::optional<Document> DocumentPipe::take_within(std::chrono::milliseconds time) {
  return work_->take(time);
}

}  // namespace copse
