// Walks back from an item to what it was made of: argmax without stored backpointers.
//
// The edges into an item are enumerated anew, by the same chart text that built it, and compared;
// the first of equal ones wins.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "copse/inference/charts/max_inside.h"
#include "copse/inference/charts/run.h"

namespace copse::charts {

// One edge, taken out of its run.
struct Edge {
  Item a = kNoItem;
  Item b = kNoItem;
  PartId each = kNoPart;
  PartId lanes = kNoPart;
  PartId more = kNoPart;
};

// visit(edge) for every edge into one item of the row, in order.
template <class Chart, class Visit>
void for_each_edge(const Chart& chart, const Row& row, Item item, Visit&& visit) {
  struct Picker : RunByRun<Picker> {
    Picker(Item the_item, Visit& the_visit) : item(the_item), visit(the_visit) {}
    Item item;
    Visit& visit;
    void run(const Run& r) const {
      if (r.head_step == 0) {
        if (r.head != item) return;
        for (int k = 0; k < r.count; ++k) visit(edge(r, k));
      } else if (const int k = item - r.head; k >= 0 && k < r.count) {
        visit(edge(r, k));
      }
    }
    static Edge edge(const Run& r, int k) {
      return {.a = r.a == kNoItem ? kNoItem : r.a + k * r.a_step,
              .b = r.b == kNoItem ? kNoItem : r.b + k * r.b_step,
              .each = r.each,
              .lanes = r.lanes == kNoPart ? kNoPart : r.lanes + k,
              .more = r.more == kNoPart ? kNoPart : r.more + k};
    }
  };
  Picker picker(item, visit);
  chart.edges_into(row, picker);
}

// The item itself, if given its twin.
inline Item canonical(const Row& row, Item item) {
  return item == row.twin ? row.first : item;
}

template <class Real>
Real edge_weight(const Weights<Real>& weights, const Edge& edge) {
  Real w = 0;
  for (const PartId part : {edge.each, edge.lanes, edge.more})
    if (part != kNoPart) w += static_cast<Real>(weights.part[part]);
  return w;
}

template <class Real>
Real own_weight(const Weights<Real>& weights, const Row& row, const OwnParts& own, Item item) {
  Real w = own.arc == kNoPart ? Real{0} : weights.arc[own.arc];
  if (own.lanes != kNoPart) w += static_cast<Real>(weights.part[own.lanes + item - row.first]);
  return w;
}

// choose(row, item) -> Edge; the derivation that follows its choices, item by item. Calls
// arc(a) for every arc and part(id) for every other part in it.
template <class Chart, class Choose, class OnArc, class OnPart>
void walk(const Chart& chart, Item from, std::vector<Item>& stack, Choose&& choose, OnArc&& arc,
          OnPart&& part) {
  stack.assign(1, from);
  while (!stack.empty()) {
    const Item popped = stack.back();
    stack.pop_back();
    const Row row = chart.row_of(popped);
    const Item item = canonical(row, popped);
    const OwnParts own = chart.own_parts(row);
    if (own.arc != kNoPart) arc(own.arc);
    if (own.lanes != kNoPart) part(own.lanes + item - row.first);
    const Edge edge = choose(row, item);
    for (const PartId id : {edge.each, edge.lanes, edge.more})
      if (id != kNoPart) part(id);
    if (edge.b != kNoItem) stack.push_back(edge.b);
    if (edge.a != kNoItem) stack.push_back(edge.a);
  }
}

template <class Chart>
[[gnu::flatten]] Edge best_edge(const Chart& chart, const Weights<float>& weights,
                                const float* value, const Row& row, Item item) {
  Edge best;
  float best_value = -std::numeric_limits<float>::infinity();
  bool found = false;
  for_each_edge(chart, row, item, [&](const Edge& edge) {
    float x = edge_weight(weights, edge);
    if (edge.a != kNoItem) x += value[edge.a];
    if (edge.b != kNoItem) x += value[edge.b];
    if (found && !(x > best_value)) return;
    best = edge, best_value = x, found = true;
  });
  return best;
}

}  // namespace copse::charts
