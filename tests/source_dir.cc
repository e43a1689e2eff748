#include "tests/source_dir.h"

namespace copse {

std::string source_dir() {
  return COPSE_SOURCE_DIR;
}

}  // namespace copse
