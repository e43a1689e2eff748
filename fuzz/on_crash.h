// Calls a handler when the process is about to be ended by its own fault; handlers that are there
// already, as a sanitizer's, stay (ASAN_OPTIONS=abort_on_error=1 ends them with an abort).
#pragma once

#include <csignal>

namespace copse::fuzz {

inline void on_crash(void (*handler)(int)) {
  for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGALRM}) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
      std::signal(number, handler);
    }
  }
}

}  // namespace copse::fuzz
