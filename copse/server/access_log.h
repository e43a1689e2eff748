// One line of JSON for each answer, each written at once. No text of a request is in it, nor the
// query of its address.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace copse::server {

struct AccessRecord {
  std::string_view peer, method, path, model;
  int status = 0;
  std::size_t bytes_in = 0, bytes_out = 0;
  int sentences = 0, words = 0;
  double milliseconds = 0;
};

class AccessLog {
 public:
  // "-": standard error; "": none; else a file, appended to. Throws machine_error.
  explicit AccessLog(const std::string& path);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void write(const AccessRecord& record);
  // {"time": ..., "event": "...", "message": "..."}
  void event(std::string_view name, std::string_view message);

 private:
  void put(const std::string& line) const;

  int file_ = -1;
};

}  // namespace copse::server
