// What there is to draw in a sentence, free of file columns: words, arcs, surface tokens. All
// text in it is drawable (drawable.h). Any assignment of heads is accepted: several roots, none,
// cycles, words that head themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "copse/treebank/drawing/options.h"
#include "copse/treebank/phrase_tree.h"
#include "copse/treebank/sentence.h"

namespace copse::drawing {

struct SceneWord {
  std::string form;     // abbreviated to DrawingOptions::max_form
  std::string tag;      // UPOS, or XPOS where there is none; empty: not shown
  std::string details;  // full form, lemma, tags, features: for tooltips
};

struct SceneArc {
  int head = 0;  // 1..n, or 0: an arrow from above (the root, or a head outside the sentence)
  int modifier = 0;
  std::string label;                  // empty: not shown
  std::optional<double> probability;  // in [0, 1]
};

struct SceneToken {  // a surface token over several words
  int first = 0;
  int last = 0;
  std::string form;
};

struct Scene {
  std::vector<SceneWord> words;  // word i is words[i - 1]
  std::vector<SceneArc> arcs;    // by modifier
  std::vector<SceneToken> tokens;
  std::string text;  // the running text
  bool right_to_left = false;

  bool empty() const { return words.empty(); }
  const SceneWord& word(int number) const { return words[static_cast<std::size_t>(number) - 1]; }
};

Scene make_scene(const Sentence& sentence, const DrawingOptions& options);

// The tree as it is drawn: a root without a label over a single phrase, as the Penn Treebank has
// it around every sentence, is left out.
PhraseTree drawn_tree(const PhraseTree& tree);

// The label with the probability, if there is one: "nsubj 0.93".
std::string arc_text(const SceneArc& arc);

}  // namespace copse::drawing
