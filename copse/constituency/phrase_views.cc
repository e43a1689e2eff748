#include "copse/constituency/phrase_views.h"

#include <fmt/core.h>

#include <functional>
#include <vector>

#include "copse/treebank/json.h"

namespace copse {
namespace {

PhraseTree relabelled(const PhraseTree& tree, const std::function<std::string(int)>& label) {
  PhraseTreeBuilder builder;
  std::vector<int> ends;  // of the open phrases
  for (int node = 0; node < tree.size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) builder.close();
    if (tree.is_leaf(node)) {
      builder.leaf(tree.label(node), tree.word(node));
    } else {
      builder.open(label(node));
      ends.push_back(tree.next(node));
    }
  }
  for (; !ends.empty(); ends.pop_back()) builder.close();
  return std::move(builder).finish();
}

}  // namespace

PhraseTree with_probabilities(const PhraseTree& tree, std::span<const Bracket> brackets) {
  return relabelled(tree, [&](int node) {
    std::string name(tree.label(node));
    for (const Bracket& bracket : brackets) {
      if (bracket.begin == tree.begin(node) && bracket.end == tree.end(node) &&
          bracket.label == name) {
        return fmt::format("{} {:.2f}", name, bracket.probability);
      }
    }
    return name;
  });
}

PhraseTree with_title(const PhraseTree& tree, std::string_view title) {
  return relabelled(tree, [&](int node) {
    const std::string name(tree.label(node));
    return node == 0 ? fmt::format("{} {}", name, title) : name;
  });
}

std::string brackets_json(std::span<const Bracket> brackets, double least) {
  std::string out = "[";
  for (const Bracket& bracket : brackets) {
    if (bracket.probability < least) continue;
    out += fmt::format("{}{{\"label\": {}, \"begin\": {}, \"end\": {}, \"probability\": {:.4f}}}",
                       out.size() > 1 ? ", " : "", json_string(bracket.label), bracket.begin,
                       bracket.end, bracket.probability);
  }
  return out + "]";
}

std::string n_best_json(const NBestList& list) {
  std::string out = fmt::format("{{\"id\": {}, \"parses\": [", json_string(list.id));
  bool first = true;
  for (const ScoredTree& parse : list.parses) {
    out += fmt::format("{}{{\"log_probability\": {:.17g}, \"tree\": {}}}", first ? "" : ", ",
                       parse.log_probability, json_tree(parse.tree));
    first = false;
  }
  return out + "]}\n";
}

std::string surprisal_rows(const PhraseAnswer& answer) {
  std::string out;
  for (std::size_t i = 0; i < answer.steps.size(); ++i) {
    const ParseStep& step = answer.steps[i];
    const bool end = i + 1 == answer.steps.size();
    const PhraseTree& tree = answer.trees.front().tree;
    const int word = static_cast<int>(i);
    out += fmt::format("{}\t{}\t{:.4f}\t{:.4f}\n", end ? "</s>" : tree.word_at(word),
                       end ? "_" : tree.tag(word), step.surprisal.value_or(0),
                       step.log_probability.value_or(0));
  }
  return out + '\n';
}

std::string surprisal_json(const PhraseAnswer& answer) {
  std::string out = "[";
  for (const ParseStep& step : answer.steps) {
    out += fmt::format("{}{:.17g}", out.size() > 1 ? ", " : "", step.surprisal.value_or(0));
  }
  return out + "]";
}

void set_surprisal(const PhraseAnswer& answer, Sentence& sentence) {
  for (std::size_t i = 0; i < answer.steps.size(); ++i) {
    const std::string text = fmt::format("{:.4f}", answer.steps[i].surprisal.value_or(0));
    if (i + 1 == answer.steps.size()) {
      sentence.set_comment("end_surprisal", text);
    } else {
      sentence.set_misc(static_cast<int>(i) + 1, "Surprisal", text);
    }
  }
}

}  // namespace copse
