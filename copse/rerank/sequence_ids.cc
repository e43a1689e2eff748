#include "copse/rerank/sequence_ids.h"

#include <algorithm>

#include "copse/base/error.h"

namespace copse {
namespace {

std::uint64_t hash(std::span<const std::uint32_t> sequence) {
  std::uint64_t h = 0x9E3779B97F4A7C15ULL ^ sequence.size();
  for (const std::uint32_t item : sequence) {
    h = (h ^ item) * 0xD6E8FEB86659FD93ULL;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

// The slot that holds the sequence, or the free one where it belongs.
std::size_t SequenceIds::place(std::span<const std::uint32_t> sequence) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash(sequence) & mask;
  while (table_[at] != kUnknown && !std::ranges::equal(this->sequence(table_[at]), sequence)) {
    at = (at + 1) & mask;
  }
  return at;
}

SequenceIds::Id SequenceIds::find(std::span<const std::uint32_t> sequence) const {
  return table_.empty() ? kUnknown : table_[place(sequence)];
}

SequenceIds::Id SequenceIds::add(std::span<const std::uint32_t> sequence) {
  if (std::size_t{size()} * 2 >= table_.size()) grow();
  const std::size_t at = place(sequence);
  if (table_[at] == kUnknown) {
    if (size() == kUnknown - 1) throw machine_error("there are more than 2^32 different sub-trees");
    table_[at] = size();
    items_.insert(items_.end(), sequence.begin(), sequence.end());
    ends_.push_back(items_.size());
  }
  return table_[at];
}

void SequenceIds::grow() {
  table_.assign(std::max<std::size_t>(16, table_.size() * 2), kUnknown);
  for (Id id = 0; id < size(); ++id) table_[place(sequence(id))] = id;
}

void SequenceIds::clear() {
  items_.clear();
  ends_.assign(1, 0);
  std::ranges::fill(table_, kUnknown);
}

}  // namespace copse
