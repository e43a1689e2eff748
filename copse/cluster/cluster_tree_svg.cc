// A dendrogram that lies on its side: the root on the left, the lowest branches shown as rows with
// their bit strings and words. A line is the thicker the more tokens it stands for.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "copse/cluster/cluster_tree.h"
#include "copse/cluster/visible_text.h"

namespace copse {
namespace {

constexpr double kMargin = 16;
constexpr double kRow = 22;
constexpr double kLevel = 34;
constexpr double kGap = 10;         // between the tree and its labels
constexpr double kCharacter = 7.4;  // about the width of one, in 12 px
constexpr double kThickest = 6;

// Plain colours: custom properties are unknown to most programs that are no browser, and what
// they do not know is black.
constexpr std::string_view kStyle =
    "<style>\n"
    ".copse-clusters { font: 12px system-ui, sans-serif; }\n"
    ".copse-clusters rect { fill: #fff; }\n"
    ".copse-clusters path { fill: none; stroke: #4a7ab5; stroke-linecap: round; }\n"
    ".copse-clusters text { fill: #222; }\n"
    ".copse-clusters .bits { fill: #777; font-family: ui-monospace, monospace; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ".copse-clusters rect { fill: #1b1b1b; }\n"
    ".copse-clusters path { stroke: #7fa8d9; }\n"
    ".copse-clusters text { fill: #e8e8e8; }\n"
    ".copse-clusters .bits { fill: #999; }\n"
    "}\n"
    "</style>\n";

class Dendrogram {
 public:
  explicit Dendrogram(const ClusterBranch& root)
      : root_(root), labels_(kMargin + levels(root) * kLevel + kGap), bits_(longest_bits(root)) {
    draw(root, 0);
  }

  std::string document() const {
    const double width = words_from() + longest_ * kCharacter + kMargin;
    const double height = 2 * kMargin + rows_ * kRow;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"copse-clusters\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n{2}"
        "<title>{3} clusters, {4} words</title>\n"
        "<rect width=\"100%\" height=\"100%\"/>\n{5}</svg>\n",
        width, height, kStyle, root_.clusters, root_.words, elements_);
  }

 private:
  static int levels(const ClusterBranch& branch) {
    int deepest = 0;
    for (const ClusterBranch& child : branch.children) {
      deepest = std::max(deepest, 1 + levels(child));
    }
    return deepest;
  }
  static std::size_t longest_bits(const ClusterBranch& branch) {
    std::size_t longest = branch.bits.size();
    for (const ClusterBranch& child : branch.children) {
      longest = std::max(longest, longest_bits(child));
    }
    return longest;
  }

  double words_from() const { return labels_ + static_cast<double>(bits_) * kCharacter + kGap; }

  double thickness(const ClusterBranch& branch) const {
    if (root_.tokens == 0) return 1;
    const double share = static_cast<double>(branch.tokens) / static_cast<double>(root_.tokens);
    return std::max(1.0, kThickest * std::sqrt(share));
  }

  // Returns the height at which the branch starts.
  double draw(const ClusterBranch& branch, int level) {
    if (branch.children.empty()) return draw_row(branch, level);
    std::vector<double> heights;
    for (const ClusterBranch& child : branch.children) heights.push_back(draw(child, level + 1));
    const double own = (heights.front() + heights.back()) / 2;
    const double x = kMargin + level * kLevel;
    for (std::size_t i = 0; i < heights.size(); ++i) {
      elements_ += fmt::format(
          "<path stroke-width=\"{:.1f}\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} "
          "{:.1f}\"/>\n",
          thickness(branch.children[i]), x, own, x + kLevel / 2, own, x + kLevel / 2, heights[i],
          x + kLevel, heights[i]);
    }
    return own;
  }

  double draw_row(const ClusterBranch& branch, int level) {
    const double y = kMargin + (rows_++ + 0.5) * kRow;
    const double x = kMargin + level * kLevel;
    if (x < labels_ - kGap) {
      elements_ += fmt::format("<path stroke-width=\"{:.1f}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n",
                               thickness(branch), x, y, labels_ - kGap);
    }
    std::string words;
    std::size_t length = 0;
    for (const std::string_view word : branch.examples) {
      words += (words.empty() ? "" : " ") + visible_xml(word);
      length += visible_text(word).size() + 1;
    }
    if (branch.words > branch.examples.size()) words += " …";
    longest_ = std::max(longest_, static_cast<double>(length + 2));
    elements_ += fmt::format(
        "<text class=\"bits\" x=\"{0:.1f}\" y=\"{1:.1f}\">{2}</text>"
        "<text x=\"{3:.1f}\" y=\"{1:.1f}\">{4}<title>{5} clusters, {6} words, {7} tokens</title>"
        "</text>\n",
        labels_, y + 4, branch.bits, words_from(), words, branch.clusters, branch.words,
        branch.tokens);
    return y;
  }

  const ClusterBranch& root_;
  double labels_;       // where they start
  std::size_t bits_;    // characters of the longest string
  double longest_ = 0;  // characters of the longest row of words
  int rows_ = 0;
  std::string elements_;
};

}  // namespace

std::string render_svg(const ClusterBranch& root) {
  return Dendrogram(root).document();
}

}  // namespace copse
