#include "copse/cluster/cluster_tree.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/cluster/visible_text.h"

namespace copse {
namespace {

WordClusters read(const std::string& text) {
  Input input = Input::from_memory(text, "paths");
  return WordClusters::read(input);
}

const char* const kPaths =
    "0\tthe\t60\n"
    "1000\tcat\t10\n"
    "1000\tdog\t12\n"
    "1001\tran\t8\n"
    "101\t<&>\t10\n";

TEST(ClusterTree, BranchesSplitAndSkipWhatAllShare) {
  const WordClusters clusters = read(kPaths);
  const ClusterBranch root = cluster_tree(clusters, {3, 2});
  EXPECT_EQ(root.bits, "");
  EXPECT_EQ(root.words, 5U);
  EXPECT_EQ(root.tokens, 100U);
  EXPECT_EQ(root.clusters, 4U);
  EXPECT_EQ(root.examples, (std::vector<std::string_view>{"the", "dog"}));
  ASSERT_EQ(root.children.size(), 2U);
  EXPECT_EQ(root.children[1].bits, "10");  // not 1: all go on with 0
  ASSERT_EQ(root.children[1].children.size(), 2U);
  EXPECT_EQ(root.children[1].children[0].bits, "100");
  EXPECT_EQ(root.children[1].children[0].children.size(), 2U);
}

TEST(ClusterTree, DepthEndsTheTree) {
  const WordClusters clusters = read(kPaths);
  EXPECT_TRUE(cluster_tree(clusters, {0, 2}).children.empty());
  EXPECT_TRUE(cluster_tree(clusters, {1, 2}).children[1].children.empty());
}

TEST(ClusterTree, StringsThatStartOthersAreBranchesOfTheirOwn) {
  const WordClusters clusters = read("0\ta\t1\n01\tb\t1\n011\tc\t1\n");
  const ClusterBranch root = cluster_tree(clusters, {5, 2});
  EXPECT_EQ(root.bits, "0");
  ASSERT_EQ(root.children.size(), 2U);
  EXPECT_EQ(root.children[0].words, 1U);
  EXPECT_EQ(root.children[1].bits, "01");
  EXPECT_EQ(root.children[1].children.size(), 2U);
}

TEST(ClusterTree, ListingShowsSharesAndWords) {
  const WordClusters clusters = read(kPaths);
  EXPECT_EQ(render_tree(cluster_tree(clusters, {2, 2})),
            "4 clusters, 5 words, 100 tokens\n"
            "├─ 0  60.0%  1: the\n"
            "╰─ 10  40.0%  4: dog <&> ...\n"
            "   ├─ 100  30.0%  3: dog cat ...\n"
            "   ╰─ 101  10.0%  1: <&>\n");
}

TEST(ClusterTree, PictureEscapesWords) {
  const WordClusters clusters = read(kPaths);
  const std::string svg = render_svg(cluster_tree(clusters, {3, 2}));
  EXPECT_NE(svg.find("&lt;&amp;&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("<&>"), std::string::npos);
  EXPECT_NE(svg.find(">1000<"), std::string::npos);
}

TEST(ClusterTree, WordsBelowAreSortedByCount) {
  const WordClusters clusters = read(kPaths);
  const auto words = words_below(clusters, "10");
  ASSERT_EQ(words.size(), 4U);
  EXPECT_EQ(words[0].text, "dog");
  EXPECT_EQ(words[1].text, "<&>");  // ties with cat
  EXPECT_TRUE(words_below(clusters, "11").empty());
  EXPECT_EQ(words_below(clusters, "").size(), 5U);
}

TEST(ClusterTree, NoClusterNoTree) {
  EXPECT_THROW(cluster_tree(WordClusters(), {}), Error);
}

TEST(VisibleText, ShowsControlsAndCutsLongWords) {
  EXPECT_EQ(visible_text(std::string_view("a\0b\x1b\x7f", 5)), "a␀b␛␡");
  EXPECT_EQ(visible_text("x\xFF\xE2\x80\xAE"), "x\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(visible_text(std::string(31, 'a')), std::string(30, 'a') + "…");
  EXPECT_EQ(visible_text(std::string(30, 'a')), std::string(30, 'a'));
  EXPECT_EQ(visible_xml("\"a\""), "&quot;a&quot;");
}

}  // namespace
}  // namespace copse
