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

}  // namespace copse
