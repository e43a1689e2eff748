#include "copse/model/provenance.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace copse {
namespace {

TEST(Provenance, TellsProgramOptionsDataAndFigures) {
  const auto object =
      provenance({{"epochs", 5}}, {{"train", "t.conllu", "00ff", 3, 20}}, {{"dev upos", 95.5}});
  EXPECT_EQ(object.at("program").get<std::string>().substr(0, 6), "copse ");
  EXPECT_EQ(object.at("options").at("epochs"), 5);
  EXPECT_EQ(object.at("data").size(), 1U);
  EXPECT_EQ(object.at("data")[0], nlohmann::json({{"role", "train"},
                                                  {"name", "t.conllu"},
                                                  {"checksum", "00ff"},
                                                  {"sentences", 3},
                                                  {"words", 20}}));
  EXPECT_EQ(object.at("figures").at("dev upos"), 95.5);
}

}  // namespace
}  // namespace copse
