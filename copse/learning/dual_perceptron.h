// The perceptron for ranking in its dual form (Collins & Duffy 2002, section 3): lists of
// candidates come in, and what is learnt is a sum of kernels. Nothing here knows what a candidate
// is; a RankingExpansion answers for the kernel.
//
//   x_ij      candidate j of list i;  q_ij its quality, L_ij its base score (a log-probability)
//   x_i1      the best one: highest q; ties: higher L, then lower index
//   K'(x,y)   beta^2 L(x) L(y) + K(x,y)
//   G(x)      sum over updates m of sum_j c_mj K'(x_mj, x),   sum_j c_mj = 0
//
//   for i = 1..n:   b <- argmax_{j != 1} G(x_ij)
//                   if G(x_ib) >= G(x_i1):   append the update  a (x_i1 - x_ib)
//
// A tie with x_i1 is a mistake: with G = 0 at the start a rule that lets x_i1 win ties would never
// learn anything. Among tied others the one of the highest L is taken. The step a is 1, or the
// loss q_i1 - q_ib ("loss-scaled"), or passive-aggressive, min(C, (loss - G.d) / K'(d,d)) with d
// the vector x_i1 - x_ib. "All pairs" updates on every pair of candidates in the wrong order, their
// steps divided by the number of such pairs; all of them together are one update.
//
// A list of one candidate changes nothing. Candidates whose quality equals that of x_i1 are no
// mistakes unless `keep_ties`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace copse {

struct RankedList {
  std::span<const double> quality;
  std::span<const double> base;  // as long
};

struct RankingCoefficient {
  std::uint32_t candidate = 0;
  double weight = 0;

  bool operator==(const RankingCoefficient&) const = default;
};

// A sum of kernels that grows: f(x) = sum_m sum_j c_mj K(x_mj, x), without the base score.
class RankingExpansion {
 public:
  virtual ~RankingExpansion() = default;
  // f of every candidate of a list; a constant for all of them may be left out.
  virtual void scores(std::size_t list, std::span<double> out) = 0;
  virtual void add(std::size_t list, std::span<const RankingCoefficient> coefficients) = 0;
  // |sum_j c_j h(x_j)|^2; only the passive-aggressive step asks.
  virtual double squared_norm(std::size_t list,
                              std::span<const RankingCoefficient> coefficients) = 0;
};

struct DualPerceptronOptions {
  double beta = 0.2;
  int epochs = 1;
  bool shuffle = false;  // another order in every epoch
  std::uint64_t seed = 1;
  bool loss_scaled = false;
  bool all_pairs = false;
  bool passive_aggressive = false;
  double aggressiveness = 1;  // C
  double margin = 0;          // by how much (times the loss) the better one has to win
  bool keep_ties = false;
  std::function<void()> step;  // told of every list, if it is set
};

struct RankingUpdate {
  std::uint32_t list = 0;
  std::uint64_t time = 0;          // of the step that made it, from 1
  std::size_t begin = 0, end = 0;  // of its coefficients
};

// What training did: the model is the sum of the updates.
struct RankingRun {
  std::vector<RankingUpdate> updates;
  std::vector<RankingCoefficient> coefficients;
  std::uint64_t steps = 0;  // lists seen, over all epochs

  std::span<const RankingCoefficient> of(const RankingUpdate& update) const {
    return std::span(coefficients).subspan(update.begin, update.end - update.begin);
  }
  // How many steps the model made by update m was in use, itself included; for m = -1 the empty
  // model before the first.
  std::uint64_t survival(std::ptrdiff_t m) const;
  // steps * (the mean over all steps of the weight of update m): an integer for updates of 1.
  std::uint64_t averaging(std::size_t m) const { return steps - updates[m].time + 1; }
};

// Throws a usage error for options that make no sense, a data error for numbers that are not
// finite or when scores stop being so. Lists [begin, end) are one chunk.
RankingRun train_dual_perceptron(std::span<const RankedList> lists, std::size_t begin,
                                 std::size_t end, RankingExpansion& expansion,
                                 const DualPerceptronOptions& options);

// Highest score; ties: higher base, then lower index. Of a list that is not empty.
std::uint32_t best_candidate(std::span<const double> scores, std::span<const double> base);

// Any kernel as an expansion: a plain sum, with kernel(list, candidate, other list, its candidate).
// What faster expansions are measured against.
template <class Kernel>
class SumOfKernels : public RankingExpansion {
 public:
  explicit SumOfKernels(Kernel kernel) : kernel_(kernel) {}

  void scores(std::size_t list, std::span<double> out) override {
    for (std::size_t j = 0; j < out.size(); ++j) {
      double sum = 0;
      for (const Term& term : terms_) {
        sum += term.weight * kernel_(term.list, term.candidate, list, j);
      }
      out[j] = sum;
    }
  }
  void add(std::size_t list, std::span<const RankingCoefficient> coefficients) override {
    for (const auto& c : coefficients) terms_.push_back({list, c.candidate, c.weight});
  }
  double squared_norm(std::size_t list, std::span<const RankingCoefficient> coefficients) override {
    double sum = 0;
    for (const auto& a : coefficients) {
      for (const auto& b : coefficients) {
        sum += a.weight * b.weight * kernel_(list, a.candidate, list, b.candidate);
      }
    }
    return sum;
  }

 private:
  struct Term {
    std::size_t list;
    std::size_t candidate;
    double weight;
  };
  Kernel kernel_;
  std::vector<Term> terms_;
};

}  // namespace copse
