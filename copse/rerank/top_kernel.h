// The reranker of Fisher and TOP kernels (Henderson & Titov 2005): features derived from a model that
// can tell gradients (step_gradients.h), weights by the perceptron of learning/top_perceptron.h.
//
//   fisher          (ln P, exact gradient)
//   top             (v, its exact gradient)
//   top-efficient   the same with the gradient whose normaliser is a constant: sparse
//
// ln P is that of the lists, whichever parser made them; the gradients may be of another model.
#pragma once

#include <tsl/robin_map.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "copse/learning/top_perceptron.h"
#include "copse/rerank/reranker.h"
#include "copse/rerank/step_gradients.h"
#include "copse/rerank/voted_rows.h"

namespace copse {

bool is_top_method(std::string_view method);
DerivedKernel kernel_of(std::string_view method);
// Whether the method wants exact gradients; models that have none give the others.
bool wants_exact(std::string_view method);

// The weights of gradients: those rows that have some.
class RowWeights {
 public:
  explicit RowWeights(std::size_t columns) : columns_(columns) {}

  double dot(const SparseRows& rows) const;
  void add(const SparseRows& rows, double times);
  void scale(double times);
  // Rows as they were saved, with their columns.
  void read(std::span<const std::uint64_t> rows, std::span<const double> values);
  // this += times * other
  void add(const RowWeights& other, double times);

  std::size_t columns() const { return columns_; }
  std::size_t size() const { return keys_.size(); }
  std::span<const std::uint64_t> keys() const { return keys_; }
  std::span<const double> values() const { return values_; }

 private:
  std::size_t place(std::uint64_t row);

  std::size_t columns_;
  tsl::robin_map<std::uint64_t, std::size_t> index_;
  std::vector<std::uint64_t> keys_;
  std::vector<double> values_;
};

class TopReranker : public Reranker {
 public:
  // With voters a score is a number of votes, and weights are not looked at.
  TopReranker(std::string method, double cap, double base_weight, RowWeights weights,
              std::shared_ptr<const StepGradients> gradients,
              std::shared_ptr<const VotedRows> voters = nullptr)
      : method_(std::move(method)),
        cap_(cap),
        base_weight_(base_weight),
        weights_(std::move(weights)),
        gradients_(std::move(gradients)),
        voters_(std::move(voters)) {}
  static std::unique_ptr<TopReranker> load(const ModelFile& file);
  ModelWriter save(nlohmann::json config) const;

  std::string_view method() const override { return method_; }
  std::vector<double> scores(const Candidates& list) const override;
  // Of the base, and of the gradients; with voters, the votes.
  std::vector<Reason> reasons(const Candidates& list, std::size_t candidate) const override;

  // Base and gradient parts of the scores; a list of one candidate has 0. With voters the votes.
  struct Parts {
    std::vector<double> base, gradient, votes;
  };
  Parts parts(const Candidates& list) const;
  double base_weight() const { return base_weight_; }

 private:
  std::string method_;
  double cap_;
  double base_weight_;
  RowWeights weights_;
  std::shared_ptr<const StepGradients> gradients_;
  std::shared_ptr<const VotedRows> voters_;
};

}  // namespace copse
