// Approximate non-projective search for models that no exact searcher covers (McDonald & Pereira
// 2006): start from a tree, usually the best projective one, and change one head at a time.
//
//   repeat:  of all (m, h) such that re-attaching m to h keeps a tree, take the one that gains most
//   until none gains more than least_gain
//
// The model is a callback, so any order and any features will do. The result is a tree of the mask
// and the root rule, at least as good as the start by the model's own account; it is a local
// optimum, not the best tree. Each round asks for O(n^2) gains. With one root child the change of a
// single head cannot replace that child; it stays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/arc_mask.h"
#include "copse/inference/descent.h"

namespace copse {

struct RearrangeOptions {
  RootRule root = RootRule::single;
  double least_gain = 1e-9;  // smaller gains are taken for rounding errors
  // A callback whose gains are true differences of one score ends by itself, since that score rises
  // with every round; this is for those that are not.
  int most_rounds = 10000;
};

struct Rearranged {
  std::vector<int> heads;  // heads[0] is -1
  double gain = 0;         // sum of the gains taken
  int rounds = 0;          // heads changed
  bool converged = false;  // false: most_rounds was reached
};

// Is h an allowed new head of each word? Answers in O(1) after O(n) preparation per tree.
class Reattachments {
 public:
  Reattachments(const ArcMask& mask, RootRule root) : mask_(mask), root_(root) {}
  // Throws a usage error if heads is not a tree of the mask and the root rule.
  void look_at(std::span<const int> heads);
  bool keeps_tree(int m, int h) const;

 private:
  const ArcMask& mask_;
  RootRule root_;
  std::span<const int> heads_;
  Descent descent_;
};

// gain(heads, m, h): what the score of the tree changes by when m moves to h, all other heads as
// they are. A NaN is no gain. Ties: the lowest m, then the lowest h. The start must be a tree of
// the mask, else a usage error is thrown.
template <class Gain>
Rearranged rearrange(std::span<const int> start, const ArcMask& mask, const Gain& gain,
                     const RearrangeOptions& options = {}) {
  Rearranged result;
  result.heads.assign(start.begin(), start.end());
  const int words = static_cast<int>(start.size()) - 1;
  Reattachments moves(mask, options.root);
  moves.look_at(result.heads);
  for (; result.rounds < options.most_rounds; ++result.rounds) {
    double most = options.least_gain;
    int best_m = 0;
    int best_h = 0;
    for (int m = 1; m <= words; ++m)
      for (int h = 0; h <= words; ++h) {
        if (!moves.keeps_tree(m, h)) continue;
        const double here = gain(std::span<const int>(result.heads), m, h);
        if (here > most) {
          most = here;
          best_m = m;
          best_h = h;
        }
      }
    if (best_m == 0) {
      result.converged = true;
      break;
    }
    result.heads[best_m] = best_h;
    result.gain += most;
    moves.look_at(result.heads);
  }
  return result;
}

}  // namespace copse
