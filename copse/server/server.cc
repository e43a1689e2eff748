#include "copse/server/server.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <list>
#include <optional>
#include <thread>

#include "copse/base/error.h"
#include "copse/base/stream.h"
#include "copse/server/request_reader.h"
#include "copse/server/work_queue.h"

namespace copse::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

// After a refusal the client may still be sending: closing at once would reset the connection and
// with it the answer. So much more, or so long, is read and thrown away.
constexpr std::size_t kMostDiscarded = std::size_t{4} << 20;
constexpr Milliseconds kDiscardTime{2000};

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace

class Server::Listener {
 public:
  Listener(Service& service, const ListenOptions& options, AccessLog& log);

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  void run();
  void stop() {
    asio::post(io_, [this] { begin_stop(); });
  }
  void reload() {
    asio::post(io_, [this] { begin_reload(); });
  }

 private:
  class Session;
  using Place = std::list<Session*>::iterator;

  void open(const ListenOptions& options);
  void accept();
  void take(tcp::socket socket);
  void wait_for_signal();
  void begin_stop();
  void begin_reload();
  void end_if_done();

  Service& service_;
  AccessLog& log_;
  // Before io_: sessions that it still holds at its end leave the list.
  std::list<Session*> sessions_;  // open ones, those that wait for a client longest first
  bool stopping_ = false, ended_ = false, reloading_ = false, reload_again_ = false;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::signal_set signals_{io_};
  asio::steady_timer retry_{io_}, drain_{io_};
  std::jthread reloader_;
  std::optional<WorkQueue> queue_;
};

