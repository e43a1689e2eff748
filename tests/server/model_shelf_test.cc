#include "copse/server/model_shelf.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/server/server_testing.h"

namespace copse::server {
namespace {

using server_testing::folder;

TEST(ModelShelf, NamesAreGivenOrTaken) {
  EXPECT_EQ(ModelSpec::from("en=a.copse,b.copse").name, "en");
  EXPECT_EQ(ModelSpec::from("en=a.copse,b.copse").paths,
            (std::vector<std::string>{"a.copse", "b.copse"}));
  EXPECT_EQ(ModelSpec::from("models/wsj.copse").name, "wsj");
  for (const char* wrong : {"", "=a.copse", "en=", "en=a.copse,", ",a.copse"}) {
    EXPECT_THROW(ModelSpec::from(wrong), Error) << wrong;
  }
  const ModelSpec twice{"en", {folder().file("tagger.copse")}};
  EXPECT_THROW(load_models({twice, twice}), Error);
}

TEST(ModelShelf, AReloadChangesNothingForWhoHoldsTheOldModels) {
  const std::string path = folder().file("changing.copse");
  std::filesystem::copy_file(folder().file("tagger.copse"), path);
  ModelShelf shelf([&] { return load_models({{"x", {path}}}); });
  const auto before = shelf.current();
  EXPECT_NE(before->front()->tagger(), nullptr);
  // Replaced by a rename, as Output does it.
  std::filesystem::copy_file(folder().file("parser.copse"), path + ".new");
  std::filesystem::rename(path + ".new", path);
  shelf.reload();
  EXPECT_NE(before->front()->tagger(), nullptr);
  EXPECT_EQ(shelf.current()->front()->tagger(), nullptr);
  EXPECT_NE(shelf.current()->front()->dependencies(), nullptr);
  // One that cannot be loaded leaves those that are there.
  std::filesystem::remove(path);
  EXPECT_THROW(shelf.reload(), Error);
  EXPECT_NE(shelf.current()->front()->dependencies(), nullptr);
}

}  // namespace
}  // namespace copse::server
