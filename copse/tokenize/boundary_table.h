// Which decisions are open. Between two characters three things may happen; which of them are
// worth asking the model is told by the classes of the two characters and the blanks between them,
// counted in the training data. Most places in a text (letter, letter; letter, blank, lower-case
// letter) have one answer only, and the model is never asked.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/tokenize/characters.h"

namespace copse {

enum class Boundary : std::uint8_t {
  inside,    // I: the token goes on
  token,     // T: the token ends
  sentence,  // S: the token and the sentence end
};
inline constexpr int kBoundaries = 3;

// A set of boundaries, one bit each.
using BoundarySet = std::uint8_t;
constexpr BoundarySet set_of(Boundary boundary) {
  return static_cast<BoundarySet>(1U << static_cast<unsigned>(boundary));
}

enum class Gap : std::uint8_t { none, blank, line_end };
constexpr Gap gap_of(CharClass next) {
  return next == CharClass::blank      ? Gap::blank
         : next == CharClass::line_end ? Gap::line_end
                                       : Gap::none;
}

struct BoundaryTableOptions {
  int min_count = 3;         // a boundary seen less often between two classes is not considered
  double min_share = 0.005;  // nor one that is a smaller share of what happened there
  int trusted_count = 30;    // classes met less often than this may do anything plausible
  double dense = 0.25;       // share of boundaries inside chunks from which on all places are open
};

class BoundaryTable {
 public:
  BoundarySet at(CharClass left, Gap gap, CharClass right) const {
    return sets_[index(left, gap, right)];
  }
  // Whether nothing but Boundary::inside may happen between two characters without a blank.
  bool is_inside(CharClass left, CharClass right) const {
    return inside_[static_cast<std::size_t>(left) * kCharClasses + static_cast<std::size_t>(right)];
  }

  std::span<const BoundarySet> bytes() const { return sets_; }
  // Throws data_error unless `bytes` are those of a table.
  static BoundaryTable from_bytes(std::span<const BoundarySet> bytes);

 private:
  friend class BoundaryCounter;

  static constexpr std::size_t kCells = std::size_t{kCharClasses} * kCharClasses * 3;
  static constexpr std::size_t index(CharClass left, Gap gap, CharClass right) {
    return (static_cast<std::size_t>(left) * kCharClasses + static_cast<std::size_t>(right)) * 3 +
           static_cast<std::size_t>(gap);
  }

  void find_inside();

  std::array<BoundarySet, kCells> sets_{};
  std::array<bool, std::size_t{kCharClasses} * kCharClasses> inside_{};
};

// Counts boundaries in training data and makes the table of them.
class BoundaryCounter {
 public:
  void add(CharClass left, Gap gap, CharClass right, Boundary boundary);
  // Share of boundaries between characters without a blank between them.
  double density() const;
  BoundaryTable table(const BoundaryTableOptions& options) const;

 private:
  using Counts = std::array<long, kBoundaries>;

  BoundarySet seen(const Counts& counts, const BoundaryTableOptions& options) const;

  std::vector<Counts> counts_ = std::vector<Counts>(BoundaryTable::kCells);
  std::array<Counts, kCharClasses> by_left_{};  // without a blank
};

}  // namespace copse
