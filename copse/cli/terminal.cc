#include "copse/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace copse {

bool color_wanted(int descriptor) {
  const char* terminal = std::getenv("TERM");
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(descriptor) == 1 && (refused == nullptr || *refused == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

int terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 0;
}

std::string error_mark() {
  return color_wanted(STDERR_FILENO) ? "copse: \x1b[1;31merror:\x1b[0m" : "copse: error:";
}

std::string warning_mark() {
  return color_wanted(STDERR_FILENO) ? "copse: \x1b[1;33mwarning:\x1b[0m" : "copse: warning:";
}

}  // namespace copse
