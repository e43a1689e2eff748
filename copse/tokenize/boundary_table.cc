#include "copse/tokenize/boundary_table.h"

#include <algorithm>
#include <numeric>

#include "copse/base/error.h"

namespace copse {
namespace {

constexpr BoundarySet kInside = set_of(Boundary::inside);
constexpr BoundarySet kToken = set_of(Boundary::token);
constexpr BoundarySet kSentence = set_of(Boundary::sentence);

bool is_word_part(CharClass cls) {
  return is_letter(cls) || cls == CharClass::digit;
}

}  // namespace

BoundaryTable BoundaryTable::from_bytes(std::span<const BoundarySet> bytes) {
  BoundaryTable table;
  if (bytes.size() != table.sets_.size()) throw data_error("the table of boundaries is cut short");
  for (const BoundarySet set : bytes) {
    if (set == 0 || set > (kInside | kToken | kSentence)) {
      throw data_error("a place in the table of boundaries allows nothing");
    }
  }
  std::ranges::copy(bytes, table.sets_.begin());
  table.find_inside();
  return table;
}

void BoundaryTable::find_inside() {
  for (std::size_t i = 0; i < inside_.size(); ++i) {
    inside_[i] = sets_[i * 3 + static_cast<std::size_t>(Gap::none)] == kInside;
  }
}

void BoundaryCounter::add(CharClass left, Gap gap, CharClass right, Boundary boundary) {
  const auto label = static_cast<std::size_t>(boundary);
  ++counts_[BoundaryTable::index(left, gap, right)][label];
  if (gap == Gap::none) ++by_left_[static_cast<std::size_t>(left)][label];
}

double BoundaryCounter::density() const {
  Counts total{};
  for (const Counts& counts : by_left_) {
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += counts[i];
  }
  const long all = std::accumulate(total.begin(), total.end(), 0L);
  return all == 0 ? 0 : 1 - static_cast<double>(total[0]) / static_cast<double>(all);
}

BoundarySet BoundaryCounter::seen(const Counts& counts, const BoundaryTableOptions& options) const {
  const long all = std::accumulate(counts.begin(), counts.end(), 0L);
  BoundarySet set = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double share = all == 0 ? 0 : static_cast<double>(counts[i]) / static_cast<double>(all);
    if (counts[i] >= options.min_count && share >= options.min_share) {
      set |= set_of(static_cast<Boundary>(i));
    }
  }
  return set;
}

BoundaryTable BoundaryCounter::table(const BoundaryTableOptions& options) const {
  const bool dense = density() > options.dense;
  BoundaryTable table;
  for (int l = 0; l < kCharClasses; ++l) {
    const auto left = static_cast<CharClass>(l);
    const BoundarySet after_left = seen(by_left_[static_cast<std::size_t>(l)], options) & kSentence;
    for (int r = 0; r < kCharClasses; ++r) {
      const auto right = static_cast<CharClass>(r);
      const auto cell = [&](Gap gap) -> BoundarySet& {
        return table.sets_[BoundaryTable::index(left, gap, right)];
      };
      const auto known = [&](Gap gap) {
        const Counts& counts = counts_[BoundaryTable::index(left, gap, right)];
        return std::accumulate(counts.begin(), counts.end(), 0L) >= options.trusted_count;
      };
      const auto counted = [&](Gap gap) {
        return seen(counts_[BoundaryTable::index(left, gap, right)], options);
      };

      if (right == CharClass::extender) {
        cell(Gap::none) = kInside;
      } else if (counted(Gap::none) == 0 &&
                 (left == CharClass::pictograph) != (right == CharClass::pictograph)) {
        cell(Gap::none) = kToken;  // an emoji is no part of a word, whatever was not seen
      } else if (dense) {
        cell(Gap::none) = kInside | kToken | after_left;
      } else if (known(Gap::none)) {
        cell(Gap::none) = std::max(counted(Gap::none), kInside);
      } else {
        const bool one_word = is_word_part(left) && is_word_part(right);
        cell(Gap::none) = one_word ? kInside : kInside | kToken | after_left;
        cell(Gap::none) |= counted(Gap::none);
      }
      // A line end is a strong hint and rare: always a question.
      cell(Gap::line_end) = kToken | kSentence;
      cell(Gap::blank) = kToken | kSentence;
      if (known(Gap::blank)) cell(Gap::blank) = kToken | (counted(Gap::blank) & kSentence);
      if (known(Gap::blank) && counted(Gap::blank) == kSentence) cell(Gap::blank) = kSentence;
    }
  }
  table.find_inside();
  return table;
}

}  // namespace copse
