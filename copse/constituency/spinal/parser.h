// The spinal parser (Carreras, Collins & Koo 2008): words and tags in, the best derivation of a
// spine for each word and labelled dependencies out, as a phrase-structure tree.
//
// There is always a tree. The ladder: the search as asked for; the parts of the first order alone,
// if the chart is too large or the sentence too long; a hundredth of alpha; every label for the
// arcs that are left, first order; a flat tree. Where there is room for the best tree and not for a
// list, the list is that tree.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "copse/base/huge_pages.h"
#include "copse/constituency/phrase_parser.h"
#include "copse/constituency/spinal/analysis.h"
#include "copse/constituency/spinal/features.h"
#include "copse/constituency/spinal/inventory.h"
#include "copse/constituency/spinal/lexicon.h"
#include "copse/constituency/spinal/pruner.h"
#include "copse/constituency/spinal/scorer.h"
#include "copse/constituency/spinal/search_options.h"
#include "copse/inference/spinal_search.h"
#include "copse/tag/sequence_tagger.h"
#include "copse/treebank/head_rules.h"

namespace copse::spinal {

struct ModelOptions {
  bool exact_levels = true;  // Levels of derivation.h
  bool second_order = true;
  double alpha = 1e-5;
};

// Memory of one thread.
struct Workspace {
  PositionAtoms atoms;
  Pruner::Scratch pruner;
  ScorerScratch scorer;
  SpinalScores scores;
  SpinalSearch search;
  TagScratch tags;
};

// Where on the ladder a sentence was parsed.
enum class Rung { asked, first_order, loose, every_label, flat };
inline constexpr std::array kSearchedRungs = {Rung::asked, Rung::first_order, Rung::loose,
                                              Rung::every_label};
std::string note_of(Rung rung);  // what was given up, in words

// A sentence before it is searched; the atoms of its words are in the workspace.
struct PreparedSentence {
  std::vector<std::string> words, tags;
  std::unique_ptr<const WordViews> views;
};

class SpinalParser {
 public:
  struct Parts {
    ModelOptions options;
    std::shared_ptr<const Inventory> inventory;
    Lexicon lexicon;
    Features features;
    Pruner pruner;
    SequenceTagger tagger;
    std::string weights;  // made by freeze()
    HeadRules heads;      // that it was trained with
  };

  // Throws data_error for weights that are none.
  explicit SpinalParser(Parts parts);

  const Parts& parts() const { return parts_; }

  // Thread-safe with a workspace per thread.
  PhraseAnswer parse(const WordsToParse& sentence, const PhraseQuestion& question,
                     const SearchOptions& search, Workspace& workspace) const;

  // Word clusters are those of the tagger; null if it has none.
  const WordClusters* clusters() const { return parts_.tagger.model().clusters.get(); }
  // The tags of the words: those that are given and known, the tagger's for the others.
  std::vector<std::string> tags_of(const WordsToParse& sentence, Workspace& workspace) const;

  // The steps of a parse, for those who look at more than the answer.
  PreparedSentence prepare(const WordsToParse& sentence, Workspace& workspace) const;
  // Has a rung features of siblings and grandchildren for so many words?
  bool is_second_order(Rung rung, int words, const SearchOptions& search) const;
  // What a rung looks at; nothing for a sentence that is too large for it.
  std::optional<SpinalParts> parts_on(Rung rung, const PreparedSentence& sentence,
                                      const SearchOptions& search, Workspace& workspace) const;
  // With any other adjunctions.
  SpinalParts parts_with(const PreparedSentence& sentence, std::vector<SpinalArc> arcs) const;
  void score(const SpinalParts& parts, bool second_order, Workspace& workspace) const;
  const FrozenWeights& weights() const { return weights_; }
  // Heads, and the adjunction of each word as a label.
  DependencyTree dependencies_of(const Analysis& analysis) const;

 private:
  struct Task;
  bool attempt(Task& task, Rung rung, Workspace& workspace) const;
  bool add_best(Task& task, const SpinalParts& parts, Workspace& workspace) const;
  void add_trees(Task& task, const SpinalParts& parts,
                 const std::vector<SpinalDerivation>& found) const;

  Parts parts_;
  HugePageCopy bytes_;
  FrozenWeights weights_;
};

// The spines that the words of a sentence may have; [0] is of nobody.
std::vector<std::vector<SpinalSpine>> spines_of(const Inventory& inventory,
                                                std::span<const std::string> words,
                                                std::span<const std::string> tags);
// One more, unless it is there: a right one that the dictionary lacks.
void add_spine(const Inventory& inventory, std::string_view tag, int chain,
               std::vector<SpinalSpine>& spines);

}  // namespace copse::spinal
