// Projective dependency parsing, exactly: the best tree, the k best, log Z, the marginal of every
// part, samples, entropy; for six factorisations, single and multiple root, labelled or not, under
// any mask of arcs. All answers about a factorisation come from one text of its recurrence:
//
//   charts/first_order.h   Eisner 1996                        O(n^3) time   O(n^2) space
//   charts/sibling.h       McDonald & Pereira 2006            O(n^3)        O(n^2)
//   charts/carreras.h      Carreras 2007                      O(n^4)        O(n^3)
//   charts/model0.h        Koo & Collins 2010, Model 0        O(n^4)        O(n^3)
//   charts/model1.h        Koo & Collins 2010, Model 1        O(n^4)        O(n^3)
//   charts/model2.h        Koo & Collins 2010, Model 2        O(n^4)        O(n^3)
//
// Under a mask, time and space follow the surviving parts. Use:
//
//   const PartIndex index(mask, Factorisation::model1, RootRule::single);
//   PartScores scores(index);
//   index.for_each(PartFamily::gsib, [&](auto id, const Part& part) { scores[id] = ...; });
//   const ProjectiveSearch search(index);
//   const BestTree best = search.best(scores, workspace);
//
// Exactness. Maxima are computed in float (the score of the tree found is summed in double); the
// k-best list is ranked in double; sums are double, relative error near 1e-12 for ordinary scores.
// Ties: the first edge in the order of the chart's text, the smallest label; the same on every run.
// Threads: a ProjectiveSearch and its PartIndex never change; give each thread its own Workspace.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "copse/base/random.h"
#include "copse/base/stop.h"
#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"
#include "copse/inference/search_answer.h"

namespace copse {

// Which arithmetic a sum was done in: linear whenever its range provably suffices.
enum class SumDomain { linear, log };
struct LogSum : SearchAnswer {
  double log_z = 0;
  SumDomain domain = SumDomain::linear;
};
struct Marginals : LogSum {
  double entropy = 0;  // of the distribution over (labelled) trees, in nats
  PartMarginals mu;
};

// Scratch memory of one thread: grown as needed, never shrunk, reused from sentence to sentence.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  std::size_t bytes() const;  // held now
  // Asked by every search in here, once per width of spans; it then throws Stopped, and the memory
  // may be used again.
  void set_stop(const Stop& stop);

  struct Memory;
  Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;
};

class ProjectiveSearch {
 public:
  // The index must outlive the search. Lays out the chart: O(arcs * n) time.
  explicit ProjectiveSearch(const PartIndex& index);
  ~ProjectiveSearch();
  ProjectiveSearch(const ProjectiveSearch&) = delete;
  ProjectiveSearch& operator=(const ProjectiveSearch&) = delete;

  const PartIndex& index() const { return index_; }

  BestTree best(const PartScores& scores, Workspace& workspace) const;
  // Best first; fewer than k if there are not so many; labelled trees if there are labels.
  TreeList k_best(const PartScores& scores, int k, Workspace& workspace) const;
  LogSum log_sum(const PartScores& scores, Workspace& workspace) const;
  Marginals marginals(const PartScores& scores, Workspace& workspace) const;
  // Independent draws from p(tree) = e^score / Z, labels drawn too.
  TreeList sample(const PartScores& scores, int count, Random& random, Workspace& workspace) const;
  // How many trees the mask allows; exact up to 2^53.
  double count_trees(Workspace& workspace) const;

  // Sizes for planning and for figures per edge.
  std::size_t items() const;
  std::size_t edges() const;  // walks the chart
  // What best() and marginals() need beside the scores; of the latter, the marginals themselves.
  std::size_t best_bytes() const;
  std::size_t marginal_bytes() const;
  std::size_t answer_bytes() const;

 private:
  struct Chart;

  const PartIndex& index_;
  std::unique_ptr<Chart> chart_;
};

// Sum over the parts of the tree of mu(part) * value(part): the expectation of any quantity that
// adds up over parts (a loss, a feature, another model's score). Minus infinity counts as 0 where
// mu is 0.
double expectation(const PartIndex& index, const PartMarginals& mu, const PartScores& value);

// The projective tree with the least expected number of wrong (labelled) arcs under the marginals:
// first order on mu(h,m), or on the largest mu(h,m,l). score is the expected number of right ones.
BestTree minimum_risk_tree(const PartIndex& index, const PartMarginals& mu, Workspace& workspace);

}  // namespace copse
