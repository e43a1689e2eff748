// What is left out of histories while they are learnt from (dropout), drawn by the seed of each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "copse/learning/decision_network.h"

namespace copse {

// Shares of what is left out; what stays is scaled up.
struct Dropout {
  double share = 0;  // numbers of items, and of the vectors that decisions are predicted from
  std::uint64_t seed = 0;
  double rows = 0;   // rows that items are sums of
  double roles = 0;  // numbers that steps read from other steps: for each role the same numbers at
                     // all steps of a history (Gal & Ghahramani 2016)
};

// Factors; empty where nothing is left out.
template <class T>
struct DecisionMasks {
  void draw(std::span<const DecisionSteps* const> histories, const NetworkShape& shape,
            const Dropout& dropout);

  std::vector<T> items;   // items x D
  std::vector<T> hidden;  // steps x H
  std::vector<T> rows;    // of all items, history by history
  std::vector<T> roles;   // histories x (R H)
};

// The numbers from `begin` on times their factors, if there are any.
template <class T>
void mask(const std::vector<T>& factors, std::size_t begin, T* x, std::size_t n) {
  if (factors.empty()) return;
  for (std::size_t i = 0; i < n; ++i) x[i] *= factors[begin + i];
}

}  // namespace copse
