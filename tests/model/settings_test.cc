// Numbers of a configuration stay within their ranges; tables of a file have free slots.
#include "copse/model/settings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/model/probe_runs.h"

namespace copse {
namespace {

class SettingsTest : public ::testing::Test {
 protected:
  const ModelFile file_ = ModelFile::from_bytes(ModelWriter("toy", nullptr).bytes(), "m.copse");
  const nlohmann::json object_ = {{"half", 0.5},       {"three", 3},         {"minus", -1},
                                  {"huge", 1e300},     {"yes", true},        {"name", "first"},
                                  {"list", {1, 2, 3}}, {"large", 4294967296}};
  const Settings settings_{file_, "here", object_};

  template <class Call>
  static std::string message(Call call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_EQ(error.place().file, "m.copse");
      return error.message();
    }
    return {};
  }
};

TEST_F(SettingsTest, GivesWhatIsWithinItsRange) {
  EXPECT_EQ(settings_.number("half", 0.5, 1), 0.5);
  EXPECT_EQ(settings_.number("three", 0, 3), 3);
  EXPECT_EQ(settings_.whole("three", 3, 10), 3);
  EXPECT_EQ(settings_.whole("minus", -1, 1), -1);
  EXPECT_TRUE(settings_.flag("yes"));
  EXPECT_EQ(settings_.text("name"), "first");
}

TEST_F(SettingsTest, NamesWhatIsNot) {
  const std::string begin = "damaged model: section 'here' ";
  EXPECT_EQ(message([&] { settings_.number("gone", 0, 1); }), begin + "has no \"gone\"");
  EXPECT_EQ(message([&] { settings_.number("half", 0.6, 1); }),
            begin + "\"half\" is 0.5; expected a number from 0.6 to 1");
  EXPECT_EQ(message([&] { settings_.whole("half", 0, 1); }),
            begin + "\"half\" is 0.5; expected a whole number from 0 to 1");
  EXPECT_EQ(message([&] { settings_.whole("large", 0, INT_MAX); }),
            begin + "\"large\" is 4294967296; expected a whole number from 0 to 2147483647");
  EXPECT_EQ(message([&] { settings_.whole("minus", 0, 9); }),
            begin + "\"minus\" is -1; expected a whole number from 0 to 9");
  EXPECT_EQ(message([&] { settings_.number("huge", 0, 1e9); }),
            begin + "\"huge\" is 1e+300; expected a number from 0 to 1000000000");
  EXPECT_EQ(message([&] { settings_.number("list", 0, 9); }),
            begin + "\"list\" is [1,2,3]; expected a number from 0 to 9");
  EXPECT_EQ(message([&] { settings_.number("yes", 0, 9); }),
            begin + "\"yes\" is true; expected a number from 0 to 9");
  EXPECT_EQ(message([&] { settings_.flag("three"); }),
            begin + "\"three\" is 3; expected true or false");
  EXPECT_EQ(message([&] { settings_.text("yes"); }), begin + "\"yes\" is true; expected a text");
  const Settings nothing(file_, "there", file_.config().at("kind"));
  EXPECT_EQ(message([&] { nothing.flag("yes"); }), "damaged model: section 'there' has no \"yes\"");
}

TEST(ProbeRuns, WantHalfOfTheSlotsFreeAndNoLongRun) {
  ProbeRuns half, more, run;
  for (int i = 0; i < 10; ++i) half.add(i % 2 == 0);
  EXPECT_TRUE(half.good());
  EXPECT_EQ(half.taken(), 5U);
  for (int i = 0; i < 10; ++i) more.add(i % 2 == 0 || i == 5);
  EXPECT_FALSE(more.good());
  for (std::size_t i = 0; i < 3 * ProbeRuns::kLongest; ++i) run.add(i < ProbeRuns::kLongest);
  EXPECT_TRUE(run.good());
  ProbeRuns longer;
  for (std::size_t i = 0; i < 3 * ProbeRuns::kLongest; ++i) longer.add(i <= ProbeRuns::kLongest);
  EXPECT_FALSE(longer.good());
  EXPECT_TRUE(ProbeRuns().good());
}

}  // namespace
}  // namespace copse
