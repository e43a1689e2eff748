#include "copse/tokenize/word_set.h"

#include "copse/base/error.h"
#include "copse/model/probe_runs.h"

namespace copse {

WordSet WordSet::view(std::span<const std::uint32_t> slots) {
  ProbeRuns runs;
  for (const std::uint32_t slot : slots) runs.add(slot != 0);
  if (slots.size() > UINT32_MAX || !runs.good()) {
    throw data_error("a set of words has too few free slots");
  }
  WordSet set;
  set.slots_ = slots;
  return set;
}

std::vector<std::uint32_t> WordSet::make(std::span<const std::uint64_t> hashes) {
  std::vector<std::uint32_t> slots(hashes.size() * 2 + 1, 0);
  for (const std::uint64_t hash : hashes) {
    std::size_t at = home(hash, slots.size());
    while (slots[at] != 0 && slots[at] != fingerprint(hash)) {
      at = at + 1 == slots.size() ? 0 : at + 1;
    }
    slots[at] = fingerprint(hash);
  }
  return slots;
}

}  // namespace copse
