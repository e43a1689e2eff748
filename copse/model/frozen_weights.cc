#include "copse/model/frozen_weights.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "copse/base/error.h"
#include "copse/model/probe_runs.h"

namespace copse {
namespace {

struct Header {
  std::uint32_t precision;
  std::uint32_t labels;
  std::uint64_t slots;
  std::uint64_t words;
  float scale;
  std::uint32_t salt;
};
static_assert(sizeof(Header) == 32);

constexpr std::uint32_t kEmpty = UINT32_MAX;
constexpr float kLargestUnit = 32767;
constexpr float kLargestWeight = 1e30F;  // beyond it sums of weights are in danger
constexpr std::size_t kMostLabels = std::size_t{std::numeric_limits<Label>::max()} + 1;

// The two halves of a key's work: which slot, and whether it is the one.
std::uint64_t slot_bits(FeatureKey key) {
  return key * 0x9E3779B97F4A7C15ULL;
}
std::uint32_t fingerprint(FeatureKey key, std::uint32_t salt) {
  return static_cast<std::uint32_t>(scramble(key ^ salt) >> 32);
}

// Needs fewer than 2^32 slots.
std::size_t scale_to(std::uint64_t bits, std::size_t slots) {
  return (bits >> 32) * slots >> 32;
}

// The largest magnitude of a weight; throws unless the rows can be frozen.
float check_weights(const WeightRows& rows, std::size_t labels) {
  if (labels > kMostLabels) {
    throw usage_error(fmt::format("{} labels; a model has at most {}", labels, kMostLabels));
  }
  float largest = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::size_t free_label = 0;
    for (const LabelWeight& entry : rows.row(i)) {
      if (entry.label < free_label || entry.label >= labels) {
        throw usage_error("the labels of a row of weights do not ascend or do not exist");
      }
      if (!(std::abs(entry.weight) <= kLargestWeight)) {
        throw data_error("a weight is not a number or beyond 10^30: the training has diverged");
      }
      free_label = std::size_t{entry.label} + 1;
      largest = std::max(largest, std::abs(entry.weight));
    }
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
    words_.assign(1, UINT32_MAX);  // one less than the weights so far
    for (const LabelWeight& entry : row) {
      if (std::abs(entry.weight) <= options_.prune) continue;
      if (options_.precision == Precision::float32) {
        push(entry.label);
        words_.push_back(std::bit_cast<std::uint32_t>(entry.weight));
      } else if (const auto units =
                     static_cast<std::int16_t>(std::lround(entry.weight / double{scale_}));
                 units != 0) {
        push(entry.label | std::uint32_t{static_cast<std::uint16_t>(units)} << 16);
      }
    }
    return words_;
  }
  bool is_empty(std::span<const LabelWeight> row) { return pack(row).size() == 1; }

 private:
  void push(std::uint32_t word) {
    words_.push_back(word);
    ++words_[0];
  }

  const FreezeOptions& options_;
  float scale_;
  std::vector<std::uint32_t> words_;
};

// Which row goes into which slot; kEmpty for none. Half of the slots are empty: most features that
// are looked up have no weights, and finding that out then takes 2.5 probes (Knuth vol. 3, 6.4).
class Placement {
 public:
  Placement(const WeightRows& rows, std::span<const std::uint32_t> kept)
      : rows_(rows), kept_(kept), slots_(kept.size() * 2 + 1) {
    while (!try_salt()) ++salt_;
  }

  std::span<const std::uint32_t> slots() const { return slots_; }
  std::uint32_t salt() const { return salt_; }

 private:
  // Fails when a key would be found in the slot of another one.
  bool try_salt() {
    std::ranges::fill(slots_, kEmpty);
    return std::ranges::all_of(kept_, [this](std::uint32_t row) { return place(row); });
  }

