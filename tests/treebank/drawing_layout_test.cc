// Properties of the geometry behind the drawings, on random input.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "copse/base/random.h"
#include "copse/treebank/drawing/arc_layout.h"
#include "copse/treebank/drawing/phrase_layout.h"
#include "copse/treebank/drawing/row_breaks.h"
#include "copse/treebank/drawing/skyline.h"
#include "tests/treebank/drawing_testing.h"
#include "tests/treebank/tree_testing.h"

namespace copse::drawing {
namespace {

TEST(Skyline, EqualsHeightsKeptPositionByPosition) {
  for (int seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(static_cast<std::uint64_t>(seed));
    const int positions = random.between(1, 40);
    Skyline skyline(positions);
    std::vector<int> heights(static_cast<std::size_t>(positions), 0);
    for (int i = 0; i < 60; ++i) {
      const int a = random.between(0, positions - 1);
      const int b = random.between(0, positions - 1);
      const auto first = heights.begin() + std::min(a, b);
      const auto last = heights.begin() + std::max(a, b) + 1;
      const int expected = *std::max_element(first, last) + 1;
      std::fill(first, last, expected);
      EXPECT_EQ(skyline.drop(std::min(a, b), std::max(a, b)), expected);
    }
    EXPECT_EQ(skyline.highest(), *std::max_element(heights.begin(), heights.end()));
  }
}

struct Drawn {
  std::vector<WordShape> words;
  std::vector<ArcShape> arcs;
  ArcSpacing spacing;
  ArcLayout layout;
};

Drawn lay_out(Random& random, const std::vector<int>& heads, int max_width) {
  Drawn drawn;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    drawn.words.push_back({random.between(1, 60), random.between(5, 30)});
    if (heads[i] < 0) continue;
    drawn.arcs.push_back({heads[i], static_cast<int>(i) + 1, random.between(0, 70)});
  }
  drawn.spacing.max_width = max_width;
  drawn.layout = lay_out_arcs(drawn.words, drawn.arcs, {}, drawn.spacing);
  return drawn;
}

int label_width(const Drawn& drawn, const PlacedArc& arc) {
  return drawn.arcs[static_cast<std::size_t>(arc.arc)].label_width;
}

void ExpectWordsApart(const Drawn& drawn) {
  const auto& x = drawn.layout.word_x;
  for (const ArcRow& row : drawn.layout.rows) {
    for (int word = row.first; word < row.last; ++word) {
      const auto i = static_cast<std::size_t>(word);
      const int between = x[i + 1] - x[i];
      EXPECT_GE(2 * between,
                drawn.words[i - 1].width + drawn.words[i].width + 2 * drawn.spacing.word_gap);
    }
  }
}

void ExpectLinesApart(const ArcRow& row) {
  for (std::size_t i = 0; i < row.arcs.size(); ++i) {
    for (std::size_t j = i + 1; j < row.arcs.size(); ++j) {
      const PlacedArc& a = row.arcs[i];
      const PlacedArc& b = row.arcs[j];
      const bool meet = a.left <= b.right && b.left <= a.right;
      if (!a.from_above() && !b.from_above()) {
        EXPECT_FALSE(a.level == b.level && meet) << "arcs " << a.arc << " and " << b.arc;
      }
      // Legs of two arcs never share a place.
      for (const int leg : {a.left, a.right}) {
        const bool a_cut = leg == a.left ? a.cut_left : a.cut_right;
        if (a_cut) continue;
        EXPECT_FALSE(!b.cut_left && leg == b.left) << "arcs " << a.arc << " and " << b.arc;
        EXPECT_FALSE(!b.cut_right && leg == b.right) << "arcs " << a.arc << " and " << b.arc;
      }
    }
  }
}

void ExpectLabelsInsideTheirArcs(const Drawn& drawn, const ArcRow& row) {
  for (const PlacedArc& arc : row.arcs) {
    const int half = label_width(drawn, arc) / 2;
    if (arc.from_above()) {
      EXPECT_EQ(arc.label_x, arc.left);
      EXPECT_EQ(arc.level, row.levels + 1);
      EXPECT_GE(arc.left - half, 0);
      EXPECT_LE(arc.left + half, row.width);
    } else {
      EXPECT_GE(arc.label_x - half, arc.left + drawn.spacing.label_margin - 1);
      EXPECT_LE(arc.label_x + half, arc.right - drawn.spacing.label_margin + 1);
    }
  }
}

void ExpectEveryArcDrawn(const Drawn& drawn) {
  std::map<int, int> arrows;
  std::map<int, int> pieces;
  for (const ArcRow& row : drawn.layout.rows) {
    for (const PlacedArc& arc : row.arcs) {
      arrows[arc.arc] += (arc.arrow_left ? 1 : 0) + (arc.arrow_right ? 1 : 0);
      ++pieces[arc.arc];
      EXPECT_FALSE(arc.cut_left && arc.cut_right);
    }
  }
  EXPECT_EQ(pieces.size(), drawn.arcs.size());
  for (const auto& [arc, count] : arrows) EXPECT_EQ(count, 1) << "arrow heads of arc " << arc;
  for (const auto& [arc, count] : pieces) EXPECT_LE(count, 2);
}

void ExpectSound(const Drawn& drawn) {
  ExpectWordsApart(drawn);
  ExpectEveryArcDrawn(drawn);
  for (const ArcRow& row : drawn.layout.rows) {
    ExpectLinesApart(row);
    ExpectLabelsInsideTheirArcs(drawn, row);
  }
}

TEST(ArcLayout, ArcsNeverOverlapWhateverTheHeads) {
  for (int seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(static_cast<std::uint64_t>(seed));
    const int words = random.between(1, 45);
    const int width = random.chance(0.5) ? 0 : random.between(50, 1500);
    ExpectSound(lay_out(random, drawing_testing::random_heads(random, words), width));
  }
}

TEST(ArcLayout, NothingCrossesInProjectiveTrees) {
  for (int seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(static_cast<std::uint64_t>(seed));
    const auto heads = drawing_testing::random_projective_heads(random, random.between(1, 45));
    const Drawn drawn = lay_out(random, heads, 0);
    ExpectSound(drawn);
    ASSERT_EQ(drawn.layout.rows.size(), 1U);
    for (const PlacedArc& arc : drawn.layout.rows[0].arcs) {
      for (const PlacedArc& other : drawn.layout.rows[0].arcs) {
        if (arc.from_above() || other.level <= arc.level) continue;
        for (const int leg : {other.left, other.right}) {
          EXPECT_FALSE(arc.left < leg && leg < arc.right)
              << "the leg of arc " << other.arc << " crosses arc " << arc.arc;
        }
      }
    }
  }
}

TEST(ArcLayout, LabelsMoveOutOfTheWayOfCrossingLegs) {
  // The arrow to the root stands in the middle of the arc 1 -> 3.
  const std::vector<WordShape> words(3, {100, 0});
  const std::vector<ArcShape> arcs{{1, 3, 20}, {0, 2, 20}};
  const ArcLayout layout = lay_out_arcs(words, arcs, {}, {});
  const auto& placed = layout.rows.at(0).arcs;
  const auto arc = std::find_if(placed.begin(), placed.end(),
                                [](const PlacedArc& candidate) { return candidate.arc == 0; });
  ASSERT_NE(arc, placed.end());
  const int root = layout.word_x[2];
  EXPECT_LT(std::abs((arc->left + arc->right) / 2 - root), 10) << "the middle is taken";
  EXPECT_GE(std::abs(arc->label_x - root), 10 + ArcSpacing{}.label_margin);
}

TEST(ArcLayout, TokensGetTheRoomTheyAskFor) {
  const std::vector<WordShape> words(3, {10, 0});
  const std::vector<TokenShape> tokens{{1, 2, 200}, {3, 3, 90}};
  const ArcLayout layout = lay_out_arcs(words, {}, tokens, {});
  EXPECT_GE(layout.word_x[2] + 5 - (layout.word_x[1] - 5), 200 - 10);
  EXPECT_GE(layout.word_x[3] - layout.word_x[2], 45);
}

TEST(ArcLayout, NoWordsGiveNoRows) {
  EXPECT_TRUE(lay_out_arcs({}, {}, {}, {}).rows.empty());
}

TEST(ArcLayout, ThousandsOfArcsFromOneWordAreLaidOut) {
  std::vector<int> heads(5000, 1);
  heads[0] = 0;
  Random random(1);
  const Drawn drawn = lay_out(random, heads, 1200);
  ExpectEveryArcDrawn(drawn);
  EXPECT_GT(drawn.layout.rows.size(), 100U);
}

TEST(RowBreaks, RowsCoverAllWordsAndFit) {
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(static_cast<std::uint64_t>(seed));
    const int words = random.between(1, 80);
    std::vector<int> left;
    std::vector<int> right;
    for (int i = 0; i < words; ++i) {
      left.push_back(i == 0 ? 0 : right.back() + 5);
      right.push_back(left.back() + random.between(1, 120));
    }
    const int limit = random.between(60, 600);
    const auto ends = break_rows(left, right, {}, {}, limit);
    ASSERT_FALSE(ends.empty());
    EXPECT_EQ(ends.back(), words);
    int first = 1;
    for (const int last : ends) {
      ASSERT_LE(first, last);
      const int width =
          right[static_cast<std::size_t>(last) - 1] - left[static_cast<std::size_t>(first) - 1];
      EXPECT_TRUE(width <= limit || first == last);
      first = last + 1;
    }
  }
}

