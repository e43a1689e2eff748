// Damages a small model of every kind in many ways, makes its checksums right again, loads it and
// puts it to use: what comes out is an answer or a data error. A crash names its seed.
//
//   fuzz_damage [COUNT [FIRST-SEED [KIND ...]]]      60 of each if not given
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/damage.h"
#include "fuzz/on_crash.h"
#include "fuzz/small_models.h"

namespace {

// What is being tried, for the handler.
std::string_view kind_now;
unsigned long seed_now = 0;

extern "C" void say_what(int number) {
  char text[200];
  const int size =
      std::snprintf(text, sizeof text, "%.*s, seed %lu: signal %d\n",
                    static_cast<int>(kind_now.size()), kind_now.data(), seed_now, number);
  (void)!::write(STDERR_FILENO, text, static_cast<std::size_t>(size));
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 60;
  const unsigned long first = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  std::vector<std::string_view> kinds(argv + std::min(argc, 3), argv + argc);
  if (kinds.empty()) kinds.assign(copse::fuzz::kModelKinds.begin(), copse::fuzz::kModelKinds.end());
  copse::fuzz::on_crash(say_what);
  for (const std::string_view kind : kinds) {
    kind_now = kind;
    seed_now = 0;
    const std::string& model = copse::fuzz::small_model(kind);
    if (!copse::fuzz::load_and_use(kind, model)) {
      std::fprintf(stderr, "%s: the model itself is refused\n", std::string(kind).c_str());
      return 1;
    }
    unsigned long harmless = 0;
    for (seed_now = first; seed_now < first + count; ++seed_now) {
      ::alarm(120);  // what takes so long is as bad as a crash
      const std::string bytes =
          copse::fuzz::damaged_model(model, copse::fuzz::random_changes(seed_now));
      harmless += copse::fuzz::load_and_use(kind, bytes) ? 1U : 0U;
    }
    ::alarm(0);
    std::printf("%-18s %7zu bytes  %lu damaged: %lu refused, %lu used\n", std::string(kind).c_str(),
                model.size(), count, count - harmless, harmless);
    std::fflush(stdout);
  }
  return 0;
}
