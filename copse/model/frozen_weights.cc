#include "copse/model/frozen_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "copse/base/error.h"

namespace copse {
namespace {

struct Header {
  std::uint32_t precision;
  std::uint32_t labels;
  std::uint64_t slots;
  std::uint64_t words;
  float scale;
  std::uint32_t reserved;
};
static_assert(sizeof(Header) == 32);

constexpr std::uint32_t kEmpty = UINT32_MAX;
constexpr float kLargestUnit = 32767;

// The two halves of a key's work: which slot, and whether it is the one.
std::uint64_t slot_bits(FeatureKey key) {
  return key * 0x9E3779B97F4A7C15ULL;
}
std::uint32_t fingerprint(FeatureKey key) {
  return static_cast<std::uint32_t>(scramble(key) >> 32);
}

// Needs fewer than 2^32 slots.
std::size_t scale_to(std::uint64_t bits, std::size_t slots) { return (bits >> 32) * slots >> 32; }

float largest_magnitude(const WeightRows& rows) {
  float largest = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (const LabelWeight& entry : rows.row(i))
      largest = std::max(largest, std::abs(entry.weight));
  }
  return largest;
}

template <class T>
void append(std::string& bytes, std::span<const T> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

// The words of one row; only the weights that survive.
class RowPacker {
 public:
  RowPacker(const FreezeOptions& options, float scale) : options_(options), scale_(scale) {}

  std::span<const std::uint32_t> pack(std::span<const LabelWeight> row) {
    words_.assign(1, 0);
    for (const LabelWeight& entry : row) {
      if (std::abs(entry.weight) <= options_.prune) continue;
      if (options_.precision == Precision::float32) {
        push(entry.label);
        words_.push_back(std::bit_cast<std::uint32_t>(entry.weight));
      } else if (const auto units = static_cast<std::int16_t>(std::lround(entry.weight / scale_));
                 units != 0) {
        push(entry.label | std::uint32_t{static_cast<std::uint16_t>(units)} << 16);
      }
    }
    return words_;
  }

 private:
  void push(std::uint32_t word) {
    words_.push_back(word);
    ++words_[0];
  }

  const FreezeOptions& options_;
  float scale_;
  std::vector<std::uint32_t> words_;
};

}  // namespace

std::string freeze(const WeightRows& rows, std::size_t labels, const FreezeOptions& options) {
  const float largest = largest_magnitude(rows);
  const float scale = largest > 0 ? largest / kLargestUnit : 1;
  RowPacker packer(options, scale);
  std::vector<std::uint32_t> words;
  std::vector<std::array<std::uint32_t, 2>> kept;  // row number, where its words begin
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto packed = packer.pack(rows.row(i));
    if (packed[0] == 0) continue;
    if (words.size() + packed.size() >= kEmpty) {
      throw machine_error("too many weights for one table (4 * 10^9 words)");
    }
    kept.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(words.size())});
    words.insert(words.end(), packed.begin(), packed.end());
  }
  // Four slots in five are taken; one at least is empty, so that every search ends.
  const std::size_t slot_count = kept.size() + kept.size() / 4 + 1;
  std::vector<std::array<std::uint32_t, 2>> slots(slot_count, {0, kEmpty});
  for (const auto [row, begin] : kept) {
    const FeatureKey key = rows.key(row);
    std::size_t at = scale_to(slot_bits(key), slot_count);
    while (slots[at][1] != kEmpty) at = at + 1 == slot_count ? 0 : at + 1;
    slots[at] = {fingerprint(key), begin};
  }
  const Header header{static_cast<std::uint32_t>(options.precision),
                      static_cast<std::uint32_t>(labels),
                      slot_count,
                      words.size(),
                      scale,
                      0};
  std::string bytes;
  bytes.reserve(sizeof header + slots.size() * 8 + words.size() * 4);
  append(bytes, std::span(&header, 1));
  append(bytes, std::span<const std::array<std::uint32_t, 2>>(slots));
  append(bytes, std::span<const std::uint32_t>(words));
  return bytes;
}

