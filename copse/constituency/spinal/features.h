// The features of the spinal parser: tables of templates (templates/*.templates) joined with what a
// spine or an adjunction is.
//
//   e(i, chain)            spine.templates   x  the chain of phrases
//   d(h,m,l)  s  g  q      part.templates   x  four views of the label: <X,Y,Z,A>, <X,Z,A>, <X,A>
//                                               and nothing
//   begin(i,l)  end(i,l)   begin, end        x  <X,Z,A> and the direction of the arc
//   edge(h,N,side,i)       edge              x  the phrase and the side
//
// A is the rise. The key of a template has a row of weights, one for each thing that it is joined
// with; all of them are numbered together. A row is looked up once for all labels of an arc.
// Scoring and learning walk the same lines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "copse/constituency/spinal/inventory.h"
#include "copse/dependency/part_features.h"
#include "copse/dependency/position_atoms.h"
#include "copse/model/weight_rows.h"

namespace copse::spinal {

// The tables as text, as they are saved.
struct TemplateTexts {
  std::string spine, parts, begin, end, edge;
};
// Those that come with the program; with clusters, tables for them as well.
TemplateTexts builtin_templates(bool clusters = false);

// A part of a derivation as features see it. The Part of a spine is stop(h); that of a boundary
// stop(h) too, of the word at the end of m's tree, g being the head of m; that of an edge dep(h,m), m
// being the last word of a phrase of h on its side, h itself if there is nothing.
struct RolePart {
  enum Role { spine, dep, begin, end, sib, grand, edge } role = dep;
  Part part;
  int what = 0;  // the chain of a spine; the label of a phrase; the adjunction of the others
  bool operator==(const RolePart&) const = default;
};
// An order over all of them.
bool comes_before(const RolePart& a, const RolePart& b);

class Features {
 public:
  using Keys = std::vector<FeatureKey>;
  static constexpr int kViews = 3;  // and nothing

  Features() = default;
  // Throws data_error for tables that cannot be read; `file` names them.
  Features(const TemplateTexts& texts, const Inventory& inventory, const std::string& file);

  const TemplateTexts& texts() const { return texts_; }

  // The table of a part, whose section is that of the part's family.
  const PartFeatures& table(RolePart::Role role) const;
  // What the keys of a part are joined with.
  std::vector<Label> joined(const RolePart& part) const;

  // Keys of the templates alone; what was in `out` is replaced.
  void keys(const PositionAtoms& atoms, const RolePart& part, Keys& out) const;
  void spine(const PositionAtoms& atoms, int word, Keys& out) const;
  void part(const PositionAtoms& atoms, const Part& part, Keys& out) const;
  void begin(const PositionAtoms& atoms, int word, Keys& out) const;
  void end(const PositionAtoms& atoms, int word, Keys& out) const;
  void edge(const PositionAtoms& atoms, int head, int word, Keys& out) const;

  // What keys are joined with: numbers below labels().
  static constexpr Label kNothing = 0;
  Label chain(int chain) const { return static_cast<Label>(first_chain_ + chain); }
  const std::array<Label, kViews>& views(int adjunction) const {
    return views_[static_cast<std::size_t>(adjunction)];
  }
  // The view that boundaries are joined with, for arcs in either direction.
  Label boundary(int adjunction, Side side) const {
    return static_cast<Label>(first_boundary_ + 2 * views(adjunction)[1] +
                              (side == Side::right ? 1 : 0));
  }
  // The edge of a phrase on a side.
  Label edge(int phrase, Side side) const {
    return static_cast<Label>(first_edge_ + 2 * phrase + (side == Side::right ? 1 : 0));
  }
  std::size_t labels() const { return static_cast<std::size_t>(end_of_labels_); }

  // What a view stands for, in words: "NP/NN/PP:s", "NP/PP:s", "NP:s".
  std::string view_text(Label view) const { return texts_of_views_[view]; }

 private:
  static void keys_of(const PartFeatures& table, const PositionAtoms& atoms, const Part& part,
                      Keys& out);
  static Part of_word(int word) { return {.family = PartFamily::stop, .h = word}; }

  TemplateTexts texts_;
  PartFeatures spine_, parts_, begin_, end_, edge_;
  std::vector<std::string> texts_of_views_;  // [0] is of nothing
  std::vector<std::array<Label, kViews>> views_;
  int first_chain_ = 1, first_boundary_ = 1, first_edge_ = 1, end_of_labels_ = 1;
};

}  // namespace copse::spinal
