// A phrase-structure tree as one spine for each word and a labelled projective dependency tree
// (Carreras, Collins & Koo 2008, section 2), and back.
//
// The spine of a word is its tag and the chain of different phrase labels that it heads, bottom up:
// (VBD VP S), (NN NP), (CC). The tree of a modifier is adjoined at position p of its head's spine,
// 1 being the lowest phrase:
//
//   sister    rise 0   a new child of the current level of N_p on that side
//   regular   rise 1   a new level, a copy of N_p above: its children are the old level and the tree
//
// Each side of each position counts its levels for itself, and levels of the two sides are merged
// as flat as possible: trees with a VP over a VP over a VP, one sister each on different sides, come
// back with fewer levels (Levels::merged, the paper: precision 100, recall 99.81 on section 22).
// Levels::exact makes `rise` the number of levels up, 2 and more too: nothing is lost but phrases
// over a single phrase of the same label.
//
// Going outwards from a head on one side, positions never decrease.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/inference/spinal_parts.h"
#include "copse/treebank/head_rules.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::spinal {

// Of tags and phrases.
using LabelId = std::uint16_t;

inline constexpr std::string_view kTopLabel = "TOP";  // of the outer bracket
inline constexpr std::string_view kRootTag = "*";     // of word 0

enum class Levels { merged, exact };

struct Spine {
  LabelId tag = 0;
  std::vector<LabelId> phrases;  // bottom up, neighbours differ

  int size() const { return static_cast<int>(phrases.size()); }
  LabelId top() const { return phrases.empty() ? tag : phrases.back(); }
  // N_p for p in 1..size(); the tag for 0.
  LabelId at(int p) const { return p == 0 ? tag : phrases[static_cast<std::size_t>(p) - 1]; }
  bool operator==(const Spine&) const = default;
};

struct Adjunction {
  int head = 0;      // 0: the root
  int position = 1;  // in the head's spine
  int rise = 0;      // 0: sister, 1: regular; more only for Levels::exact
  bool operator==(const Adjunction&) const = default;
};

// Words are 1..n; [0] is the root with the spine (* TOP) and no adjunction.
struct Derivation {
  std::vector<Spine> spines;
  std::vector<Adjunction> adjunctions;

  int words() const { return static_cast<int>(spines.size()) - 1; }
  // The modifiers of each word on each side, from the head outwards.
  struct Sides {
    std::vector<int> left, right;
  };
  std::vector<Sides> sides() const;
  bool operator==(const Derivation&) const = default;
};

// Of a tree without traces and function tags (treebank/clean.h); an outer bracket over one phrase
// is taken off, over several it is a phrase TOP. Labels get numbers in `labels`. Throws data_error
// for a tree without words or with more than 65535 different labels.
Derivation derivation_of(const PhraseTree& tree, const HeadRules& heads, Levels levels,
                         Symbols& labels);

// The tree without an outer bracket. Throws data_error if the derivation is none: a word that is
// not below the root, crossing arcs, a position that its spine has not or that decreases outwards.
PhraseTree tree_of(const Derivation& derivation, std::span<const std::string> words,
                   const Symbols& labels);

// What the parts of an adjunction look like to the model: GRM = <X, Y, Z> and the rise. X is the
// phrase adjoined to, Z the top of the modifier's spine, Y what stood below X at that place: X
// itself once a level was opened there (or is opened now), else the node below in the spine.
using Grammar = SpinalLabel;
// Of every word 1..n; [0] is of nothing.
std::vector<Grammar> grammar_of(const Derivation& derivation);

}  // namespace copse::spinal
