// Models that can tell the gradient of ln P of a candidate, for rerankers whose features are derived
// from them (top_kernel.h):
//
//   history      the history parser: rows are those of its output weights, each with the vector of the
//                step (learning/decision_gradient.h)
//   generative   the generative parser: events of its head-driven model, one number each, the share
//                that the event has in the estimate (constituency/generative/event_shares.h)
//   rules        productions of the tree, one number each: the gradient of ln P under a PCFG by the
//                logarithms of its rules, the normaliser taken as a constant. No model is needed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "copse/learning/decision_gradient.h"
#include "copse/model/model_file.h"
#include "copse/treebank/candidates.h"

namespace copse {

class StepGradients {
 public:
  virtual ~StepGradients() = default;

  virtual std::string_view name() const = 0;
  virtual std::size_t columns() const = 0;
  // Can it tell the exact gradient, or only the one without normaliser?
  virtual bool has_exact() const = 0;
  // One for each candidate; empty for one that the model cannot make. Throws data_error for
  // candidates that are no parses. Thread-safe.
  virtual std::vector<SparseRows> of(const Candidates& list, bool exact) const = 0;
  // The model itself, in a file of its owner; nothing if there is none.
  virtual std::string bytes() const { return {}; }
};

// Of a model file: of a history or a generative parser. Throws usage_error for models that have no
// gradient, and for a generative parser whose head table is not built in.
std::unique_ptr<StepGradients> gradients_of(const ModelFile& model);
std::unique_ptr<StepGradients> rule_gradients();

}  // namespace copse
