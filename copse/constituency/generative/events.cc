#include "copse/constituency/generative/events.h"

#include <algorithm>

namespace copse::generative {

EventWalk::EventWalk(const PreparedTree& tree, const LabelSet& labels, const Lexicon& lexicon)
    : tree_(tree), labels_(labels) {
  const PhraseTree& phrases = tree.tree;
  const auto nodes = static_cast<std::size_t>(phrases.size());
  heads_.resize(nodes);
  verbs_.assign(nodes, false);
  for (int node = phrases.size() - 1; node >= 0; --node) {
    LexicalHead& head = heads_[static_cast<std::size_t>(node)];
    if (phrases.is_leaf(node)) {
      head.leaf = phrases.begin(node);
      head.word = lexicon.word(phrases.word(node));
      head.future = lexicon.future(phrases.word(node), head.leaf == 0);
      head.tag = labels.tag(phrases.label(node));
      head.label = head.tag;
      if (head.tag == kNoLabel) {
        possible_ = false;
        return;
      }
      verbs_[static_cast<std::size_t>(node)] = labels.is_verb(head.tag);
      continue;
    }
    head = head_of(tree.head_child[static_cast<std::size_t>(node)]);
    head.label = labels.phrase(phrases.label(node));
    if (head.label == kNoLabel) {
      possible_ = false;
      return;
    }
    if (labels.is_base_noun_phrase(head.label)) continue;
    for (const int child : phrases.children(node)) {
      if (verbs_[static_cast<std::size_t>(child)]) verbs_[static_cast<std::size_t>(node)] = true;
    }
  }
  for (int node = 0; node < phrases.size(); ++node) {
    if (phrases.is_leaf(node)) continue;
    for (const Side side : {Side::left, Side::right}) bag(modifiers(node, side), possible_);
  }
}

std::vector<int> EventWalk::modifiers(int phrase, Side side) const {
  const int head = tree_.head_child[static_cast<std::size_t>(phrase)];
  std::vector<int> result;
  for (const int child : tree_.tree.children(phrase)) {
    if (side == Side::left ? child < head : child > head) result.push_back(child);
  }
  if (side == Side::left) std::reverse(result.begin(), result.end());
  return result;
}

Subcat EventWalk::bag(const std::vector<int>& modifiers, bool& fits) const {
  Subcat bag = 0;
  for (const int node : modifiers) {
    if (!tree_.complement[static_cast<std::size_t>(node)]) continue;
    const int slot = labels_.subcat_slot(head_of(node).label);
    if (subcat_count(bag, slot) == 3) {
      fits = false;
    } else {
      bag = static_cast<Subcat>(bag + subcat_of_slot(slot));
    }
  }
  return bag;
}

}  // namespace copse::generative
