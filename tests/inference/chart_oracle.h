// One sentence with random scores, and everything about it by enumeration.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "copse/base/random.h"
#include "copse/inference/part_index.h"
#include "copse/inference/part_scores.h"
#include "tests/inference/reference.h"

namespace copse::reference {

inline constexpr std::array kFactorisations = {Factorisation::first,    Factorisation::sibling,
                                               Factorisation::carreras, Factorisation::model0,
                                               Factorisation::model1,   Factorisation::model2};
inline constexpr std::array kRules = {RootRule::single, RootRule::multi};
inline constexpr std::array kFamilies = {PartFamily::dep,   PartFamily::stop, PartFamily::sib,
                                         PartFamily::grand, PartFamily::gsib, PartFamily::tsib};

std::string describe(const ArcMask& mask, Factorisation factorisation, RootRule rule);

// Removes each arc with the given probability; the result may leave no tree.
ArcMask random_mask(int words, double removed, Random& random);

// Multiples of 1/64 within [-range, range]: sums of them are exact in float.
void randomise(PartScores& scores, double range, Random& random);
// Small integers: many ties.
void randomise_with_ties(PartScores& scores, Random& random);

// A tree with its labels and the numbers of its parts.
struct Labelled {
  Heads heads;
  std::vector<int> labels;  // by word; empty if unlabelled
  double score = 0;
  std::vector<PartIndex::Id> parts;
};

// Every tree that the index allows, under the scores; with labels: every labelling of every tree.
std::vector<Labelled> enumerate(const ArcMask& mask, const PartIndex& index,
                                const PartScores& scores);

std::vector<double> scores_of(const std::vector<Labelled>& trees);
// Probability of every part, by its number.
std::vector<double> part_probabilities(const std::vector<Labelled>& trees, const PartIndex& index);

}  // namespace copse::reference
