// A server without its sockets: requests in, answers out. Tests and the fuzzer call it as the
// listener does.
//
// Whatever happens to a request, it gets an answer: a Refusal becomes its status, a usage or data
// error of the library 422, anything else a 500 that tells nothing of the inside.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "copse/server/http.h"
#include "copse/server/limits.h"
#include "copse/server/metrics.h"
#include "copse/server/model_shelf.h"

namespace copse::server {

struct Route {
  std::string_view method;  // of GET, HEAD too
  std::string_view path;
  bool work = false;  // takes a worker; else it is answered at once
  bool needs_token = true;
};
std::span<const Route> all_routes();

struct ServiceOptions {
  ServerLimits limits;
  std::string token;  // required as "Authorization: Bearer TOKEN" if not empty
};

class Service {
 public:
  static constexpr std::size_t kNoRoute = static_cast<std::size_t>(-1);

  Service(ModelShelf& shelf, ServiceOptions options);

  const ServerLimits& limits() const { return options_.limits; }
  Metrics& metrics() const { return metrics_; }
  ModelShelf& shelf() const { return shelf_; }

  // Which of all_routes(); kNoRoute for paths and methods that are not there.
  static std::size_t route_of(const Request& request);
  // Whether answering takes a worker.
  static bool takes_work(std::size_t route) {
    return route != kNoRoute && all_routes()[route].work;
  }
  // Never throws. Thread-safe.
  Response answer(const Request& request, std::size_t route, const Deadline& deadline) const;
  Response answer(const Request& request) const;  // with the time that the limits give

  // While it stops, /health/ready says no.
  std::atomic<bool> stopping{false};

 private:
  Response dispatch(const Request& request, std::size_t route, const Deadline& deadline) const;
  void require_token(const Request& request) const;

  ModelShelf& shelf_;
  ServiceOptions options_;
  mutable Metrics metrics_;
};

}  // namespace copse::server
