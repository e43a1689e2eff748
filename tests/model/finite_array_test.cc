#include "copse/model/finite_array.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace copse {
namespace {

template <class T>
ModelFile file_with(const std::vector<T>& values) {
  ModelWriter writer("test", nlohmann::json::object());
  writer.add_array<T>("values", values);
  return ModelFile::from_bytes(writer.bytes(), "in.copse");
}

TEST(FiniteArray, GivesWhatLearnersReach) {
  const std::vector<double> values = {0, -1.5, 1e18, -1e18,
                                      std::numeric_limits<double>::denorm_min()};
  const ModelFile file = file_with(values);
  const auto read = finite_array<double>(file, "values");
  EXPECT_EQ(std::vector<double>(read.begin(), read.end()), values);
  EXPECT_TRUE(finite_array<float>(file_with(std::vector<float>{}), "values").empty());
}

template <class T>
void expect_refused(T value) {
  const ModelFile file = file_with(std::vector<T>{1, value, 2});
  try {
    finite_array<T>(file, "values");
    FAIL() << value;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(error.message().find("has impossible numbers"), std::string::npos) << error.message();
  }
}

TEST(FiniteArray, RefusesWhatWouldSpread) {
  expect_refused(std::nan(""));
  expect_refused(HUGE_VAL);
  expect_refused(-1e300);
  expect_refused(2e18);
  expect_refused(std::nanf(""));
  expect_refused(3e38F);
  expect_refused(-HUGE_VALF);
}

}  // namespace
}  // namespace copse
