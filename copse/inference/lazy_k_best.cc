#include "copse/inference/lazy_k_best.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace copse {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// Order of a heap whose top is the best.
bool is_worse(const RankedDerivation& a, const RankedDerivation& b) {
  if (a.score != b.score) return a.score < b.score;
  return std::tie(a.edge, a.ranks) > std::tie(b.edge, b.ranks);
}

}  // namespace

LazyKBest::LazyKBest(const Hypergraph& forest)
    : forest_(forest),
      best_(static_cast<std::size_t>(forest.nodes()), kImpossible),
      states_(static_cast<std::size_t>(forest.nodes())) {
  for (int node = 0; node < forest.nodes(); ++node) {
    double& best = best_[static_cast<std::size_t>(node)];
    for (const Hyperedge& edge : forest.edges_into(node)) {
      double total = edge.weight;
      for (const std::int32_t tail : edge.tails) {
        if (tail != Hyperedge::kNone) total += best_score(tail);
      }
      best = std::max(best, total);
    }
  }
}

bool LazyKBest::score(RankedDerivation& candidate) {
  const Hyperedge& edge = forest_.edge(candidate.edge);
  candidate.score = edge.weight;
  for (std::size_t p = 0; p < edge.tails.size(); ++p) {
    if (edge.tails[p] == Hyperedge::kNone) continue;
    const RankedDerivation* part = derivation(edge.tails[p], candidate.ranks[p]);
    if (part == nullptr) return false;
    candidate.score += part->score;
  }
  return true;
}

void LazyKBest::start(int node) {
  State& state = states_[static_cast<std::size_t>(node)];
  state.started = true;
  const std::uint32_t first = forest_.first_edge(node);
  const auto edges = forest_.edges_into(node);
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    // Scores of best tails are known from the constructor: no recursion into what may never be
    // asked for.
    RankedDerivation candidate{edges[i].weight, first + i, {0, 0}};
    for (const std::int32_t tail : edges[i].tails) {
      if (tail != Hyperedge::kNone) candidate.score += best_score(tail);
    }
    if (candidate.score > kImpossible) state.candidates.push_back(candidate);
  }
  std::make_heap(state.candidates.begin(), state.candidates.end(), is_worse);
}

void LazyKBest::add_successors(State& state, const RankedDerivation& last) {
  const Hyperedge& edge = forest_.edge(last.edge);
  for (std::size_t p = 0; p < edge.tails.size(); ++p) {
    if (edge.tails[p] == Hyperedge::kNone) continue;
    if (p == 0 && last.ranks[1] != 0) continue;  // (a + 1, b) is reached from (a + 1, b - 1)
    RankedDerivation next = last;
    ++next.ranks[p];
    if (!score(next)) continue;
    state.candidates.push_back(next);
    std::push_heap(state.candidates.begin(), state.candidates.end(), is_worse);
  }
}

const RankedDerivation* LazyKBest::derivation(int node, int rank) {
  State& state = states_[static_cast<std::size_t>(node)];
  if (!state.started) start(node);
  while (static_cast<int>(state.found.size()) <= rank) {
    if (state.exhausted) return nullptr;
    if (!state.found.empty()) {
      const RankedDerivation last = state.found.back();
      // Successors are added once: when the derivation after `last` is first asked for.
      add_successors(state, last);
    }
    if (state.candidates.empty()) {
      state.exhausted = true;
      return nullptr;
    }
    std::pop_heap(state.candidates.begin(), state.candidates.end(), is_worse);
    state.found.push_back(state.candidates.back());
    state.candidates.pop_back();
  }
  return &state.found[static_cast<std::size_t>(rank)];
}

}  // namespace copse
