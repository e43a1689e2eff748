// What begins where in a candidate, and what it adds to the score under a sum of kernels.
#pragma once

#include <string>
#include <vector>

#include "copse/rerank/linear_kernel_kind.h"
#include "copse/rerank/reranker.h"
#include "copse/rerank/tag_kernel_kind.h"
#include "copse/rerank/tree_kernel_kind.h"

namespace copse {

// The sub-tree of a list's node as brackets.
std::string subtree_text(const TreeForest& list, const Productions& productions,
                         std::uint32_t node);

std::vector<Reason> kernel_reasons(const TreeKernelKind::Sum& sum, const TreeForest& list,
                                   const Productions& productions, const Candidates& candidates,
                                   std::size_t candidate);
std::vector<Reason> kernel_reasons(const TagKernelKind::Sum& sum, const TagList& list,
                                   const TagVocabulary& vocabulary, const Candidates& candidates,
                                   std::size_t candidate);
std::vector<Reason> kernel_reasons(const LinearKernelKind::Sum& sum,
                                   const LinearKernelKind::List& list, const Symbols& vocabulary,
                                   const Candidates& candidates, std::size_t candidate);

}  // namespace copse
