// The features of the spinal parser: tables of templates (templates/*.templates) joined with what a
// spine or an adjunction is.
//
//   e(i, chain)            spine.templates   x  the chain of phrases
//   d(h,m,l)  s  g  q      part.templates   x  four views of the label: <X,Y,Z,A>, <X,Z,A>, <X,A>
//                                               and nothing
//   begin(i,l)  end(i,l)   begin, end        x  <X,Z,A> and the direction of the arc
//
// A is the rise. Keys of the templates are made once for all labels of an arc; the views of the
// labels are mixed in last. Scoring and learning walk the same lines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "copse/constituency/spinal/inventory.h"
#include "copse/dependency/part_features.h"
#include "copse/dependency/position_atoms.h"

namespace copse::spinal {

// The tables as text, as they are saved.
struct TemplateTexts {
  std::string spine, parts, begin, end;
};
// Those that come with the program.
TemplateTexts builtin_templates();

class Features {
 public:
  using Keys = std::vector<FeatureKey>;
  static constexpr int kViews = 3;  // and nothing

  Features() = default;
  // Throws data_error for tables that cannot be read; `file` names them.
  Features(const TemplateTexts& texts, const Inventory& inventory, const std::string& file);

  const TemplateTexts& texts() const { return texts_; }

  // Keys of the templates alone; what was in `out` is replaced.
  void spine(const PositionAtoms& atoms, int word, Keys& out) const;
  void part(const PositionAtoms& atoms, const Part& part, Keys& out) const;
  void begin(const PositionAtoms& atoms, int word, Keys& out) const;
  void end(const PositionAtoms& atoms, int word, Keys& out) const;

  AtomValue chain(int chain) const { return chains_[static_cast<std::size_t>(chain)]; }
  // The views of an adjunction, numbered over all of them.
  const std::array<int, kViews>& views(int adjunction) const {
    return views_[static_cast<std::size_t>(adjunction)];
  }
  int views() const { return static_cast<int>(view_atoms_.size()); }
  AtomValue view(int number) const { return view_atoms_[static_cast<std::size_t>(number)]; }
  // The view that boundaries are joined with, for arcs in either direction.
  AtomValue boundary(int adjunction, Side side) const;

  // What the numbers stand for, in words: "NP/NN/PP:s", "NP/PP:s", "NP:s".
  std::string view_text(int number) const { return view_texts_[static_cast<std::size_t>(number)]; }

  const PartFeatures& spine_table() const { return spine_; }
  const PartFeatures& part_table() const { return parts_; }

 private:
  static void of_word(const PartFeatures& table, const PositionAtoms& atoms, int word, Keys& out);

  TemplateTexts texts_;
  PartFeatures spine_, parts_, begin_, end_;
  std::vector<AtomValue> chains_, view_atoms_;
  std::vector<std::string> view_texts_;
  std::vector<std::array<int, kViews>> views_;
};

// The key of a feature with its label or chain.
inline FeatureKey with(FeatureKey key, AtomValue what) {
  return join(key, what);
}

}  // namespace copse::spinal
