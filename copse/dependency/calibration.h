// Making the probabilities of a parser mean what they say. Margin-based learners leave the scale of
// their scores open; dividing them by a temperature chosen on sentences not trained on makes the
// marginals honest. Measured by the expected calibration error: arcs that the parser chose, put
// into ten bins by probability, and how far the share of right ones is from the mean probability.
//
// Of whole trees one number is too little: what is sure is less sure than it says, and what is doubtful
// less doubtful. Their log-odds are stretched and moved (Platt 1999):
//
//   logit P'(best tree) = slope * logit P(best tree) + offset
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace copse {

class CalibrationError {
 public:
  void add(double probability, bool right);
  void add(const CalibrationError& other);
  double value() const;
  std::size_t arcs() const;

 private:
  struct Bin {
    std::size_t arcs = 0, right = 0;
    double probability = 0;
  };
  std::array<Bin, 10> bins_{};
};

// The temperature with the least loss: golden-section search on its logarithm between low and high;
// the loss is taken to have one valley.
double best_temperature(const std::function<double(double temperature)>& loss,
                        double low = 1.0 / 64, double high = 64);

struct TreeOdds {
  double slope = 1, offset = 0;

  // Of a best tree, from the logarithm of what the model says.
  double probability(double log_p) const;
  bool operator==(const TreeOdds&) const = default;
};

// The best tree of a sentence as the model sees it, and whether it is right.
struct JudgedTree {
  double log_p = 0;
  bool right = false;
};

// The numbers with the least log-loss, and not far from 1 and 0 unless the trees say so:
//   -sum ln P'(what was the case) + 1/2 ((slope - 1)^2 + offset^2)
// by Newton's method; the slope is never negative.
TreeOdds fit_tree_odds(std::span<const JudgedTree> trees);

// Of the trees of a list, the best one first, by the logarithms of what the model says of each. The
// first is given its P'. The others share what is left of 1 in proportion to their own, none of them
// with more than the first: the sum is at most 1, and the order stays.
std::vector<double> tree_probabilities(const TreeOdds& odds, std::span<const double> log_p);

}  // namespace copse