  bool place(std::uint32_t row) {
    const FeatureKey key = rows_.key(row);
    std::size_t at = scale_to(slot_bits(key), slots_.size());
    for (; slots_[at] != kEmpty; at = at + 1 == slots_.size() ? 0 : at + 1) {
      const FeatureKey other = rows_.key(slots_[at]);
      if (other == key) throw usage_error("a feature has two rows of weights");
      if (fingerprint(other, salt_) == fingerprint(key, salt_)) return false;
    }
    slots_[at] = row;
    return true;
  }

  const WeightRows& rows_;
  std::span<const std::uint32_t> kept_;
  std::vector<std::uint32_t> slots_;
  std::uint32_t salt_ = 0;
};

}  // namespace

std::string freeze(const WeightRows& rows, std::size_t labels, const FreezeOptions& options) {
  const float largest = check_weights(rows, labels);
  // The smallest normal number at least: a scale of zero would divide by zero.
  const float scale = std::max(largest / kLargestUnit, std::numeric_limits<float>::min());
  if (rows.rows() >= kEmpty / 2) throw machine_error("too many features for one table of weights");
  RowPacker packer(options, scale);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < rows.rows(); ++i) {
    if (!packer.is_empty(rows.row(i))) kept.push_back(i);
  }
  const Placement placement(rows, kept);
  std::vector<std::array<std::uint32_t, 2>> slots;
  std::vector<std::uint32_t> words;
  slots.reserve(placement.slots().size());
  for (const std::uint32_t row : placement.slots()) {
    if (row == kEmpty) {
      slots.push_back({0, kEmpty});
      continue;
    }
    const auto packed = packer.pack(rows.row(row));
    if (words.size() + packed.size() >= kEmpty) {
      throw machine_error("too many weights for one table (4 * 10^9 words)");
    }
    slots.push_back(
        {fingerprint(rows.key(row), placement.salt()), static_cast<std::uint32_t>(words.size())});
    words.insert(words.end(), packed.begin(), packed.end());
  }
  const Header header{static_cast<std::uint32_t>(options.precision),
                      static_cast<std::uint32_t>(labels),
                      slots.size(),
                      words.size(),
                      scale,
                      placement.salt()};
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
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0) {
    throw usage_error("a table of weights must be aligned to 8 bytes");
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.precision > 1) throw data_error("weights of an unknown precision");
  if (header.labels > kMostLabels) throw data_error("a table of weights with too many labels");
  // -32768 units are the most that a word can hold.
  if (!(std::abs(header.scale) * (kLargestUnit + 1) <= kLargestWeight * 1.001F)) {
    throw data_error("the scale of the weights is not a number");
  }
  const std::size_t room = bytes.size() - sizeof header;
  if (header.slots == 0 || header.slots > UINT32_MAX || header.slots > room / sizeof(Slot) ||
      header.words > UINT32_MAX || header.slots * sizeof(Slot) + header.words * 4 != room) {
    throw data_error("the table of weights is not as long as it says");
  }
  FrozenWeights table;
  const std::byte* const slots = bytes.data() + sizeof header;
  table.slots_ = reinterpret_cast<const Slot*>(slots);
  table.slot_count_ = header.slots;
  table.words_ = reinterpret_cast<const std::uint32_t*>(slots + header.slots * sizeof(Slot));
  table.word_count_ = header.words;
  table.labels_ = header.labels;
  table.words_per_weight_ = header.precision == 1 ? 1 : 2;
  table.salt_ = header.salt;
  table.scale_ = header.scale;
  table.check_rows();
  return table;
}

