// What a server does not do: read more, work longer, hold more than this. And the clock of one
// request, which every step that takes long looks at.
#pragma once

#include <chrono>
#include <cstddef>

#include "copse/base/stop.h"
#include "copse/server/http.h"

namespace copse::server {

struct ServerLimits {
  std::size_t max_bytes = std::size_t{1} << 20;  // of a body
  std::size_t max_header_bytes = std::size_t{16} << 10;
  int max_words = 400;                            // of a sentence
  int max_nbest = 200;                            // trees of a sentence
  int max_queue = 256;                            // requests that wait for a worker
  int max_connections = 2000;                     // the one idle longest makes room for another
  std::chrono::milliseconds work_time{10'000};    // from the request's last byte to its answer
  std::chrono::milliseconds header_time{10'000};  // until a request's headers are there
  std::chrono::milliseconds body_time{30'000};    // until its body is
  std::chrono::milliseconds write_time{30'000};   // until the answer is taken
  std::chrono::milliseconds idle_time{30'000};    // between two requests
  std::chrono::milliseconds drain_time{30'000};   // to finish when it is told to stop
};

inline Refusal out_of_time() {
  return Refusal(503, "deadline", "the work was stopped at its time limit; send less text at once",
                 {{"Retry-After", "1"}});
}

class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds time) : stop_(Stop::after(time)) {}
  // For work that looks at it while it searches; throws Stopped.
  const Stop& stop() const { return stop_; }
  // Throws Refusal 503 when the time is over. Called before every sentence.
  void check() const {
    if (stop_.time_is_up()) throw out_of_time();
  }

 private:
  Stop stop_;
};

}  // namespace copse::server
