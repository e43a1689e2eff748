// The chart of the spinal parser (Carreras, Collins & Koo 2008, section 4), first and second order
// from one text. Items on the right of a head; the left is the mirror image:
//
//   C[h,eta,e,sigma,c]   h's half over h..e is complete; h has spine eta and its side is in state
//                        sigma = (p,b): last position used, and whether a level was opened there;
//                        c is its outermost modifier there. First order: without c.
//   I[a,eta,p,eta']      the labelled arc a = (h,m) just drawn at position p: covers h..m, m with
//                        its inner half
//
//   C[h,eta,h,(0,0),-]  =  spine(h,eta)                       on the right, 0 on the left
//   A[a,eta,p,k]        =  sum over sigma -> p, c   C[h,eta,k,sigma,c]  x  sib(a,c)
//   B[a,eta',k]         =  sum over sigma, c        C[m,eta',k+1,sigma,c] x inner(a,c) x begin(a,k+1)
//   I[a,eta,p,eta']     =  sum over k               A[a,eta,p,k] x B[a,eta',k]  x  dep(a)
//   D[a,eta',e]         =  sum over sigma, c        C[m,eta',e,sigma,c] x outer(a,c) x end(a,e)
//   C[h,eta,e,(p,b),m]  =  sum over a into m, eta'  I[a,eta,p,eta'] x D[a,eta',e]
//   goal                =  sum over r, a = (0,r)    left half x right half of r, like B and D
//
// A, B and D are also where phrases end. Second order: each of N_q .. N_(p-1) where a side goes on
// from position q to p, N_p too where a level is opened over it, and N_q .. N_K where a half becomes
// one of a modifier, adds the score of its edge.
//
// sigma = (q,b) leads to position p >= q. A sister under Y != X wants no level opened at p before,
// one under Y = X wants one; an adjunction that opens a level is free. b becomes 1 with a level.
// Every derivation is found once. O(n^4 S^2 T) for S spines and T positions, less by pruning.
//
// A sink takes the nodes and their edges: begin(), edge(weight, tail, tail, tag), end() -> node or
// kDead for one that nothing derives. It is all that differs between the best derivation and a
// forest (spinal_search.cc).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "copse/inference/charts/run.h"
#include "copse/inference/spinal_parts.h"

namespace copse::charts {

inline constexpr int kDead = -1;

// What an edge into an item I or into the goal adds to a derivation.
struct SpinalStep {
  int arc = 0;  // labelled
  int position = 0;
  int spine = 0;  // of the modifier
};

// Memory of the chart, kept from sentence to sentence.
struct SpinalItems {
  struct Half {
    int state = 0;  // 0: nothing adjoined yet; else 2p - 1 + b
    int slot = 0;   // of the outermost modifier
    int node = kDead;
  };
  struct Open {
    int spine = 0, state = 0;  // of the head, after the arc
    int pair = 0;              // among pairs
    int node = kDead;
  };
  struct Pair {
    int arc = 0, spine = 0;  // of the modifier
    int outer = kDead;       // D for the e at hand
  };
  std::vector<Half> halves;
  std::vector<int> cells;   // [side][h][e] -> where the spines of the cell begin in `starts`
  std::vector<int> starts;  // of the halves of each spine of a cell, and their end
  std::vector<Open> opens;  // of one arc by spine, then state
  std::vector<Pair> pairs;  // by arc
  std::vector<PartIndex::Range> opens_of, pairs_of;  // [arc of the index]
  std::vector<SpinalStep> steps;
  std::vector<int> row, rows;  // A over k; B over pairs and k
};

template <class Sink, bool kSecond>
class SpinalChart {
 public:
  SpinalChart(const SpinalParts& parts, const SpinalScores& scores, SpinalItems& items, Sink& sink)
      : parts_(parts), index_(parts.index()), scores_(scores), items_(items), sink_(sink) {}

