#include "copse/server/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace copse::server {
namespace {

// Bytes of memory that the process holds; 0 where the system does not tell.
long long resident_bytes() {
  long long total = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  const int read = std::fscanf(file, "%lld %lld", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * sysconf(_SC_PAGESIZE) : 0;
}

void head(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  out += fmt::format("# HELP copse_{0} {2}\n# TYPE copse_{0} {1}\n", name, type, help);
}

void single(std::string& out, std::string_view name, std::string_view type, std::string_view help,
            long long value) {
  head(out, name, type, help);
  out += fmt::format("copse_{} {}\n", name, value);
}

}  // namespace

Metrics::Metrics(std::vector<std::string> routes) : routes_(routes.size() + 1) {
  for (std::size_t i = 0; i < routes.size(); ++i) routes_[i].name = std::move(routes[i]);
  routes_.back().name = "other";
}

void Metrics::count(std::size_t route, int status, double seconds) {
  Route& of = routes_[std::min(route, routes_.size() - 1)];
  ++of.by_status[static_cast<std::size_t>(std::clamp(status, 0, 599))];
  const auto* const bucket = std::ranges::lower_bound(kBuckets, seconds);
  ++of.by_time[static_cast<std::size_t>(bucket - kBuckets.begin())];
  of.microseconds += static_cast<std::uint64_t>(seconds * 1e6);
}

void Metrics::count_work(int sentences, int words) {
  sentences_ += static_cast<std::uint64_t>(sentences);
  words_ += static_cast<std::uint64_t>(words);
}

std::string Metrics::text() const {
  std::string out;
  head(out, "http_requests_total", "counter", "Requests by route and status.");
  for (const Route& route : routes_) {
    for (std::size_t status = 0; status < route.by_status.size(); ++status) {
      if (const auto number = route.by_status[status].load()) {
        out += fmt::format("copse_http_requests_total{{route=\"{}\",status=\"{}\"}} {}\n",
                           route.name, status, number);
      }
    }
  }
  head(out, "http_request_seconds", "histogram", "From a request's last byte to its answer.");
  for (const Route& route : routes_) {
    std::uint64_t sum = 0;
    for (const auto& each : route.by_time) sum += each.load();
    if (sum == 0) continue;
    std::uint64_t up_to = 0;
    for (std::size_t b = 0; b < kBuckets.size(); ++b) {
      up_to += route.by_time[b].load();
      out += fmt::format("copse_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n",
                         route.name, kBuckets[b], up_to);
    }
    out += fmt::format(
        "copse_http_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
        "copse_http_request_seconds_sum{{route=\"{0}\"}} {2:.6f}\n"
        "copse_http_request_seconds_count{{route=\"{0}\"}} {1}\n",
        route.name, sum, static_cast<double>(route.microseconds.load()) * 1e-6);
  }
  const auto number = [](const auto& atomic) { return static_cast<long long>(atomic.load()); };
  single(out, "connections", "gauge", "Connections that are open.", number(connections));
  single(out, "connections_total", "counter", "Connections accepted.", number(accepted));
  single(out, "connections_evicted_total", "counter",
         "Idle connections closed to make room for others.", number(evicted));
  single(out, "queue_length", "gauge", "Requests that wait for a worker.", number(queued));
  single(out, "working", "gauge", "Requests that are worked on.", number(working));
  single(out, "queue_refusals_total", "counter", "Requests refused because the queue was full.",
         number(refused_by_queue));
  single(out, "timeouts_total", "counter", "Connections closed because the client was too slow.",
         number(timed_out));
  single(out, "reloads_total", "counter", "Times that all models were loaded again.",
         number(reloads));
  single(out, "failed_reloads_total", "counter", "Times that this failed.", number(failed_reloads));
  single(out, "sentences_total", "counter", "Sentences worked on.", number(sentences_));
  single(out, "words_total", "counter", "Words in them.", number(words_));
  single(out, "resident_bytes", "gauge", "Memory that the process holds.", resident_bytes());
  return out;
}

}  // namespace copse::server
