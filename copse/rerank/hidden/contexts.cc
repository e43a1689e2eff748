#include "copse/rerank/hidden/contexts.h"

#include <fmt/core.h>

#include <algorithm>

#include "copse/base/error.h"
#include "copse/treebank/label.h"

namespace copse::hidden {
namespace {

constexpr std::string_view kTopLabel = "TOP";

bool is_conjunction(std::string_view label) {
  return label == "CC" || base_label(label) == "CONJP";
}

}  // namespace

std::string_view name_of(GraphKind kind) {
  return kind == GraphKind::dependency ? "dependency" : "sibling";
}

GraphKind graph_kind(std::string_view name) {
  if (name == "dependency") return GraphKind::dependency;
  if (name == "sibling") return GraphKind::sibling;
  throw usage_error(fmt::format("unknown graph \"{}\"", name), "expected dependency or sibling");
}

void Contexts::set(const Candidates& list, const Candidate& candidate) {
  words_.clear();
  order_.clear();
  if (!candidate.tree.empty()) {
    set_parse(candidate.tree);
  } else {
    set_tags(list, candidate);
  }
}

void Contexts::set_tags(const Candidates& list, const Candidate& candidate) {
  tree_ = nullptr;
  tags_ = tags_of(candidate);
  if (list.words.empty() || tags_.size() != list.words.size()) {
    throw data_error(
        fmt::format("a candidate has {} tags for {} words", tags_.size(), list.words.size()), {},
        "hidden values need parses, or tag sequences with the words of the list");
  }
  for (std::uint32_t w = 0; w < tags_.size(); ++w) {
    words_.push_back({list.words[w], tags_[w], tags_[w]});
    order_.push_back({w, w == 0 ? kTop : w - 1, -1, w == 0 ? 0 : w - 1, w});
  }
}

void Contexts::set_parse(const PhraseTree& tree) {
  tree_ = &tree;
  nodes_.assign(static_cast<std::size_t>(tree.size()), {});
  for (int node = tree.size() - 1; node >= 0; --node) describe(node);
  for (int node = 0; node < tree.size(); ++node) {
    Node& here = nodes_[static_cast<std::size_t>(node)];
    const int parent = tree.parent(node);
    here.up = parent < 0 || is_outer(parent) ? here.label : join(at(parent).up, here.label);
  }
  const auto words = static_cast<std::size_t>(tree.words());
  highest_.assign(words, -1);
  place_of_.assign(words, kTop);
  for (int node = 0; node < tree.size(); ++node) {  // the highest comes first
    const std::int32_t word = at(node).head_word;
    if (word >= 0 && highest_[static_cast<std::size_t>(word)] < 0 && !is_outer(node)) {
      highest_[static_cast<std::size_t>(word)] = node;
    }
  }
  for (std::uint32_t w = 0; w < words; ++w) {
    const int i = static_cast<int>(w);
    words_.push_back({tree.word_at(i), tree.tag(i), tree.label(highest_[w])});
  }
  if (words == 0) return;
  const auto top = static_cast<std::uint32_t>(at(0).head_word);
  order_.push_back({top});
  place_of_[top] = 0;
  for (int node = 0; node < tree.size(); ++node) {
    if (at(node).head_child >= 0) add_edges(node);
  }
}

// The unlabelled bracket around a tree is no phrase.
bool Contexts::is_outer(int node) const {
  return node == 0 && !tree_->is_leaf(node) && is_outer_label(tree_->label(node));
}

// Children before parents.
void Contexts::describe(int node) {
  Node& here = nodes_[static_cast<std::size_t>(node)];
  here.label = atom_of(tree_->label(node));
  here.down = here.label;
  if (tree_->is_leaf(node)) {
    here.head_word = tree_->begin(node);
    return;
  }
  int head = tree_->child_count(node) == 0 ? -1 : heads_.head_child(*tree_, node);
  if (head >= 0 && at(head).head_word < 0) {  // a phrase without words leads nothing
    head = -1;
    for (const int child : tree_->children(node)) {
      if (head < 0 && at(child).head_word >= 0) head = child;
    }
  }
  if (head < 0) return;
  here.head_child = head;
  here.head_word = at(head).head_word;
  here.down = join(here.label, at(head).down);
  here.rule = here.label;
  std::uint32_t position = 0;
  for (const int child : tree_->children(node)) {
    if (child == head) here.head_position = position;
    here.rule = join(here.rule, at(child).label);
    ++position;
  }
  here.rule = join(here.rule, here.head_position);
}

void Contexts::add_edges(int node) {
  children_.clear();
  std::size_t head = 0;
  std::uint32_t position = 0;
  for (const int child : tree_->children(node)) {
    if (at(child).head_word >= 0) {
      if (child == at(node).head_child) head = children_.size();
      children_.emplace_back(position, at(child).head_word);
    }
    ++position;
  }
  const auto add = [&](std::size_t upper, std::size_t lower) {
    if (graph_ == GraphKind::dependency) upper = head;
    const auto word = static_cast<std::uint32_t>(children_[lower].second);
    const auto above = place_of_[static_cast<std::size_t>(children_[upper].second)];
    place_of_[word] = static_cast<std::uint32_t>(order_.size());
    order_.push_back({word, above, node, children_[upper].first, children_[lower].first});
  };
  for (std::size_t i = head + 1; i < children_.size(); ++i) add(i - 1, i);
  for (std::size_t i = head; i-- > 0;) add(i + 1, i);
}

// --- numbers

AtomValue Contexts::above(int node) const {
  const int parent = tree_->parent(node);
  return parent < 0 || is_outer(parent) ? atom_of(kTopLabel) : at(parent).label;
}

namespace {

std::uint32_t position_in_parent(const PhraseTree& tree, int node) {
  std::uint32_t position = 0;
  for (const int child : tree.children(tree.parent(node))) {
    if (child == node) break;
    ++position;
  }
  return position;
}

}  // namespace

AtomValue Contexts::mod_rule(int node) const {
  return join(at(tree_->parent(node)).rule, position_in_parent(*tree_, node));
}

AtomValue Contexts::pair_rule(const Place& place) const {
  // Which of the two is the head, and the order of both, follow from head position and the two.
  return join(join(at(place.node).rule, place.upper_child), place.lower_child);
}

bool Contexts::has_conjunction_between(const Place& place) const {
  const auto [from, to] = std::minmax(place.upper_child, place.lower_child);
  std::uint32_t position = 0;
  for (const int child : tree_->children(place.node)) {
    if (position > from && position < to && is_conjunction(tree_->label(child))) return true;
    ++position;
  }
  return false;
}

bool Contexts::is_left(const Place& place) const {
  return place.lower_child < place.upper_child;
}

bool Contexts::is_adjacent(const Place& place) const {
  if (graph_ == GraphKind::sibling) return place.upper_child == at(place.node).head_position;
  return std::max(place.upper_child, place.lower_child) -
             std::min(place.upper_child, place.lower_child) ==
         1;
}

void Contexts::fill_word(std::size_t w, Frame& frame) const {
  const DomainWord& word = words_[w];
  frame[kWord] = atom_of(word.form);
  frame[kPos] = atom_of(word.tag);
  if (tree_ == nullptr) return;
  const Node& top = at(highest(w));
  frame[kHighest] = top.label;
  frame[kUp] = top.up;
  frame[kDown] = top.down;
}

void Contexts::fill_edge(const Place& place, Frame& frame) const {
  if (tree_ == nullptr) {
    frame[kFirst] = atom_of(tags_[place.upper_child]);
    frame[kSecond] = atom_of(tags_[place.lower_child]);
    frame[kChain] = 1;
    return;
  }
  std::uint32_t position = 0;
  for (const int child : tree_->children(place.node)) {
    if (position == place.upper_child) frame[kFirst] = at(child).label;
    if (position == place.lower_child) frame[kSecond] = at(child).label;
    ++position;
  }
  frame[kParent] = at(place.node).label;
  frame[kSide] = is_left(place) ? 2 : 1;
  frame[kAdjacent] = is_adjacent(place) ? 2 : 1;
  frame[kCc] = has_conjunction_between(place) ? 2 : 1;
  frame[kPairRule] = pair_rule(place);
  frame[kAbove] = above(place.node);
}

AtomValue Contexts::code_of_word(std::size_t w) const {
  AtomValue code = atom_of(std::uint64_t{w});
  for_word(w, [&](Unit, const Frame& frame) {
    for (const AtomSlot slot : {kPos, kHighest, kUp, kDown, kHeadRule, kModRule, kAbove}) {
      code = join(code, frame[static_cast<std::size_t>(slot)]);
    }
  });
  return code;
}

AtomValue Contexts::code_of_edge(const Place& place) const {
  const std::uint64_t words =
      std::uint64_t{order_[place.above].word} << 32 | std::uint64_t{place.word};
  const AtomValue code = atom_of(words);
  if (tree_ == nullptr) {
    return join(join(code, atom_of(tags_[place.upper_child])), atom_of(tags_[place.lower_child]));
  }
  return join(join(code, pair_rule(place)), above(place.node));
}

// --- texts

std::string Contexts::above_text(int node) const {
  const int parent = tree_->parent(node);
  return std::string(parent < 0 || is_outer(parent) ? kTopLabel : tree_->label(parent));
}

std::string Contexts::path_up(int node) const {
  std::string text(tree_->label(node));
  for (int at = tree_->parent(node); at >= 0 && !is_outer(at); at = tree_->parent(at)) {
    text += ' ';
    text += tree_->label(at);
  }
  return text;
}

std::string Contexts::path_down(int node) const {
  std::string text(tree_->label(node));
  while (!tree_->is_leaf(node)) {
    node = at(node).head_child;
    text += ' ';
    text += tree_->label(node);
  }
  return text;
}

std::string Contexts::rule_text(int node, const std::vector<Mark>& marks) const {
  std::string text = fmt::format("{} ->", tree_->label(node));
  std::uint32_t position = 0;
  for (const int child : tree_->children(node)) {
    text += ' ';
    text += tree_->label(child);
    for (const Mark& mark : marks) {
      if (mark.child == position) text += fmt::format("({})", mark.text);
    }
    ++position;
  }
  return text;
}

std::vector<Contexts::Mark> Contexts::pair_marks(const Place& place) const {
  if (graph_ == GraphKind::dependency) {
    return {{place.upper_child, "head"}, {place.lower_child, "mod"}};
  }
  const auto [left, right] = std::minmax(place.upper_child, place.lower_child);
  return {{at(place.node).head_position, "head"}, {left, "left"}, {right, "right"}};
}

std::vector<TextFrame> Contexts::texts_of_word(std::size_t w) const {
  TextFrame text;
  text[kWord] = words_[w].form;
  text[kPos] = words_[w].tag;
  if (tree_ == nullptr) return {text};
  const int top = highest(w);
  text[kHighest] = tree_->label(top);
  text[kUp] = path_up(top);
  text[kDown] = path_down(top);
  std::vector<TextFrame> texts = {text};
  for (int node = top; !tree_->is_leaf(node); node = at(node).head_child) {
    texts.push_back(text);
    texts.back()[kHeadRule] = rule_text(node, {{at(node).head_position, "head"}});
    texts.back()[kAbove] = above_text(node);
  }
  const int parent = tree_->parent(top);
  if (parent < 0 || at(parent).head_word == static_cast<std::int32_t>(w)) return texts;
  texts.push_back(text);
  texts.back()[kModRule] = rule_text(
      parent, {{at(parent).head_position, "head"}, {position_in_parent(*tree_, top), "mod"}});
  texts.back()[kAbove] = above_text(parent);
  return texts;
}

TextFrame Contexts::text_of_edge(const Place& place) const {
  TextFrame text;
  if (tree_ == nullptr) {
    text[kFirst] = tags_[place.upper_child];
    text[kSecond] = tags_[place.lower_child];
    return text;
  }
  std::uint32_t position = 0;
  for (const int child : tree_->children(place.node)) {
    if (position == place.upper_child) text[kFirst] = tree_->label(child);
    if (position == place.lower_child) text[kSecond] = tree_->label(child);
    ++position;
  }
  text[kParent] = tree_->label(place.node);
  text[kSide] = is_left(place) ? "L" : "R";
  text[kAdjacent] = is_adjacent(place) ? "1" : "0";
  text[kCc] = has_conjunction_between(place) ? "1" : "0";
  text[kPairRule] = rule_text(place.node, pair_marks(place));
  text[kAbove] = above_text(place.node);
  return text;
}

Contexts::Surroundings Contexts::surroundings(std::size_t w) const {
  if (tree_ == nullptr) {
    if (w == 0) return {};
    return {std::string(words_[w - 1].form), std::string(tags_[w - 1]), ""};
  }
  const int top = highest(w);
  const int parent = tree_->parent(top);
  if (parent < 0 || at(parent).head_word == static_cast<std::int32_t>(w)) {
    return {"", std::string(kTopLabel), ""};
  }
  return {std::string(words_[static_cast<std::size_t>(at(parent).head_word)].form),
          std::string(tree_->label(parent)),
          rule_text(parent, {{at(parent).head_position, "head"},
                             {position_in_parent(*tree_, top), "mod"}})};
}

}  // namespace copse::hidden
