#include "copse/tokenize/spaced_forms.h"

#include <gtest/gtest.h>

#include "copse/tokenize/boundary_table.h"
#include "copse/tokenize/boundary_walk.h"

namespace copse {
namespace {

// The text with "_" for blanks inside of a form.
std::string marked(const SpacedForms& forms, const std::string& bytes) {
  Characters text;
  text.read(bytes);
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(text.size()), kOpenBoundary);
  forms.mark(text, labels);
  std::string out;
  for (int i = 0; i < text.size(); ++i) {
    const bool inside = is_blank(text.cls(i)) && labels[static_cast<std::size_t>(i)] == 0;
    out += inside ? '_' : static_cast<char>(text.point(i));
  }
  return out;
}

TEST(SpacedForms, TheLongestFormCounts) {
  const SpacedForms forms({"vis a vis", "vis a", "10 000"});
  EXPECT_EQ(marked(forms, "so vis a vis him"), "so vis_a_vis him");
  EXPECT_EQ(marked(forms, "vis a b"), "vis_a b");
  EXPECT_EQ(marked(forms, "10 000, 10 0001"), "10_000, 10 0001");
}

TEST(SpacedForms, AnyWhiteSpaceWillDo) {
  EXPECT_EQ(marked(SpacedForms({"a b"}), "a \t b"), "a_b");
  EXPECT_EQ(marked(SpacedForms({"a b"}), "a\nb"), "a_b");
}

}  // namespace
}  // namespace copse
