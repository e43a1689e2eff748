// The hidden-variable reranker (Koo & Collins 2005): every word of a candidate has a hidden value that
// training makes up, and a candidate's score is the log of the sum over all assignments of values,
//
//   F(t) = log Z_t + a L(t) - the log of the same summed over the list       a log probability
//
// Sums are exact (inference/belief_propagation.h).
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "copse/rerank/hidden/hidden_list.h"
#include "copse/rerank/hidden/training_data.h"
#include "copse/rerank/reranker.h"

namespace copse::hidden {

inline constexpr std::string_view kMethod = "hidden";

// What a list is made with; owned by the model.
struct Setting {
  Domains domains;
  std::string table;  // of templates
  Templates templates;
  HeadRules heads;
  GraphKind graph;
  std::shared_ptr<const FeatureSource> whole;  // features of whole candidates; none if null

  Setting(Domains domains, std::string table, const std::string& table_name, HeadRules heads,
          GraphKind graph, std::shared_ptr<const FeatureSource> whole = nullptr);
  Extraction extraction() const { return {domains, templates, heads, graph, whole.get()}; }
};

// The most probable values of a candidate's words.
struct WordValue {
  std::string word, tag;
  std::string value;       // of the best assignment: "NNS_3"
  double probability = 0;  // of that value given the candidate
};

class HiddenReranker : public Reranker {
 public:
  // Needs a weight for each of the blocks'.
  HiddenReranker(std::shared_ptr<const Setting> setting, std::shared_ptr<const Blocks> blocks,
                 std::vector<float> weights, double base_weight);

  static std::unique_ptr<HiddenReranker> load(const ModelFile& file);
  // `config` is an object with what else the owner wants to be kept.
  ModelWriter save(nlohmann::json config) const;

  std::string_view method() const override { return kMethod; }
  bool scores_are_log_probabilities() const override { return true; }
  std::vector<double> scores(const Candidates& list) const override;
  // Each feature with its expectation under the hidden values times its weight; the entropy of the
  // values makes up the rest of log Z, and the sum over the list is the last.
  std::vector<Reason> reasons(const Candidates& list, std::size_t candidate) const override;

  std::vector<WordValue> values(const Candidates& list, std::size_t candidate) const;
  // log Z of every candidate.
  std::vector<double> log_sums(const Candidates& list) const;

  const Setting& setting() const { return *setting_; }
  double base_weight() const { return base_weight_; }
  std::size_t weights() const { return weights_.size(); }

 private:
  std::shared_ptr<const Setting> setting_;
  std::shared_ptr<const Blocks> blocks_;
  std::vector<float> weights_;
  double base_weight_;
};

}  // namespace copse::hidden
