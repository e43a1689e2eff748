// How a chart tells the engine its hyperedges.
//
// A factorisation is items and edges  head <- a [b]  with parts; w(edge) is the sum of the scores
// of its parts. Neighbouring edges of a rule differ in one index only, so a chart hands them over
// as runs: edge k of a run is
//
//     head + k * head_step  <-  a + k * a_step,  b + k * b_step
//         with the parts  each,  lanes + k,  more + k          (whichever are present)
//
// A step of 0 means "the same for all edges of the run". head_step 1: the run goes lane by lane
// through a row of items; head_step 0: all edges of the run lead into one item.
//
// Items come in rows: neighbours in memory that the same rule builds. Parts shared by all edges
// into an item are the item's own:  I(x) = w(own parts of x) (x) (+) over edges into x of ...
//
// A chart is a class with
//     int words(), int items(), Item goal()
//     axioms(visit)                visit(row) for the rows without tails,
//     cell(i, j, visit)            for those of the span [i,j],
//     top(visit)                   and for those after all spans: always tails before heads
//     edges_into(row, visitor)     visitor.run(Run) for every run, in the order that breaks ties;
//                                  or visitor.runs(count, make) for runs make(0), make(1), .. of
//                                  one shape along the lanes of one row
//     own_parts(row)               see OwnParts
//     row_of(item)                 the row of an item or of its twin
// and nothing else: argmax, sums, marginals, k-best and sampling are all in the engine, so a
// recurrence is written once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "copse/base/stop.h"
#include "copse/inference/part_index.h"

namespace copse::charts {

using Item = std::int32_t;
using PartId = PartIndex::Id;
inline constexpr Item kNoItem = -1;
inline constexpr PartId kNoPart = PartIndex::kNone;

struct Run {
  int count = 1;
  Item head = kNoItem;
  int head_step = 0;
  Item a = kNoItem;  // none: an axiom
  int a_step = 0;
  Item b = kNoItem;  // none: one tail
  int b_step = 0;
  PartId each = kNoPart;
  PartId lanes = kNoPart;
  PartId more = kNoPart;
};

// What most visitors do with several runs.
template <class Visitor>
struct RunByRun {
  template <class Make>
  [[gnu::always_inline]] void runs(int count, const Make& make) {
    for (int k = 0; k < count; ++k) static_cast<Visitor*>(this)->run(make(k));
  }
};

struct Row {
  int kind = 0;  // the chart's own enumeration
  int h = 0;     // the two indices of the recurrence
  int x = 0;
  Side side = Side::right;
  Item first = kNoItem;
  int count = 0;
  // A second address of a row of one item, so that runs along either of its indices are
  // contiguous. The engine copies inside values to it and collects outside values from it.
  Item twin = kNoItem;
};

// The parts of item k of a row:  arc (a dep part, the row's arc)  and  lanes + k.
struct OwnParts {
  PartId arc = kNoPart;
  PartId lanes = kNoPart;
};

// What the two directions of a mirrored rule differ in.
inline Side opposite(Side side) {
  return side == Side::right ? Side::left : Side::right;
}
inline int outward(Side side) {
  return side == Side::right ? 1 : -1;
}

// Out of line: passes over a chart are flattened, and nothing of this belongs into their loops.
[[gnu::noinline]] inline void ask(const Stop& stop) {
  stop.check();
}

// visit(row) for every row, tails before heads: the order of inside passes. The stop is asked once
// per width of spans.
template <class Chart, class Visit>
void rows_upwards(const Chart& chart, const Stop& stop, Visit&& visit) {
  chart.axioms(visit);
  for (int width = 1; width <= chart.words(); ++width) {
    ask(stop);
    for (int i = 0; i + width <= chart.words(); ++i) chart.cell(i, i + width, visit);
  }
  chart.top(visit);
}

// Exactly the other way round (but axioms among themselves): the order of outside passes.
template <class Chart, class Visit>
void rows_downwards(const Chart& chart, const Stop& stop, Visit&& visit) {
  std::array<Row, 8> rows;  // no cell has more
  std::size_t count = 0;
  const auto collect = [&](const Row& row) { rows[count++] = row; };
  const auto release = [&] {
    while (count > 0) visit(rows[--count]);
  };
  chart.top(collect);
  release();
  for (int width = chart.words(); width >= 1; --width) {
    ask(stop);
    for (int i = chart.words() - width; i >= 0; --i) {
      chart.cell(i, i + width, collect);
      release();
    }
  }
  chart.axioms(visit);
}

}  // namespace copse::charts
