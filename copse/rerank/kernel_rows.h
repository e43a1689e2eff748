// Rows of the Gram matrix of the tree kernel: K(x, y) of one tree with every tree of a collection,
// all at once. Sub-trees of the collection are shared, so C(n, u) is found once for all trees that
// have u; and most pairs of nodes of the same production have nothing below in common, where C is
// lambda. Hence
//
//   K(x, y) = lambda sum_p count_p(x) count_p(y)                          over productions p
//           + sum_n sum_u count_n(x) count_u(y) (C(n, u) - lambda)         where C is not lambda
//
// and the second sum is over those u that an index (production, child, production of that child)
// finds for n. Exact.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "copse/model/feature_key.h"
#include "copse/rerank/sequence_ids.h"
#include "copse/rerank/tree_list.h"

namespace copse {

class KernelRows {
 public:
  // The trees of the collection: all candidates of all lists, in order.
  KernelRows(std::span<const TreeForest> lists, double lambda);

  std::size_t size() const { return trees_; }

  struct Scratch {
    std::vector<double> rows;            // C(n, u)
    std::vector<std::uint64_t> row;      // of a node of x
    std::vector<std::uint32_t> touched;  // slots
    std::vector<double> count;
  };
  // out[y] = K(x, y); x is a candidate of any list of the same Productions.
  void row(const TreeForest& list, std::size_t candidate, std::span<double> out,
           Scratch& scratch) const;

 private:
  struct Posting {
    std::uint32_t tree;
    float count;
  };
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  struct Group {
    Range nodes;  // of node_
    Range trees;  // of tree_postings_: how often a tree has the production
  };
  struct Child {
    std::uint32_t slot;   // of a node in its group
    std::uint32_t entry;  // of its child in the child's group
  };
  // A production, the place of a child and that child's production.
  struct Place {
    std::uint32_t production, child, below;
    bool operator==(const Place&) const = default;
  };
  // Mixed well: the table takes the lowest bits, and grows without end where they are alike.
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      return join(join(atom_of(std::uint64_t{place.production}), place.child), place.below);
    }
  };

  double lambda_;
  std::size_t trees_ = 0;
  std::vector<Group> groups_;         // by production
  std::vector<Range> node_postings_;  // nodes by production, then slot
  std::vector<Posting> postings_;     // of nodes
  std::vector<Posting> tree_postings_;
  std::vector<Child> children_;
  tsl::robin_map<Place, Range, PlaceHash> below_;  // to children_
};

}  // namespace copse