// One connection. Everything happens in the thread of the listener but answering (Work).
class Server::Listener::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Listener& listener, tcp::socket socket)
      : listener_(listener),
        socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        reader_(listener.service_.limits()) {}
  ~Session() {
    leave();
    --metrics().connections;
  }

  void begin() {
    ++listener_.service_.metrics().connections;
    place_ = listener_.sessions_.insert(listener_.sessions_.end(), this);
    ErrorCode ignored;
    const auto peer = socket_.remote_endpoint(ignored);
    peer_ = peer.address().to_string(ignored);
    socket_.set_option(tcp::no_delay(true), ignored);
    wait_for(limits().header_time);
    read();
  }

  bool is_busy() const { return busy_; }
  // No request is under way: nothing is lost when it goes.
  bool is_idle() const { return !busy_ && !answering_ && !has_begun(); }
  void close() {
    ErrorCode ignored;
    timer_.cancel(ignored);
    socket_.close(ignored);
    leave();
  }

 private:
  using State = RequestReader::State;
  const ServerLimits& limits() const { return listener_.service_.limits(); }
  Metrics& metrics() const { return listener_.service_.metrics(); }

  bool has_begun() const { return reader_.state() != State::waiting; }

  void leave() {
    if (!place_) return;
    listener_.sessions_.erase(*place_);
    place_.reset();
    listener_.end_if_done();
  }

  // Whoever waits last is last in the list.
  void wait_for(Milliseconds time) {
    if (!place_) return;
    listener_.sessions_.splice(listener_.sessions_.end(), listener_.sessions_, *place_);
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this()](const ErrorCode& error) {
      if (!error) self->run_out_of_time();
    });
  }

  void run_out_of_time() {
    // Something came in the same moment, or it was set anew.
    if (busy_ || timer_.expiry() > Clock::now()) return;
    ++metrics().timed_out;
    if (has_begun() && !answering_) {
      send(Refusal(408, "too_slow", "the request did not come in time").response(), false);
    } else {
      close();
    }
  }

  void read() {
    socket_.async_read_some(asio::buffer(input_),
                            [self = shared_from_this()](const ErrorCode& error, std::size_t size) {
                              if (error) return self->close();
                              self->advance(self->reader_.feed({self->input_.data(), size}));
                            });
  }

  void advance(State state) {
    if (answering_) return;  // an answer that closes the connection is under way
    switch (state) {
      case State::complete:
        return answer();
      case State::refused:
        return send(reader_.refusal().response(), false);
      case State::body:
        if (!timing_body_) wait_for(limits().body_time);
        timing_body_ = true;
        if (reader_.wants_continue()) return send_continue();
        break;
      case State::header:
        if (!timing_header_) wait_for(limits().header_time);
        timing_header_ = true;
        break;
      case State::waiting:
        break;
    }
    read();
  }

  void send_continue() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(socket_, asio::buffer(kContinue.data(), kContinue.size()),
                      [self = shared_from_this()](const ErrorCode& error, std::size_t) {
                        if (error) return self->close();
                        self->read();
                      });
  }

  void answer() {
    request_ = reader_.take();
    timing_body_ = timing_header_ = false;
    came_ = Clock::now();
    route_ = Service::route_of(request_);
    timer_.cancel();
    const Deadline deadline(limits().work_time);
    if (!Service::takes_work(route_)) {
      return send(listener_.service_.answer(request_, route_, deadline), request_.keep_alive);
    }
    busy_ = true;
    ++metrics().queued;
    const bool taken = listener_.queue_->add([self = shared_from_this(), deadline]() mutable {
      --self->metrics().queued;
      ++self->metrics().working;
      Response response = self->listener_.service_.answer(self->request_, self->route_, deadline);
      --self->metrics().working;
      // The session goes back as well: it must not end in a worker.
      Session* const session = self.get();
      asio::post(session->listener_.io_, [self = std::move(self), response = std::move(response)] {
        self->busy_ = false;
        self->send(response, self->request_.keep_alive);
      });
    });
    if (taken) return;
    busy_ = false;
    --metrics().queued;
    ++metrics().refused_by_queue;
    send(Refusal(503, "busy", "too many requests wait; come again", {{"Retry-After", "1"}})
             .response(),
         request_.keep_alive);
  }

  void send(const Response& response, bool keep_alive) {
    answering_ = true;
    keep_alive_ = keep_alive && !listener_.stopping_;
    const bool head = request_.method == "HEAD";
    output_ = wire_bytes(response, keep_alive_, head);
    record(response);
    wait_for(limits().write_time);
    asio::async_write(socket_, asio::buffer(output_),
                      [self = shared_from_this()](const ErrorCode& error, std::size_t) {
                        self->after_answer(error);
                      });
  }

  void record(const Response& response) {
    const bool read = !request_.method.empty();
    const double milliseconds = read ? milliseconds_since(came_) : 0;
    metrics().count(read ? route_ : Service::kNoRoute, response.status, milliseconds * 1e-3);
    metrics().count_work(response.sentences, response.words);
    listener_.log_.write({.peer = peer_,
                          .method = request_.method,
                          .path = request_.path,
                          .model = response.model,
                          .status = response.status,
                          .bytes_in = request_.body.size(),
                          .bytes_out = response.body.size(),
                          .sentences = response.sentences,
                          .words = response.words,
                          .milliseconds = milliseconds});
  }

  void after_answer(const ErrorCode& error) {
    if (error) return close();
    if (!keep_alive_) return discard();
    answering_ = false;
    request_ = {};
    output_.clear();
    wait_for(limits().idle_time);
    advance(reader_.state());
  }

  void discard() {
    if (!draining_) {
      draining_ = true;
      ErrorCode ignored;
      socket_.shutdown(tcp::socket::shutdown_send, ignored);
      wait_for(kDiscardTime);
    }
    socket_.async_read_some(asio::buffer(input_),
                            [self = shared_from_this()](const ErrorCode& error, std::size_t size) {
                              self->discarded_ += size;
                              if (error || self->discarded_ > kMostDiscarded) return self->close();
                              self->discard();
                            });
  }

  Listener& listener_;
  tcp::socket socket_;
  asio::steady_timer timer_;
  RequestReader reader_;
  std::optional<Place> place_;
  std::string peer_;
  Request request_;
  std::string output_;
  std::array<char, 8192> input_;
  Clock::time_point came_;
  std::size_t route_ = Service::kNoRoute, discarded_ = 0;
  bool busy_ = false;       // a worker has the request
  bool answering_ = false;  // an answer is being written
  bool keep_alive_ = true, draining_ = false;
  bool timing_header_ = false, timing_body_ = false;
};