TEST(RowBreaks, BreaksWhereFewArcsCross) {
  // Two clauses of four words, joined by one arc; the limit allows five words a row.
  const std::vector<int> left{0, 10, 20, 30, 40, 50, 60, 70};
  const std::vector<int> right{9, 19, 29, 39, 49, 59, 69, 79};
  const std::vector<ArcShape> arcs{{4, 1, 0}, {4, 2, 0}, {4, 3, 0}, {0, 4, 0},
                                   {8, 5, 0}, {8, 6, 0}, {8, 7, 0}, {4, 8, 0}};
  EXPECT_EQ(break_rows(left, right, arcs, {}, 50), (std::vector<int>{4, 8}));
}

TEST(RowBreaks, TokensStayTogether) {
  const std::vector<int> left{0, 10, 20, 30};
  const std::vector<int> right{9, 19, 29, 39};
  const std::vector<TokenShape> tokens{{2, 3, 5}};
  EXPECT_EQ(break_rows(left, right, {}, tokens, 20), (std::vector<int>{1, 3, 4}));
}

void ExpectLabelsApart(const PhraseTree& tree, const PhraseLayout& layout,
                       const std::vector<int>& widths, int gap) {
  std::map<int, int> right_edge;  // of each level so far; nodes come left to right
  for (int node = 0; node < tree.size(); ++node) {
    const auto i = static_cast<std::size_t>(node);
    const PlacedNode& placed = layout.nodes[i];
    const int left = placed.centre - widths[i] / 2;
    EXPECT_GE(left, 0);
    EXPECT_LE(left + widths[i], layout.extent);
    const auto before = right_edge.find(placed.level);
    if (before != right_edge.end()) {
      EXPECT_GE(left, before->second + gap) << "node " << node;
    }
    right_edge[placed.level] = left + widths[i];
  }
}

