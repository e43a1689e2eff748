// Requests out of bytes: whole, in pieces, one behind the other, malformed, too large, and those with
// which somebody tries to smuggle another one.
#include "copse/server/request_reader.h"

#include <gtest/gtest.h>

namespace copse::server {
namespace {

using State = RequestReader::State;

ServerLimits small_limits() {
  ServerLimits limits;
  limits.max_bytes = 100;
  limits.max_header_bytes = 1000;
  return limits;
}

int refusal_of(const std::string& bytes) {
  RequestReader reader(small_limits());
  return reader.feed(bytes) == State::refused ? reader.refusal().status() : 0;
}

const std::string kPost =
    "POST /v1/parse?a=b%20c HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
    "Content-Length: 5\r\n\r\nhello";

TEST(RequestReader, TakesARequestWhereverItIsCut) {
  for (std::size_t cut = 0; cut <= kPost.size(); ++cut) {
    RequestReader reader(small_limits());
    reader.feed(kPost.substr(0, cut));
    ASSERT_EQ(reader.feed(kPost.substr(cut)), State::complete) << cut;
    const Request request = reader.take();
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.path, "/v1/parse");
    EXPECT_EQ(request.query, "a=b%20c");
    EXPECT_EQ(request.header("content-type"), "text/plain");
    EXPECT_EQ(request.body, "hello");
    EXPECT_TRUE(request.keep_alive);
    EXPECT_EQ(reader.state(), State::waiting);
  }
}

TEST(RequestReader, SaysHowFarItIs) {
  RequestReader reader(small_limits());
  EXPECT_EQ(reader.state(), State::waiting);
  EXPECT_EQ(reader.feed("GET / HT"), State::header);
  EXPECT_EQ(reader.feed("TP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"), State::body);
  EXPECT_EQ(reader.feed("ab"), State::complete);
}

TEST(RequestReader, RequestsBehindEachOtherAreTakenInTurn) {
  RequestReader reader(small_limits());
  EXPECT_EQ(reader.feed(kPost + kPost + "GET /x HTTP/1.0\r\n\r\n"), State::complete);
  EXPECT_EQ(reader.take().body, "hello");
  EXPECT_EQ(reader.state(), State::complete);
  EXPECT_EQ(reader.take().body, "hello");
  EXPECT_EQ(reader.state(), State::complete);
  const Request last = reader.take();
  EXPECT_EQ(last.path, "/x");
  EXPECT_FALSE(last.keep_alive);
  EXPECT_EQ(reader.state(), State::waiting);
}

TEST(RequestReader, ChunksAreJoined) {
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::size_t cut = 0; cut <= 10; ++cut) {
    RequestReader reader(small_limits());
    const std::string body = "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
    reader.feed(head + body.substr(0, cut));
    ASSERT_EQ(reader.feed(body.substr(cut)), State::complete);
    EXPECT_EQ(reader.take().body, "abcde");
  }
  EXPECT_EQ(refusal_of(head + "zz\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "3\r\nabcdefgh\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "-1\r\n"), 400);
  // One chunk over the limit, and many under it.
  EXPECT_EQ(refusal_of(head + "65\r\n" + std::string(101, 'a')), 413);
  std::string many;
  for (int i = 0; i < 11; ++i) many += "a\r\n0123456789\r\n";
  EXPECT_EQ(refusal_of(head + many), 413);
  EXPECT_EQ(refusal_of(head + "ffffffffffffffff\r\n"), 413);
  EXPECT_EQ(refusal_of(head + "fffffffffffffffff\r\n"), 400);
}

TEST(RequestReader, LargeBodiesAreRefusedByTheirHeader) {
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n"), 413);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n"), 413);
  EXPECT_EQ(refusal_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"), 0);
}

TEST(RequestReader, LargeHeadersAreRefused) {
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(2000, 'a')), 431);
  EXPECT_EQ(refusal_of("GET /" + std::string(2000, 'a')), 431);
  RequestReader reader(small_limits());
  State state = State::waiting;
  for (int i = 0; i < 2000 && state != State::refused; ++i) state = reader.feed("a");
  EXPECT_EQ(state, State::refused);
}

TEST(RequestReader, SmugglersAreRefused) {
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\n";
  const std::string behind = "\r\n0\r\n\r\nGET /secret HTTP/1.1\r\nHost: x\r\n\r\n";
  EXPECT_EQ(refusal_of(head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n" + behind), 400);
  EXPECT_EQ(refusal_of(head + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n" + behind), 400);
  EXPECT_EQ(refusal_of(head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "Content-Length: 5, 6\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "Content-Length: +5\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "Content-Length: -1\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "Content-Length: 0x5\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "Content-Length: 18446744073709551617\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "Transfer-Encoding: xchunked\r\n" + behind), 501);
  EXPECT_EQ(refusal_of(head + "Transfer-Encoding: gzip, chunked\r\n" + behind), 501);
  EXPECT_EQ(refusal_of(head + "Transfer-Encoding: chunked, identity\r\n" + behind), 501);
  EXPECT_EQ(
      refusal_of(head + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n" + behind),
      400);
  EXPECT_EQ(refusal_of(head + "Transfer-Encoding : chunked\r\n" + behind), 400);
  EXPECT_EQ(refusal_of(head + " Content-Length: 5\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(head + "X: a\r\n continued\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n" + behind), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\nHost: x\n\n"), 400);
}

TEST(RequestReader, WhatIsNoRequestIsRefused) {
  EXPECT_EQ(refusal_of("\x16\x03\x01\x02"), 400);
  EXPECT_EQ(refusal_of("hello\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET / HTTP/2.0\r\nHost: x\r\n\r\n"), 505);
  EXPECT_EQ(refusal_of("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(refusal_of(std::string("GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", 35)), 400);
}

// Found by the fuzzer: the line says no version, and what follows the headers was taken for it.
TEST(RequestReader, RefusesTheSameWhereverBytesAreCut) {
  for (const std::string& bytes : {std::string("POST /v1/parse 39\r\n\r\n{\"text\": \"The cat.\"}"),
                                   std::string("\r\nget / HTTP/1.1\r\nHost: x\r\n\r\n"),
                                   std::string("\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")}) {
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
      RequestReader reader{ServerLimits()};
      reader.feed(std::string_view(bytes).substr(0, cut));
      ASSERT_EQ(reader.feed(std::string_view(bytes).substr(cut)), State::refused) << bytes << cut;
      EXPECT_EQ(reader.refusal().status(), 400) << bytes << cut;
    }
  }
}

TEST(RequestReader, ContinuesWhereTheClientWaits) {
  RequestReader reader(small_limits());
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n";
  EXPECT_EQ(reader.feed(head + "Expect: 100-continue\r\n\r\n"), State::body);
  EXPECT_TRUE(reader.wants_continue());
  EXPECT_FALSE(reader.wants_continue());
  RequestReader other(small_limits());
  other.feed(head + "\r\n");
  EXPECT_FALSE(other.wants_continue());
}

}  // namespace
}  // namespace copse::server
