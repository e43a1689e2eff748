// The k best derivations of an item, lazily (Huang & Chiang 2005, algorithm 3).
//
// After one pass of best values, an item's candidates are its edges, each with rank 0 in both
// tails and in the labels of its arc. The next best is the top of the heap; what succeeds it
// raises one of the three ranks. A triple is reached from one parent only: the last rank that is
// not 0, lowered; so nothing is produced twice. Equal scores: by edge order, then by ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "copse/inference/charts/derivation.h"
#include "copse/inference/charts/log_sum.h"
#include "copse/inference/part_scores.h"

namespace copse::charts {

struct Ranked {
  double score = 0;
  int order = 0;              // of the edge
  std::array<int, 3> rank{};  // in tail a, in tail b, among the labels of the arc
  Edge edge;
};

template <class Chart>
class KBest {
 public:
  // inside must be what best_inside left.
  KBest(const Chart& chart, const PartScores& scores, const Weights<double>& weights,
        std::span<const double> inside)
      : chart_(chart), scores_(scores), weights_(weights), inside_(inside.data()) {}

  // The derivation of the item with the given rank, or null if there are not so many. Valid until
  // the next call.
  const Ranked* get(Item item, int rank) {
    // A stack of its own instead of recursion: derivations can be as deep as the sentence is long.
    requests_.assign(1, {item, rank});
    while (!requests_.empty()) {
      const Request request = requests_.back();
      if (settled(state(request.item), request.rank))
        requests_.pop_back();
      else
        advance(request.item);
    }
    const State& found = state(item);
    return static_cast<int>(found.best.size()) > rank ? &found.best[at(rank)] : nullptr;
  }

  // The label of rank `rank` of an arc; ties: the smaller label.
  int label(int a, int rank) { return labels_of(a)[at(rank)]; }

 private:
  struct State {
    std::vector<Ranked> best;
    std::vector<Ranked> heap;
    int expanded = 0;   // of best, how many have their successors in the heap
    int next_rank = 0;  // of best[expanded], the rank to raise next
    PartId arc = kNoPart;
  };
  struct Request {
    Item item;
    int rank;
  };

  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  static bool worse(const Ranked& x, const Ranked& y) {
    if (x.score != y.score) return x.score < y.score;
    return std::tie(x.order, x.rank) > std::tie(y.order, y.rank);
  }
  static bool exhausted(const State& s) {
    return s.heap.empty() && s.expanded == static_cast<int>(s.best.size());
  }
  static bool settled(const State& s, int rank) {
    return static_cast<int>(s.best.size()) > rank || exhausted(s);
  }

  State& state(Item item) {
    const auto [place, is_new] = states_.try_emplace(item);
    State& s = place->second;
    if (is_new) {
      const Row row = chart_.row_of(item);
      const Item own = canonical(row, item);
      const OwnParts parts = chart_.own_parts(row);
      const double extra = own_score(weights_, parts, own - row.first);
      s.arc = parts.arc;
      int order = 0;
      for_each_edge(chart_, row, own, [&](const Edge& edge) {
        double score = edge_weight(weights_, edge) + extra;
        if (edge.a != kNoItem) score += inside_[edge.a];
        if (edge.b != kNoItem) score += inside_[edge.b];
        ++order;
        if (score != -std::numeric_limits<double>::infinity())
          s.heap.push_back({score, order, {}, edge});
      });
      std::make_heap(s.heap.begin(), s.heap.end(), worse);
    }
    return s;
  }

  // One step towards the next best of the item: asks for a tail, or raises a rank, or pops.
  void advance(Item item) {
    State& s = state(item);
    if (s.expanded == static_cast<int>(s.best.size())) {
      std::pop_heap(s.heap.begin(), s.heap.end(), worse);
      s.best.push_back(s.heap.back());
      s.heap.pop_back();
      s.next_rank = 0;
      const auto& rank = s.best.back().rank;
      for (int i = 0; i < 3; ++i)
        if (rank[at(i)] != 0) s.next_rank = i;
      return;
    }
    const Ranked parent = s.best[at(s.expanded)];
    const int i = s.next_rank;
    if (i < 2) {
      const Item tail = i == 0 ? parent.edge.a : parent.edge.b;
      if (tail != kNoItem) {
        const int rank = parent.rank[at(i)] + 1;
        const State& below = state(tail);  // states_ keeps references valid
        if (!settled(below, rank)) {
          requests_.push_back({tail, rank});
          return;
        }
        if (static_cast<int>(below.best.size()) > rank)
          push(s, parent, i, below.best[at(rank)].score - below.best[at(rank) - 1].score);
      }
    } else if (s.arc != kNoPart && scores_.labels() > 0) {
      const auto& order = labels_of(s.arc);
      const int rank = parent.rank[2] + 1;
      if (rank < static_cast<int>(order.size())) {
        const auto row = scores_.label_row(s.arc);
        push(s, parent, 2,
             static_cast<double>(row[at(order[at(rank)])]) -
                 static_cast<double>(row[at(order[at(rank) - 1])]));
      }
    }
    if (++s.next_rank == 3) {
      s.next_rank = 0;
      ++s.expanded;
    }
  }

  void push(State& s, Ranked successor, int which, double change) {
    successor.score += change;
    ++successor.rank[at(which)];
    s.heap.push_back(successor);
    std::push_heap(s.heap.begin(), s.heap.end(), worse);
  }

  // The labels of an arc that are not forbidden, best first.
  const std::vector<int>& labels_of(int a) {
    auto& order = labels_[a];
    if (order.empty()) {
      const auto row = scores_.label_row(a);
      for (int l = 0; l < scores_.labels(); ++l)
        if (row[at(l)] != -std::numeric_limits<float>::infinity()) order.push_back(l);
      std::stable_sort(order.begin(), order.end(),
                       [&](int x, int y) { return row[at(x)] > row[at(y)]; });
    }
    return order;
  }

  const Chart& chart_;
  const PartScores& scores_;
  Weights<double> weights_;
  const double* inside_;
  std::unordered_map<Item, State> states_;
  std::unordered_map<int, std::vector<int>> labels_;
  std::vector<Request> requests_;
};

}  // namespace copse::charts
