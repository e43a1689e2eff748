// Higher-order parsing with crossing arcs by dual decomposition (Koo, Rush, Collins, Jaakkola &
// Sontag 2010): head automata and spanning trees are brought to agree, and when they do the tree is
// proved to be the best one. The problem is NP-hard; on trained models nearly every sentence comes
// with a proof, and the others with a bound on what may be missing.
//
//   u = v = 0
//   for k = 1 .. K:
//     y = best tree, z = best choices of the heads; L = sum of both values      dual_relaxation.h
//     bound = min(bound, L);  best = max(best, F(y))
//     y = z, or best reaches the bound (ties): certificate
//     u += alpha (z - y),  v += alpha (up - y)
//
// Steps. Of the paper: alpha = delta / (1 + t), delta the first f(z) - f(y), t how often L rose.
// Polyak's: alpha = theta (L - best) / |z - y|^2, theta halved when the bound stands still.
//
// Beyond the paper, each to be switched off: arcs that no better tree can have are taken out
// (reduce), and where the relaxation stays loose the search branches on the arc about which the
// halves disagree most, with or without it, from the multipliers at hand (branch). Both keep the
// proofs exact; the number of iterations counts all branches together.
//
// With Crossing::never the trees are projective: Eisner's chart in place of the spanning tree.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "copse/base/stop.h"
#include "copse/inference/dual_relaxation.h"
#include "copse/inference/status.h"

namespace copse {

enum class StepRule { paper, polyak };

struct DualOptions {
  int iterations = 5000;    // K, at least 1
  double gamma = 0.001;     // share of dep that the tree half scores
  double gap = 0;           // good enough: a bound that near to the best tree ends the search
  double tolerance = 1e-6;  // of equality, times the bound where that is above 1
  double unit = 0;          // if all scores are multiples of it: a gap below it is none
  StepRule step = StepRule::polyak;
  Crossing crossing = Crossing::allowed;
  bool lazy = true;
  int reduce_every = 10;  // iterations from one reduction of arcs to the next; 0: never
  int branch_after = 60;  // iterations of one relaxation before it is split; 0: never
};

struct DualCertificate {
  bool optimal = false;  // proved: no tree scores more, but for the tolerance
  double bound = 0;      // no tree scores more than this
  double gap = 0;        // bound - score; 0 if optimal
  int iterations = 0;
  int relaxations = 1;          // branches looked at
  std::int64_t automata = 0;    // heads times iterations
  std::int64_t recomputed = 0;  // of those, solved anew
};

struct DualAnswer {
  SearchStatus status = SearchStatus::ok;
  std::string culprit;      // if bad_score
  std::vector<int> heads;   // [0] is kNobody
  std::vector<int> labels;  // best of each arc; empty if there are none
  double score = 0;
  DualCertificate certificate;
};

// What an iteration found, for tests and curves.
struct DualStep {
  int iteration = 0;
  double dual = 0, primal = 0, step = 0;
  const DualRelaxation* relaxation = nullptr;
};

// Scratch memory of one thread.
class DualDecomposition {
 public:
  // The index must let arcs cross if it has lanes. Throws usage errors for options that make no
  // sense.
  DualAnswer best(const PartIndex& index, const PartScores& scores, const DualOptions& options);
  // The same for automata of any kind; `tree_scores`: by arc, what the tree half scores.
  DualAnswer best(const PartIndex& index, const HeadAutomata& automata,
                  std::span<const double> tree_scores, const DualOptions& options);

  // For each arc the most that a tree with it can score, as far as the relaxation can say after at
  // most `iterations` steps without reductions or branches, less the bound on all trees, which is
  // returned; minus infinity for forbidden arcs. `answer` becomes the best tree.
  double arc_scores(const PartIndex& index, const PartScores& scores, const DualOptions& options,
                    DualAnswer& answer, std::vector<double>& out);

  // Asked in every iteration; the search then throws Stopped.
  void set_stop(const Stop& stop) { stop_ = stop; }
  void watch(std::function<void(const DualStep&)> watcher) { watcher_ = std::move(watcher); }

 private:
  struct Node {
    DualPoint point;
    double bound = 0;
    double delta = 0;
    int rises = 0;
  };
  enum class Outcome { closed, open, out_of_iterations };

  bool prepare(const PartIndex& index, const PartScores& scores, const DualOptions& options,
               DualAnswer& answer);
  DualAnswer search(const PartIndex& index, const DualOptions& options);
  Outcome run(Node& node);
  double step_length(Node& node, double dual, double& last, double& theta, int& stale);
  bool is_closed(double bound) const;
  double slack(double bound) const;
  void split(const Node& node);
  int arc_to_split() const;
  void take_tree();

  const PartIndex* index_ = nullptr;
  DualOptions options_;
  HeadAutomata automata_;
  std::vector<double> tree_scores_;
  DualRelaxation relaxation_;
  std::vector<Node> open_;
  std::vector<int> best_tree_;  // arcs
  double best_ = 0;
  int iterations_ = 0, relaxations_ = 0;
  Stop stop_;
  std::function<void(const DualStep&)> watcher_;
};

}  // namespace copse
