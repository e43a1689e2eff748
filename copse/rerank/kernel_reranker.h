// A reranker that is a sum of kernels, whatever the kernel (a Kind: tree_kernel_kind.h, ...).
//
//   averaged   G(x) = beta L(x) w + sum_m sum_j c_mj K(x_mj, x)    one score, one winner
//   voted      the votes of all models of training (voted_perceptron.h); a score is a number of votes
//
// w = sum_m sum_j c_mj beta L(x_mj). With the normalised kernel K is divided by sqrt(K(x,x) K(y,y)),
// L stays outside.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "copse/base/pool.h"
#include "copse/learning/voted_perceptron.h"
#include "copse/rerank/kernel_options.h"
#include "copse/rerank/reranker.h"

namespace copse {

// An update of a voted model.
struct VotedUpdate {
  double base_weight = 0;      // sum_j c_j beta L_j
  std::uint64_t survival = 0;  // steps its model was in use
  std::uint64_t chunk = 0;     // 0, or 1 + the steps before the first update of the chunk it begins
};

template <class Kind>
struct KernelModel {
  KernelOptions options;
  double beta = 0.2;
  typename Kind::Vocabulary vocabulary;
  typename Kind::Sum sum;
  double base_weight = 0;  // w
  bool voted = false;
  std::vector<VotedUpdate> voters;  // if voted
  std::uint64_t silent_steps = 0;   // if voted: of chunks that never had an update
};

// 1 / sqrt(K(x_j, x_j)) of each candidate for the normalised kernel, nothing for the plain one.
template <class Kind>
std::vector<double> kernel_scales(const typename Kind::List& list, const KernelOptions& options) {
  std::vector<double> scales;
  if (!options.normalised) return scales;
  for (const double self : Kind::self(list, options)) {
    scales.push_back(self > 0 ? 1 / std::sqrt(self) : 0.0);
  }
  return scales;
}

// The scores of a list. Throws data_error when they are not finite.
template <class Kind>
std::vector<double> kernel_scores(const KernelModel<Kind>& model, const typename Kind::List& list,
                                  std::span<const double> base,
                                  typename Kind::Sum::Scratch& scratch);

template <class Kind>
class KernelReranker : public Reranker {
 public:
  explicit KernelReranker(KernelModel<Kind> model) : model_(std::move(model)) {}
  static std::unique_ptr<Reranker> load(const ModelFile& file);
  ModelWriter save(nlohmann::json config) const;

  std::string_view method() const override { return Kind::kMethod; }
  std::vector<double> scores(const Candidates& list) const override;
  // Averaged: the log probability, and for each node of the candidate (a sub-tree, a position with
  // what follows it) everything that begins there. Voted: the votes.
  std::vector<Reason> reasons(const Candidates& list, std::size_t candidate) const override;

  const KernelModel<Kind>& model() const { return model_; }

 private:
  KernelModel<Kind> model_;
  mutable Pool<typename Kind::Sum::Scratch> scratch_;
};

// The reranker of a kernel's method, nothing for other methods.
std::unique_ptr<Reranker> load_kernel_reranker(const ModelFile& file, std::string_view method);

}  // namespace copse
