#include "copse/treebank/drawing/arc_layout.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "copse/treebank/drawing/row_breaks.h"
#include "copse/treebank/drawing/skyline.h"

namespace copse::drawing {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// The place where an arc meets a word.
struct Leg {
  int arc = 0;
  int offset = 0;       // from the centre of the word
  bool at_low = false;  // the arc's end at its left word
};

// Finds the positions of one sentence; the steps of lay_out() in order.
class ArcLayouter {
 public:
  ArcLayouter(std::span<const WordShape> words, std::span<const ArcShape> arcs,
              std::span<const TokenShape> tokens, const ArcSpacing& spacing)
      : words_(words), arcs_(arcs), tokens_(tokens), spacing_(spacing) {}

  ArcLayout lay_out();

 private:
  int count() const { return static_cast<int>(words_.size()); }
  int low(int arc) const { return std::min(arcs_[at(arc)].head, arcs_[at(arc)].modifier); }
  int high(int arc) const { return std::max(arcs_[at(arc)].head, arcs_[at(arc)].modifier); }
  bool from_above(int arc) const { return arcs_[at(arc)].head == 0; }
  bool is_loop(int arc) const { return arcs_[at(arc)].head == arcs_[at(arc)].modifier; }
  int room(int arc) const { return arcs_[at(arc)].label_width + 2 * spacing_.label_margin; }
  int half(int word) const { return (column_width_[at(word)] + 1) / 2; }

  void rank_arcs();
  void hang_legs();
  void spread_legs(int word);
  void collect_needs();
  void place_words(int first, int last);
  void break_into_rows();
  void place_row(ArcRow& row);
  void place_labels(ArcRow& row);

  std::span<const WordShape> words_;
  std::span<const ArcShape> arcs_;
  std::span<const TokenShape> tokens_;
  ArcSpacing spacing_;

  // "word `right` stands at least `distance` to the right of word `left`", by right word.
  struct Need {
    int left = 0;
    int distance = 0;
  };

