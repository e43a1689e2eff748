// What training has come to, pass by pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace copse {

struct DependencyScores {
  std::size_t words = 0, heads = 0, labels = 0;
  double uas() const { return percent(heads); }
  double las() const { return percent(labels); }
  void add(const DependencyScores& other) {
    words += other.words;
    heads += other.heads;
    labels += other.labels;
  }
  bool operator==(const DependencyScores&) const = default;

 private:
  double percent(std::size_t right) const {
    return words == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(words);
  }
};

struct TrainingPass {
  int pass = 0;
  double loss = 0;
  DependencyScores dev;  // of the weights as learnt, before they are frozen
  double seconds = 0;
  std::size_t sentences = 0;  // that were learnt from
  // Bytes that the processes of a group have sent each other in it, all together.
  std::uint64_t sent = 0;
};

struct TrainingHistory {
  std::vector<TrainingPass> passes;
  int chosen = 0;                   // number of the best pass
  DependencyScores best;            // its scores ...
  std::vector<float> best_weights;  // ... and weights

  bool is_out_of(int patience) const {
    return !passes.empty() && passes.back().pass - chosen >= patience;
  }
};

}  // namespace copse
