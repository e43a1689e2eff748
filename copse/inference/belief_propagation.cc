#include "copse/inference/belief_propagation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace copse {
namespace {

constexpr double kNegative = -std::numeric_limits<double>::infinity();
// A number below this beside a largest of 1 may have lost digits, or be lost in the next product.
constexpr double kTooSmall = 1e-140;

double log_sum(std::span<const double> values) {
  const double top = *std::max_element(values.begin(), values.end());
  if (top == kNegative) return kNegative;
  double sum = 0;
  for (const double value : values) sum += std::exp(value - top);
  return top + std::log(sum);
}

// Divides by the largest; returns its logarithm. False if some number is too small.
bool normalise(std::span<double> values, double& log_scale) {
  double top = 0, least = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    top = std::max(top, value);
    least = std::min(least, value);
  }
  if (!(least >= kTooSmall * top) || top < kTooSmall || !std::isfinite(top)) return false;
  const double inverse = 1 / top;
  for (double& value : values) value *= inverse;
  log_scale += std::log(top);
  return true;
}

}  // namespace

// --- the graph

std::size_t BeliefGraphBuilder::hash(std::span<const std::uint32_t> numbers) {
  std::size_t value = numbers.size();
  for (const std::uint32_t number : numbers) {
    value = (value ^ (number + 0x9E3779B97F4A7C15ULL)) * 0xD6E8FEB86659FD93ULL;
    value ^= value >> 32;
  }
  return value;
}

template <class Same>
BeliefGraphBuilder::Slot& BeliefGraphBuilder::slot(std::size_t hash, bool edge, Same same) {
  if ((used_ + 1) * 2 > table_.size()) grow();
  for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
    Slot& here = table_[at];
    if (here.number == UINT32_MAX) return here;
    if (here.hash == hash && here.edge == edge && same(here.number)) return here;
  }
}

void BeliefGraphBuilder::grow() {
  std::vector<Slot> old(table_.empty() ? 256 : 2 * table_.size());
  old.swap(table_);
  for (const Slot& each : old) {
    if (each.number == UINT32_MAX) continue;
    std::size_t at = each.hash & (table_.size() - 1);
    while (table_[at].number != UINT32_MAX) at = (at + 1) & (table_.size() - 1);
    table_[at] = each;
  }
}

std::uint32_t BeliefGraphBuilder::add_edge(BeliefGraph::Edge edge) {
  const auto number = static_cast<std::uint32_t>(graph_.edges.size());
  if (sharing_) {
    const std::uint32_t key[2] = {edge.pair, edge.node};
    const std::size_t code = hash(key);
    Slot& at = slot(code, true, [&](std::uint32_t other) {
      return graph_.edges[other].pair == edge.pair && graph_.edges[other].node == edge.node;
    });
    if (at.number != UINT32_MAX) return at.number;
    at = {code, number, true};
    ++used_;
  }
  graph_.edges.push_back(edge);
  return number;
}

// A node over the edges of key_.
std::uint32_t BeliefGraphBuilder::add_node(std::uint32_t single) {
  const auto number = static_cast<std::uint32_t>(graph_.nodes.size());
  if (sharing_) {
    key_.push_back(single);
    const std::size_t code = hash(key_);
    key_.pop_back();
    Slot& at = slot(code, false, [&](std::uint32_t other) {
      const auto edges = graph_.children_of(other);
      return graph_.nodes[other].single == single &&
             std::equal(edges.begin(), edges.end(), key_.begin(), key_.end());
    });
    if (at.number != UINT32_MAX) return at.number;
    at = {code, number, false};
    ++used_;
  }
  graph_.children.insert(graph_.children.end(), key_.begin(), key_.end());
  graph_.nodes.push_back({single, static_cast<std::uint32_t>(graph_.children.size()),
                          static_cast<std::uint32_t>(graph_.edges.size())});
  return number;
}

