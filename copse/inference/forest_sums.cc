#include "copse/inference/forest_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kImpossible ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace

double ForestSums::inside_of(const Hyperedge& edge) const {
  double sum = edge.weight;
  for (const std::int32_t tail : edge.tails) {
    if (tail != Hyperedge::kNone) sum += inside(tail);
  }
  return sum;
}

ForestSums::ForestSums(const Hypergraph& forest)
    : inside_(static_cast<std::size_t>(forest.nodes()), kImpossible),
      outside_(static_cast<std::size_t>(forest.nodes()), kImpossible) {
  for (int node = 0; node < forest.nodes(); ++node) {
    double best = kImpossible;
    for (const Hyperedge& edge : forest.edges_into(node)) best = std::max(best, inside_of(edge));
    if (best == kImpossible) continue;
    double sum = 0;
    for (const Hyperedge& edge : forest.edges_into(node)) sum += std::exp(inside_of(edge) - best);
    inside_[static_cast<std::size_t>(node)] = best + std::log(sum);
  }
  if (forest.nodes() == 0) return;
  outside_.back() = 0;
  for (int node = forest.nodes() - 1; node >= 0; --node) {
    const double out = outside(node);
    if (out == kImpossible) continue;
    for (const Hyperedge& edge : forest.edges_into(node)) {
      const double whole = out + inside_of(edge);
      if (whole == kImpossible) continue;
      for (std::size_t p = 0; p < edge.tails.size(); ++p) {
        if (edge.tails[p] == Hyperedge::kNone) continue;
        // An edge may use one node twice: each use is seen from the other.
        double& tail = outside_[static_cast<std::size_t>(edge.tails[p])];
        tail = log_add(tail, whole - inside(edge.tails[p]));
      }
    }
  }
}

double ForestSums::edge_share(int head, const Hyperedge& edge) const {
  return std::exp(outside(head) + inside_of(edge) - log_total());
}

}  // namespace copse
