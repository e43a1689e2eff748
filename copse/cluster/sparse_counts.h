// A square table of counts, mostly zeros: each row is an unordered list of its non-zero cells, and
// an index says where in the list a cell stands. Reading a row, adding to a cell and clearing a
// cell cost O(1) per cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace copse {

// Column and count in one word: rows are read much more often than anything else is done.
class Cell {
 public:
  Cell(std::uint32_t column, std::uint64_t count) : packed_(count << 16 | column) {}
  std::uint32_t column() const { return packed_ & 0xFFFF; }
  std::uint64_t count() const { return packed_ >> 16; }
  void add(std::uint64_t count) { packed_ += count << 16; }

 private:
  std::uint64_t packed_;
};

class SparseCounts {
 public:
  static constexpr std::uint32_t kLargestSize = 0xFFFF;
  static constexpr std::uint64_t kLargestCount = (std::uint64_t{1} << 48) - 1;

  explicit SparseCounts(std::uint32_t size)
      : size_(size), rows_(size), position_(std::size_t{size} * size, kAbsent) {}

  std::span<const Cell> row(std::uint32_t row) const { return rows_[row]; }

  std::uint64_t operator()(std::uint32_t row, std::uint32_t column) const {
    const std::uint16_t position = position_[index(row, column)];
    return position == kAbsent ? 0 : rows_[row][position].count();
  }

  void add(std::uint32_t row, std::uint32_t column, std::uint64_t count) {
    std::uint16_t& position = position_[index(row, column)];
    if (position != kAbsent) {
      rows_[row][position].add(count);
    } else if (count > 0) {
      position = static_cast<std::uint16_t>(rows_[row].size());
      rows_[row].emplace_back(column, count);
    }
  }

  // The last cell of the row takes the place of the cleared one.
  void clear(std::uint32_t row, std::uint32_t column) {
    std::uint16_t& position = position_[index(row, column)];
    if (position == kAbsent) return;
    std::vector<Cell>& cells = rows_[row];
    cells[position] = cells.back();
    position_[index(row, cells.back().column())] = position;
    position = kAbsent;
    cells.pop_back();
  }

  void clear_row(std::uint32_t row) {
    for (const Cell cell : rows_[row]) position_[index(row, cell.column())] = kAbsent;
    rows_[row].clear();
  }

 private:
  static constexpr std::uint16_t kAbsent = 0xFFFF;

  std::size_t index(std::uint32_t row, std::uint32_t column) const {
    return std::size_t{row} * size_ + column;
  }

  std::uint32_t size_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::uint16_t> position_;  // of a cell in its row
};

}  // namespace copse
