// Choosing among kernel rerankers on development lists: by all of them, and by each half for
// figures that nothing was chosen on (cross_figures.h).
//
// The weight of the log probability that a perceptron learns is where its last mistakes left it. It
// can be set again without learning anything anew, because the score is a sum:
//
//   F(x) = a L(x) + g(x)      a = mix * (spread of g) / (spread of L)
//
// with g the sum of kernels and a spread the root of the mean variance within a list. The mix is a
// number without a unit; 0 stands for what was learnt.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "copse/rerank/cross_figures.h"
#include "copse/rerank/list_figures.h"

namespace copse {

// What is known of the candidates of lists, whatever they are.
struct GradedNumbers {
  std::vector<std::vector<double>> quality, base;
  std::vector<std::vector<StratumCounts>> counts;  // empty where candidates are not counted
};

using ListScores = std::vector<std::vector<double>>;
// A candidate for each list, 0 for an empty one.
using ChosenCandidates = std::vector<std::uint32_t>;

// The root of the mean over lists of the variance within them.
double spread(const ListScores& scores);
// Highest score + weight * base; ties: higher base, then lower index.
ChosenCandidates choose(const GradedNumbers& lists, const ListScores& scores, double weight);

// How good a choice is: by F1 where candidates are counted, else by the sum of scores.
struct ChoiceFigures {
  std::size_t lists = 0;
  bool counted = false;
  double base = 0, chosen = 0, best = 0;

  std::string str(std::string_view name) const;
};
ChoiceFigures choice_figures(const GradedNumbers& lists, const ChosenCandidates& chosen,
                             const ListPart& part);

// Two systems side by side: the most probable candidates, and of lists 1, 3, 5, ... those in `odd`, of
// lists 2, 4, 6, ... those in `even`.
CrossFigures crossed_choice(const GradedNumbers& lists, const ChosenCandidates& odd,
                            const ChosenCandidates& even);

// The best of what was offered, by each of kListParts; ties: the first.
class KernelSelection {
 public:
  explicit KernelSelection(const GradedNumbers& lists) : lists_(lists) {}

  // True if it is the best so far on all lists.
  bool offer(const ChosenCandidates& chosen);
  // Lists 1, 3, 5, ... by what lists 2, 4, 6, ... chose, and the other way round.
  CrossFigures crossed() const;

 private:
  struct Kept {
    double figure = 0;
    ChosenCandidates chosen;
  };
  const GradedNumbers& lists_;
  std::array<Kept, kListParts.size()> kept_;
};

}  // namespace copse