void BeliefGraphBuilder::add(std::span<const Variable> tree, std::vector<std::uint32_t>& nodes) {
  nodes.assign(tree.size(), 0);
  if (below_.size() < tree.size()) below_.resize(tree.size());
  for (std::size_t v = 0; v < tree.size(); ++v) below_[v].clear();
  for (std::size_t v = tree.size(); v-- > 0;) {
    // The edges below v were gathered from last to first.
    key_.assign(below_[v].rbegin(), below_[v].rend());
    nodes[v] = add_node(tree[v].single);
    if (tree[v].parent == kRoot) {
      graph_.roots.push_back(nodes[v]);
    } else {
      below_[tree[v].parent].push_back(add_edge({tree[v].pair, nodes[v]}));
    }
  }
  graph_.tree_end.push_back(static_cast<std::uint32_t>(graph_.roots.size()));
}

BeliefGraph BeliefGraphBuilder::finish() {
  table_.clear();
  used_ = 0;
  return std::exchange(graph_, {});
}

// --- sums

void BeliefPropagation::place() {
  const auto& nodes = graph_->nodes;
  const auto& edges = graph_->edges;
  node_at_.resize(nodes.size() + 1);
  edge_at_.resize(edges.size() + 1);
  node_at_[0] = edge_at_[0] = 0;
  for (std::uint32_t v = 0; v < nodes.size(); ++v) node_at_[v + 1] = node_at_[v] + domain(v);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    edge_at_[e + 1] = edge_at_[e] + potentials_->shape(edges[e].pair).rows;
  }
  up_.resize(node_at_.back());
  message_.resize(edge_at_.back());
  node_scale_.assign(nodes.size(), 0.0);
  edge_scale_.assign(edges.size(), 0.0);
}

void BeliefPropagation::scale_potentials() {
  scaled_.resize(potentials_->all().size());
  scale_.resize(potentials_->size());
  for (std::uint32_t t = 0; t < potentials_->size(); ++t) {
    const auto values = potentials_->values(t);
    if (values.empty()) continue;
    const double top = *std::max_element(values.begin(), values.end());
    scale_[t] = top;
    double* out = scaled_.data() + potentials_->shape(t).begin;
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = std::exp(values[i] - top);
  }
}

bool BeliefPropagation::up_scaled(std::vector<double>& log_sums) {
  scale_potentials();
  std::uint32_t edge = 0;
  for (std::uint32_t v = 0; v < graph_->nodes.size(); ++v) {
    for (; edge < graph_->nodes[v].edge_end; ++edge) {
      const auto [pair, below] = graph_->edges[edge];
      const Potentials::Shape& shape = potentials_->shape(pair);
      const double* table = scaled_.data() + shape.begin;
      const double* up = up_.data() + node_at_[below];
      double* message = message_.data() + edge_at_[edge];
      for (std::uint32_t a = 0; a < shape.rows; ++a, table += shape.columns) {
        double sum = 0;
        for (std::uint32_t b = 0; b < shape.columns; ++b) sum += table[b] * up[b];
        message[a] = sum;
      }
      edge_scale_[edge] = node_scale_[below] + scale_[pair];
      if (!normalise({message, shape.rows}, edge_scale_[edge])) return false;
    }
    const Potentials::Shape& shape = potentials_->shape(graph_->nodes[v].single);
    const std::span<double> up(up_.data() + node_at_[v], shape.columns);
    std::copy_n(scaled_.data() + shape.begin, shape.columns, up.begin());
    node_scale_[v] = scale_[graph_->nodes[v].single];
    if (!normalise(up, node_scale_[v])) return false;
    for (const std::uint32_t child : graph_->children_of(v)) {
      const double* message = message_.data() + edge_at_[child];
      for (std::size_t a = 0; a < up.size(); ++a) up[a] *= message[a];
      node_scale_[v] += edge_scale_[child];
      if (!normalise(up, node_scale_[v])) return false;
    }
  }
  log_sums.assign(graph_->trees(), 0.0);
  for (std::size_t j = 0; j < log_sums.size(); ++j) {
    for (const std::uint32_t root : graph_->roots_of(j)) {
      double sum = 0;
      for (std::size_t at = node_at_[root]; at < node_at_[root + 1]; ++at) sum += up_[at];
      log_sums[j] += node_scale_[root] + std::log(sum);
    }
  }
  return true;
}

