// The k best derivations of a node of a packed forest, one after the other.
//
// Huang & Chiang (2005), "Better k-best Parsing", algorithm 3. D(v) holds the derivations of v
// found so far, best first; a derivation is an edge and the rank of the derivation used at each
// tail. The next best of v is in a heap of candidates: at first every edge with ranks (0,0), then,
// whenever one is taken, its successors. Ranks (a,b) are reached by one way only, (a,0) first and
// then b upwards, so no candidate is made twice. Nothing is computed that was not asked for.
//
// Exact. O(E + d k log k) for k derivations of d edges. Ties: smaller edge first, then smaller
// ranks; so the list is the same on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "copse/inference/hypergraph.h"

namespace copse {

struct RankedDerivation {
  double score = 0;
  std::uint32_t edge = 0;                   // index in the hypergraph
  std::array<std::int32_t, 2> ranks{0, 0};  // which derivation of each tail
};

class LazyKBest {
 public:
  // Keeps a reference. Nodes without any derivation (no edges, or none whose tails have one) are
  // allowed; leaves are nodes with an edge without tails.
  explicit LazyKBest(const Hypergraph& forest);

  // The derivation of `node` with that rank (0 is the best), or null when there are not so many.
  // The pointer is good until the next call.
  const RankedDerivation* derivation(int node, int rank);
  // Log weight of the best derivation; minus infinity when there is none.
  double best_score(int node) const { return best_[static_cast<std::size_t>(node)]; }

  // Calls visit(edge index, node) for every edge of the derivation, a node before its tails and
  // the first tail's part before the second's.
  template <class Visit>
  void walk(int node, int rank, Visit visit) {
    std::vector<std::array<std::int32_t, 2>> todo{{node, rank}};
    while (!todo.empty()) {
      const auto [head, head_rank] = todo.back();
      todo.pop_back();
      const RankedDerivation found = *derivation(head, head_rank);
      visit(found.edge, head);
      const Hyperedge& edge = forest_.edge(found.edge);
      for (std::size_t p = 2; p-- > 0;) {
        if (edge.tails[p] != Hyperedge::kNone) todo.push_back({edge.tails[p], found.ranks[p]});
      }
    }
  }

 private:
  struct State {
    std::vector<RankedDerivation> found;
    std::vector<RankedDerivation> candidates;  // a heap
    bool started = false;
    bool exhausted = false;
  };

  void start(int node);
  void add_successors(State& state, const RankedDerivation& last);
  bool score(RankedDerivation& candidate);  // false: some tail has no such derivation

  const Hypergraph& forest_;
  std::vector<double> best_;
  std::vector<State> states_;
};

}  // namespace copse
