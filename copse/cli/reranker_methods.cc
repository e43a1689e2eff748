#include "copse/cli/reranker_methods.h"

namespace copse {

std::vector<std::unique_ptr<RerankerMethods>> all_reranker_methods() {
  std::vector<std::unique_ptr<RerankerMethods>> methods;
  methods.push_back(make_linear_reranker_methods());
  methods.push_back(make_kernel_reranker_methods());
  methods.push_back(make_hidden_reranker_methods());
  methods.push_back(make_top_reranker_methods());
  return methods;
}

}  // namespace copse
