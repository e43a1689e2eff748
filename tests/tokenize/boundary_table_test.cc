#include "copse/tokenize/boundary_table.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"

namespace copse {
namespace {

constexpr BoundarySet kI = set_of(Boundary::inside);
constexpr BoundarySet kT = set_of(Boundary::token);
constexpr BoundarySet kS = set_of(Boundary::sentence);

void add(BoundaryCounter& counter, CharClass left, Gap gap, CharClass right, Boundary boundary,
         int times) {
  for (int i = 0; i < times; ++i) counter.add(left, gap, right, boundary);
}

TEST(BoundaryTable, WhatNearlyAlwaysHappensIsNoQuestion) {
  BoundaryCounter counter;
  add(counter, CharClass::lower, Gap::none, CharClass::lower, Boundary::inside, 10000);
  add(counter, CharClass::lower, Gap::none, CharClass::lower, Boundary::token, 5);
  add(counter, CharClass::lower, Gap::blank, CharClass::lower, Boundary::token, 1000);
  add(counter, CharClass::lower, Gap::blank, CharClass::upper, Boundary::token, 90);
  add(counter, CharClass::lower, Gap::blank, CharClass::upper, Boundary::sentence, 10);
  const BoundaryTable table = counter.table({});
  EXPECT_EQ(table.at(CharClass::lower, Gap::none, CharClass::lower), kI);
  EXPECT_TRUE(table.is_inside(CharClass::lower, CharClass::lower));
  EXPECT_EQ(table.at(CharClass::lower, Gap::blank, CharClass::lower), kT);
  EXPECT_EQ(table.at(CharClass::lower, Gap::blank, CharClass::upper), kT | kS);
  EXPECT_EQ(table.at(CharClass::lower, Gap::line_end, CharClass::lower), kT | kS);
}

TEST(BoundaryTable, WhatWasNeverSeenIsOpenUnlessItIsOneWord) {
  const BoundaryTable table = BoundaryCounter().table({});
  EXPECT_EQ(table.at(CharClass::lower, Gap::none, CharClass::digit), kI);
  EXPECT_EQ(table.at(CharClass::lower, Gap::none, CharClass::dash), kI | kT);
  EXPECT_EQ(table.at(CharClass::lower, Gap::blank, CharClass::dash), kT | kS);
  EXPECT_EQ(table.at(CharClass::pictograph, Gap::none, CharClass::extender), kI);
  EXPECT_EQ(table.at(CharClass::pictograph, Gap::none, CharClass::lower), kT);
}

TEST(BoundaryTable, EveryPlaceIsOpenWhereThereAreNoBlanks) {
  BoundaryCounter counter;
  add(counter, CharClass::han, Gap::none, CharClass::han, Boundary::inside, 60);
  add(counter, CharClass::han, Gap::none, CharClass::hiragana, Boundary::token, 40);
  EXPECT_NEAR(counter.density(), 0.4, 1e-12);
  const BoundaryTable table = counter.table({});
  EXPECT_EQ(table.at(CharClass::han, Gap::none, CharClass::han), kI | kT);
  EXPECT_EQ(table.at(CharClass::han, Gap::none, CharClass::hiragana), kI | kT);
}

TEST(BoundaryTable, BytesComeBackAndBadOnesAreRefused) {
  const BoundaryTable table = BoundaryCounter().table({});
  std::vector<BoundarySet> bytes(table.bytes().begin(), table.bytes().end());
  const BoundaryTable back = BoundaryTable::from_bytes(bytes);
  EXPECT_TRUE(std::ranges::equal(back.bytes(), table.bytes()));
  EXPECT_EQ(back.is_inside(CharClass::lower, CharClass::digit), true);
  bytes[17] = 0;
  EXPECT_THROW(BoundaryTable::from_bytes(bytes), Error);
  bytes[17] = 8;
  EXPECT_THROW(BoundaryTable::from_bytes(bytes), Error);
  bytes.pop_back();
  EXPECT_THROW(BoundaryTable::from_bytes(bytes), Error);
}

}  // namespace
}  // namespace copse
