#include "copse/inference/part_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/inference/chart_oracle.h"

namespace copse {
namespace {

using reference::kFactorisations;
using reference::kFamilies;
using reference::kRules;

// The parts of all trees that the mask allows, each in words.
std::set<std::string> parts_of_all_trees(const ArcMask& mask, const PartIndex& index) {
  std::set<std::string> found;
  for (const auto& heads : reference::all_trees(mask, index.rule(), Crossing::never))
    for (const Part& part : reference::parts_of(heads, index.factorisation()))
      found.insert(str(part));
  return found;
}

TEST(PartIndex, NumbersExactlyThePartsOfProjectiveTreesWithoutMask) {
  for (const Factorisation f : kFactorisations) {
    const ArcMask mask(5);
    const PartIndex index(mask, f, RootRule::multi);
    std::set<std::string> numbered;
    for (const PartFamily family : kFamilies)
      index.for_each(family, [&](PartIndex::Id, const Part& part) { numbered.insert(str(part)); });
    numbered.erase("stop(0,right,-)");  // in the tree of the empty sentence only
    EXPECT_EQ(numbered, parts_of_all_trees(mask, index)) << name(f);
  }
}

TEST(PartIndex, NumbersEveryPartOfEveryTreeUnderAMaskAndNoPartOfAPrunedArc) {
  Random random(1);
  for (const Factorisation f : kFactorisations)
    for (int repeat = 0; repeat < 20; ++repeat) {
      const ArcMask mask = reference::random_mask(5, 0.4, random);
      const PartIndex index(mask, f, RootRule::multi);
      std::set<std::string> numbered;
      for (const PartFamily family : kFamilies)
        index.for_each(family, [&](PartIndex::Id, const Part& part) {
          numbered.insert(str(part));
          for (const int modifier : {part.m, part.s, part.t})
            EXPECT_TRUE(modifier == kNobody || mask.allowed(part.h, modifier)) << str(part);
          EXPECT_TRUE(part.g == kNobody || mask.allowed(part.g, part.h)) << str(part);
        });
      const std::set<std::string> needed = parts_of_all_trees(mask, index);
      EXPECT_TRUE(std::includes(numbered.begin(), numbered.end(), needed.begin(), needed.end()));
    }
}

TEST(PartIndex, NumbersRiseByOneWithinAFamilyAndLeadBack) {
  Random random(2);
  for (const Factorisation f : kFactorisations)
    for (const RootRule rule : kRules) {
      const PartIndex index(reference::random_mask(6, 0.2, random), f, rule);
      PartIndex::Id size = 0;
      for (const PartFamily family : kFamilies) {
        if (!index.has(family)) {
          EXPECT_EQ(index.count(family), 0);
          continue;
        }
        PartIndex::Id next = index.first(family);
        index.for_each(family, [&](PartIndex::Id id, const Part& part) {
          if (family == PartFamily::stop && id == next + 1) ++next;  // the root has no left side
          EXPECT_EQ(id, next++) << str(part);
          EXPECT_EQ(index.part(id), part);
          EXPECT_EQ(index.find(part), id);
        });
        EXPECT_EQ(next, index.first(family) + index.count(family));
        size += index.count(family);
      }
      EXPECT_EQ(index.size(), size);
    }
}

TEST(PartIndex, CountsThirdOrderPartsAsTheFormulaSays) {
  // sum over h, over pairs s < m on one side (or s nobody), of the heads outside [h,m].
  const PartIndex index(ArcMask(25), Factorisation::model1, RootRule::multi);
  EXPECT_EQ(index.count(PartFamily::gsib), 65000);
}

TEST(PartIndex, GrandparentsOfAnArcAreOneRunOfLanes) {
  Random random(3);
  const ArcMask mask = reference::random_mask(9, 0.3, random);
  const PartIndex index(mask, Factorisation::model1, RootRule::multi);
  for (int a = 0; a < index.arcs(); ++a) {
    const auto [h, m, side] = index.arc(a);
    if (h == 0) continue;
    std::vector<int> outside;
    for (int g = h + 1; g <= 9; ++g)
      if (mask.allowed(g, h) && (g < std::min(h, m) || g > std::max(h, m))) outside.push_back(g);
    for (int g = 0; g < h; ++g)
      if (mask.allowed(g, h) && (g < std::min(h, m) || g > std::max(h, m))) outside.push_back(g);
    const auto lanes = index.grandparents(a);
    std::vector<int> found;
    for (int lane = lanes.first; lane < lanes.last; ++lane)
      found.push_back(index.heads(h)[static_cast<std::size_t>(lane)]);
    EXPECT_EQ(found, outside);
  }
}

}  // namespace
}  // namespace copse
