// Geometry of a dependency drawing: words side by side, arcs stacked above them. Pure numbers in
// whole units, so that pixels and character cells share it.
//
//   level 2    +-------- obj --------+
//   level 1    |      +---- det ----+|        one leg ("slot") per arc and word, so that arcs
//              |      v             |v        never share a line
//              saw    the           dog
//
// Words are spread until every label fits between the legs of its arc. Legs at a word are
// ordered so that nested arcs do not cross: towards the left the shortest arc leaves leftmost,
// towards the right the shortest leaves rightmost, a root arrow stands between. Shorter arcs are
// stacked first; an arc lies above every arc it shares a position with. In a projective tree
// nothing crosses; elsewhere only legs cross lines, and labels move out of their way.
//
// A sentence wider than max_width is broken into rows, preferably where few arcs cross the
// break. An arc between two rows is drawn as two stubs that run to the edges of the rows.
//
// O(n log n + n * words per row) time.
#pragma once

#include <span>
#include <vector>

namespace copse::drawing {

struct WordShape {
  int width = 0;
  int name_width = 0;  // of the text that names the word at the end of a stub
};

struct ArcShape {
  int head = 0;  // 1..n, or 0 for an arrow from above
  int modifier = 0;
  int label_width = 0;
};

struct TokenShape {  // something below words first..last that wants room
  int first = 0;
  int last = 0;
  int width = 0;
};

struct ArcSpacing {
  int word_gap = 18;
  int leg_pitch = 8;      // between the legs at one word
  int label_margin = 10;  // between a label and the legs of its arc
  int name_gap = 6;       // between a row's edge and the names of stubs
  int max_width = 1200;   // of a row; 0: no limit
};

struct PlacedArc {
  int arc = 0;              // index of its shape
  int left = 0;             // x of the legs; where cut, the edge of the row's lines
  int right = 0;            // equal to left for an arrow from above
  int level = 0;            // 1 is the lowest; arrows from above start over all levels
  int label_x = 0;          // centre
  bool cut_left = false;    // comes from an earlier row
  bool cut_right = false;   // goes on in a later row
  bool arrow_left = false;  // the modifier is the left leg, or the right one
  bool arrow_right = false;
  bool from_above() const { return left == right; }
};

struct ArcRow {
  int first = 1;  // words of the row, both included
  int last = 0;
  int width = 0;
  int levels = 0;      // of arcs
  bool roots = false;  // some arrow comes from above
  int line_left = 0;   // edges of the lines of stubs; names stand outside
  int line_right = 0;
  std::vector<PlacedArc> arcs;
};

struct ArcLayout {
  std::vector<int> word_x;  // centre of word i at [i]; [0] unused
  std::vector<ArcRow> rows;
  int width = 0;  // of the widest row
};

ArcLayout lay_out_arcs(std::span<const WordShape> words, std::span<const ArcShape> arcs,
                       std::span<const TokenShape> tokens, const ArcSpacing& spacing);

}  // namespace copse::drawing
