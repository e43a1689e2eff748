#include "copse/treebank/drawing/canvas.h"

#include <algorithm>
#include <array>

#include "copse/treebank/drawing/drawable.h"

namespace copse::drawing {
namespace {

enum Direction : std::uint8_t { kUp = 1, kDown = 2, kLeft = 4, kRight = 8 };

// Indexed by the sum of directions.
constexpr std::array<std::string_view, 16> kBoxes = {" ", "╵", "╷", "│", "╴", "╯", "╮", "┤",
                                                     "╶", "╰", "╭", "├", "─", "┴", "┬", "┼"};
constexpr std::array<std::string_view, 16> kAsciiBoxes = {" ", "|", "|", "|", "-", "'", ".", "+",
                                                          "-", "'", ".", "+", "-", "+", "+", "+"};

std::string_view escape_of(Ink ink) {
  switch (ink) {
    case Ink::plain:
      return "\x1b[0m";
    case Ink::faint:
      return "\x1b[0;2m";
    case Ink::bold:
      return "\x1b[0;1m";
    case Ink::core:
      return "\x1b[0;34m";
    case Ink::modifier:
      return "\x1b[0;32m";
    case Ink::coordination:
      return "\x1b[0;33m";
    case Ink::expression:
      return "\x1b[0;35m";
  }
  return {};
}

}  // namespace

Canvas::Cell& Canvas::cell(int x, int y) {
  const auto row = static_cast<std::size_t>(std::max(y, 0));
  const auto column = static_cast<std::size_t>(std::max(x, 0));
  if (rows_.size() <= row) rows_.resize(row + 1);
  if (rows_[row].size() <= column) rows_[row].resize(column + 1);
  return rows_[row][column];
}

void Canvas::join(int x, int y, std::uint8_t directions, Ink ink) {
  if (directions == 0) return;
  Cell& joined = cell(x, y);
  joined.lines = static_cast<std::uint8_t>(joined.lines | directions);
  joined.ink = ink;
}

void Canvas::horizontal(int y, int from_x, int to_x, Ink ink) {
  const auto [left, right] = std::minmax(from_x, to_x);
  for (int x = left; x <= right; ++x) {
    join(x, y, static_cast<std::uint8_t>((x > left ? kLeft : 0) | (x < right ? kRight : 0)), ink);
  }
}

void Canvas::vertical(int x, int from_y, int to_y, Ink ink) {
  const auto [top, bottom] = std::minmax(from_y, to_y);
  for (int y = top; y <= bottom; ++y) {
    join(x, y, static_cast<std::uint8_t>((y > top ? kUp : 0) | (y < bottom ? kDown : 0)), ink);
  }
}

void Canvas::text(int x, int y, std::string_view text, Ink ink) {
  while (!text.empty()) {
    const std::string_view cluster = take_cluster(text);
    const int width = cell_width(cluster);
    if (width == 0) {  // a mark without a letter: it goes with what stands before it
      if (x > 0) cell(x - 1, y).text += cluster;
      continue;
    }
    Cell& first = cell(x, y);
    first.text = cluster;
    first.ink = ink;
    for (int i = 1; i < width; ++i) cell(x + i, y).covered = true;
    x += width;
  }
}

std::string_view Canvas::glyph(const Cell& cell) const {
  if (!cell.text.empty()) return cell.text;
  return (unicode_ ? kBoxes : kAsciiBoxes)[cell.lines];
}

std::string Canvas::str() const {
  std::string out;
  for (const auto& row : rows_) {
    std::size_t end = row.size();
    while (end > 0 && !row[end - 1].covered && glyph(row[end - 1]) == " ") --end;
    Ink ink = Ink::plain;
    for (std::size_t x = 0; x < end; ++x) {
      if (row[x].covered) continue;
      const std::string_view drawn = glyph(row[x]);
      if (color_ && drawn != " " && row[x].ink != ink) {
        ink = row[x].ink;
        out += escape_of(ink);
      }
      out += drawn;
    }
    if (ink != Ink::plain) out += escape_of(Ink::plain);
    out += '\n';
  }
  return out;
}

}  // namespace copse::drawing
