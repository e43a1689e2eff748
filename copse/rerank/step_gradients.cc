#include "copse/rerank/step_gradients.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/base/error.h"
#include "copse/base/pool.h"
#include "copse/constituency/generative/event_shares.h"
#include "copse/constituency/generative/parser_file.h"
#include "copse/constituency/history/parser_file.h"
#include "copse/constituency/history/tree_scores.h"
#include "copse/model/feature_key.h"
#include "copse/treebank/head_rules.h"

namespace copse {
namespace {

void check_parse(const Candidate& candidate) {
  if (candidate.tree.empty()) {
    throw data_error("a candidate without a tree", {}, "expected lists of parses");
  }
}

class HistoryGradients : public StepGradients {
 public:
  explicit HistoryGradients(const ModelFile& file)
      : parser_(history::read_parser(file)), bytes_(file.bytes()) {}

  std::string_view name() const override { return "history"; }
  std::size_t columns() const override { return network().shape().hidden + 1; }
  bool has_exact() const override { return true; }
  std::string bytes() const override { return bytes_; }

  std::vector<SparseRows> of(const Candidates& list, bool exact) const override {
    std::vector<DecisionSteps> histories;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      check_parse(list.items[i]);
      if (auto steps = history::history_of(parser_, list.items[i].tree)) {
        histories.push_back(std::move(*steps));
        numbers.push_back(i);
      }
    }
    std::vector<const DecisionSteps*> pointers;
    pointers.reserve(histories.size());
    for (const DecisionSteps& each : histories) pointers.push_back(&each);
    std::vector<SparseRows> out(list.items.size());
    auto gradients = output_gradients(network(), pointers, exact, *passes_.take());
    for (std::size_t i = 0; i < numbers.size(); ++i) out[numbers[i]] = std::move(gradients[i].rows);
    return out;
  }

 private:
  const DecisionNetwork<float>& network() const { return *parser_.parts().networks.front(); }

  history::HistoryParser parser_;
  std::string bytes_;
  mutable Pool<DecisionPass<float>> passes_;
};

// One number for each key.
template <class Number>
SparseRows rows_of(const std::map<std::uint64_t, Number>& numbers) {
  SparseRows out;
  for (const auto& [row, number] : numbers) {
    out.rows.push_back(row);
    out.values.push_back(static_cast<float>(number));
  }
  return out;
}

// The head table of a model's record, which holds its name and a checksum.
HeadRules heads_of(const ModelFile& file) {
  const std::string record = file.config().value("heads", "collins");
  const std::string name = record.substr(0, record.find(' '));
  try {
    HeadRules heads = HeadRules::builtin(name);
    if (name == record || heads.provenance() == record) return heads;
  } catch (const Error&) {  // told below
  }
  throw usage_error("the head table of " + file.name() + " is not built in",
                    "expected a parser with the heads of collins or yamada-matsumoto");
}

class GenerativeGradients : public StepGradients {
 public:
  explicit GenerativeGradients(const ModelFile& file)
      : heads_(heads_of(file)), parser_(generative::read_parser(file)), bytes_(file.bytes()) {}

  std::string_view name() const override { return "generative"; }
  std::size_t columns() const override { return 1; }
  bool has_exact() const override { return false; }
  std::string bytes() const override { return bytes_; }

  std::vector<SparseRows> of(const Candidates& list, bool /*exact*/) const override {
    std::vector<SparseRows> out;
    for (const Candidate& candidate : list.items) {
      check_parse(candidate);
      out.push_back(rows_of(shares_of(candidate.tree)));
    }
    return out;
  }

 private:
  generative::EventShares shares_of(const PhraseTree& tree) const {
    const generative::GenerativeModel& model = parser_.model();
    try {
      return event_shares(model, prepare(tree, heads_, model.options().preparation));
    } catch (const Error&) {  // a tree that cannot be prepared
      return {};
    }
  }

  HeadRules heads_;
  generative::GenerativeParser parser_;
  std::string bytes_;
};

class RuleGradients : public StepGradients {
 public:
  std::string_view name() const override { return "rules"; }
  std::size_t columns() const override { return 1; }
  bool has_exact() const override { return false; }

  std::vector<SparseRows> of(const Candidates& list, bool /*exact*/) const override {
    std::vector<SparseRows> out;
    for (const Candidate& candidate : list.items) {
      check_parse(candidate);
      std::map<std::uint64_t, float> counts;
      const PhraseTree& tree = candidate.tree;
      for (int node = 0; node < tree.size(); ++node) {
        std::string rule(tree.label(node));
        if (tree.is_leaf(node)) {
          rule.append("\n").append(tree.word(node));
        } else {
          for (const int child : tree.children(node)) rule.append(" ").append(tree.label(child));
        }
        counts[atom_of(rule)] += 1;
      }
      out.push_back(rows_of(counts));
    }
    return out;
  }
};

}  // namespace

std::unique_ptr<StepGradients> gradients_of(const ModelFile& model) {
  model.require_kind(kConstituencyKind);
  const auto name = model.config().find("model");
  if (name != model.config().end() && *name == generative::kModelName) {
    return std::make_unique<GenerativeGradients>(model);
  }
  if (name == model.config().end() || *name != history::kModelName) {
    throw usage_error("the model in " + model.name() + " has no gradients of its steps",
                      "expected a history or a generative parser");
  }
  return std::make_unique<HistoryGradients>(model);
}

std::unique_ptr<StepGradients> rule_gradients() {
  return std::make_unique<RuleGradients>();
}

}  // namespace copse