  // The goal is the last node. False if there is no derivation.
  bool run() {
    start();
    const int n = parts_.words();
    for (int h = 1; h <= n; ++h) axioms(h);
    for (int width = 1; width < n; ++width) {
      for (int i = 1; i + width <= n; ++i) {
        draw(i, i + width);
        draw(i + width, i);
        complete(i, i + width, Side::right);
        complete(i + width, i, Side::left);
      }
    }
    return finish();
  }

 private:
  using Half = SpinalItems::Half;
  using Open = SpinalItems::Open;
  using Pair = SpinalItems::Pair;
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  void start() {
    const std::size_t n = at(parts_.words()) + 1;
    items_.halves.clear();
    items_.cells.assign(2 * n * n, -1);
    items_.starts.clear();
    items_.opens.clear();
    items_.pairs.clear();
    items_.opens_of.assign(at(index_.arcs()), {});
    items_.pairs_of.assign(at(index_.arcs()), {});
    items_.steps.clear();
  }
  int& cell(Side side, int h, int e) {
    const std::size_t n = at(parts_.words()) + 1;
    return items_.cells[((side == Side::right ? n : 0) + at(h)) * n + at(e)];
  }
  // visit(half) for all halves of a spine of h up to e.
  template <class Visit>
  void for_each_half(Side side, int h, int e, int spine, Visit&& visit) {
    const int first = cell(side, h, e);
    if (first < 0) return;
    const int* const start = items_.starts.data() + first + spine;
    for (int k = start[0]; k < start[1]; ++k) visit(items_.halves[at(k)]);
  }

  void axioms(int h) {
    const int spines = static_cast<int>(parts_.spines(h).size());
    for (const Side side : {Side::left, Side::right}) {
      cell(side, h, h) = static_cast<int>(items_.starts.size());
      for (int spine = 0; spine < spines; ++spine) {
        items_.starts.push_back(static_cast<int>(items_.halves.size()));
        sink_.begin();
        sink_.edge(side == Side::right ? scores_.spine[at(parts_.first_spine(h) + spine)] : 0.0F,
                   kDead, kDead, 0);
        add_half(0, 0);
      }
      items_.starts.push_back(static_cast<int>(items_.halves.size()));
    }
  }
  void add_half(int state, int slot) {
    const int node = sink_.end();
    if (node != kDead) items_.halves.push_back({state, slot, node});
  }

  // The state after adjoining at p from `state`; 0 if that cannot be.
  static int next_state(int state, int p, const SpinalLabel& label) {
    const int last = (state + 1) / 2;
    const bool raised = state != 0 && last == p && state == 2 * p;
    if (last > p) return 0;
    if (label.rise > 0) return 2 * p;
    if (label.y == label.x) return raised ? 2 * p : 0;
    return raised ? 0 : 2 * p - 1;
  }

  float sib(int a, int slot) const {
    return kSecond ? scores_.sib[at(parts_.sib_row(a) + slot)] : 0.0F;
  }
  float inner(int a, int slot) const {
    return kSecond ? scores_.inner[at(parts_.inner_row(a) + slot)] : 0.0F;
  }
  float outer(int a, int slot) const {
    return kSecond ? scores_.outer[at(parts_.outer_row(a) + slot)] : 0.0F;
  }
  // What the end of the modifier's tree on one side adds.
  float boundary(int a, Side side, int word) const {
    return side == Side::left ? scores_.begin_of(a, word, parts_.words())
                              : scores_.end_of(a, word, parts_.words());
  }

  // What the phrases of a spine add whose edge is where a side in `state` goes on above them: those
  // up to node `last`. `sums` are those of the spine for the place.
  static float closed(const float* sums, int state, int last) {
    if (!kSecond) return 0.0F;
    return sums[last] - sums[std::max((state + 1) / 2, 1) - 1];
  }
  const float* edge_sums(int h, Side side, int e, int spine) const {
    if (!kSecond) return nullptr;
    return scores_.edges.data() + SpinalScores::edge_sums(parts_, h, side, e) +
           parts_.first_node(h, spine);
  }

