#include "tests/inference/chart_oracle.h"

#include <cmath>
#include <limits>
#include <map>

namespace copse::reference {
namespace {

using Key = std::tuple<int, int, int, int, int, int, int>;

Key key(const Part& part) {
  // The side says something only where m is nobody.
  const int side = part.m == kNobody ? static_cast<int>(part.side) : 0;
  return {static_cast<int>(part.family), part.g, part.h, part.m, part.s, part.t, side};
}

}  // namespace

std::string describe(const ArcMask& mask, Factorisation factorisation, RootRule rule) {
  std::string text = std::string(name(factorisation)) +
                     (rule == RootRule::single ? " single" : " multi") +
                     " n=" + std::to_string(mask.words()) + " heads:";
  for (int m = 1; m <= mask.words(); ++m) {
    text += " " + std::to_string(m) + "<-";
    for (const int h : mask.heads(m)) text += std::to_string(h);
  }
  return text;
}

ArcMask random_mask(int words, double removed, Random& random) {
  ArcMask mask(words);
  for (int m = 1; m <= words; ++m)
    for (int h = 0; h <= words; ++h)
      if (h != m && random.chance(removed)) mask.forbid(h, m);
  return mask;
}

void randomise(PartScores& scores, double range, Random& random) {
  const int steps = static_cast<int>(range * 64);
  const auto draw = [&] { return static_cast<float>(random.between(-steps, steps)) / 64.0F; };
  for (float& score : scores.values()) score = draw();
  if (scores.labels() == 0) return;
  const auto rows = scores.label_values().size() / static_cast<std::size_t>(scores.labels());
  for (std::size_t a = 0; a < rows; ++a)
    for (float& score : scores.label_row(static_cast<int>(a))) score = draw();
}

void randomise_with_ties(PartScores& scores, Random& random) {
  for (float& score : scores.values()) score = static_cast<float>(random.between(0, 1));
}

std::vector<Labelled> enumerate(const ArcMask& mask, const PartIndex& index,
                                const PartScores& scores) {
  std::map<Key, PartIndex::Id> numbers;
  for (const PartFamily family : kFamilies)
    index.for_each(family, [&](PartIndex::Id id, const Part& part) { numbers[key(part)] = id; });
  std::vector<Labelled> found;
  for (const Heads& heads : all_trees(mask, index.rule(), Crossing::never)) {
    Labelled tree;
    tree.heads = heads;
    for (const Part& part : parts_of(heads, index.factorisation())) {
      tree.parts.push_back(numbers.at(key(part)));
      tree.score += static_cast<double>(scores[tree.parts.back()]);
    }
    std::vector<Labelled> labelled{tree};
    for (int m = 1; m <= mask.words() && scores.labels() > 0; ++m) {
      std::vector<Labelled> extended;
      for (Labelled partial : labelled) {
        if (partial.labels.empty()) partial.labels.assign(heads.size(), kNobody);
        for (int l = 0; l < scores.labels(); ++l) {
          Labelled next = partial;
          next.labels[static_cast<std::size_t>(m)] = l;
          const int a = index.find_arc(heads[static_cast<std::size_t>(m)], m);
          next.score += static_cast<double>(scores.label_row(a)[static_cast<std::size_t>(l)]);
          extended.push_back(next);
        }
      }
      labelled = extended;
    }
    for (const Labelled& each : labelled)
      if (each.score != -std::numeric_limits<double>::infinity()) found.push_back(each);
  }
  return found;
}

std::vector<double> scores_of(const std::vector<Labelled>& trees) {
  std::vector<double> scores;
  scores.reserve(trees.size());
  for (const Labelled& tree : trees) scores.push_back(tree.score);
  return scores;
}

std::vector<double> part_probabilities(const std::vector<Labelled>& trees, const PartIndex& index) {
  std::vector<double> mu(static_cast<std::size_t>(index.size()), 0.0);
  const double log_z = log_sum(scores_of(trees));
  for (const Labelled& tree : trees)
    for (const PartIndex::Id id : tree.parts)
      mu[static_cast<std::size_t>(id)] += std::exp(tree.score - log_z);
  return mu;
}

}  // namespace copse::reference
