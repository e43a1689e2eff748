#include "copse/treebank/drawing/curve_svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace copse {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(RoundTicks, AreOneTwoOrFiveTimesAPowerOfTenApart) {
  EXPECT_EQ(round_ticks(1, 10, 10), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(round_ticks(81.3, 88.9, 5), (std::vector<double>{80, 82, 84, 86, 88, 90}));
  EXPECT_EQ(round_ticks(0, 1400, 5), (std::vector<double>{0, 500, 1000, 1500}));
}

TEST(RoundTicks, CoverTheirRange) {
  for (const double low : {-1e6, -3.7, 0.0, 1e-7, 86.2, 1e12}) {
    for (const double width : {1e-3, 0.7, 12.0, 3.3e5}) {
      SCOPED_TRACE(testing::Message() << low << " + " << width);
      const auto ticks = round_ticks(low, low + width, 5);
      ASSERT_GE(ticks.size(), 2U);
      EXPECT_LE(ticks.size(), 8U);
      EXPECT_LE(ticks.front(), low + width * 1e-6);
      EXPECT_GE(ticks.back(), low + width * (1 - 1e-6));
    }
  }
}

TEST(RoundTicks, EndForAnyNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double low : {0.0, -0.0, 5.0, 1e300, -1e308, 1e20, infinity, std::nan("")}) {
    for (const double high : {0.0, 5.0, 1e20, 1e20 + 20000, 1e308, infinity, std::nan("")}) {
      const auto ticks = round_ticks(low, high, 5);
      EXPECT_GE(ticks.size(), 2U) << low << ' ' << high;
      EXPECT_LE(ticks.size(), 100U) << low << ' ' << high;
    }
  }
}

TEST(CurveSvg, HasALineAndDotsForEverySeries) {
  const CurveChart chart{"A < B",
                         {{"pass", "right", {{"UAS", {{1, 80}, {2, 85}}}, {"LAS", {{1, 70}}}}},
                          {"pass", "loss", {{"loss", {{1, 1e5}, {2, 3e4}, {3, 1e4}}}}}}};
  const std::string svg = curve_svg(chart);
  EXPECT_EQ(count(svg, "<polyline"), 3U);
  EXPECT_EQ(count(svg, "<circle"), 6U);
  EXPECT_EQ(count(svg, "A &lt; B"), 2U);
  EXPECT_NE(svg.find(">100,000<"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(CurveSvg, HasATickAtEverySizeThatWasMeasured) {
  const CurveChart chart{"",
                         {{"sentences", "UAS", {{"all", {{500, 1}, {1000, 2}, {4000, 3}}}}, true}}};
  const std::string svg = curve_svg(chart);
  EXPECT_NE(svg.find(">500<"), std::string::npos);
  EXPECT_NE(svg.find(">1,000<"), std::string::npos);
  EXPECT_NE(svg.find(">4,000<"), std::string::npos);
  EXPECT_EQ(svg.find(">2,000<"), std::string::npos);
}

TEST(CurveSvg, LeavesOutWhatIsNoNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  const CurveChart chart{
      "",
      {{"x", "y", {{"s", {{1, infinity}, {2, std::nan("")}, {3, 4}}}}}, {"x", "y", {{"t", {}}}}}};
  const std::string svg = curve_svg(chart);
  EXPECT_EQ(count(svg, "<circle"), 1U);
  EXPECT_EQ(count(svg, "no data"), 1U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace copse