FrozenWeights FrozenWeights::view(std::span<const std::byte> bytes) {
  Header header;
  if (bytes.size() < sizeof header) throw data_error("the table of weights is cut short");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.precision > 1) throw data_error("weights of an unknown precision");
  if (!std::isfinite(header.scale)) throw data_error("the scale of the weights is not a number");
  const std::size_t room = bytes.size() - sizeof header;
  if (header.slots == 0 || header.slots > UINT32_MAX || header.slots > room / sizeof(Slot) || header.words > room / 4 ||
      header.slots * sizeof(Slot) + header.words * 4 > room) {
    throw data_error("the table of weights is cut short");
  }
  FrozenWeights table;
  const std::byte* const slots = bytes.data() + sizeof header;
  table.slots_ = reinterpret_cast<const Slot*>(slots);
  table.slot_count_ = header.slots;
  table.words_ = reinterpret_cast<const std::uint32_t*>(slots + header.slots * sizeof(Slot));
  table.word_count_ = header.words;
  table.labels_ = header.labels;
  table.words_per_weight_ = header.precision == 1 ? 1 : 2;
  table.scale_ = header.scale;
  table.check_rows();
  return table;
}

void FrozenWeights::check_rows() const {
  bool has_empty = false;
  for (std::size_t i = 0; i < slot_count_; ++i) {
    const std::uint32_t begin = slots_[i].begin;
    if (begin == kEmpty) {
      has_empty = true;
      continue;
    }
    if (begin >= word_count_ ||
        std::uint64_t{words_[begin]} * words_per_weight_ > word_count_ - begin - 1) {
      throw data_error("a row of weights lies outside of the table");
    }
    const auto check = [this](Label label, float weight) {
      if (label >= labels_) throw data_error("a weight for a label that does not exist");
      if (!std::isfinite(weight)) throw data_error("a weight that is not a number");
    };
    for_each(begin, check);
  }
  if (!has_empty) throw data_error("the table of weights has no free slot");
}

std::size_t FrozenWeights::home(FeatureKey key) const {
  return scale_to(slot_bits(key), slot_count_);
}

FrozenWeights::Row FrozenWeights::find(FeatureKey key) const {
  if (slot_count_ == 0) return kNoRow;
  const std::uint32_t wanted = fingerprint(key);
  std::size_t at = home(key);
  while (slots_[at].begin != kEmpty) {
    if (slots_[at].fingerprint == wanted) return slots_[at].begin;
    at = at + 1 == slot_count_ ? 0 : at + 1;
  }
  return kNoRow;
}

void FrozenWeights::prefetch_slot(FeatureKey key) const {
  __builtin_prefetch(slots_ + home(key));
}

void FrozenWeights::add_all_to(std::span<const FeatureKey> keys, std::span<float> scores) const {
  if (slot_count_ == 0) return;
  constexpr std::size_t kBatch = 64;
  std::array<Row, kBatch> rows;
  for (std::size_t begin = 0; begin < keys.size(); begin += kBatch) {
    const auto batch = keys.subspan(begin, std::min(kBatch, keys.size() - begin));
    for (const FeatureKey key : batch) prefetch_slot(key);
    std::size_t found = 0;
    for (const FeatureKey key : batch) {
      if (key == kAbsent) continue;
      const Row row = find(key);
      if (row == kNoRow) continue;
      __builtin_prefetch(words_ + row);
      rows[found++] = row;
    }
    for (std::size_t i = 0; i < found; ++i) add_to(rows[i], scores);
  }
}

std::size_t FrozenWeights::rows() const {
  return static_cast<std::size_t>(std::count_if(
      slots_, slots_ + slot_count_, [](const Slot& slot) { return slot.begin != kEmpty; }));
}

std::size_t FrozenWeights::weights() const {
  return (word_count_ - rows()) / words_per_weight_;
}

}  // namespace copse
