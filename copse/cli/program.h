// The whole command line, apart from main(), so that tests can run it.
#pragma once

namespace copse {

// Runs `copse` with these arguments and returns its exit code: 0 fine, 1 bad data, 2 bad usage,
// 3 the machine (no such file, disk full, no memory, broken pipe). Never throws.
int run_program(int argc, const char* const* argv);

}  // namespace copse
