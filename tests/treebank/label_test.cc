#include "copse/treebank/label.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

using Tags = std::vector<std::string_view>;

TEST(Label, BaseIsCutAtTheFirstMarkBehindTheFirstCharacter) {
  EXPECT_EQ(base_label("NP-SBJ-1"), "NP");
  EXPECT_EQ(base_label("NP=2"), "NP");
  EXPECT_EQ(base_label("ADVP|PRT"), "ADVP");
  EXPECT_EQ(base_label("S"), "S");
  EXPECT_EQ(base_label(""), "");
  EXPECT_EQ(base_label("PRP$"), "PRP$");
  EXPECT_EQ(base_label("=x"), "=x");
}

TEST(Label, LabelsThatBeginWithAHyphenAreWhole) {
  EXPECT_EQ(base_label("-LRB-"), "-LRB-");
  EXPECT_EQ(base_label("-NONE-"), "-NONE-");
  EXPECT_TRUE(function_tags("-LRB-").empty());
}

TEST(Label, FunctionTagsAreThePartsThatAreNoNumbers) {
  EXPECT_EQ(function_tags("ADVP-LOC-CLR"), (Tags{"LOC", "CLR"}));
  EXPECT_EQ(function_tags("NP-SBJ-1"), (Tags{"SBJ"}));
  EXPECT_EQ(function_tags("ADVP|PRT-CLR"), (Tags{"CLR"}));
  EXPECT_TRUE(function_tags("NP=SBJ").empty());
  EXPECT_TRUE(function_tags("NP-").empty());
}

TEST(Label, HasFunctionTagComparesWholeTags) {
  EXPECT_TRUE(has_function_tag("NP-SBJ-1", "SBJ"));
  EXPECT_FALSE(has_function_tag("NP-SBJ-1", "SB"));
  EXPECT_FALSE(has_function_tag("SBJ", "SBJ"));
  EXPECT_FALSE(has_function_tag("NP-SBJ-1", "1"));
}

TEST(Label, IndicesAreReadByTheirMark) {
  EXPECT_EQ(coindex("NP-SBJ-1"), 1);
  EXPECT_EQ(gap_index("NP-SBJ-1"), std::nullopt);
  EXPECT_EQ(gap_index("NP-3=2"), 2);
  EXPECT_EQ(coindex("NP-3=2"), 3);
  EXPECT_EQ(coindex("NP-99999999999999999999"), std::nullopt);
}

TEST(Label, OuterLabelsStandForTheWholeTree) {
  EXPECT_TRUE(is_outer_label(""));
  EXPECT_TRUE(is_outer_label("TOP"));
  EXPECT_FALSE(is_outer_label("S"));
}

}  // namespace
}  // namespace copse
