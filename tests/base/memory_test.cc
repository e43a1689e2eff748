// Symbols, arenas and the progress line.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "copse/base/arena.h"
#include "copse/base/progress.h"
#include "copse/base/symbols.h"

namespace copse {
namespace {

TEST(Symbols, IdsAreDenseInOrderOfFirstAppearance) {
  Symbols symbols;
  EXPECT_EQ(symbols.add("b"), 0U);
  EXPECT_EQ(symbols.add("a"), 1U);
  EXPECT_EQ(symbols.add("b"), 0U);
  EXPECT_EQ(symbols.size(), 2U);
  EXPECT_EQ(symbols.find("a"), 1U);
  EXPECT_EQ(symbols.find("c"), Symbols::kUnknown);
}

TEST(Symbols, TextsStayValidWhileTheTableGrows) {
  Symbols symbols;
  const std::string_view first = symbols.text(symbols.add("the first one"));
  for (int i = 0; i < 10000; ++i) symbols.add(std::to_string(i));
  EXPECT_EQ(first, "the first one");
  for (int i = 0; i < 10000; ++i) {
    const std::string text = std::to_string(i);
    ASSERT_EQ(symbols.text(symbols.find(text)), text);
  }
}

TEST(Arena, GivesZeroedAlignedMemoryThatDoesNotOverlap) {
  Arena arena;
  auto first = arena.make<double>(100);
  auto second = arena.make<int>(5000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.data()) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.data()) % 64, 0U);
  for (double& value : first) EXPECT_EQ(value, 0.0);
  for (double& value : first) value = 1.5;
  for (int& value : second) value = 7;
  for (const double value : first) ASSERT_EQ(value, 1.5);
}

TEST(Arena, StopsGrowingWhenTheWorkRepeats) {
  Arena arena;
  const auto work = [&] {
    arena.reset();
    for (int i = 1; i < 50; ++i) arena.make<int>(static_cast<std::size_t>(i) * 100);
  };
  work();
  work();
  const std::size_t reserved = arena.bytes_reserved();
  for (int i = 0; i < 10; ++i) work();
  EXPECT_EQ(arena.bytes_reserved(), reserved);
  for (const int value : arena.make<int>(10)) EXPECT_EQ(value, 0);
}

TEST(Progress, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(Progress::render("convert", "sentences", 1200, 0.4, 2.0),
            "convert [########............]  40%  1,200 sentences  600/s  eta 0:03");
  EXPECT_EQ(Progress::render("convert", "sentences", 1234567, std::nullopt, 2.0),
            "convert  1,234,567 sentences  617,283/s");
}

}  // namespace
}  // namespace copse
