// The linear model in use: an immutable table laid out for memory mapping. Safe to share between
// threads.
//
//   header   precision, labels, slots, words, scale, salt        32 bytes
//   slots    {fingerprint u32, begin u32} x slots                open addressing, linear probing
//   words    u32 x words: rows, each a count less one and its weights, labels ascending
//
// A weight is one word, (label u16, weight i16 in units of `scale`), or two, (label u32, f32).
// Rows lie in the order of their slots, without gaps: one pass over the bytes checks them all.
// A key is found by its fingerprint, 32 bits that take no part in choosing the slot. Features of
// the table are never mistaken for each other: the salt is chosen so that no two of them on one
// path of slots share a fingerprint. A feature that was never seen is taken for another one about
// once in 10^9 lookups.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "copse/model/weight_rows.h"

namespace copse {

enum class Precision : std::uint32_t { float32 = 0, int16 = 1 };

struct FreezeOptions {
  Precision precision = Precision::int16;
  float prune = 0;  // weights of at most this magnitude are left out
};

// The bytes of a frozen table. With int16 the largest weight becomes 32767, the others are rounded
// to the nearest unit and those that round to zero left out. Throws a usage error when a label is
// not below `labels` or labels of a row do not ascend, when a key occurs twice, and when there are
// more than 65536 labels; a data error when a weight is not a number or beyond 10^30.
std::string freeze(const WeightRows& rows, std::size_t labels, const FreezeOptions& options = {});

class FrozenWeights {
 public:
  FrozenWeights() = default;
  // A view of bytes made by freeze(), which must outlive it and be aligned to 8. Everything is
  // checked, so that no bytes whatever can lead a lookup astray; throws data_error. O(bytes).
  static FrozenWeights view(std::span<const std::byte> bytes);

  // Where a row begins among the words; kNoRow when the feature has none.
  using Row = std::uint32_t;
  static constexpr Row kNoRow = UINT32_MAX;

  Row find(FeatureKey key) const;

  // visit(label, weight) for every weight of a row.
  template <class Visit>
  void for_each(Row row, Visit visit) const {
    if (row == kNoRow) return;
    const std::uint32_t* word = words_ + row;
    const std::uint32_t* const end = word + row_size(*word);
    ++word;
    if (words_per_weight_ == 1) {
      const float scale = scale_;  // in a register, whatever visit() writes to
      for (; word != end; ++word) {
        visit(static_cast<Label>(*word & 0xFFFF),
              scale * static_cast<float>(static_cast<std::int16_t>(*word >> 16)));
      }
    } else {
      for (; word != end; word += 2) visit(static_cast<Label>(*word), float_of(word[1]));
    }
  }
  // scores[label] += weight. Needs a score for each of the labels().
  void add_to(Row row, std::span<float> scores) const {
    for_each(row, [&](Label label, float weight) { scores[label] += weight; });
  }
  // The same for many features at once: the memory they need is asked for ahead of time, so that
  // the waits overlap. Absent keys are passed over.
  void add_all_to(std::span<const FeatureKey> keys, std::span<float> scores) const;
  // Groups of keys, each with scores of its own, labels() of them, one group after the other: the
  // keys of group g end where ends[g] says.
  void add_groups_to(std::span<const FeatureKey> keys, std::span<const std::size_t> ends,
                     std::span<float> scores) const;

  std::size_t labels() const { return labels_; }
  std::size_t rows() const;
  std::size_t weights() const;
  Precision precision() const {
    return words_per_weight_ == 1 ? Precision::int16 : Precision::float32;
  }

 private:
  struct Slot {
    std::uint32_t fingerprint;
    std::uint32_t begin;
  };

  static float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
  std::size_t home(FeatureKey key) const;
  // The words of a row that begins with the word `count`.
  std::size_t row_size(std::uint32_t count) const {
    return 1 + (std::size_t{count} + 1) * words_per_weight_;
  }
  Row find_from(std::size_t slot, FeatureKey key) const;
  void check_rows() const;
  bool weights_are_good() const;

  const Slot* slots_ = nullptr;
  const std::uint32_t* words_ = nullptr;
  std::size_t slot_count_ = 0;
  std::size_t word_count_ = 0;
  std::size_t labels_ = 0;
  std::size_t words_per_weight_ = 1;
  std::uint32_t salt_ = 0;
  float scale_ = 0;
};

}  // namespace copse
