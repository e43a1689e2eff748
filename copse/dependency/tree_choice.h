// Which trees a parser should search for: projective ones, lifted ones, or any. A treebank with few
// crossing arcs gets projective trees at once. For others small first-order parsers of each kind are
// trained and compared on sentences that they have not seen; where many cross, projective trees have
// to win by more than chance gives, elsewhere those of any shape.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/dependency/training_history.h"
#include "copse/dependency/training_options.h"
#include "copse/treebank/sentence.h"

namespace copse {

enum class TreeSort : std::uint8_t { projective, lifted, nonprojective };
std::string_view name_of(TreeSort sort);
// Throws usage_error for anything else.
TreeSort tree_sort_named(std::string_view name);

TreeSort trees_of(const DependencyTraining& options);
void set_trees(TreeSort sort, DependencyTraining& options);

// How much of a treebank is not projective. Throws data_error where heads are no tree.
struct CrossingArcs {
  std::size_t sentences = 0, crossing_sentences = 0;
  std::size_t arcs = 0, crossing_arcs = 0;
  double share_of_arcs() const { return arcs == 0 ? 0 : 100.0 * ratio(crossing_arcs, arcs); }
  double share_of_sentences() const {
    return sentences == 0 ? 0 : 100.0 * ratio(crossing_sentences, sentences);
  }

 private:
  static double ratio(std::size_t a, std::size_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  }
};
CrossingArcs count_crossing_arcs(std::span<const Sentence> sentences);

// What a small parser of one kind did, sentence by sentence.
struct TreeTrial {
  TreeSort sort = TreeSort::projective;
  std::vector<DependencyScores> each;
  DependencyScores sum() const;
};

// The kind with the most right labelled arcs among the first, taken for granted, and those that gain
// over it, by more than two standard errors of the sum over sentences if they are searched otherwise.
TreeSort best_trees(std::span<const TreeTrial> trials);

struct TreeChoice {
  TreeSort chosen = TreeSort::projective;
  CrossingArcs crossing;          // of the training data
  std::vector<TreeTrial> trials;  // none: few arcs cross, or there is one kind only to choose from
};

// Below these nothing is tried. Arcs that cross, in percent: no more can be gained, and parsers find
// less than half of them. And their number: there must be something to learn from.
inline constexpr double kFewCrossing = 0.3;
inline constexpr std::size_t kFewestCrossing = 100;

// `options` without their defaults; those of trees are not looked at. Kinds that do not go with the
// order, the learner or the labels are left out. Judged on dev; without it on every tenth sentence of
// the training data, from which then nothing is learnt. Costs at most three trainings of the first
// order, three passes over 2,000 sentences. In a group of processes each finds the same for itself.
TreeChoice choose_trees(const std::vector<Sentence>& train, const std::vector<Sentence>& dev,
                        const DependencyTraining& options,
                        const std::function<void(const std::string& step)>& step = {});

}  // namespace copse
