// Runs a target over files, or over changed copies of them: for builds without libFuzzer.
//
//   fuzz_replay TARGET FILE...                     each once, as the tests do
//   fuzz_replay --seconds S TARGET FILE...         changed copies for so long, whatever they reach
//
// What broke a promise is left in the file "TARGET-crash".
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "copse/base/random.h"
#include "fuzz/on_crash.h"
#include "fuzz/targets.h"

namespace {

std::string bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Copies, cuts, joins and single bytes: what a fuzzer does when it knows nothing.
std::string changed(const std::vector<std::string>& inputs, copse::Random& random) {
  std::string bytes = inputs[random.below(inputs.size())];
  for (int changes = random.between(1, 8); changes > 0; --changes) {
    const std::size_t at = bytes.empty() ? 0 : random.below(bytes.size());
    switch (random.below(7)) {
      case 0:
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(random.below(256));
        break;
      case 2:
        bytes.erase(at, random.below(32));
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, random.below(64)));
        break;
      case 4: {
        const std::string& other = inputs[random.below(inputs.size())];
        const std::size_t from = other.empty() ? 0 : random.below(other.size());
        bytes = bytes.substr(0, at) + other.substr(from);
        break;
      }
      case 5:
        bytes.insert(at, random.below(9), "\n\t ()[]{}\":,0"[random.below(13)]);
        break;
      default:
        // Longer than the blocks that readers work in.
        if (bytes.size() < 5000) bytes += bytes;
    }
  }
  return bytes;
}

// For the handler.
const char* name_now = "";
std::string input_now;

extern "C" void keep_input(int number) {
  const std::string path = std::string(name_now) + "-crash";
  if (std::FILE* file = std::fopen(path.c_str(), "wb")) {
    std::fwrite(input_now.data(), 1, input_now.size(), file);
    std::fclose(file);
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

int main(int argc, char** argv) {
  const bool mutates = argc > 2 && std::strcmp(argv[1], "--seconds") == 0;
  const int first = mutates ? 3 : 1;
  if (argc <= first + 1) {
    std::fprintf(stderr, "usage: fuzz_replay [--seconds S] TARGET FILE...\n");
    return 2;
  }
  const auto target = copse::fuzz::target_named(argv[first]);
  std::vector<std::string> inputs;
  for (int i = first + 1; i < argc; ++i) inputs.push_back(bytes_of(argv[i]));
  if (!mutates) {
    for (const std::string& input : inputs) target.run(input);
    std::printf("%zu inputs\n", inputs.size());
    return 0;
  }
  name_now = argv[first];
  copse::fuzz::on_crash(keep_input);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[2]));
  copse::Random random(static_cast<std::uint64_t>(::time(nullptr)));
  unsigned long runs = 0;
  for (; std::chrono::steady_clock::now() < end; ++runs) {
    input_now = changed(inputs, random);
    ::alarm(60);
    target.run(input_now);
  }
  std::printf("%lu runs\n", runs);
  return 0;
}
