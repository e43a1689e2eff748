// A mixture of rerankers: a weighted sum of their scores and of the log probability of the parser that
// made the lists (Koo & Collins 2005, section 5.3),
//
//   F(t) = w_0 L(t) + sum over members m of w_m F_m(t)
//
// For members whose scores are log probabilities it is the logarithm of a product of models. A member may
// be a parser as well, which says what the brackets of a candidate are worth (expected_brackets.h). The
// weights are found on lists that no member has learnt from: by a smooth loss (smooth_weights.h), or by
// an exact search on F1 (line_search.h), which fits more of what is chance in them.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "copse/rerank/line_search.h"
#include "copse/rerank/linear_training.h"
#include "copse/rerank/reranker.h"
#include "copse/rerank/smooth_weights.h"

namespace copse {

inline constexpr std::string_view kMixtureMethod = "mix";

class MixtureReranker : public Reranker {
 public:
  struct Member {
    std::string name;  // for people
    double weight = 0;
    std::shared_ptr<const Reranker> reranker;
  };

  MixtureReranker(double base_weight, std::vector<Member> members)
      : base_weight_(base_weight), members_(std::move(members)) {}
  // The models of its members lie in the file; a member may not be a mixture.
  static std::unique_ptr<MixtureReranker> load(const ModelFile& file);

  std::string_view method() const override { return kMixtureMethod; }
  std::vector<double> scores(const Candidates& list) const override;
  // One for the log probability and one for each member.
  std::vector<Reason> reasons(const Candidates& list, std::size_t candidate) const override;

  double base_weight() const { return base_weight_; }
  std::span<const Member> members() const { return members_; }

 private:
  double base_weight_;
  std::vector<Member> members_;
};

struct MixtureTrainingOptions {
  std::vector<std::string> members;  // paths of rerankers, or parsers with probabilities
  bool exactly_on_f1 = false;        // with `search`, instead of `smooth`
  SmoothWeightOptions smooth;
  MixtureSearch search;
  std::size_t max_candidates = 0;  // only so many of each list, from its beginning; 0: all
  int threads = 1;

  // "f1" or the name of a loss; throws usage_error for others.
  void weigh_by(std::string_view name);
};

// Finds the weights on paths.lists; with paths.dev_lists says what the mixture is worth there. What
// each half of paths.lists reaches by the weights of the other is told in any case.
ModelWriter train_mixture(const RerankerPaths& paths, const MixtureTrainingOptions& options,
                          const std::function<void(const std::string& line)>& report);

}  // namespace copse
