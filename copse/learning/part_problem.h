// What a learner is told about structures made of parts. An example i has parts 0 .. parts(i)-1;
// a structure is a set of them, and its score the sum of the scores of its parts,
//
//   score(a) = w . f(i, a)          f sparse; nothing here knows what a part is
//
// A problem is anything that can say
//   size()  dimension()  parts(i)       examples, features, parts of an example
//   gold(i)                             1 for the parts of the right structure, else 0: a span of
//                                       floats, or a vector made for the occasion
//   cost(i, out)                        out[a] = what choosing part a wrongly costs, 0 for gold
//   score(i, w, out)                    out[a] = w . f(i, a)
//   for_each_feature(i, c, visit)       visit(feature, c[a]) for every feature of every part a
//                                       with c[a] != 0: the vector sum_a c[a] f(i, a), in pieces
//   best(i, scores, out)                out[a] = 1 for the parts of the best structure, else 0
//   marginals(i, scores, out)           out[a] = its probability under e^score / Z; returns log Z
// and may offer
//   recentre(i, scores)                 adds to the scores what changes no marginal, such as a
//                                       constant for all parts of which a structure has one, so
//                                       that scores which grow and grow keep their precision
// All of them are const and may be called by several threads at once for different examples.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse {

using FeatureId = std::uint32_t;

template <class Problem>
concept PartProblem = requires(const Problem& problem, std::size_t i, std::span<const float> in,
                               std::span<float> out, void (*visit)(FeatureId, float)) {
  { problem.size() } -> std::convertible_to<std::size_t>;
  { problem.dimension() } -> std::convertible_to<std::size_t>;
  { problem.parts(i) } -> std::convertible_to<std::size_t>;
  { problem.gold(i) } -> std::convertible_to<std::span<const float>>;
  problem.cost(i, out);
  problem.score(i, in, out);
  problem.for_each_feature(i, in, visit);
  problem.best(i, in, out);
  { problem.marginals(i, in, out) } -> std::convertible_to<double>;
};

template <class Problem>
concept Recentring = requires(const Problem& problem, std::size_t i, std::span<float> scores) {
  problem.recentre(i, scores);
};

struct FeatureValue {
  FeatureId feature = 0;
  float value = 0;
};

// Sums a sparse vector given in pieces. One number per feature of the model: cheap to add to, and
// every feature comes out once, in the order in which it was first met.
class SparseSum {
 public:
  void resize(std::size_t dimension) { values_.resize(dimension); }
  void add(FeatureId feature, float value) {
    if (values_[feature] == 0) touched_.push_back(feature);
    values_[feature] += value;
  }
  // Gives out what has gathered, without zeros, and is empty again.
  void drain(std::vector<FeatureValue>& out) {
    for (const FeatureId feature : touched_) {
      const float value = values_[feature];
      if (value == 0) continue;  // cancelled, or met a second time after cancelling
      out.push_back({feature, value});
      values_[feature] = 0;
    }
    touched_.clear();
  }

 private:
  std::vector<float> values_;
  std::vector<FeatureId> touched_;
};

}  // namespace copse
