#include "copse/inference/spinal_search.h"

#include <limits>

#include "copse/inference/charts/spinal.h"
#include "copse/inference/forest_sums.h"
#include "copse/inference/hypergraph.h"
#include "copse/inference/lazy_k_best.h"

namespace copse {
namespace {

using charts::kDead;
using charts::SpinalItems;

struct TooLarge {};  // thrown by a sink, caught by the search

// Keeps the best edge of every node.
class BestSink {
 public:
  struct Node {
    double score;
    Hyperedge edge;
  };

  BestSink(std::vector<Node>& nodes, std::size_t limit) : nodes_(nodes), limit_(limit) {
    nodes_.clear();
  }
  void begin() { best_.score = -std::numeric_limits<double>::infinity(); }
  void edge(double weight, int a, int b, std::uint32_t tag) {
    double score = weight;
    if (a != kDead) score += nodes_[static_cast<std::size_t>(a)].score;
    if (b != kDead) score += nodes_[static_cast<std::size_t>(b)].score;
    if (score > best_.score) best_ = {score, {weight, {a, b}, tag}};
  }
  int end() {
    if (best_.score == -std::numeric_limits<double>::infinity()) return kDead;
    if (nodes_.size() == limit_) throw TooLarge{};
    nodes_.push_back(best_);
    return static_cast<int>(nodes_.size()) - 1;
  }

 private:
  std::vector<Node>& nodes_;
  std::size_t limit_;
  Node best_{};
};

// Keeps everything. A node without edges is begun again as the next one.
class ForestSink {
 public:
  ForestSink(Hypergraph& forest, std::size_t limit) : forest_(forest), limit_(limit) {
    forest_.clear();
  }
  void begin() {
    if (!open_) node_ = forest_.add_node();
    open_ = true;
    edges_ = forest_.edges();
  }
  void edge(double weight, int a, int b, std::uint32_t tag) {
    if (weight == -std::numeric_limits<double>::infinity()) return;
    if (forest_.edges() == limit_) throw TooLarge{};
    forest_.add_edge({weight, {a, b}, tag});
  }
  int end() {
    if (forest_.edges() == edges_) return kDead;
    open_ = false;
    return node_;
  }

 private:
  Hypergraph& forest_;
  std::size_t limit_, edges_ = 0;
  int node_ = kDead;
  bool open_ = false;
};

template <class Sink>
SearchStatus fill(const SpinalParts& parts, const SpinalScores& scores, SpinalItems& items,
                  Sink& sink) {
  try {
    const bool found = scores.sib.empty()
                           ? charts::SpinalChart<Sink, false>(parts, scores, items, sink).run()
                           : charts::SpinalChart<Sink, true>(parts, scores, items, sink).run();
    return found ? SearchStatus::ok : SearchStatus::no_tree;
  } catch (const TooLarge&) {
    return SearchStatus::too_long;
  }
}

SpinalDerivation empty_derivation(const SpinalParts& parts, double score) {
  const std::size_t size = static_cast<std::size_t>(parts.words()) + 1;
  return {std::vector<int>(size, -1), std::vector<int>(size, 0), std::vector<int>(size, -1), score};
}

void take(const SpinalParts& parts, const SpinalItems& items, std::uint32_t tag,
          SpinalDerivation& out) {
  if (tag == 0) return;
  const charts::SpinalStep& step = items.steps[tag - 1];
  const auto m = static_cast<std::size_t>(parts.arc(step.arc).m);
  out.arc[m] = step.arc;
  out.position[m] = step.position;
  out.spine[m] = step.spine;
}

}  // namespace

struct SpinalSearch::Memory {
  SpinalItems items;
  std::vector<BestSink::Node> nodes;
  std::vector<int> waiting;
  Hypergraph forest;
};

SpinalSearch::SpinalSearch(const SpinalLimits& limits)
    : memory_(std::make_unique<Memory>()), limits_(limits) {}
SpinalSearch::~SpinalSearch() = default;
SpinalSearch::SpinalSearch(SpinalSearch&&) noexcept = default;
SpinalSearch& SpinalSearch::operator=(SpinalSearch&&) noexcept = default;

std::size_t SpinalSearch::items() const {
  return memory_->nodes.size();
}

SpinalAnswer SpinalSearch::best(const SpinalParts& parts, const SpinalScores& scores) {
  BestSink sink(memory_->nodes, limits_.items);
  SpinalAnswer answer{fill(parts, scores, memory_->items, sink), {}};
  if (answer.status != SearchStatus::ok) return answer;
  answer.derivation = empty_derivation(parts, memory_->nodes.back().score);
  std::vector<int>& waiting = memory_->waiting;
  waiting.assign(1, static_cast<int>(memory_->nodes.size()) - 1);
  while (!waiting.empty()) {
    const Hyperedge& edge = memory_->nodes[static_cast<std::size_t>(waiting.back())].edge;
    waiting.pop_back();
    take(parts, memory_->items, edge.tag, answer.derivation);
    for (const int tail : edge.tails) {
      if (tail != kDead) waiting.push_back(tail);
    }
  }
  return answer;
}

SpinalList SpinalSearch::k_best(const SpinalParts& parts, const SpinalScores& scores, int k) {
  ForestSink sink(memory_->forest, limits_.edges);
  SpinalList list{fill(parts, scores, memory_->items, sink), {}};
  if (list.status != SearchStatus::ok) return list;
  LazyKBest lists(memory_->forest);
  const int goal = memory_->forest.nodes() - 1;
  for (int rank = 0; rank < k; ++rank) {
    const RankedDerivation* const found = lists.derivation(goal, rank);
    if (found == nullptr) break;
    SpinalDerivation& out = list.derivations.emplace_back(empty_derivation(parts, found->score));
    lists.walk(goal, rank, [&](std::uint32_t edge, int) {
      take(parts, memory_->items, memory_->forest.edge(edge).tag, out);
    });
  }
  return list;
}

SpinalMarginals SpinalSearch::marginals(const SpinalParts& parts, const SpinalScores& scores) {
  ForestSink sink(memory_->forest, limits_.edges);
  SpinalMarginals out;
  out.status = fill(parts, scores, memory_->items, sink);
  if (out.status != SearchStatus::ok) return out;
  const ForestSums sums(memory_->forest);
  out.log_z = sums.log_total();
  out.arc.assign(static_cast<std::size_t>(parts.arcs()), 0);
  out.spine.assign(static_cast<std::size_t>(parts.spine_count()), 0);
  for (int node = 0; node < memory_->forest.nodes(); ++node) {
    for (const Hyperedge& edge : memory_->forest.edges_into(node)) {
      if (edge.tag == 0) continue;
      const charts::SpinalStep& step = memory_->items.steps[edge.tag - 1];
      const double share = sums.edge_share(node, edge);
      out.arc[static_cast<std::size_t>(step.arc)] += share;
      const int spine = parts.first_spine(parts.arc(step.arc).m) + step.spine;
      out.spine[static_cast<std::size_t>(spine)] += share;
    }
  }
  return out;
}

}  // namespace copse
