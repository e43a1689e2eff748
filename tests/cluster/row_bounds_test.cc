#include "copse/cluster/row_bounds.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "copse/base/random.h"

namespace copse {
namespace {

using Answer = std::tuple<Fixed, std::uint32_t, std::uint32_t>;  // value, smaller id, larger id
using Triangle = std::vector<std::vector<Fixed>>;

Answer answer(const RowBounds::Least& least, const std::vector<std::uint32_t>& ids) {
  const auto [first, second] = std::minmax(ids[least.row], ids[least.column]);
  return {least.value, first, second};
}

RowBounds::Least least_of_row(const Triangle& values, std::uint32_t row,
                              const std::vector<std::uint32_t>& ids) {
  RowBounds::Least least{RowBounds::kNever, row, 0};
  for (std::uint32_t column = 0; column < row; ++column) {
    const RowBounds::Least here{values[row][column], row, column};
    if (least.value == RowBounds::kNever || answer(here, ids) < answer(least, ids)) least = here;
  }
  return least;
}

struct Before {
  const std::vector<std::uint32_t>& ids;
  bool operator()(const RowBounds::Least& a, const RowBounds::Least& b) const {
    return answer(a, ids) < answer(b, ids);
  }
};

Answer least_of_all(const Triangle& values, const std::vector<std::uint32_t>& ids) {
  Answer least{RowBounds::kNever, 0, 0};
  for (std::uint32_t row = 1; row < ids.size(); ++row) {
    least = std::min(least, answer(least_of_row(values, row, ids), ids));
  }
  return least;
}

// Few different values make many ties.
TEST(RowBounds, TheLeastPairIsFoundAfterAnyChanges) {
  constexpr std::uint32_t kSize = 7;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RowBounds bounds(kSize);
    Triangle values;
    std::vector<std::uint32_t> ids;
    const auto value = [&] { return static_cast<Fixed>(random.below(5)); };
    for (std::uint32_t step = 0; step < 60; ++step) {
      const auto rows = static_cast<std::uint32_t>(ids.size());
      auto row = static_cast<std::uint32_t>(random.below(rows + 1));
      if (row == rows && rows < kSize) {
        ids.push_back(1000 - step * (random.chance(0.5) ? 1U : 7U));
        values.emplace_back();
        for (std::uint32_t column = 0; column < rows; ++column) values[row].push_back(value());
        bounds.forget(row);
      } else if (row == rows) {
        if (--row == 0) continue;
        ids.pop_back();
        values.pop_back();
        --row;
      } else if (random.chance(0.3)) {
        for (Fixed& one : values[row]) one += value();  // rising needs no word
      } else if (random.chance(0.5)) {
        for (Fixed& one : values[row]) one -= static_cast<Fixed>(random.below(3));
        bounds.lower(row, 2);
      } else if (row > 0) {
        Fixed& one = values[row][random.below(row)];
        bounds.admit(row, one = value());
      }
      if (ids.size() < 2) continue;
      const auto known =
          random.chance(0.3) ? std::optional(least_of_row(values, row, ids)) : std::nullopt;
      const RowBounds::Least found =
          bounds.least(static_cast<std::uint32_t>(ids.size()), known, Before{ids},
                       [&](std::uint32_t i) { return least_of_row(values, i, ids); });
      ASSERT_EQ(answer(found, ids), least_of_all(values, ids));
    }
  }
}

TEST(RowBounds, RowsThatCannotHoldTheLeastAreNotSearched) {
  const Triangle values{{}, {9}, {4, 8}, {7, 7, 7}};
  const std::vector<std::uint32_t> ids{0, 1, 2, 3};
  RowBounds bounds(4);
  int searched = 0;
  const auto search = [&](std::uint32_t row) {
    ++searched;
    return least_of_row(values, row, ids);
  };
  for (std::uint32_t row = 0; row < 4; ++row) bounds.forget(row);
  EXPECT_EQ(bounds.least(4, std::nullopt, Before{ids}, search).value, 4);
  EXPECT_EQ(searched, 4);
  EXPECT_EQ(bounds.least(4, std::nullopt, Before{ids}, search).value, 4);
  EXPECT_EQ(searched, 5);
  bounds.lower(3, 3);  // 7 - 3 ties with the least: it has to be looked at
  EXPECT_EQ(bounds.least(4, std::nullopt, Before{ids}, search).value, 4);
  EXPECT_EQ(searched, 7);
}

}  // namespace
}  // namespace copse
