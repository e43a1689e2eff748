// The events of the head-driven model in a tree, one call per factor of its probability. Training
// and the scoring of trees walk the same lines, so they cannot disagree.
#pragma once

#include <cstdint>
#include <vector>

#include "copse/constituency/generative/labels.h"
#include "copse/constituency/generative/lexicon.h"
#include "copse/constituency/generative/preparation.h"

namespace copse::generative {

enum class Side : std::uint8_t { left, right };

// The future of P_m apart from the tag.
struct Modifier {
  LabelId label = kNoLabel;  // kNoLabel: STOP
  bool complement = false;

  bool is_stop() const { return label == kNoLabel; }
  std::uint64_t code() const { return std::uint64_t{label} * 2 + (complement ? 1 : 0); }
  friend bool operator==(const Modifier&, const Modifier&) = default;
};
inline constexpr Modifier kStop{};

// What modifiers are conditioned on. In a base NP head, word and tag are those of the previous
// modifier, and the last three fields keep their defaults.
struct ModifierContext {
  LabelId parent = 0;
  LabelId head = 0;
  WordId word = kUnknownWord;
  LabelId tag = 0;
  Side side = Side::right;
  Subcat subcat = 0;
  bool verb = false;
  Previous previous = Previous::start;
};

// A phrase's lexical head.
struct LexicalHead {
  LabelId label = 0;           // of the phrase or leaf
  WordId word = kUnknownWord;  // to condition on
  WordId future = 0;           // to generate
  LabelId tag = 0;
  int leaf = 0;  // its place among the words of the tree
};

// Calls, for every phrase P with head child H and lexical head (w, t):
//   visitor.node(P, w, t)
//   visitor.head(P, w, t, H)
//   visitor.subcat(side, P, H, w, t, bag)                      not in base NPs
//   visitor.modifier(context, modifier, t_m)                   STOP, with tag 0, included
//   visitor.modifier_word(context, modifier, lexical head)
// once visitor.top(lexical head), and for every word visitor.word(lexical head).
// False, without a call, for a tree that has a label nobody knows or more than three complements
// of a kind on one side of a head.
class EventWalk {
 public:
  EventWalk(const PreparedTree& tree, const LabelSet& labels, const Lexicon& lexicon);

  bool possible() const { return possible_; }

  template <class Visitor>
  void visit(Visitor& visitor) const {
    visitor.top(heads_[0]);
    for (int node = 0; node < tree_.tree.size(); ++node) {
      if (tree_.tree.is_leaf(node)) {
        visitor.word(head_of(node));
      } else {
        visit_phrase(visitor, node);
      }
    }
  }

 private:
  const LexicalHead& head_of(int node) const { return heads_[static_cast<std::size_t>(node)]; }
  // Modifiers of one side, from the head outwards.
  std::vector<int> modifiers(int phrase, Side side) const;
  Subcat bag(const std::vector<int>& modifiers, bool& fits) const;

  template <class Visitor>
  void visit_phrase(Visitor& visitor, int node) const {
    const LexicalHead& phrase = head_of(node);
    const LexicalHead& head = head_of(tree_.head_child[static_cast<std::size_t>(node)]);
    visitor.node(phrase.label, phrase.word, phrase.tag);
    visitor.head(phrase.label, phrase.word, phrase.tag, head.label);
    for (const Side side : {Side::right, Side::left}) {
      if (labels_.is_base_noun_phrase(phrase.label)) {
        visit_base_side(visitor, phrase, head, modifiers(node, side), side);
      } else {
        visit_side(visitor, phrase, head, modifiers(node, side), side);
      }
    }
  }

  template <class Visitor>
  void visit_side(Visitor& visitor, const LexicalHead& phrase, const LexicalHead& head,
                  const std::vector<int>& modifiers, Side side) const {
    bool fits = true;
    ModifierContext context{phrase.label, head.label,           head.word, head.tag,
                            side,         bag(modifiers, fits), false,     Previous::start};
    visitor.subcat(side, phrase.label, head.label, head.word, head.tag, context.subcat);
    for (const int node : modifiers) {
      const LexicalHead& child = head_of(node);
      const Modifier modifier{child.label, tree_.complement[static_cast<std::size_t>(node)]};
      visitor.modifier(context, modifier, child.tag);
      visitor.modifier_word(context, modifier, child);
      if (modifier.complement) {
        context.subcat =
            static_cast<Subcat>(context.subcat - subcat_of_slot(labels_.subcat_slot(child.label)));
      }
      context.verb |= verbs_[static_cast<std::size_t>(node)];
      context.previous = labels_.previous_class(child.label);
    }
    visitor.modifier(context, kStop, LabelId{0});
  }

  template <class Visitor>
  void visit_base_side(Visitor& visitor, const LexicalHead& phrase, const LexicalHead& head,
                       const std::vector<int>& modifiers, Side side) const {
    ModifierContext context;
    context.parent = phrase.label;
    context.side = side;
    const auto set_previous = [&](const LexicalHead& previous) {
      context.head = previous.label;
      context.word = previous.word;
      context.tag = previous.tag;
    };
    set_previous(head);
    for (const int node : modifiers) {
      const LexicalHead& child = head_of(node);
      const Modifier modifier{child.label, false};
      visitor.modifier(context, modifier, child.tag);
      visitor.modifier_word(context, modifier, child);
      set_previous(child);
    }
    visitor.modifier(context, kStop, LabelId{0});
  }

  const PreparedTree& tree_;
  const LabelSet& labels_;
  std::vector<LexicalHead> heads_;  // of each node
  std::vector<bool> verbs_;         // of each node: a verb inside, not counting base NPs
  bool possible_ = true;
};

}  // namespace copse::generative
