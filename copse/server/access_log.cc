#include "copse/server/access_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>

#include "copse/base/error.h"
#include "copse/base/utf8.h"
#include "copse/treebank/json.h"

namespace copse::server {
namespace {

constexpr std::size_t kLongestPath = 200;

// "2026-11-18T01:02:03.456Z"
std::string timestamp() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = milliseconds / 1000;
  std::tm tm{};
  gmtime_r(&seconds, &tm);
  return fmt::format("{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", tm.tm_year + 1900, tm.tm_mon + 1,
                     tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, milliseconds % 1000);
}

std::string quoted(std::string_view text) {
  return json_string(replace_invalid_utf8(text.substr(0, kLongestPath)));
}

}  // namespace

AccessLog::AccessLog(const std::string& path) {
  if (path.empty()) return;
  if (path == "-") {
    file_ = STDERR_FILENO;
    return;
  }
  file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) throw machine_error("the access log cannot be written", errno, {path, 0, 0});
}

AccessLog::~AccessLog() {
  if (file_ > STDERR_FILENO) close(file_);
}

void AccessLog::write(const AccessRecord& record) {
  if (file_ < 0) return;
  put(
      fmt::format("{{\"time\": \"{}\", \"peer\": {}, \"method\": {}, \"path\": {}, "
                  "\"status\": {}, \"bytes_in\": {}, \"bytes_out\": {}, \"model\": {}, "
                  "\"sentences\": {}, \"words\": {}, \"ms\": {:.3f}}}\n",
                  timestamp(), quoted(record.peer), quoted(record.method), quoted(record.path),
                  record.status, record.bytes_in, record.bytes_out, quoted(record.model),
                  record.sentences, record.words, record.milliseconds));
}

void AccessLog::event(std::string_view name, std::string_view message) {
  if (file_ < 0) return;
  put(fmt::format("{{\"time\": \"{}\", \"event\": {}, \"message\": {}}}\n", timestamp(),
                  quoted(name), quoted(message)));
}

// A log that cannot be written (a full disk) does not end the service.
void AccessLog::put(const std::string& line) const {
  [[maybe_unused]] const auto written = ::write(file_, line.data(), line.size());
}

}  // namespace copse::server
