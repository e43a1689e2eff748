// A candidate as features of hidden values see it: its words, the tree over them, and the contexts
// that data/hidden.features joins.
//
// Trees over the words of a parse (Koo & Collins 2005, section 5.2), of a rule VP -> VBD NP PP NP with
// head words bought, shares, in, yesterday:
//
//   dependency  bought - shares, bought - in, bought - yesterday
//   sibling     bought - shares, shares - in, in - yesterday       neighbours
//
// A rule of c children joins c parts by c - 1 edges, so both are trees over all words. Rooted at the
// head of the sentence, the words of a phrase hang below its head word in both: candidates that share
// a phrase share a sub-tree. Words of a tag sequence are a chain.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/feature_key.h"
#include "copse/rerank/hidden/domains.h"
#include "copse/rerank/hidden/templates.h"
#include "copse/treebank/candidates.h"
#include "copse/treebank/head_rules.h"

namespace copse::hidden {

enum class GraphKind : std::uint8_t { dependency, sibling };
std::string_view name_of(GraphKind kind);
// Throws usage_error for other names.
GraphKind graph_kind(std::string_view name);

class Contexts {
 public:
  Contexts(const HeadRules& heads, GraphKind graph) : heads_(heads), graph_(graph) {}

  // The candidate must outlive the questions below. Throws data_error if it is neither a parse nor
  // a tag sequence of as many tags as the list has words.
  void set(const Candidates& list, const Candidate& candidate);

  std::size_t words() const { return words_.size(); }
  const DomainWord& word(std::size_t w) const { return words_[w]; }

  // The words, each after the one above it; `above` is the place of that one in this order.
  static constexpr std::uint32_t kTop = UINT32_MAX;
  struct Place {
    std::uint32_t word = 0;
    std::uint32_t above = kTop;
    // Where the edge comes from: a node of the parse and the children that the upper and the lower
    // word head.
    std::int32_t node = -1;
    std::uint32_t upper_child = 0, lower_child = 0;
  };
  const std::vector<Place>& order() const { return order_; }

  // Everything that the features of a word depend on but its families; the same for an edge.
  AtomValue code_of_word(std::size_t w) const;
  AtomValue code_of_edge(const Place& place) const;

  // Calls visit(Unit, frame) for each unit of a word or edge; the values u and v are left out.
  template <class Visit>
  void for_word(std::size_t w, Visit visit) const;
  template <class Visit>
  void for_edge(const Place& place, Visit visit) const {
    Frame frame;
    frame.fill(kAbsent);
    fill_edge(place, frame);
    visit(Unit::edge, frame);
  }
  // The same as text, for the names of features; in the same order.
  std::vector<TextFrame> texts_of_word(std::size_t w) const;
  TextFrame text_of_edge(const Place& place) const;

  // Where a word stands, for people: the word above it in the parse (nothing for the head of the
  // sentence), the label of the phrase in which its own highest phrase is a child, and that rule. Of
  // a tag sequence the word and the tag before.
  struct Surroundings {
    std::string head, parent, rule;
  };
  Surroundings surroundings(std::size_t w) const;

 private:
  // What is known of a node of a parse.
  struct Node {
    AtomValue label = 0, up = 0, down = 0, rule = 0;
    std::int32_t head_word = -1, head_child = -1;
    std::uint32_t head_position = 0;
  };

  void set_parse(const PhraseTree& tree);
  void set_tags(const Candidates& list, const Candidate& candidate);
  void describe(int node);
  void add_edges(int node);
  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  bool is_outer(int node) const;
  // The label above a rule: its parent's, or TOP.
  AtomValue above(int node) const;
  std::string above_text(int node) const;
  // The highest phrase that a word heads, by node; the rules from there down to the tag.
  int highest(std::size_t w) const { return highest_[w]; }
  AtomValue mod_rule(int node) const;
  AtomValue pair_rule(const Place& place) const;
  bool has_conjunction_between(const Place& place) const;
  bool is_left(const Place& place) const;
  bool is_adjacent(const Place& place) const;
  void fill_word(std::size_t w, Frame& frame) const;
  void fill_edge(const Place& place, Frame& frame) const;
  std::string path_up(int node) const;
  std::string path_down(int node) const;
  // "VP -> VBD(head) NP(mod) PP", each mark at its place.
  struct Mark {
    std::uint32_t child;
    std::string_view text;
  };
  std::string rule_text(int node, const std::vector<Mark>& marks) const;
  std::vector<Mark> pair_marks(const Place& place) const;

  const HeadRules& heads_;
  GraphKind graph_;
  const PhraseTree* tree_ = nullptr;  // unset for tags
  std::vector<std::string_view> tags_;
  std::vector<DomainWord> words_;
  std::vector<Node> nodes_;
  std::vector<int> highest_;
  std::vector<Place> order_;
  std::vector<std::uint32_t> place_of_;                           // by word
  std::vector<std::pair<std::uint32_t, std::int32_t>> children_;  // scratch: number, word
};

template <class Visit>
void Contexts::for_word(std::size_t w, Visit visit) const {
  Frame frame;
  frame.fill(kAbsent);
  fill_word(w, frame);
  visit(Unit::word, frame);
  if (tree_ == nullptr) return;
  for (int node = highest(w); !tree_->is_leaf(node); node = at(node).head_child) {
    frame[kHeadRule] = at(node).rule;
    frame[kAbove] = above(node);
    visit(Unit::head_rule, frame);
  }
  frame[kHeadRule] = kAbsent;
  const int parent = tree_->parent(highest(w));
  if (parent < 0 || at(parent).head_word == static_cast<std::int32_t>(w)) return;
  frame[kModRule] = mod_rule(highest(w));
  frame[kAbove] = above(parent);
  visit(Unit::mod_rule, frame);
}

}  // namespace copse::hidden
