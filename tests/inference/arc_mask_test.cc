#include "copse/inference/arc_mask.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(ArcMask, AllowsEveryArcButTheDiagonalAndArcsIntoTheRoot) {
  const ArcMask mask(4);
  EXPECT_EQ(mask.arcs(), 16);
  EXPECT_EQ(mask.heads(2), (std::vector<int>{0, 1, 3, 4}));
  EXPECT_FALSE(mask.allowed(3, 3));
  EXPECT_FALSE(mask.allowed(1, 0));
}

TEST(ArcMask, RequiredArcIsTheOnlySurvivor) {
  ArcMask mask(3);
  mask.require(3, 1);
  EXPECT_EQ(mask.heads(1), std::vector<int>{3});
}

TEST(ArcMask, ContradictingRequirementsLeaveNoHead) {
  ArcMask mask(3);
  mask.require(3, 1);
  mask.require(2, 1);
  EXPECT_TRUE(mask.heads(1).empty());
}

TEST(ArcMask, NoneStartsEmpty) {
  ArcMask mask = ArcMask::none(2);
  EXPECT_EQ(mask.arcs(), 0);
  mask.allow(0, 2);
  EXPECT_EQ(mask.heads(2), std::vector<int>{0});
}

}  // namespace
}  // namespace copse
