// `copse serve`: a Service on a port.
//
// One thread moves bytes (Boost.Asio), the others work. A connection is read, answered and read
// again, never both: what a client sends ahead waits in the socket. Models are loaded again beside
// all that.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "copse/server/access_log.h"
#include "copse/server/service.h"

namespace copse::server {

struct ListenOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: one that the system chooses
  int workers = 0;            // 0: every core
};

class Server {
 public:
  // Listens. Throws machine_error when it cannot, usage_error for what is no address.
  Server(Service& service, const ListenOptions& options, AccessLog& log);
  ~Server();

  std::uint16_t port() const;
  // Until stop(), or until SIGTERM or SIGINT: then it takes no more connections, finishes what it
  // has taken, at most for the time that the limits give, and returns. SIGHUP loads the models again.
  void run();
  // From any thread.
  void stop();
  void reload();

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace copse::server
