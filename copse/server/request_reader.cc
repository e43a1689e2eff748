#include "copse/server/request_reader.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <utility>

#include "copse/server/forms.h"

namespace copse::server {
namespace {

namespace http = boost::beast::http;
using BeastParser = http::request_parser<http::string_body>;

std::string text(boost::beast::string_view view) {
  return {view.data(), view.size()};
}

Refusal refusal_for(const boost::beast::error_code& error, const ServerLimits& limits) {
  if (error == http::error::body_limit) {
    return Refusal(413, "too_large",
                   fmt::format("the body is larger than {} bytes", limits.max_bytes));
  }
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return Refusal(431, "headers_too_large",
                   fmt::format("the headers are larger than {} bytes", limits.max_header_bytes));
  }
  if (error == http::error::bad_version) {
    return Refusal(505, "bad_version", "expected HTTP/1.0 or HTTP/1.1");
  }
  return Refusal(400, "bad_request", "this is no well-formed HTTP request");
}

// What Beast lets pass and another reader of the same bytes might read in another way: the means of
// smuggling a request behind another one past a proxy (RFC 9112, 6.3 and 11.2).
void check_framing(const BeastParser::value_type& header) {
  const auto refuse = [](const std::string& why) { throw Refusal(400, "bad_framing", why); };
  if (header.count(http::field::content_length) > 1) refuse("more than one Content-Length");
  if (header.count(http::field::transfer_encoding) > 1) refuse("more than one Transfer-Encoding");
  if (header.count(http::field::host) > 1) refuse("more than one Host");
  const bool coded = header.count(http::field::transfer_encoding) > 0;
  if (coded && header.count(http::field::content_length) > 0) {
    refuse("both Content-Length and Transfer-Encoding");
  }
  if (coded && header.version() < 11) refuse("Transfer-Encoding in HTTP/1.0");
  if (coded && lower_ascii(text(header[http::field::transfer_encoding])) != "chunked") {
    throw Refusal(501, "bad_coding", "the only Transfer-Encoding known here is chunked");
  }
  if (header.version() == 11 && header.count(http::field::host) == 0) refuse("no Host");
}

Request request_from(BeastParser::value_type&& message) {
  Request out;
  out.method = text(message.method_string());
  const std::string target = text(message.target());
  const auto mark = std::min(target.find('?'), target.size());
  auto path = percent_decoded(std::string_view(target).substr(0, mark), false);
  if (!path || !target.starts_with('/')) {
    throw Refusal(400, "bad_target", "the address of the request is malformed");
  }
  out.path = std::move(*path);
  out.query = target.substr(std::min(mark + 1, target.size()));
  for (const auto& field : message) {
    out.headers.emplace_back(lower_ascii(text(field.name_string())), text(field.value()));
  }
  out.keep_alive = message.keep_alive();
  out.body = std::move(message.body());
  return out;
}

}  // namespace

class RequestReader::Parser {
 public:
  explicit Parser(const ServerLimits& limits) : limits_(limits) { begin(); }

  State feed(std::string_view bytes) {
    buffer_.append(bytes);
    return advance();
  }

  State state() const { return state_; }
  const Refusal& refusal() const { return *refusal_; }

  bool wants_continue() {
    if (state_ != State::body || continued_) return false;
    continued_ = true;
    const auto& header = parser_->get();
    return header.version() >= 11 &&
           lower_ascii(text(header[http::field::expect])) == "100-continue" && buffer_.empty();
  }

  Request take() {
    Request out = std::move(request_);
    begin();
    advance();
    return out;
  }

 private:
  void begin() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(limits_.max_header_bytes));
    parser_->body_limit(limits_.max_bytes);
    parser_->eager(true);
    state_ = State::waiting;
    scanned_ = 0;
    continued_ = checked_ = led_ = false;
  }

  State advance() {
    if (state_ == State::complete || state_ == State::refused) return state_;
    try {
      parse();
    } catch (const Refusal& refusal) {
      refuse(refusal);
    }
    return state_;
  }

  void refuse(const Refusal& refusal) {
    refusal_.emplace(refusal);
    state_ = State::refused;
  }

  // Looks through headers as they come, once: whether they are there as a whole, and for what Beast
  // takes and another reader may take for something else: lines that go on in the next one (RFC 9112,
  // 5.2) and bare line feeds.
  bool headers_are_there() {
    const auto refuse = [] { throw Refusal(400, "bad_request", "the headers are malformed"); };
    if (!led_ && std::string_view("\r\n").starts_with(buffer_) && buffer_.size() < 2) return false;
    if (!std::exchange(led_, true) && buffer_.starts_with("\r\n")) {
      buffer_.erase(0, 2);  // an empty line before a request (2.2)
    }
    for (; scanned_ < buffer_.size(); ++scanned_) {
      const char c = buffer_[scanned_], before = scanned_ > 0 ? buffer_[scanned_ - 1] : '\0';
      if (scanned_ == 0 && (c < 'A' || c > 'Z')) refuse();
      if (before == '\n' && (c == ' ' || c == '\t')) refuse();
      if (c != '\n') continue;
      if (before != '\r') refuse();
      if (scanned_ >= 3 && buffer_.compare(scanned_ - 3, 4, "\r\n\r\n") == 0) return true;
    }
    return false;
  }

  void parse() {
    if (!checked_ && !headers_are_there()) {
      if (buffer_.size() > limits_.max_header_bytes) {
        throw refusal_for(http::error::header_limit, limits_);
      }
      state_ = buffer_.empty() ? State::waiting : State::header;
      return;
    }
    boost::beast::error_code error;
    std::size_t used = 0;
    // The headers by themselves: what comes behind them must not decide how they are read.
    std::size_t end = checked_ ? buffer_.size() : scanned_ + 1;
    while (used < end && !parser_->is_done()) {
      const std::size_t taken =
          parser_->put(boost::asio::buffer(buffer_.data() + used, end - used), error);
      used += taken;
      if (parser_->is_header_done() && !checked_) {
        checked_ = true;
        check_framing(parser_->get());
        end = buffer_.size();
        if (!error || error == http::error::need_more) continue;
      }
      if (error == http::error::need_more || (!error && taken == 0)) {
        if (!checked_) throw refusal_for(http::error::bad_field, limits_);  // all of them are there
        break;
      }
      if (error) throw refusal_for(error, limits_);
    }
    buffer_.erase(0, used);
    state_ = State::body;
    if (parser_->is_done()) {
      request_ = request_from(parser_->release());
      state_ = State::complete;
    }
  }

  const ServerLimits limits_;
  std::optional<BeastParser> parser_;
  std::string buffer_;       // came and not yet parsed
  std::size_t scanned_ = 0;  // of it, while headers come
  Request request_;
  std::optional<Refusal> refusal_;
  State state_ = State::waiting;
  bool continued_ = false, checked_ = false, led_ = false;
};

RequestReader::RequestReader(const ServerLimits& limits)
    : parser_(std::make_unique<Parser>(limits)) {}
RequestReader::~RequestReader() = default;
RequestReader::RequestReader(RequestReader&&) noexcept = default;

RequestReader::State RequestReader::feed(std::string_view bytes) {
  return parser_->feed(bytes);
}
RequestReader::State RequestReader::state() const {
  return parser_->state();
}
bool RequestReader::wants_continue() {
  return parser_->wants_continue();
}
const Refusal& RequestReader::refusal() const {
  return parser_->refusal();
}
Request RequestReader::take() {
  return parser_->take();
}

}  // namespace copse::server
