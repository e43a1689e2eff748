// Sums over hidden values on trees (belief propagation; Pearl 1988; Koo & Collins 2005, section 4).
//
// A variable w has a finite domain; a tree joins variables by edges. With log potentials A_w(a) of
// values and B_uv(a,b) of pairs of values on an edge u - v, v below u:
//
//   up_v(b)  = A_v(b) * product over children c of v of msg_c(b)          (potentials as exp)
//   msg_v(a) = sum over b of B_uv(a,b) up_v(b)
//   log Z    = log of the sum over a of up_root(a)
//
// The trees of a list of candidates are nearly equal, so they are kept as one graph. A node is a
// variable with everything below it, an edge a node under one pair potential; equal ones are the same,
// and each is worked out once whatever the number of trees that have it:
//
//   tree 1: 5          tree 2: 6           nodes   0 1 2 3 4 5 6      children before parents
//          / \                / \          edges   each made just before the first node above it
//         3   4              3   2
//
// Going down, what is wanted is the slope of  sum over trees j of c_j log Z_j  in every potential:
// the marginals of tree j for c_j = 1, the gradient of a loss for other c. It is a sum over trees, so
// it can be taken for all of them together: with g the slopes in the logs of the messages,
//
//   g_root(a) = c_j up_root(a) / Z_j         g_v(b) = sum over edges above v and a of g_e(a) q_e(b|a)
//   g_e(a)    = sum of g_u(a) over the nodes u above e,     q_e(b|a) = B(a,b) up_v(b) / msg_e(a)
//
//   slope in A_v(b) = g_v(b)                 slope in B_e(a,b) = g_e(a) q_e(b|a)
//
// Exact. Numbers are scaled by their largest in each message, not logarithms; where that would lose
// a value for being small beside another one (potentials hundreds apart), everything is done again in
// logarithms. Time: the sum over edges of the product of their two domains. No recursion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace copse {

// Tables of log potentials: rows by columns, row-major; a single variable's has one row.
class Potentials {
 public:
  struct Shape {
    std::uint32_t rows = 0, columns = 0;
    std::size_t begin = 0;

    std::size_t size() const { return std::size_t{rows} * columns; }
  };

  std::uint32_t add(std::uint32_t rows, std::uint32_t columns) {
    shapes_.push_back({rows, columns, values_.size()});
    values_.resize(values_.size() + shapes_.back().size(), 0.0);
    return static_cast<std::uint32_t>(shapes_.size() - 1);
  }
  void clear() {
    shapes_.clear();
    values_.clear();
  }

  std::size_t size() const { return shapes_.size(); }
  const Shape& shape(std::uint32_t table) const { return shapes_[table]; }
  std::span<double> values(std::uint32_t table) {
    return std::span(values_).subspan(shapes_[table].begin, shapes_[table].size());
  }
  std::span<const double> values(std::uint32_t table) const {
    return std::span(values_).subspan(shapes_[table].begin, shapes_[table].size());
  }
  std::span<double> all() { return values_; }
  std::span<const double> all() const { return values_; }

 private:
  std::vector<Shape> shapes_;
  std::vector<double> values_;
};

struct BeliefGraph {
  struct Node {
    std::uint32_t single = 0;     // its potential
    std::uint32_t child_end = 0;  // its children end here; they begin where the node before ends
    std::uint32_t edge_end = 0;   // edges made for this node end here
  };
  struct Edge {
    std::uint32_t pair = 0;  // its potential: rows for the node above, columns for the one below
    std::uint32_t node = 0;  // below
  };

  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> children;  // edges
  std::vector<std::uint32_t> roots;     // nodes, of all trees; a forest has several
  std::vector<std::uint32_t> tree_end;  // of roots

  std::size_t trees() const { return tree_end.size(); }
  std::span<const std::uint32_t> children_of(std::uint32_t node) const {
    const std::uint32_t begin = node == 0 ? 0 : nodes[node - 1].child_end;
    return std::span(children).subspan(begin, nodes[node].child_end - begin);
  }
  std::span<const std::uint32_t> roots_of(std::size_t tree) const {
    const std::uint32_t begin = tree == 0 ? 0 : tree_end[tree - 1];
    return std::span(roots).subspan(begin, tree_end[tree] - begin);
  }
};

// Makes a graph of trees that are given one by one. With sharing equal sub-trees (same potentials,
// same children in the same order) become one node.
class BeliefGraphBuilder {
 public:
  explicit BeliefGraphBuilder(bool sharing = true) : sharing_(sharing) {}

  static constexpr std::uint32_t kRoot = UINT32_MAX;
  struct Variable {
    std::uint32_t parent = kRoot;  // an earlier variable of the tree
    std::uint32_t single = 0, pair = 0;
  };
  // Variables with parents before children; `nodes` are the numbers of their nodes afterwards.
  void add(std::span<const Variable> tree, std::vector<std::uint32_t>& nodes);
  BeliefGraph finish();

 private:
  std::uint32_t add_node(std::uint32_t single);
  std::uint32_t add_edge(BeliefGraph::Edge edge);
  static std::size_t hash(std::span<const std::uint32_t> numbers);
  void grow();

  // Numbers of nodes and edges by what they are made of: open addressing, a power of two.
  struct Slot {
    std::size_t hash = 0;
    std::uint32_t number = UINT32_MAX;
    bool edge = false;
  };
  template <class Same>
  Slot& slot(std::size_t hash, bool edge, Same same);

  bool sharing_;
  BeliefGraph graph_;
  std::vector<Slot> table_;
  std::size_t used_ = 0;
  std::vector<std::vector<std::uint32_t>> below_;  // scratch: edges below a variable
  std::vector<std::uint32_t> key_;
};

class BeliefPropagation {
 public:
  // log Z of every tree. The graph and the potentials must stay as they are until the last call.
  void up(const BeliefGraph& graph, const Potentials& potentials, std::vector<double>& log_sums);
  // After up(): the slopes of sum_j weights[j] log Z_j, in the layout of potentials.all().
  void down(std::span<const double> weights, std::vector<double>& slopes);
  // The reference: everything in logarithms from the beginning, as in the equations.
  void up_in_logs(const BeliefGraph& graph, const Potentials& potentials,
                  std::vector<double>& log_sums);
  // True if the last pass was in logarithms.
  bool in_logs() const { return in_logs_; }

  // The values with the highest sum of potentials in one tree, and that sum. Parents before children;
  // ties: the smaller value, parents first.
  struct Chosen {
    std::uint32_t node = 0, value = 0;
  };
  struct Best {
    double score = -std::numeric_limits<double>::infinity();
    std::vector<Chosen> values;
  };
  static Best best(const BeliefGraph& graph, const Potentials& potentials, std::size_t tree);

 private:
  bool up_scaled(std::vector<double>& log_sums);
  std::uint32_t domain(std::uint32_t node) const {
    return potentials_->shape(graph_->nodes[node].single).columns;
  }
  void place();
  void scale_potentials();
  template <class Quotient>
  void down_edge(std::uint32_t edge, std::vector<double>& slopes, Quotient quotient);

  const BeliefGraph* graph_ = nullptr;
  const Potentials* potentials_ = nullptr;
  bool in_logs_ = false;
  std::vector<double> scaled_, scale_;  // potentials as exp(x - max), and max
  std::vector<std::size_t> node_at_, edge_at_;
  std::vector<double> up_, message_;             // by node and value; by edge and value above
  std::vector<double> node_scale_, edge_scale_;  // logs
  std::vector<double> node_slope_, edge_slope_;
};

}  // namespace copse
