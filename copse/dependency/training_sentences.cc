#include "copse/dependency/training_sentences.h"

#include <map>

#include "copse/base/error.h"
#include "copse/treebank/projectivity.h"

namespace copse {
namespace {

using LabelNumbers = std::map<std::string, int, std::less<>>;

// Several roots where one is searched for: the others hang on the first.
DependencyTree with_one_root(DependencyTree tree) {
  int first = 0;
  for (int m = 1; m <= tree.words(); ++m) {
    if (tree.head(m) != 0) continue;
    if (first == 0) {
      first = m;
    } else {
      tree.set_head(m, first);
    }
  }
  return tree;
}

DependencyTree searchable(const DependencyTree& gold, const DependencyParser::Parts& parts) {
  DependencyTree tree = parts.kind.root == RootRule::single ? with_one_root(gold) : gold;
  if (!parts.kind.projective) return tree;
  return parts.lifted ? projectivise(tree, LiftLabels::head) : best_projective_tree(tree);
}

LabelNumbers number_labels(std::span<const DependencyTree> trees) {
  LabelNumbers numbers;
  for (const DependencyTree& tree : trees) {
    for (int m = 1; m <= tree.words(); ++m) numbers.emplace(tree.label(m), 0);
  }
  if (numbers.size() > UINT16_MAX) throw data_error("too many different labels");
  int next = 0;
  for (auto& [label, number] : numbers) number = next++;
  return numbers;
}

void take_tree(const DependencyTree& tree, const LabelNumbers* numbers, TrainingSentence& out) {
  out.heads.assign(1, -1);
  if (numbers != nullptr) out.labels.assign(1, -1);
  for (int m = 1; m <= tree.words(); ++m) {
    out.heads.push_back(tree.head(m));
    if (numbers != nullptr) out.labels.push_back(numbers->find(tree.label(m))->second);
  }
}

}  // namespace

std::vector<TrainingSentence> sentences_to_judge(std::span<const Sentence> sentences, int longest,
                                                 const DependencyParser::Parts& parts) {
  std::vector<TrainingSentence> out;
  for (const Sentence& sentence : sentences) {
    if (sentence.words() == 0 || sentence.words() > longest) continue;
    TrainingSentence next;
    next.words.fill(sentence, parts.scheme, parts.limit);
    next.gold = sentence.tree();
    out.push_back(std::move(next));
  }
  return out;
}

std::vector<TrainingSentence> sentences_to_learn(std::span<const Sentence> sentences, bool labelled,
                                                 int longest, DependencyParser::Parts& parts) {
  std::vector<TrainingSentence> out = sentences_to_judge(sentences, longest, parts);
  std::vector<DependencyTree> trees;
  trees.reserve(out.size());
  for (const TrainingSentence& each : out) trees.push_back(searchable(each.gold, parts));
  LabelNumbers numbers;
  if (labelled) numbers = number_labels(trees);
  for (const auto& [label, number] : numbers) parts.labels.push_back(label);
  for (std::size_t i = 0; i < out.size(); ++i) {
    take_tree(trees[i], labelled ? &numbers : nullptr, out[i]);
  }
  return out;
}

}  // namespace copse
