#include "copse/base/pace.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

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

TEST(SharedWork, AddsUpWhatThreadsHaveDone) {
  std::vector<std::pair<std::size_t, std::size_t>> told;
  const WorkDone tell = [&](std::size_t done, std::size_t all) { told.emplace_back(done, all); };
  SharedWork work(10, tell);
  work.add(4);
  work.add(4);
  work.add(4);  // more than was said to be there
  EXPECT_EQ(told, (std::vector<std::pair<std::size_t, std::size_t>>{{4, 10}, {8, 10}, {10, 10}}));
  const WorkDone nobody;
  SharedWork(10, nobody).add(1);
}

}  // namespace
}  // namespace copse
