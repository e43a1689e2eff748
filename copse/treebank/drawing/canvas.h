// A page of character cells for terminal drawings. Lines are kept as directions per cell and
// become box-drawing characters when the page is printed, so lines that meet join by themselves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::drawing {

enum class Ink : std::uint8_t { plain, faint, bold, core, modifier, coordination, expression };

class Canvas {
 public:
  Canvas(bool unicode, bool color) : unicode_(unicode), color_(color) {}

  // Lines from cell to cell, ends included. A line of one cell leaves no mark.
  void horizontal(int y, int from_x, int to_x, Ink ink);
  void vertical(int x, int from_y, int to_y, Ink ink);
  // Text over whatever is there; needs drawable text. Arrow heads are text too.
  void text(int x, int y, std::string_view text, Ink ink);

  int height() const { return static_cast<int>(rows_.size()); }

  // Lines without trailing spaces, each ended by "\n".
  std::string str() const;

 private:
  struct Cell {
    std::string text;  // empty: a line or nothing; in the second half of a wide character " "
    std::uint8_t lines = 0;
    bool covered = false;  // by the wide character to the left
    Ink ink = Ink::plain;
  };

  Cell& cell(int x, int y);
  void join(int x, int y, std::uint8_t directions, Ink ink);
  std::string_view glyph(const Cell& cell) const;

  std::vector<std::vector<Cell>> rows_;
  bool unicode_;
  bool color_;
};

}  // namespace copse::drawing
