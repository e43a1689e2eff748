// Requests out of the bytes of a connection, as they come: Boost.Beast's parser under our limits,
// and what it lets pass refused.
//
// Nothing here waits or knows a socket, so that tests and the fuzzer cut the bytes where they like.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "copse/server/http.h"
#include "copse/server/limits.h"

namespace copse::server {

class RequestReader {
 public:
  enum class State {
    waiting,   // nothing of a request has come
    header,    // some of its headers
    body,      // its headers and perhaps some of the body
    complete,  // take() it
    refused,   // answer refusal() and close: where the next request begins is not known
  };

  explicit RequestReader(const ServerLimits& limits);
  ~RequestReader();
  RequestReader(RequestReader&&) noexcept;

  // The state after these bytes. Bytes behind a complete request wait for the next one.
  State feed(std::string_view bytes);
  State state() const;
  // The client waits for "100 Continue" before it sends the body. True once.
  bool wants_continue();
  const Refusal& refusal() const;
  // The request; what came behind it begins the next one: see state().
  Request take();

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace copse::server
