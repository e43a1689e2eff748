#include "copse/model/feature_key.h"

#include <xxhash.h>

namespace copse {

AtomValue atom_of(std::string_view text) {
  const AtomValue value = XXH3_64bits(text.data(), text.size());
  return value == kAbsent ? 1 : value;
}

}  // namespace copse
