#include "copse/base/output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/temporary_files.h"
#include "copse/base/watched_files.h"

namespace copse {
namespace {

// A link is followed, so that the file it points to is replaced and not the link.
std::string resolve_link(const std::string& path) {
  std::error_code failed;
  const auto resolved = std::filesystem::canonical(path, failed);
  return failed ? path : resolved.string();
}

// The rename itself must reach the disk, too.
void sync_folder_of(const std::string& path) {
  auto folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// A fresh file beside `target`; `name` receives its path.
int create_temporary(const std::string& target, std::string& name) {
  for (int attempt = 0;; ++attempt) {
    name = fmt::format("{}.{}-{}.tmp", target, ::getpid(), attempt);
    TemporaryFiles::add(name);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return descriptor;
    const int problem = errno;
    TemporaryFiles::forget(name);
    errno = problem;
    if (problem != EEXIST || attempt == 1000) return descriptor;
  }
}

}  // namespace

Output::Output(int descriptor, std::string name, std::string target, std::string temporary)
    : descriptor_(descriptor),
      name_(std::move(name)),
      target_(std::move(target)),
      temporary_(std::move(temporary)) {}

Output::Output(Output&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})) {}

Output Output::open(const std::string& path) {
  if (path == "-") return {STDOUT_FILENO, "standard output", {}, {}};
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    throw machine_error(fmt::format("{} is a directory; expected a file", path));
  }
  if (exists && !S_ISREG(info.st_mode)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) throw machine_error(fmt::format("cannot write {}", path), errno);
    return {descriptor, path, {}, {}};
  }
  std::string target = resolve_link(path);
  std::string temporary;
  const int descriptor = create_temporary(target, temporary);
  if (descriptor < 0) throw machine_error(fmt::format("cannot write {}", path), errno);
  if (exists) ::fchmod(descriptor, info.st_mode & 07777);
  return {descriptor, path, std::move(target), std::move(temporary)};
}

Output::~Output() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  TemporaryFiles::forget(temporary_);
}

void Output::check(const std::string& path) {
  struct stat info {};
  const bool exists = path != "-" && ::stat(path.c_str(), &info) == 0;
  // Opening a pipe would wait for its reader; a device is asked for leave only.
  if (exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    if (::access(path.c_str(), W_OK) != 0) {
      throw machine_error(fmt::format("cannot write {}", path), errno);
    }
    return;
  }
  const Output tried = open(path);
}

void Output::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      const Error error = machine_error(fmt::format("cannot write {}", name_), errno);
      if (errno == EPIPE && descriptor_ == STDOUT_FILENO) throw BrokenPipe(error);
      throw Error(error);
    }
  }
}

void Output::commit() {
  WatchedFiles::check();
  if (temporary_.empty()) return;
  if (::fsync(descriptor_) != 0) {
    throw machine_error(fmt::format("cannot write {}", name_), errno);
  }
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    throw machine_error(fmt::format("cannot write {}", name_), errno);
  }
  TemporaryFiles::forget(temporary_);
  temporary_.clear();
  sync_folder_of(target_);
}

}  // namespace copse