// Rows follow each other in the order of the slots, so this reads slots and words once, in order.
// Whether a slot is empty and how long a row is cannot be foreseen: the loop has no branch on them,
// and it takes a row's place from the slot, not from the row before, so that loads need not wait.
void FrozenWeights::check_rows() const {
  if (word_count_ == 0) {
    if (rows() != 0) throw data_error("a row of weights lies outside of its place");
    return;
  }
  std::size_t expected = 0;
  ProbeRuns runs;
  bool good = true;
  for (std::size_t i = 0; i < slot_count_; ++i) {
    const std::uint32_t begin = slots_[i].begin;
    const std::size_t is_taken = begin != kEmpty ? 1 : 0;
    const std::uint32_t count = words_[std::min<std::size_t>(begin, word_count_ - 1)];
    good &= (is_taken == 0) | ((begin == expected) & (begin < word_count_) & (count < labels_));
    expected = is_taken != 0 ? begin + row_size(count) : expected;
    runs.add(is_taken != 0);
  }
  if (!good || expected > word_count_) {
    throw data_error("a row of weights lies outside of its place");
  }
  if (expected < word_count_) throw data_error("weights that belong to no feature");
  if (!runs.good()) throw data_error("the table of weights has too few free slots");
  if (!weights_are_good()) {
    throw data_error("a weight that is not a number or for a label that does not exist");
  }
}

// Needs rows that fill the words and counts below the number of labels.
bool FrozenWeights::weights_are_good() const {
  bool good = true;
  if (words_per_weight_ == 1) {
    // Counts, less one as they are, pass this check too: no need to tell them from the weights.
    for (std::size_t i = 0; i < word_count_; ++i) good &= (words_[i] & 0xFFFF) < labels_;
    return good;
  }
  for (std::size_t row = 0; row < word_count_; row += row_size(words_[row])) {
    for (std::size_t i = row + 1; i < row + row_size(words_[row]); i += 2) {
      good &= (words_[i] < labels_) & (std::abs(float_of(words_[i + 1])) <= kLargestWeight);
    }
  }
  return good;
}

inline std::size_t FrozenWeights::home(FeatureKey key) const {
  return scale_to(slot_bits(key), slot_count_);
}

inline FrozenWeights::Row FrozenWeights::find_from(std::size_t at, FeatureKey key) const {
  const std::uint32_t wanted = fingerprint(key, salt_);
  while (slots_[at].begin != kEmpty) {
    if (slots_[at].fingerprint == wanted) return slots_[at].begin;
    at = at + 1 == slot_count_ ? 0 : at + 1;
  }
  return kNoRow;
}

FrozenWeights::Row FrozenWeights::find(FeatureKey key) const {
  return slot_count_ == 0 ? kNoRow : find_from(home(key), key);
}

void FrozenWeights::add_groups_to(std::span<const FeatureKey> keys,
                                  std::span<const std::size_t> ends,
                                  std::span<float> scores) const {
  if (slot_count_ == 0) return;
  constexpr std::size_t kBatch = 128;
  std::array<std::uint32_t, kBatch> homes;
  std::array<Row, kBatch> rows;
  std::size_t group = 0;
  for (std::size_t begin = 0; begin < keys.size(); begin += kBatch) {
    const auto batch = keys.subspan(begin, std::min(kBatch, keys.size() - begin));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      homes[i] = static_cast<std::uint32_t>(home(batch[i]));
      __builtin_prefetch(slots_ + homes[i]);
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      rows[i] = batch[i] == kAbsent ? kNoRow : find_from(homes[i], batch[i]);
      if (rows[i] != kNoRow) __builtin_prefetch(words_ + rows[i]);
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      while (begin + i == ends[group]) ++group;
      if (rows[i] != kNoRow) add_to(rows[i], scores.subspan(group * labels_, labels_));
    }
  }
}

void FrozenWeights::add_all_to(std::span<const FeatureKey> keys, std::span<float> scores) const {
  const std::size_t end = keys.size();
  add_groups_to(keys, {&end, 1}, scores);
}

std::size_t FrozenWeights::rows() const {
  return static_cast<std::size_t>(std::count_if(
      slots_, slots_ + slot_count_, [](const Slot& slot) { return slot.begin != kEmpty; }));
}

std::size_t FrozenWeights::weights() const {
  return (word_count_ - rows()) / words_per_weight_;
}

}  // namespace copse
