// How a fuzz target says that something must hold.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "copse/treebank/format.h"

namespace copse::fuzz {

inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

// Small enough for a fuzzer to reach, so that the limits themselves are tested.
inline Limits small_limits() {
  Limits limits;
  limits.max_sentence_bytes = 1 << 20;
  limits.max_line_bytes = 1 << 16;
  limits.max_words = 2000;
  limits.max_depth = 500;
  return limits;
}

}  // namespace copse::fuzz