  // A half of a modifier with all its states: B or D.
  int modifier_half(int a, Side half, bool is_inner, int spine, int e) {
    sink_.begin();
    const int m = parts_.arc(a).m;
    const float here = boundary(a, half, e);
    const float* const sums = edge_sums(m, half, e, spine);
    const int top = parts_.spines(m)[at(spine)].height();
    for_each_half(half, m, e, spine, [&](const Half& each) {
      const float second = is_inner ? inner(a, each.slot) : outer(a, each.slot);
      sink_.edge(here + second + closed(sums, each.state, top), each.node, kDead, 0);
    });
    return sink_.end();
  }

  // All items I of the arcs from h to m.
  void draw(int h, int m) {
    const int whole = index_.find_arc(h, m);
    if (whole == PartIndex::kNone) return;
    items_.opens_of[at(whole)].first = static_cast<int>(items_.opens.size());
    items_.pairs_of[at(whole)].first = static_cast<int>(items_.pairs.size());
    const auto [first, last] = parts_.labelled(whole);
    for (int a = first; a < last; ++a) draw_labelled(a, h, m);
    auto& opens = items_.opens_of[at(whole)];
    opens.last = static_cast<int>(items_.opens.size());
    items_.pairs_of[at(whole)].last = static_cast<int>(items_.pairs.size());
    std::stable_sort(items_.opens.begin() + opens.first, items_.opens.begin() + opens.last,
                     [](const Open& a, const Open& b) {
                       return a.spine != b.spine ? a.spine < b.spine : a.state < b.state;
                     });
  }

  void draw_labelled(int a, int h, int m) {
    const SpinalLabel& label = parts_.label(a);
    const Side side = h < m ? Side::right : Side::left;
    const int out = outward(side);
    const int splits = h < m ? m - h : h - m;
    // B, for every spine of m under this label and every place to split.
    const int first_pair = static_cast<int>(items_.pairs.size());
    items_.rows.clear();
    const auto& modifiers = parts_.spines(m);
    for (int spine = 0; spine < static_cast<int>(modifiers.size()); ++spine) {
      if (modifiers[at(spine)].top() != label.z) continue;
      items_.pairs.push_back({a, spine, kDead});
      for (int k = 0; k < splits; ++k) {
        items_.rows.push_back(modifier_half(a, opposite(side), true, spine, h + (k + 1) * out));
      }
    }
    const int pairs = static_cast<int>(items_.pairs.size()) - first_pair;
    const auto& heads = parts_.spines(h);
    for (int spine = 0; spine < static_cast<int>(heads.size()); ++spine) {
      for (int p = 1; p <= heads[at(spine)].height(); ++p) {
        if (!heads[at(spine)].fits(p, label)) continue;
        if (!draw_heads(a, side, spine, p, splits)) continue;
        for (int k = 0; k < pairs; ++k) join(a, spine, p, first_pair + k, k * splits, splits);
      }
    }
  }

  // A for every place to split; false if there is none.
  bool draw_heads(int a, Side side, int spine, int p, int splits) {
    const int h = parts_.arc(a).h;
    const SpinalLabel& label = parts_.label(a);
    const int last = label.rise > 0 ? p : p - 1;  // that ends before the modifier
    bool alive = false;
    items_.row.clear();
    for (int k = 0; k < splits; ++k) {
      const int e = h + k * outward(side);
      const float* const sums = edge_sums(h, side, e, spine);
      sink_.begin();
      for_each_half(side, h, e, spine, [&](const Half& each) {
        if (next_state(each.state, p, label) == 0) return;
        sink_.edge(sib(a, each.slot) + closed(sums, each.state, last), each.node, kDead, 0);
      });
      items_.row.push_back(sink_.end());
      alive |= items_.row.back() != kDead;
    }
    return alive;
  }

