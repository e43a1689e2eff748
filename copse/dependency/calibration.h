// Making the probabilities of a parser mean what they say. Margin-based learners leave the scale of
// their scores open; dividing them by a temperature chosen on sentences not trained on makes the
// marginals honest. Measured by the expected calibration error: arcs that the parser chose, put
// into ten bins by probability, and how far the share of right ones is from the mean probability.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

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

}  // namespace copse
