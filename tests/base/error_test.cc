#include "copse/base/error.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(Error, SaysFileLineColumnMessageAndHint) {
  const Error error =
      data_error("HEAD is 31; expected 0 to 24", {"train.conllu", 1207, 5}, "renumber");
  EXPECT_STREQ(error.what(), "train.conllu:1207:5: HEAD is 31; expected 0 to 24\n  hint: renumber");
  EXPECT_EQ(error.exit_code(), 1);
}

TEST(Error, ContextFillsOnlyWhatIsUnknown) {
  const Error error = data_error("bad", {"", 7, 2}).at({"a.mrg", 99, 1});
  EXPECT_STREQ(error.what(), "a.mrg:7:2: bad");
  EXPECT_STREQ(data_error("bad").at({"a.mrg", 99, 0}).what(), "a.mrg:99: bad");
}

TEST(Error, LineWithoutFile) {
  EXPECT_STREQ(data_error("bad", {"", 3, 0}).what(), "line 3: bad");
}

TEST(Error, MachineErrorsCarryTheSystemsReason) {
  const Error error = machine_error("cannot open x", 2);
  EXPECT_STREQ(error.what(), "cannot open x: No such file or directory");
  EXPECT_EQ(error.exit_code(), 3);
}

}  // namespace
}  // namespace copse
