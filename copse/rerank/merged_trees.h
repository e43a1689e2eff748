// A sum of tree kernels as one table of sub-trees. For a fixed lambda
//
//   sum_m sum_j c_mj K(x_mj, x) = sum_u F(u) sum_{n in x} C(u, n)
//
// where u runs over the different sub-trees of the x_mj, and F(u) = sum_m sum_j c_mj (occurrences of
// u in x_mj). The trees of an update share most of their sub-trees, whose F cancels to exactly 0
// while the c are integers; these are never entered, unless something above them needs their C.
//
// Sub-trees of one production form a group. For a node n of the list that is scored, 1 + C(u, n) for
// all u of the group of n's production is a row; the children's rows are there before:
//
//   row_n[u] = 1 + lambda prod_c ( production of u_c = production of n_c ? row_{n_c}[u_c] : 1 )
//
// Cost of a list: sum over its different sub-trees of the size of their group; no hashing, no search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/learning/dual_perceptron.h"
#include "copse/rerank/sequence_ids.h"
#include "copse/rerank/tree_list.h"

namespace copse {

// F of a sub-tree of the model, or a change to it.
struct NodeWeight {
  std::uint32_t node = 0;
  double weight = 0;

  bool operator==(const NodeWeight&) const = default;
};

class MergedTrees {
 public:
  // Throws a usage error unless 0 <= lambda <= 1.
  explicit MergedTrees(double lambda);

  double lambda() const { return lambda_; }
  std::uint32_t nodes() const { return shared_.size(); }
  std::uint32_t production(std::uint32_t node) const { return shared_.sequence(node)[0]; }
  std::span<const std::uint32_t> children(std::uint32_t node) const {
    return shared_.sequence(node).subspan(1);
  }
  double weight(std::uint32_t node) const;
  // Sub-trees of a production, in order of appearance.
  std::span<const std::uint32_t> nodes_of(std::uint32_t production) const;
  const SequenceIds& shared() const { return shared_; }

  // F(u) += sum_j c_j scale_j (occurrences of u in x_j). The scales are 1 where there are none.
  // What changed is added to `changes` if that is given. The list must have all its productions.
  void add(const TreeForest& list, std::span<const RankingCoefficient> coefficients,
           std::span<const double> scales = {}, std::vector<NodeWeight>* changes = nullptr);
  // The node of a production over nodes that are there; new ones have F = 0. Throws data_error
  // unless the children are there and as many as nodes of that production have.
  std::uint32_t intern(std::span<const std::uint32_t> sequence);
  void add_weight(std::uint32_t node, double weight);
  void scale_weights(double factor);

  struct Scratch {
    std::vector<double> rows;
    std::vector<std::uint64_t> row;  // of a node of the list; its first entry is 1
    std::vector<double> node_scores;
  };
  // sum_u F(u) C(u, n) for each node n of the list: scratch.node_scores; the rows stay there too.
  void score_nodes(const TreeForest& list, Scratch& scratch) const;
  // The same summed over the nodes of each candidate.
  void score(const TreeForest& list, std::span<double> out, Scratch& scratch) const;
  // C(u, n) for a node u of the model after score_nodes().
  double common(const Scratch& scratch, std::size_t list_node, std::uint32_t model_node) const {
    return scratch.rows[scratch.row[list_node] + slot_[model_node] + 1] - 1;
  }

  // Without the sub-trees whose |F(u)| C(u,u) is below `least`, and those that only they needed.
  MergedTrees within_budget(double least) const;
  // C(u,u) of every sub-tree.
  std::vector<double> self() const;
  std::size_t weighted_nodes() const;  // F is not 0

 private:
  struct Child {
    std::uint32_t production;
    std::uint32_t entry;  // of a row: slot + 1
  };
  struct Group {
    std::uint32_t arity = 0;
    std::vector<std::uint32_t> nodes;
    std::vector<double> weights;
    std::vector<Child> children;  // arity of them for each node
  };
  const Group* group(std::uint32_t production) const {
    return production < groups_.size() ? &groups_[production] : nullptr;
  }
  double fill_row(const Group& group, const TreeForest& list, std::size_t node,
                  Scratch& scratch) const;

  double lambda_;
  SequenceIds shared_;               // (production, children)
  std::vector<std::uint32_t> slot_;  // of a node in its group
  std::vector<Group> groups_;        // by production
};

}  // namespace copse