  std::vector<int> by_rank_;     // shorter arcs first
  std::vector<int> rank_;        // of each arc
  std::vector<int> low_offset_;  // of each arc's leg at its left word, right word
  std::vector<int> high_offset_;
  std::vector<int> column_width_;          // of each word, legs included
  std::vector<std::vector<Need>> needs_;   // of each word
  std::vector<std::vector<int>> arcs_at_;  // arcs with an end at each word, by rank
  ArcLayout layout_;
};

void ArcLayouter::rank_arcs() {
  by_rank_.resize(arcs_.size());
  std::iota(by_rank_.begin(), by_rank_.end(), 0);
  std::stable_sort(by_rank_.begin(), by_rank_.end(), [&](int a, int b) {
    return std::pair(high(a) - low(a), low(a)) < std::pair(high(b) - low(b), low(b));
  });
  rank_.resize(arcs_.size());
  for (std::size_t i = 0; i < by_rank_.size(); ++i) rank_[at(by_rank_[i])] = static_cast<int>(i);
}

void ArcLayouter::hang_legs() {
  arcs_at_.assign(words_.size() + 1, {});
  for (const int arc : by_rank_) {
    arcs_at_[at(high(arc))].push_back(arc);
    if (!from_above(arc) && !is_loop(arc)) arcs_at_[at(low(arc))].push_back(arc);
  }
  low_offset_.assign(arcs_.size(), 0);
  high_offset_.assign(arcs_.size(), 0);
  column_width_.assign(words_.size() + 1, 0);
  for (int word = 1; word <= count(); ++word) spread_legs(word);
}

void ArcLayouter::spread_legs(int word) {
  std::vector<Leg> legs;  // left to right
  int x = 0;
  const auto hang = [&](int arc, bool at_low, int step) {
    if (!legs.empty()) x += step;
    legs.push_back({arc, x, at_low});
  };
  const auto& ends = arcs_at_[at(word)];  // shortest first
  for (const int arc : ends) {
    if (high(arc) == word && !from_above(arc) && !is_loop(arc)) {
      hang(arc, false, spacing_.leg_pitch);
    }
  }
  for (const int arc : ends) {
    if (from_above(arc)) hang(arc, false, spacing_.leg_pitch);
  }
  for (auto arc = ends.rbegin(); arc != ends.rend(); ++arc) {
    if (low(*arc) == word && !is_loop(*arc)) hang(*arc, true, spacing_.leg_pitch);
  }
  for (const int arc : ends) {
    if (!is_loop(arc)) continue;
    hang(arc, true, spacing_.leg_pitch);
    hang(arc, false, std::max(spacing_.leg_pitch, room(arc)));
  }
  for (const Leg& leg : legs) {
    (leg.at_low ? low_offset_ : high_offset_)[at(leg.arc)] = leg.offset - x / 2;
  }
  column_width_[at(word)] = std::max(words_[at(word) - 1].width, x + spacing_.leg_pitch);
}

// Everything that keeps two words apart, apart from their own widths.
void ArcLayouter::collect_needs() {
  needs_.assign(words_.size() + 1, {});
  int last_root = -1;  // arc of the arrow from above at an earlier word
  for (int word = 1; word <= count(); ++word) {
    for (const int arc : arcs_at_[at(word)]) {
      if (from_above(arc)) {
        // Labels of arrows from above stand side by side on top of everything.
        if (last_root >= 0) {
          const int distance = (arcs_[at(arc)].label_width + arcs_[at(last_root)].label_width) / 2 +
                               spacing_.label_margin;
          needs_[at(word)].push_back(
              {high(last_root), distance + high_offset_[at(last_root)] - high_offset_[at(arc)]});
        }
        last_root = arc;
      } else if (high(arc) == word && !is_loop(arc)) {
        needs_[at(word)].push_back(
            {low(arc), room(arc) + low_offset_[at(arc)] - high_offset_[at(arc)]});
      }
    }
  }
  for (const TokenShape& token : tokens_) {
    if (token.first == token.last) {
      column_width_[at(token.last)] = std::max(column_width_[at(token.last)], token.width);
    } else {
      needs_[at(token.last)].push_back(
          {token.first, token.width - half(token.first) - half(token.last)});
    }
  }
}

// Leftmost positions that satisfy all needs inside first..last: one pass, since every need looks
// to the left.
void ArcLayouter::place_words(int first, int last) {
  auto& x = layout_.word_x;
  x[at(first)] = half(first);
  for (int word = first + 1; word <= last; ++word) {
    x[at(word)] = x[at(word - 1)] + half(word - 1) + spacing_.word_gap + half(word);
    for (const Need& need : needs_[at(word)]) {
      if (need.left >= first) {
        x[at(word)] = std::max(x[at(word)], x[at(need.left)] + need.distance);
      }
    }
  }
}

void ArcLayouter::break_into_rows() {
  place_words(1, count());
  std::vector<int> left(words_.size());
  std::vector<int> right(words_.size());
  int names = 0;  // room to keep for the names at stubs
  for (int word = 1; word <= count(); ++word) {
    left[at(word - 1)] = layout_.word_x[at(word)] - half(word);
    right[at(word - 1)] = layout_.word_x[at(word)] + half(word);
    names = std::max(names, words_[at(word - 1)].name_width);
  }
  const bool fits = spacing_.max_width <= 0 || right.back() <= spacing_.max_width;
  const int kept = fits ? 0 : 2 * std::min(names + spacing_.name_gap, spacing_.max_width / 8);
  const int width = spacing_.max_width <= 0 ? 0 : spacing_.max_width - kept;
  int first = 1;
  for (const int last : break_rows(left, right, arcs_, tokens_, width)) {
    ArcRow& row = layout_.rows.emplace_back();
    row.first = first;
    row.last = last;
    first = last + 1;
  }
}

void ArcLayouter::place_row(ArcRow& row) {
  place_words(row.first, row.last);
  auto& x = layout_.word_x;

  // Each arc once, shortest first: those with an end in the row.
  std::vector<int> ranks;
  for (int word = row.first; word <= row.last; ++word) {
    for (const int arc : arcs_at_[at(word)]) ranks.push_back(rank_[at(arc)]);
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());

  // Edges of the lines: beyond the words where the label of a stub needs it.
  int left = 0;
  int right = x[at(row.last)] + half(row.last);
  int names_left = 0;
  int names_right = 0;
  for (const int rank : ranks) {
    const int arc = by_rank_[at(rank)];
    PlacedArc placed;
    placed.arc = arc;
    placed.cut_left = !from_above(arc) && low(arc) < row.first;
    placed.cut_right = high(arc) > row.last;
    placed.arrow_left = !placed.cut_left && arcs_[at(arc)].modifier == low(arc) && !is_loop(arc);
    placed.arrow_right = !placed.cut_right && arcs_[at(arc)].modifier == high(arc);
    if (!placed.cut_left && !from_above(arc)) placed.left = x[at(low(arc))] + low_offset_[at(arc)];
    if (!placed.cut_right) placed.right = x[at(high(arc))] + high_offset_[at(arc)];
    if (from_above(arc)) {
      placed.left = placed.right;
      left = std::min(left, placed.right - arcs_[at(arc)].label_width / 2);
      right = std::max(right, placed.right + (arcs_[at(arc)].label_width + 1) / 2);
      row.roots = true;
    }
    if (placed.cut_left) {
      left = std::min(left, placed.right - room(arc));
      names_left = std::max(names_left, words_[at(low(arc)) - 1].name_width + spacing_.name_gap);
    }
    if (placed.cut_right) {
      right = std::max(right, placed.left + room(arc));
      names_right = std::max(names_right, words_[at(high(arc)) - 1].name_width + spacing_.name_gap);
    }
    row.arcs.push_back(placed);
  }

  const int shift = names_left - left;
  for (int word = row.first; word <= row.last; ++word) x[at(word)] += shift;
  for (PlacedArc& arc : row.arcs) {
    arc.left = arc.cut_left ? names_left : arc.left + shift;
    arc.right = arc.cut_right ? right + shift : arc.right + shift;
  }
  row.line_left = names_left;
  row.line_right = right + shift;
  row.width = row.line_right + names_right;
}

// Levels, then labels in the middle of their lines or beside legs that cross them.
void ArcLayouter::place_labels(ArcRow& row) {
  std::vector<int> legs;  // x of all legs: the positions that arcs compete for
  for (const PlacedArc& arc : row.arcs) {
    if (!arc.cut_left) legs.push_back(arc.left);
    if (!arc.cut_right && !arc.from_above()) legs.push_back(arc.right);
  }
  std::sort(legs.begin(), legs.end());
  const auto position = [&](int x) {
    return static_cast<int>(std::lower_bound(legs.begin(), legs.end(), x) - legs.begin());
  };
  Skyline skyline(static_cast<int>(legs.size()) + 2);  // one position more for each edge
  std::vector<int> reach(legs.size(), 0);              // how high each leg goes
  const int above_all = static_cast<int>(row.arcs.size()) + 1;
  for (PlacedArc& arc : row.arcs) {
    if (arc.from_above()) {
      reach[at(position(arc.left))] = above_all;
      continue;
    }
    const int from = arc.cut_left ? 0 : position(arc.left) + 1;
    const int to = arc.cut_right ? static_cast<int>(legs.size()) + 1 : position(arc.right) + 1;
    arc.level = skyline.drop(from, to);
    row.levels = std::max(row.levels, arc.level);
    if (!arc.cut_left) reach[at(from - 1)] = arc.level;
    if (!arc.cut_right) reach[at(to - 1)] = arc.level;
  }

  constexpr int kLegsLookedAt = 2000;  // bounds the time; labels of longer arcs stay in the middle
  for (PlacedArc& arc : row.arcs) {
    const int centre = (arc.left + arc.right) / 2;
    arc.label_x = centre;
    if (arc.from_above()) {
      arc.level = row.levels + 1;
      continue;
    }
    const int half_label = arcs_[at(arc.arc)].label_width / 2 + spacing_.label_margin;
    const int begin = arc.cut_left ? 0 : position(arc.left) + 1;
    const int end = arc.cut_right ? static_cast<int>(legs.size()) : position(arc.right);
    if (end - begin > kLegsLookedAt) continue;
    int gap_left = arc.left;
    std::optional<int> best;
    for (int i = begin; i <= end; ++i) {
      if (i < end && reach[at(i)] <= arc.level) continue;
      const int gap_right = i < end ? legs[at(i)] : arc.right;
      if (gap_right - gap_left >= 2 * half_label) {
        const int x = std::clamp(centre, gap_left + half_label, gap_right - half_label);
        if (!best || std::abs(x - centre) < std::abs(*best - centre)) best = x;
      }
      gap_left = gap_right;
    }
    if (best) arc.label_x = *best;
  }
}

ArcLayout ArcLayouter::lay_out() {
  layout_.word_x.assign(words_.size() + 1, 0);
  if (words_.empty()) return std::move(layout_);
  rank_arcs();
  hang_legs();
  collect_needs();
  break_into_rows();
  for (ArcRow& row : layout_.rows) {
    place_row(row);
    place_labels(row);
    layout_.width = std::max(layout_.width, row.width);
  }
  return std::move(layout_);
}

}  // namespace

ArcLayout lay_out_arcs(std::span<const WordShape> words, std::span<const ArcShape> arcs,
                       std::span<const TokenShape> tokens, const ArcSpacing& spacing) {
  return ArcLayouter(words, arcs, tokens, spacing).lay_out();
}

}  // namespace copse::drawing