void BeliefPropagation::up(const BeliefGraph& graph, const Potentials& potentials,
                           std::vector<double>& log_sums) {
  graph_ = &graph;
  potentials_ = &potentials;
  place();
  in_logs_ = false;
  if (!up_scaled(log_sums)) up_in_logs(graph, potentials, log_sums);
}

void BeliefPropagation::up_in_logs(const BeliefGraph& graph, const Potentials& potentials,
                                   std::vector<double>& log_sums) {
  graph_ = &graph;
  potentials_ = &potentials;
  place();
  in_logs_ = true;
  std::vector<double> row;
  std::uint32_t edge = 0;
  for (std::uint32_t v = 0; v < graph.nodes.size(); ++v) {
    for (; edge < graph.nodes[v].edge_end; ++edge) {
      const Potentials::Shape& shape = potentials.shape(graph.edges[edge].pair);
      const auto table = potentials.values(graph.edges[edge].pair);
      const double* up = up_.data() + node_at_[graph.edges[edge].node];
      row.resize(shape.columns);
      for (std::uint32_t a = 0; a < shape.rows; ++a) {
        for (std::uint32_t b = 0; b < shape.columns; ++b) {
          row[b] = table[a * shape.columns + b] + up[b];
        }
        message_[edge_at_[edge] + a] = log_sum(row);
      }
    }
    const auto single = potentials.values(graph.nodes[v].single);
    double* up = up_.data() + node_at_[v];
    std::copy(single.begin(), single.end(), up);
    for (const std::uint32_t child : graph.children_of(v)) {
      for (std::size_t a = 0; a < single.size(); ++a) up[a] += message_[edge_at_[child] + a];
    }
  }
  log_sums.assign(graph.trees(), 0.0);
  for (std::size_t j = 0; j < log_sums.size(); ++j) {
    for (const std::uint32_t root : graph.roots_of(j)) {
      log_sums[j] += log_sum({up_.data() + node_at_[root], domain(root)});
    }
  }
}

// --- slopes

template <class Quotient>
void BeliefPropagation::down_edge(std::uint32_t edge, std::vector<double>& slopes,
                                  Quotient quotient) {
  const auto [pair, below] = graph_->edges[edge];
  const Potentials::Shape& shape = potentials_->shape(pair);
  const double* slope = edge_slope_.data() + edge_at_[edge];
  double* below_slope = node_slope_.data() + node_at_[below];
  double* out = slopes.data() + shape.begin;
  for (std::uint32_t a = 0; a < shape.rows; ++a, out += shape.columns) {
    if (slope[a] == 0) continue;
    const auto share = quotient(a);
    for (std::uint32_t b = 0; b < shape.columns; ++b) {
      const double part = slope[a] * share(b);
      out[b] += part;
      below_slope[b] += part;
    }
  }
}

