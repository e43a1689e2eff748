#include "copse/base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <initializer_list>

#include "copse/base/temporary_files.h"

namespace copse {
namespace {

#ifdef __GLIBC__
ssize_t write_or_forget(void* /*cookie*/, const char* bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t written = ::write(STDERR_FILENO, bytes + done, size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;  // nobody to tell
    done += static_cast<size_t>(written);
  }
  return static_cast<ssize_t>(size);
}
#endif

extern "C" void end_on_signal(int number) {
  const int saved = errno;
  TemporaryFiles::remove_all();
  errno = saved;
  // The signal's own default now: the caller sees what ended the program.
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The wrong way round, so that using it still fails. The lowest free number is taken: this one.
    (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void make_standard_error_safe() {
#ifdef __GLIBC__
  FILE* safe = ::fopencookie(nullptr, "w", {nullptr, write_or_forget, nullptr, nullptr});
  if (safe == nullptr) return;
  std::setvbuf(safe, nullptr, _IOLBF, BUFSIZ);
  std::fflush(stderr);
  stderr = safe;  // lives as long as the program
#endif
}

void handle_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = end_on_signal;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
  }
}

}  // namespace copse
