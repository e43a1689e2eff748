// The tree kernel (Collins & Duffy 2002, section 5): the inner product of two trees over all their
// fragments, connected pieces of at least one production that take productions whole or not at all.
//
//   C(n1, n2)   weighted number of common fragments rooted at n1 and n2
//     productions differ          0
//     the same                    lambda prod_c (1 + C(child_c(n1), child_c(n2)))     (leaf: lambda)
//   K(x, y)   = sum_{n1 in x} sum_{n2 in y} C(n1, n2)
//             = sum over fragments f of lambda^(productions in f) count_f(x) count_f(y)
//
// Nodes are kept in the order of their productions, so that the pairs that count are found by
// merging two lists (Moschitti 2006), and are evaluated children first, without recursion. A
// sub-tree that occurs several times in a tree is one node with a count. Exact; about linear in the
// number of pairs of the same production.
#pragma once

#include <cstdint>
#include <vector>

#include "copse/rerank/tree_list.h"

namespace copse {

// Throws a usage error unless 0 <= lambda <= 1.
void check_lambda(double lambda);

// One tree, ready for the kernel with any other of the same Productions.
struct KernelTree {
  KernelTree() = default;
  KernelTree(const TreeForest& list, std::size_t candidate);

  std::size_t nodes() const { return production.size(); }

  std::vector<std::uint32_t> production;   // ascending
  std::vector<double> count;               // how often the sub-tree occurs
  std::vector<std::uint32_t> child_begin;  // one more than nodes
  std::vector<std::uint32_t> child;
  std::vector<std::uint32_t> order;  // children before parents
};

// Scratch memory of a thread.
struct TreeKernelScratch {
  std::vector<double> common;  // 1 + C(n1, n2)
  std::vector<std::uint32_t> run;
};

double tree_kernel(const KernelTree& x, const KernelTree& y, double lambda,
                   TreeKernelScratch& scratch);
// K(x,y) / sqrt(K(x,x) K(y,y)); 0 where a tree has no fragments.
double normalised_tree_kernel(const KernelTree& x, const KernelTree& y, double lambda,
                              TreeKernelScratch& scratch);

// Kernels among the candidates of one list, from C of each pair of its sub-trees once.
class ListKernels {
 public:
  ListKernels(const TreeForest& list, double lambda);

  // sum over pairs of nodes of a(n1) b(n2) C(n1, n2), for weights on nodes.
  double product(std::span<const double> a, std::span<const double> b) const;
  // K(x_j, x_j) of each candidate.
  std::vector<double> self() const;

 private:
  const TreeForest& list_;
  std::vector<std::uint32_t> by_production_;        // nodes
  std::vector<std::uint32_t> run_begin_, run_end_;  // of a node's production, in by_production_
  std::vector<std::uint64_t> row_;                  // of a node, in common_
  std::vector<double> common_;                      // C with each node of its run
};

}  // namespace copse
