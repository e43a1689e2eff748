#include "copse/base/pace.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(Pace, SaysTheRateOfTheRoundAndWhatIsLeftOfAll) {
  // 12,544 sentences in 8 s; 3 of 10 rounds took 30 s, so that 7 more take 70 s.
  EXPECT_EQ(Pace::render(12544, "sentences", 8, 30, 3, 10), "1,568 sentences/s, at most 1:10 left");
  EXPECT_EQ(Pace::render(100, "words", 0.5, 5, 10, 10), "200 words/s");
  EXPECT_EQ(Pace::render(100, "words", 0.5, 5, 0, 10), "200 words/s");
}

TEST(Pace, ARunThatGoesOnCountsItsOwnRounds) {
  Pace pace(5, "words");
  EXPECT_NE(pace.after(4, 10).find("left"), std::string::npos);  // the fourth is the first here
  EXPECT_EQ(pace.after(5, 10).find("left"), std::string::npos);
}

}  // namespace
}  // namespace copse
