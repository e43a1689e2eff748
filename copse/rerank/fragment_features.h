// What a reranker by the tree kernel has learnt, fragment by fragment, and its fragments as features.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "copse/rerank/explain_choice.h"
#include "copse/rerank/fragments.h"
#include "copse/rerank/reranker.h"
#include "copse/rerank/tree_kernel_kind.h"

namespace copse {

// The `count` fragments that moved one candidate above the other the most, the log probability, and
// all other fragments together. Nothing for rerankers whose score is no sum over fragments.
std::optional<std::vector<ReasonPair>> fragment_reasons(const Reranker& reranker,
                                                        const Candidates& list, std::size_t chosen,
                                                        std::size_t other, std::size_t count);

// Of a reranker by the tree kernel, averaged; throws usage_error for others.
std::vector<Fragment> fragments_of_model(const Reranker& reranker, std::size_t count);
std::vector<Reason> heaviest_reasons(const Reranker& reranker, std::size_t count);

// Linearisation: the heaviest fragments as features of candidates, for linear rerankers. A blank in
// a fragment becomes '_' in the name.
class FragmentFeatures {
 public:
  // The reranker must outlive it.
  FragmentFeatures(const Reranker& reranker, std::size_t count);
  // The list with its fragments as features; what it had is replaced. Thread-safe.
  Candidates with_features(Candidates&& list) const;

 private:
  const TreeVocabulary* productions_;
  FragmentMatcher matcher_;
  std::vector<std::string> names_;
};

}  // namespace copse