Server::Listener::Listener(Service& service, const ListenOptions& options, AccessLog& log)
    : service_(service), log_(log) {
  raise_descriptor_limit();
  open(options);
  queue_.emplace(resolve_threads(options.workers),
                 static_cast<std::size_t>(service.limits().max_queue));
}

void Server::Listener::open(const ListenOptions& options) {
  ErrorCode error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error) throw usage_error(fmt::format("'{}' is no address", options.address));
  const tcp::endpoint endpoint(address, options.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    throw machine_error(fmt::format("cannot listen at {} port {}: {}", options.address,
                                    options.port, error.message()));
  }
}

void Server::Listener::run() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) signals_.add(signal);
  wait_for_signal();
  accept();
  io_.run();
  ended_ = true;
  queue_.reset();
}

void Server::Listener::wait_for_signal() {
  signals_.async_wait([this](const ErrorCode& error, int signal) {
    if (error) return;
    if (signal == SIGHUP) {
      begin_reload();
    } else if (stopping_) {
      return io_.stop();  // somebody cannot wait
    } else {
      begin_stop();
    }
    if (!stopping_ || !sessions_.empty()) wait_for_signal();
  });
}

void Server::Listener::accept() {
  acceptor_.async_accept([this](const ErrorCode& error, tcp::socket socket) {
    if (stopping_) return;
    if (error) {
      // Out of descriptors, mostly: those that end give some back.
      retry_.expires_after(Milliseconds(50));
      retry_.async_wait([this](const ErrorCode& cancelled) {
        if (!cancelled && !stopping_) accept();
      });
      return;
    }
    take(std::move(socket));
    accept();
  });
}

// Where there are as many as may be, the one that keeps us waiting longest goes.
void Server::Listener::take(tcp::socket socket) {
  ++service_.metrics().accepted;
  if (sessions_.size() >= static_cast<std::size_t>(service_.limits().max_connections)) {
    for (Session* const session : sessions_) {
      if (session->is_busy()) continue;
      ++service_.metrics().evicted;
      session->close();
      break;
    }
  }
  std::make_shared<Session>(*this, std::move(socket))->begin();
}

void Server::Listener::begin_stop() {
  if (stopping_) return;
  stopping_ = true;
  service_.stopping = true;
  log_.event("stopping", fmt::format("{} connections", sessions_.size()));
  ErrorCode ignored;
  acceptor_.close(ignored);
  retry_.cancel();
  for (Session* const session : std::list<Session*>(sessions_)) {
    if (session->is_idle()) session->close();
  }
  drain_.expires_after(service_.limits().drain_time);
  drain_.async_wait([this](const ErrorCode& error) {
    if (!error) io_.stop();
  });
  end_if_done();
}

void Server::Listener::end_if_done() {
  if (!stopping_ || ended_ || !sessions_.empty()) return;
  signals_.cancel();
  drain_.cancel();
}

// Loading takes a while: in a thread of its own. One that is asked for meanwhile comes after.
void Server::Listener::begin_reload() {
  if (stopping_) return;
  reload_again_ = reloading_;
  if (reloading_) return;
  reloading_ = true;
  reloader_ = std::jthread([this] {
    std::string failure;
    try {
      service_.shelf().reload();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    asio::post(io_, [this, failure] {
      ++(failure.empty() ? service_.metrics().reloads : service_.metrics().failed_reloads);
      log_.event(failure.empty() ? "reloaded" : "reload_failed", failure);
      reloading_ = false;
      if (reload_again_) begin_reload();
    });
  });
}

Server::Server(Service& service, const ListenOptions& options, AccessLog& log)
    : listener_(std::make_unique<Listener>(service, options, log)) {}
Server::~Server() = default;

std::uint16_t Server::port() const {
  return listener_->port();
}
void Server::run() {
  listener_->run();
}
void Server::stop() {
  listener_->stop();
}
void Server::reload() {
  listener_->reload();
}

}  // namespace copse::server
