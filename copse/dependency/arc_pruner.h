// Coarse to fine (Koo & Collins 2010, section 6; Carreras et al. 2008): a first-order log-linear
// model says how likely each arc is, and the rich model looks only at those that have a chance,
//
//   keep (h,m)   iff   mu(h,m) >= threshold * max over h' of mu(h',m)
//
// A tree always remains: the likeliest heads of all words if they make one, else the arcs of the
// pruner's own best tree are kept too. Before all that, the length filter leaves out what cannot
// be, and the tag filter what tags make unlikely, unless that leaves no tree.
#pragma once

#include <optional>
#include <span>

#include "copse/dependency/length_filter.h"
#include "copse/dependency/part_scorer.h"
#include "copse/dependency/tag_filter.h"
#include "copse/inference/arc_mask.h"
#include "copse/inference/tree_search.h"

namespace copse {

class ArcPruner {
 public:
  // Scratch memory of one thread.
  struct Scratch {
    TreeSearch search;
    PartScorer::Scratch scorer;
    PartScores scores;
  };

  ArcPruner() = default;
  // Kind: of the trees that the rich model searches; the pruner uses their first order. Without a
  // scorer (threshold 0) only the filter works.
  ArcPruner(LengthFilter filter, PartScorer scorer, double threshold, const TreeKind& kind);

  double threshold() const { return threshold_; }
  void set_threshold(double threshold) { threshold_ = threshold; }
  void set_kind(const TreeKind& kind);
  const LengthFilter& filter() const { return filter_; }
  const PartScorer& scorer() const { return scorer_; }
  const TagFilter& tag_filter() const { return tag_filter_; }
  void set_tag_filter(TagFilter filter) { tag_filter_ = std::move(filter); }

  // `demanded`: arcs that may be used at all, such as a user's constraints; all of them if null.
  // Words with a single demanded head keep it whatever the filter says. If the demands leave no
  // tree, the answer has no arcs.
  ArcMask prune(std::span<const ParserWord> words, const PositionAtoms& atoms,
                const ArcMask* demanded, Scratch& scratch) const;

  // What both filters let pass and the scorer looks at; there may be no tree in it.
  ArcMask candidates(std::span<const ParserWord> words, const PositionAtoms& atoms,
                     const ArcMask* demanded) const;

  // What the length filter lets pass, made safe: with a tree in it whenever the demands have one.
  ArcMask filtered(std::span<const ParserWord> words, const ArcMask* demanded,
                   TreeSearch& search) const;

 private:
  // What the length filter lets pass.
  ArcMask passed(std::span<const ParserWord> words, const ArcMask* demanded) const;
  // What the scorer leaves of a mask; nothing if the mask has no tree.
  std::optional<ArcMask> likely(const ArcMask& mask, const PositionAtoms& atoms,
                                Scratch& scratch) const;

  LengthFilter filter_;
  TagFilter tag_filter_;
  PartScorer scorer_;
  double threshold_ = 0;
  TreeKind kind_;
};

}  // namespace copse
