// A packed forest as a hypergraph: a node is an equivalence class of partial structures, an edge
// one way to build it from at most two smaller ones, with a log weight. Nothing here knows what the
// nodes and edges mean; `tag` is for the owner.
//
// Nodes are numbered so that the tails of an edge are smaller than its head, and the edges into a
// node stand together:
//
//   edges  | into node 0 | into node 1 | ...        edges_into(v) is one contiguous span
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse {

struct Hyperedge {
  static constexpr std::int32_t kNone = -1;

  double weight = 0;                                // log probability of this step alone
  std::array<std::int32_t, 2> tails{kNone, kNone};  // filled from the front
  std::uint32_t tag = 0;

  int arity() const { return (tails[0] != kNone ? 1 : 0) + (tails[1] != kNone ? 1 : 0); }
};

class Hypergraph {
 public:
  // Edges are added to the node added last.
  int add_node() {
    first_edge_.push_back(first_edge_.back());
    return nodes() - 1;
  }
  void add_edge(const Hyperedge& edge) {
    assert(edge.tails[0] < nodes() - 1 && edge.tails[1] < nodes() - 1);
    edges_.push_back(edge);
    ++first_edge_.back();
  }
  void clear() {
    edges_.clear();
    first_edge_.assign(1, 0);
  }

  int nodes() const { return static_cast<int>(first_edge_.size()) - 1; }
  std::size_t edges() const { return edges_.size(); }
  const Hyperedge& edge(std::uint32_t index) const { return edges_[index]; }
  // Index of the first edge into `node`; those of the next node follow the last.
  std::uint32_t first_edge(int node) const { return first_edge_[static_cast<std::size_t>(node)]; }
  std::span<const Hyperedge> edges_into(int node) const {
    const std::uint32_t begin = first_edge(node);
    return {edges_.data() + begin, first_edge(node + 1) - begin};
  }

 private:
  std::vector<Hyperedge> edges_;
  std::vector<std::uint32_t> first_edge_{0};
};

}  // namespace copse
