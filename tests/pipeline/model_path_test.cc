// Models by name: which folder wins, what is a path, and what is said when there is none.
#include "copse/pipeline/model_path.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "copse/base/error.h"
#include "tests/pipeline/pipeline_testing.h"

namespace copse {
namespace {

using pipeline_testing::failure_of;
using pipeline_testing::folder;

std::string folder_with(const std::string& name, const std::vector<std::string>& files) {
  const std::string path = folder().file(name);
  std::filesystem::create_directories(path);
  for (const std::string& file : files) std::ofstream(path + "/" + file) << "x";
  return path;
}

TEST(ModelPath, TheFirstFolderThatHasTheNameWins) {
  const std::string a = folder_with("a", {"en.copse", "README.md", ".copse", ".x.copse"});
  const std::string b = folder_with("b", {"en.copse", "sl.copse"});
  const ModelPath path{{{ModelOrigin::environment, folder().file("nowhere")},
                        {ModelOrigin::user, a},
                        {ModelOrigin::builtin, b}}};
  EXPECT_EQ(path.find("en"), a + "/en.copse");
  EXPECT_EQ(path.find("sl"), b + "/sl.copse");
  EXPECT_EQ(path.find("other.copse"), "other.copse");
  EXPECT_EQ(path.find("./en"), "./en");
  const auto models = path.models();
  ASSERT_EQ(models.size(), 3U);
  EXPECT_EQ(models[0].path, a + "/en.copse");
  EXPECT_FALSE(models[0].hidden);
  EXPECT_TRUE(models[1].hidden);
  EXPECT_EQ(models[2].name, "sl");
  try {
    (void)path.find("enn");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::machine);
    EXPECT_NE(error.hint().find("'en'"), std::string::npos);
  }
  EXPECT_NE(failure_of([&] { (void)path.find("xyzzy"); }).find("xyzzy"), std::string::npos);
}

TEST(ModelPath, TheEnvironmentComesFirstThenTheUserThenTheProgram) {
  setenv("COPSE_MODELS", "/one::/two", 1);
  setenv("XDG_DATA_HOME", "/data", 1);
  const ModelPath path = ModelPath::standard();
  ASSERT_GE(path.folders.size(), 5U);
  EXPECT_EQ(path.folders[0].path, "/one");
  EXPECT_EQ(path.folders[1].path, "/two");
  EXPECT_EQ(path.folders[2].path, "/data/copse");
  EXPECT_EQ(path.folders[2].origin, ModelOrigin::user);
  EXPECT_EQ(path.folders[3].origin, ModelOrigin::builtin);
  EXPECT_EQ(user_model_folder(), "/data/copse");
  unsetenv("XDG_DATA_HOME");
  setenv("HOME", "/home/her", 1);
  EXPECT_EQ(user_model_folder(), "/home/her/.local/share/copse");
  unsetenv("COPSE_MODELS");
}

}  // namespace
}  // namespace copse
