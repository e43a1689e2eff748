#include "copse/base/version.h"

namespace copse {

std::string_view version() {
  return COPSE_VERSION;
}

}  // namespace copse
