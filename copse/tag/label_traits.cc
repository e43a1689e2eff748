#include "copse/tag/label_traits.h"

#include <algorithm>
#include <map>
#include <set>

namespace copse {
namespace {

// "0NOUN", "1NN", "2Case=Gen", "2Number=Sing": the number of the piece and what is in it.
std::set<std::string> traits_in(std::string_view label) {
  std::set<std::string> traits;
  char piece = '0';
  std::string trait(1, piece);
  for (const char c : label) {
    if (c != '\t' && c != '|') {
      trait += c;
      continue;
    }
    traits.insert(trait);
    if (c == '\t') ++piece;
    trait.assign(1, piece);
  }
  traits.insert(trait);
  return traits;
}

}  // namespace

LabelTraits::LabelTraits(std::span<const std::string> labels) {
  std::map<std::string, std::vector<Label>> having;  // by trait, in the order of their names
  for (std::size_t label = 0; label < labels.size(); ++label) {
    for (const std::string& trait : traits_in(labels[label])) {
      having[trait].push_back(static_cast<Label>(label));
    }
  }
  std::vector<std::vector<Label>> found(labels.size());
  for (const auto& [trait, owners] : having) {
    if (owners.size() == labels.size()) continue;
    const auto number = static_cast<Label>(labels.size() + count_++);
    for (const Label owner : owners) found[owner].push_back(number);
  }
  begins_.push_back(0);
  for (const auto& traits : found) {
    traits_.insert(traits_.end(), traits.begin(), traits.end());
    begins_.push_back(static_cast<std::uint32_t>(traits_.size()));
  }
}

}  // namespace copse
