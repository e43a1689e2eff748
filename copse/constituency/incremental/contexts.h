// What features see of a hypothesis, in a form that is compared and hashed fast.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "copse/constituency/incremental/grammar.h"
#include "copse/model/feature_key.h"

namespace copse::incremental {

// Of a cell while a word is attached; what no template of a table reads is left 0.
struct NodeContext {
  static constexpr std::uint16_t kNone = 0xFFFF;
  LabelId label = 0, last = 0, last2 = 0, last3 = 0, up = 0, up_last = 0, upup = 0, upup_last = 0;
  std::uint16_t head = kNone, head_tag = 0, child = kNone, child_tag = 0;
  std::uint16_t over = kNone, over_tag = 0, first = kNone, first_tag = 0;
  LabelId tag = 0;          // of the word to be attached
  std::uint16_t after = 0;  // is the child to the left behind punctuation
  std::uint16_t spare[2] = {0, 0};
  bool operator==(const NodeContext&) const = default;
};
// Of a word under its tag.
struct WordContext {
  LabelId tag = 0, up = 0, left = 0, upup = 0;
  std::uint16_t head = NodeContext::kNone, head_tag = 0;
  std::uint16_t spare[2] = {0, 0};
  bool operator==(const WordContext&) const = default;
};

// A context as whole words; there is no padding in it.
template <class Context>
using ContextBits = std::array<std::uint64_t, sizeof(Context) / 8>;

template <class Context>
ContextBits<Context> bits_of(const Context& context) {
  static_assert(sizeof(Context) % 8 == 0 && std::has_unique_object_representations_v<Context>);
  return std::bit_cast<ContextBits<Context>>(context);
}
// What a context is known by, 64 bits as of a feature; two that differ are taken for the same as
// seldom as two features are.
template <class Context>
std::uint64_t hash_of(const Context& context) {
  std::uint64_t value = atom_of(std::uint64_t{0});
  for (const std::uint64_t word : bits_of(context)) value = scramble(value ^ word);
  return value;
}

}  // namespace copse::incremental
