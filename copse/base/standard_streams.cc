#include "copse/base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "copse/base/temporary_files.h"
#include "copse/base/watched_files.h"

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

// What cannot be read because its file was cut short, or led astray because it was overwritten.
extern "C" void end_on_fault(int number) {
  if (const char* path = WatchedFiles::changed()) {
    for (const char* text : {"copse: error: ", path, " was changed while it was in use\n"}) {
      (void)!::write(STDERR_FILENO, text, std::strlen(text));
    }
    TemporaryFiles::remove_all();
    ::_exit(3);  // as errors of the machine do
  }
  std::signal(number, SIG_DFL);  // and the fault once more
}

// Unless it is ignored or somebody else's, as a sanitizer's.
void handle(int number, void (*handler)(int), bool only_default) {
  struct sigaction action {};
  if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  if (only_default && action.sa_handler != SIG_DFL) return;
  action = {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
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
  static bool done = false;  // once for all callers
  if (std::exchange(done, true)) return;
  FILE* safe = ::fopencookie(nullptr, "w", {nullptr, write_or_forget, nullptr, nullptr});
  if (safe == nullptr) return;
  std::setvbuf(safe, nullptr, _IOLBF, BUFSIZ);
  std::fflush(stderr);
  stderr = safe;  // lives as long as the program
#endif
}

void handle_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle(number, end_on_signal, false);
  for (const int number : {SIGBUS, SIGSEGV}) handle(number, end_on_fault, true);
}

}  // namespace copse
