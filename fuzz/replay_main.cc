// Runs a target over files, without a fuzzer: replay TARGET FILE...
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/targets.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: replay TARGET FILE...\n");
    return 2;
  }
  const auto target = copse::fuzz::target_named(argv[1]);
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    target.run(bytes);
  }
  std::printf("%d inputs\n", argc - 2);
  return 0;
}
