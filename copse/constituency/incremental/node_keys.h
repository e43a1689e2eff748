// The keys of contexts at one position of a sentence. What contexts share is worked out once, and so
// is what groups of templates share of one context. For one thread.
#pragma once

#include <array>
#include <bitset>

#include "copse/constituency/incremental/features.h"

namespace copse::incremental {

class NodeKeys {
 public:
  // All of them must stay as they are until the next call.
  void set_position(const Features& features, const SentenceWords& words, int position);
  void set_context(const NodeContext& context);
  // The keys of those lines of a group that fire.
  void add(const TemplateGroup& group, Features::Keys& out);

 private:
  static constexpr std::size_t kAtomRoom = 64;
  void put_roles(std::uint32_t roles);

  const Features* features_ = nullptr;
  const SentenceWords* words_ = nullptr;
  int position_ = 0;
  bool is_punctuation_ = false;
  NodeContext context_;
  std::uint32_t roles_ = 0;                      // whose atoms stand in the values
  std::bitset<Features::kMostTemplates> lines_;  // whose keys do
  // Atoms, then the keys of lines; what no bit says to be there is anything.
  std::array<AtomValue, kAtomRoom + Features::kMostTemplates> values_;
};

}  // namespace copse::incremental
