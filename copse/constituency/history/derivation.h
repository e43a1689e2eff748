// Trees as sequences of actions in left-corner order (Henderson & Titov 2005): a phrase is announced
// after its first child is complete.
//
//   state            a stack of nodes, ROOT at the bottom
//   SHIFT            pushes the next word with its tag            top is no leaf, ROOT has no child
//   PROJECT(X)       pops c, pushes X with the first child c      top is not ROOT; not too many in a row
//   ATTACH           pops c, which becomes the last child of the node below        top is not ROOT
//   (END             when ROOT has its child nothing else is left to do: not written)
//
// One sequence for each tree and back. A tree under TOP with one child is the derivation of that
// child; of other roots the root itself is projected.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/treebank/phrase_tree.h"

namespace copse::history {

inline constexpr std::string_view kTopName = "TOP";

enum class Kind : std::uint8_t { shift, project, attach };
inline constexpr std::uint32_t kKinds = 3;
constexpr std::uint32_t bit(Kind kind) {
  return 1U << static_cast<std::uint32_t>(kind);
}

struct Action {
  Kind kind = Kind::shift;
  std::uint32_t label = 0;  // of PROJECT
  bool operator==(const Action&) const = default;
};

// What legality is about.
struct TopView {
  bool leaf = false;
  bool root = true;         // ROOT is the top
  bool below_root = false;  // ROOT is just below it
  int chain = 0;            // PROJECTs since the last SHIFT or ATTACH
};
// The kinds that are allowed, as bits. `words_left` is looked at if it is known: a SHIFT then needs
// a word, and ATTACH to ROOT the end of them.
enum class WordsLeft : std::uint8_t { none, some, unknown };
std::uint32_t allowed_kinds(const TopView& top, int longest_chain, WordsLeft words_left);

// The actions of a tree; a label that `labels` lacks is added, or for a const one refused with
// data_error. The tree has words and no empty phrases.
std::vector<Action> actions_of(const PhraseTree& tree, Symbols& labels);
std::vector<Action> actions_of(const PhraseTree& tree, const Symbols& labels);
// The longest run of PROJECTs.
int longest_chain(std::span<const Action> actions);

// The tree that actions build, under TOP. Throws data_error for actions that are illegal, stop too
// early or use more or fewer words.
PhraseTree tree_of(std::span<const Action> actions, const Symbols& labels,
                   std::span<const std::string> tags, std::span<const std::string> words);

}  // namespace copse::history
