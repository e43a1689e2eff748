// The entry points of libFuzzer: the program named fuzz_NAME fuzzes the target NAME.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/targets.h"

namespace {

copse::fuzz::Target fuzzed;

}  // namespace

extern "C" int LLVMFuzzerInitialize(const int* /*argc*/, char*** argv) {
  std::string_view name = **argv;
  name.remove_prefix(name.rfind('/') + 1);
  name.remove_prefix(name.find('_') + 1);
  fuzzed = copse::fuzz::target_named(name);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzzed.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
