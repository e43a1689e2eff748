#include "copse/rerank/expected_brackets.h"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "copse/base/error.h"
#include "copse/constituency/gold_line.h"
#include "copse/treebank/label.h"

namespace copse {
namespace {

constexpr double kCost = 0.5;  // what a bracket must be worth

using LabelledSpan = std::tuple<std::string, int, int>;  // label, words [begin, end)

// The brackets that evaluation counts: none of the outer one, none of words.
std::vector<LabelledSpan> brackets_of(const PhraseTree& tree) {
  std::vector<LabelledSpan> out;
  for (int node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node) || is_outer_label(tree.label(node))) continue;
    out.emplace_back(base_label(tree.label(node)), tree.begin(node), tree.end(node));
  }
  return out;
}

}  // namespace

struct ExpectedBrackets::Worth {
  std::map<LabelledSpan, double> probability;

  double operator()(const LabelledSpan& bracket) const {
    const auto found = probability.find(bracket);
    return (found == probability.end() ? 0 : found->second) - kCost;
  }
};

std::unique_ptr<ExpectedBrackets> ExpectedBrackets::load(const ModelFile& file) {
  auto parser = load_phrase_parser(file);
  if (!parser->has_probabilities()) {
    throw usage_error(file.name() + " has no probabilities of brackets",
                      "expected a generative parser");
  }
  return std::make_unique<ExpectedBrackets>(std::move(parser));
}

ExpectedBrackets::Worth ExpectedBrackets::worth_of(const Candidates& list) const {
  Worth out;
  if (list.items.empty()) return out;
  for (const Candidate& each : list.items) {
    if (each.tree.empty()) {
      throw data_error("a candidate without a tree", {}, "expected lists of parses");
    }
  }
  PhraseQuestion question;
  question.brackets = true;
  const PhraseAnswer answer = parser_->parse({words_of(list.items[0].tree)}, question);
  for (const Bracket& each : answer.brackets) {
    out.probability[{each.label, each.begin, each.end}] = each.probability;
  }
  return out;
}

std::vector<double> ExpectedBrackets::scores(const Candidates& list) const {
  const Worth worth = worth_of(list);
  std::vector<double> out;
  // Where the parser finds no tree it has nothing to say.
  if (worth.probability.empty()) return std::vector<double>(list.items.size(), 0.0);
  for (const Candidate& each : list.items) {
    double sum = 0;
    for (const LabelledSpan& bracket : brackets_of(each.tree)) sum += worth(bracket);
    out.push_back(sum);
  }
  return out;
}

std::vector<Reason> ExpectedBrackets::reasons(const Candidates& list, std::size_t candidate) const {
  const Worth worth = worth_of(list);
  std::vector<Reason> out;
  if (worth.probability.empty()) return out;
  for (const LabelledSpan& bracket : brackets_of(list.items[candidate].tree)) {
    const auto& [label, begin, end] = bracket;
    out.push_back({fmt::format("{} {}-{}", label, begin + 1, end), 1, worth(bracket)});
  }
  return out;
}

}  // namespace copse
