// The entry point of libFuzzer; COPSE_FUZZ_TARGET is the name of the target.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto target = copse::fuzz::target_named(COPSE_FUZZ_TARGET);
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
