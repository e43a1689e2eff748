#include "copse/base/symbols.h"

namespace copse {

Symbols::Id Symbols::add(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  texts_.emplace_back(text);
  ids_.emplace(texts_.back(), size() - 1);
  return size() - 1;
}

Symbols::Id Symbols::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? kUnknown : found->second;
}

}  // namespace copse
