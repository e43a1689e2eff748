// What `copse train reranker --method` can train. A family of methods declares its options, in a
// group of their own, and trains; the lists are the same for all.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "copse/cli/command.h"
#include "copse/model/model_file.h"
#include "copse/rerank/linear_training.h"

namespace copse {

class RerankerMethods {
 public:
  virtual ~RerankerMethods() = default;

  // Values of --method.
  virtual std::vector<std::string_view> names() const = 0;
  virtual void declare_options(CLI::App& app) = 0;
  virtual ModelWriter train(const std::string& method, const RerankerPaths& paths,
                            const CommonOptions& common) = 0;
};

std::unique_ptr<RerankerMethods> make_hidden_reranker_methods();
std::unique_ptr<RerankerMethods> make_kernel_reranker_methods();
std::unique_ptr<RerankerMethods> make_linear_reranker_methods();
std::unique_ptr<RerankerMethods> make_top_reranker_methods();

std::vector<std::unique_ptr<RerankerMethods>> all_reranker_methods();

}  // namespace copse
