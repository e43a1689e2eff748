// The tagging kernel (Collins & Duffy 2002, section 7): the inner product of two tag sequences over
// all contiguous runs of labels, each label with or without its word.
//
//   C(i, j)   weighted number of common runs that begin at position i of x and j of y
//     labels differ      0
//     labels equal       (1 + word [words equal] + shape [word classes equal]) (1 + lambda C(i+1, j+1))
//   K(x, y) = sum_ij C(i, j)
//
// A run of n labels weighs lambda^(n-1). (The paper speaks of lambda^n, which is K times lambda and
// only rescales beta.) With word = 1 and shape = 0 it is the paper's first kernel, 2 (1 + lambda C)
// for equal words; 1/2 and 1/2 its softer one. Equality of anything is an inner product, so the
// kernel stays one.
//
// A sum of kernels is kept as the sequences of its updates, one piece after the other, without what
// cancels: positions right of the last difference have weight 0. For a node of the list that is
// scored, C with every node of a block of pieces is a row,
//
//   row_n[u] = [labels equal] sim(u, n) (1 + lambda row_{next of n}[next of u])
//
// where the next of u is almost always the one before it: rows are made by one loop over memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/learning/dual_perceptron.h"
#include "copse/rerank/kernel_options.h"
#include "copse/rerank/tag_list.h"

namespace copse {

// K of two candidates, plainly.
double tagging_kernel(const TagList& x, std::size_t i, const TagList& y, std::size_t j,
                      double lambda, const TagSimilarity& similarity);

class MergedTags {
 public:
  MergedTags(double lambda, const TagSimilarity& similarity);

  // One update: a piece of its own.
  void add(const TagList& list, std::span<const RankingCoefficient> coefficients,
           std::span<const double> scales = {});

  struct Scratch {
    std::vector<double> rows, similar, node_scores;
    std::vector<std::uint32_t> order, row;
  };
  void score(const TagList& list, std::span<double> out, Scratch& scratch) const;
  // Row m: what update m adds to each candidate's score.
  std::vector<double> score_updates(const TagList& list, Scratch& scratch) const;
  // sum_u F(u) C(u, n) of each node of the list: scratch.node_scores.
  void score_nodes(const TagList& list, Scratch& scratch) const;

  std::size_t updates() const { return piece_end_.size(); }
  std::size_t size() const { return weight_.size(); }
  void scale_weights(double factor);
  // Without the nodes whose |F| C(u,u) is below `least`, and those that only they needed.
  void keep_within(double least);

  // Everything there is to know of it, for a model file. from() throws data_error unless all fits.
  struct Columns {
    std::vector<std::uint32_t> label, word, next;  // next: TagList::kNone, or within the piece
    std::vector<std::uint8_t> word_class;
    std::vector<double> weight;
    std::vector<std::uint64_t> piece_end;
  };
  Columns columns() const;
  static MergedTags from(const Columns& columns, double lambda, const TagSimilarity& similarity);

 private:
  // Nodes [begin, end), whole pieces; exceptions [first, last).
  struct Block {
    std::size_t begin, end, first, last;
  };
  // A node whose next is not the one before it.
  struct Exception {
    std::uint32_t node;
    std::uint32_t next;  // kNone: it ends its sentence
  };

  void push(std::uint32_t label, std::uint32_t word, std::uint8_t word_class, std::uint32_t next,
            double weight);
  void end_piece(std::size_t begin, std::size_t first_exception);
  // Rows of the list's nodes against a block, last position first: visit(node, row) with row[u -
  // begin] = C.
  template <class Visit>
  void for_each_row(const TagList& list, const Block& block, Scratch& scratch, Visit visit) const;

  double lambda_;
  TagSimilarity similarity_;
  std::vector<double> label_, word_, class_;  // numbers as doubles: compared many at a time
  std::vector<double> weight_;                // F
  std::vector<Exception> exceptions_;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> piece_end_;
};

}  // namespace copse
