#include "copse/cli/process_group.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace copse {

bool is_launched() {
  // Open MPI; anything with PMIx; MPICH and its kin.
  constexpr std::array kMarks = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::ranges::any_of(kMarks, [](const char* name) { return std::getenv(name) != nullptr; });
}

int launched_processes() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* const text = std::getenv(name)) return std::atoi(text);
  }
  return 0;
}

}  // namespace copse
