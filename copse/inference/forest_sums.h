// Sums over all derivations of a packed forest: inside and outside log sums, and the share of the
// derivations that use an edge.
//
//   inside(v)  = log sum over edges e into v:  exp(weight(e) + sum of inside of its tails)
//   outside(v) : the same over everything around v, for derivations of the goal (the last node)
// Linear in the edges; sums are taken in log space against the largest term.
#pragma once

#include <limits>
#include <vector>

#include "copse/inference/hypergraph.h"

namespace copse {

class ForestSums {
 public:
  // The goal is the last node.
  explicit ForestSums(const Hypergraph& forest);

  double log_total() const {
    return inside_.empty() ? -std::numeric_limits<double>::infinity() : inside_.back();
  }
  double inside(int node) const { return inside_[static_cast<std::size_t>(node)]; }
  double outside(int node) const { return outside_[static_cast<std::size_t>(node)]; }
  // Share of the derivations of the goal, by weight, that use an edge into `head`.
  double edge_share(int head, const Hyperedge& edge) const;

 private:
  double inside_of(const Hyperedge& edge) const;

  std::vector<double> inside_, outside_;
};

}  // namespace copse
