// Some of the examples of a problem (part_problem.h), as a problem of their own.
#pragma once

#include <span>

#include "copse/base/block_sum.h"
#include "copse/learning/part_problem.h"

namespace copse {

template <PartProblem Problem>
class ProblemBlock {
 public:
  // The problem must outlive this.
  ProblemBlock(const Problem& problem, Range examples) : problem_(problem), examples_(examples) {}

  std::size_t size() const { return examples_.size(); }
  std::size_t dimension() const { return problem_.dimension(); }
  std::size_t parts(std::size_t i) const { return problem_.parts(at(i)); }
  auto gold(std::size_t i) const { return problem_.gold(at(i)); }
  void cost(std::size_t i, std::span<float> out) const { problem_.cost(at(i), out); }
  void score(std::size_t i, std::span<const float> w, std::span<float> out) const {
    problem_.score(at(i), w, out);
  }
  template <class Visit>
  void for_each_feature(std::size_t i, std::span<const float> c, Visit&& visit) const {
    problem_.for_each_feature(at(i), c, visit);
  }
  void best(std::size_t i, std::span<const float> scores, std::span<float> out) const {
    problem_.best(at(i), scores, out);
  }
  double marginals(std::size_t i, std::span<const float> scores, std::span<float> out) const {
    return problem_.marginals(at(i), scores, out);
  }

 private:
  std::size_t at(std::size_t i) const { return examples_.begin + i; }

  const Problem& problem_;
  Range examples_;
};

}  // namespace copse
