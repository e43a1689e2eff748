// Choosing among candidates. A reranker gives a score to each candidate of a list, and the reasons
// for it; which method learned it does not matter to those who hold one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/model_file.h"
#include "copse/treebank/candidates.h"

namespace copse {

inline constexpr std::string_view kRerankerKind = "reranker";
inline constexpr std::string_view kLogProbabilityReason = "log-probability";

// One part of a candidate's score.
struct Reason {
  std::string name;
  double value = 1;  // how often or how much of it the candidate has
  double share = 0;  // what it adds to the score
};

class Reranker {
 public:
  virtual ~Reranker() = default;

  // The name of --method that learned it.
  virtual std::string_view method() const = 0;
  // One score for each candidate, larger is better. Thread-safe. Throws data_error for candidates
  // of a kind that it was not made for.
  virtual std::vector<double> scores(const Candidates& list) const = 0;
  // True if exp(score) is the probability of the candidate among those of its list.
  virtual bool scores_are_log_probabilities() const { return false; }
  // What the score of one candidate is made of; the shares sum to the score.
  virtual std::vector<Reason> reasons(const Candidates& list, std::size_t candidate) const = 0;
};

// Candidates from best to worst. Ties: the higher log probability, then the lower number.
std::vector<std::size_t> ranking(const Candidates& list, std::span<const double> scores);

// Any reranker from its model file; the config names the method. Throws data_error for other
// models and damaged ones.
std::unique_ptr<Reranker> load_reranker(const ModelFile& file);

}  // namespace copse
