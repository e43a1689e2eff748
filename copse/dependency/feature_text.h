// Features as a person reads them: the atoms of a template with their values in one sentence,
//
//   h.w=saw m.w=dog dir=right
//
// in the order of the table; the copy with direction or distance ends in that.
#pragma once

#include <span>
#include <string>

#include "copse/dependency/part_features.h"
#include "copse/dependency/position_atoms.h"

namespace copse {

class FeatureText {
 public:
  // All of them must outlive this; `atoms` are those of `words`. `clusters` may be null.
  FeatureText(const PartTemplates& templates, std::span<const ParserWord> words,
              const PositionAtoms& atoms, const WordClusters* clusters)
      : templates_(templates), words_(words), atoms_(atoms), clusters_(clusters) {}

  // "dep words": section and template.
  std::string name(int section, int number) const;
  // The arguments as PartFeatures::for_each_member gives them.
  std::string values(int section, int number, FeatureCopy copy, int member, const Part& part) const;

 private:
  std::string atom(const PartTemplate& row, const PartTemplate::Atom& atom, int member,
                   const Part& part) const;
  std::string position_atom(AtomPlace place, int offset, int position) const;
  std::string member_text(EachOf each, int member, const Part& part) const;

  const PartTemplates& templates_;
  std::span<const ParserWord> words_;
  const PositionAtoms& atoms_;
  const WordClusters* clusters_;
};

}  // namespace copse