TEST(PhraseLayout, LabelsOfALevelNeverTouch) {
  for (int seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(fmt::format("seed={}", seed));
    Random random(static_cast<std::uint64_t>(seed));
    const PhraseTree tree = tree_testing::random_tree(random);
    std::vector<int> widths;
    for (int node = 0; node < tree.size(); ++node) widths.push_back(random.between(1, 90));
    ExpectLabelsApart(tree, lay_out_upright(tree, widths, 8), widths, 8);
  }
}

TEST(PhraseLayout, PhrasesStandAboveTheirChildrenAndAfterTheirParents) {
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const PhraseTree tree = tree_testing::random_tree(random);
    const std::vector<int> widths(static_cast<std::size_t>(tree.size()), 10);
    const PhraseLayout upright = lay_out_upright(tree, widths, 4);
    const PhraseLayout sideways = lay_out_sideways(tree, 10);
    for (int node = 1; node < tree.size(); ++node) {
      const auto child = static_cast<std::size_t>(node);
      const auto parent = static_cast<std::size_t>(tree.parent(node));
      EXPECT_GT(upright.nodes[parent].level, upright.nodes[child].level);
      EXPECT_EQ(sideways.nodes[parent].level + 1, sideways.nodes[child].level);
    }
    EXPECT_EQ(sideways.extent, 10 * tree.words());
  }
}

}  // namespace
}  // namespace copse::drawing