void BeliefPropagation::down(std::span<const double> weights, std::vector<double>& slopes) {
  slopes.assign(potentials_->all().size(), 0.0);
  node_slope_.assign(up_.size(), 0.0);
  edge_slope_.assign(message_.size(), 0.0);
  for (std::size_t j = 0; j < graph_->trees(); ++j) {
    if (weights[j] == 0) continue;
    for (const std::uint32_t root : graph_->roots_of(j)) {
      const std::span<const double> up(up_.data() + node_at_[root], domain(root));
      double sum = 0;
      if (in_logs_) {
        sum = log_sum(up);
      } else {
        for (const double value : up) sum += value;
      }
      for (std::size_t a = 0; a < up.size(); ++a) {
        node_slope_[node_at_[root] + a] +=
            weights[j] * (in_logs_ ? std::exp(up[a] - sum) : up[a] / sum);
      }
    }
  }
  for (std::uint32_t v = static_cast<std::uint32_t>(graph_->nodes.size()); v-- > 0;) {
    const std::uint32_t size = domain(v);
    const double* slope = node_slope_.data() + node_at_[v];
    double* out = slopes.data() + potentials_->shape(graph_->nodes[v].single).begin;
    for (std::uint32_t a = 0; a < size; ++a) out[a] += slope[a];
    for (const std::uint32_t child : graph_->children_of(v)) {
      double* below = edge_slope_.data() + edge_at_[child];
      for (std::uint32_t a = 0; a < size; ++a) below[a] += slope[a];
    }
    // All nodes above these edges are done: none is before v.
    const std::uint32_t first = v == 0 ? 0 : graph_->nodes[v - 1].edge_end;
    for (std::uint32_t edge = first; edge < graph_->nodes[v].edge_end; ++edge) {
      const auto [pair, below] = graph_->edges[edge];
      const Potentials::Shape& shape = potentials_->shape(pair);
      const double* up = up_.data() + node_at_[below];
      const double* message = message_.data() + edge_at_[edge];
      if (in_logs_) {
        const double* table = potentials_->values(pair).data();
        down_edge(edge, slopes, [&](std::uint32_t a) {
          return [=, row = table + std::size_t{a} * shape.columns](std::uint32_t b) {
            return std::exp(row[b] + up[b] - message[a]);
          };
        });
      } else {
        // Messages are scaled by their largest, e^(edge_scale - node_scale - scale of the table).
        const double factor = std::exp(node_scale_[below] + scale_[pair] - edge_scale_[edge]);
        const double* table = scaled_.data() + shape.begin;
        down_edge(edge, slopes, [&](std::uint32_t a) {
          return [=, row = table + std::size_t{a} * shape.columns, inverse = factor / message[a]](
                     std::uint32_t b) { return row[b] * up[b] * inverse; };
        });
      }
    }
  }
}

// --- the best values

BeliefPropagation::Best BeliefPropagation::best(const BeliefGraph& graph,
                                                const Potentials& potentials, std::size_t tree) {
  // Of the nodes of this tree alone, parents first; a shared node that occurs twice is there twice.
  struct Visit {
    std::uint32_t node, edge;
    std::size_t parent;
  };
  std::vector<Visit> order;
  for (const std::uint32_t root : graph.roots_of(tree)) order.push_back({root, UINT32_MAX, 0});
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::uint32_t edge : graph.children_of(order[i].node)) {
      order.push_back({graph.edges[edge].node, edge, i});
    }
  }
  std::vector<std::vector<double>> up(order.size());
  std::vector<std::vector<std::uint32_t>> argument(order.size());  // by the value above
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto single = potentials.values(graph.nodes[order[i].node].single);
    up[i].assign(single.begin(), single.end());
  }
  Best result;
  result.score = 0;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (order[i].edge == UINT32_MAX) continue;
    const std::uint32_t pair = graph.edges[order[i].edge].pair;
    const Potentials::Shape& shape = potentials.shape(pair);
    const auto table = potentials.values(pair);
    argument[i].resize(shape.rows);
    for (std::uint32_t a = 0; a < shape.rows; ++a) {
      double top = kNegative;
      for (std::uint32_t b = 0; b < shape.columns; ++b) {
        const double value = table[a * shape.columns + b] + up[i][b];
        if (b > 0 && value <= top) continue;
        top = value;
        argument[i][a] = b;
      }
      up[order[i].parent][a] += top;
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint32_t value = 0;
    if (order[i].edge == UINT32_MAX) {
      const auto top = std::max_element(up[i].begin(), up[i].end());
      value = static_cast<std::uint32_t>(top - up[i].begin());
      result.score += *top;
    } else {
      value = argument[i][result.values[order[i].parent].value];
    }
    result.values.push_back({order[i].node, value});
  }
  return result;
}

}  // namespace copse
