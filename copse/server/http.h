// What an HTTP conversation is made of, as plain values: a request that was read as a whole, the
// answer to it, and the refusal that any step on the way may throw. Nothing here knows a socket.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::server {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;  // "GET"
  std::string path;    // decoded, without the query: "/v1/parse"
  std::string query;   // as it came, without '?'
  Fields headers;      // names in small letters
  std::string body;
  bool keep_alive = true;

  // The value of a header, "" if there is none; the first of several.
  std::string_view header(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  Fields headers = {};
  // For the log and the metrics.
  std::string model = {};
  int sentences = 0, words = 0;
};

// A request that is not answered as asked: status, a word for programs and a sentence for people.
// The sentence never names a file or a place in the program.
class Refusal : public std::exception {
 public:
  Refusal(int status, std::string code, std::string message, Fields headers = {});

  int status() const { return status_; }
  const std::string& code() const { return code_; }
  const char* what() const noexcept override { return message_.c_str(); }
  // {"error": {"status": 404, "code": "no_such_path", "message": "..."}}
  Response response() const;

 private:
  int status_;
  std::string code_, message_;
  Fields headers_;
};

// "Not Found"
std::string_view reason_of(int status);

// The bytes of an answer: status line, headers with those for safety, body unless it is to HEAD.
// `keep_alive` false says so to the client.
std::string wire_bytes(const Response& response, bool keep_alive, bool head);

}  // namespace copse::server
