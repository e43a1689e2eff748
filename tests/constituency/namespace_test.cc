// Rooms that give one name to different things: both headers in one file must compile, and the
// types must not be one. (A second copse::Side of another size was undefined behaviour at -O0.)
#include <gtest/gtest.h>

#include <type_traits>

#include "copse/constituency/generative/events.h"
#include "copse/inference/part.h"

namespace copse {
namespace {

TEST(Namespaces, SidesOfTwoRoomsAreTwoTypes) {
  static_assert(!std::is_same_v<Side, generative::Side>);
  EXPECT_EQ(sizeof(generative::ModifierContext::side), 1U);
  EXPECT_EQ(static_cast<int>(generative::Side::right), static_cast<int>(Side::right));
}

}  // namespace
}  // namespace copse