  void join(int a, int spine, int p, int pair, int first_row, int splits) {
    sink_.begin();
    items_.steps.push_back({a, p, items_.pairs[at(pair)].spine});
    const auto tag = static_cast<std::uint32_t>(items_.steps.size());
    for (int k = 0; k < splits; ++k) {
      const int b = items_.rows[at(first_row + k)];
      if (items_.row[at(k)] == kDead || b == kDead) continue;
      sink_.edge(scores_.dep[at(a)], items_.row[at(k)], b, tag);
    }
    const int node = sink_.end();
    if (node == kDead) {
      items_.steps.pop_back();
      return;
    }
    const SpinalLabel& label = parts_.label(a);
    const bool raised = label.rise > 0 || label.y == label.x;
    items_.opens.push_back({spine, raised ? 2 * p : 2 * p - 1, pair, node});
  }

  // The halves of h up to e.
  void complete(int h, int e, Side side) {
    const auto [first, all] = index_.arcs_of(h, side);
    const int last = first + index_.arcs_within(h, e);
    for (int whole = first; whole < last; ++whole) {
      const auto [begin, end] = items_.pairs_of[at(whole)];
      for (int k = begin; k < end; ++k) {
        Pair& pair = items_.pairs[at(k)];
        pair.outer = modifier_half(pair.arc, side, false, pair.spine, e);
      }
    }
    cell(side, h, e) = static_cast<int>(items_.starts.size());
    cursor_.resize(at(last - first));
    for (int k = 0; k < last - first; ++k) cursor_[at(k)] = items_.opens_of[at(first + k)].first;
    const auto& spines = parts_.spines(h);
    for (int spine = 0; spine < static_cast<int>(spines.size()); ++spine) {
      items_.starts.push_back(static_cast<int>(items_.halves.size()));
      for (int state = 1; state <= 2 * spines[at(spine)].height(); ++state) {
        if (!kSecond) sink_.begin();
        for (int k = 0; k < last - first; ++k) {
          if (kSecond) sink_.begin();
          complete_with(first + k, spine, state, cursor_[at(k)]);
          if (kSecond) add_half(state, 1 + k);
        }
        if (!kSecond) add_half(state, 0);
      }
    }
    items_.starts.push_back(static_cast<int>(items_.halves.size()));
  }
  // Opens are sorted as they are asked for.
  void complete_with(int whole, int spine, int state, int& next) {
    const int last = items_.opens_of[at(whole)].last;
    for (; next < last; ++next) {
      const Open& open = items_.opens[at(next)];
      if (open.spine != spine || open.state != state) break;
      const int outer_node = items_.pairs[at(open.pair)].outer;
      if (outer_node != kDead) sink_.edge(0, open.node, outer_node, 0);
    }
  }

  bool finish() {
    struct Goal {
      int a, left, right;
      std::uint32_t tag;
    };
    std::vector<Goal> goals;
    const int n = parts_.words();
    for (int r = 1; r <= n; ++r) {
      const int whole = index_.find_arc(0, r);
      if (whole == PartIndex::kNone) continue;
      const auto [first, last] = parts_.labelled(whole);
      for (int a = first; a < last; ++a) {
        const auto& spines = parts_.spines(r);
        for (int spine = 0; spine < static_cast<int>(spines.size()); ++spine) {
          if (spines[at(spine)].top() != parts_.label(a).z) continue;
          const int left = modifier_half(a, Side::left, true, spine, 1);
          const int right = modifier_half(a, Side::right, false, spine, n);
          if (left == kDead || right == kDead) continue;
          items_.steps.push_back({a, 1, spine});
          goals.push_back({a, left, right, static_cast<std::uint32_t>(items_.steps.size())});
        }
      }
    }
    sink_.begin();
    for (const Goal& goal : goals) {
      sink_.edge(scores_.dep[at(goal.a)] + sib(goal.a, 0), goal.left, goal.right, goal.tag);
    }
    return sink_.end() != kDead;
  }

  const SpinalParts& parts_;
  const PartIndex& index_;
  const SpinalScores& scores_;
  SpinalItems& items_;
  Sink& sink_;
  std::vector<int> cursor_;
};

}  // namespace copse::charts
