// One pass over a paragraph from left to right, a decision behind every character: given by the
// table of boundaries where it leaves no choice, else by `decide`, which is the model or a learner.
#pragma once

#include <bit>
#include <vector>

#include "copse/tokenize/boundary_features.h"
#include "copse/tokenize/boundary_table.h"
#include "copse/tokenize/segmentation.h"

namespace copse {

// Label of a character whose boundary is not decided yet.
inline constexpr std::uint8_t kOpenBoundary = 0xFF;

// The allowed boundary with the highest score; the first of equals.
inline Boundary best_boundary(BoundarySet allowed, const std::array<float, kBoundaries>& scores) {
  int best = -1;
  for (int i = 0; i < kBoundaries; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if ((allowed >> i & 1) != 0 &&
        (best < 0 || scores[at] > scores[static_cast<std::size_t>(best)])) {
      best = i;
    }
  }
  return static_cast<Boundary>(best);
}

struct BoundaryPlace {
  int i;              // behind this character
  std::size_t chunk;  // which lies in this chunk
  Gap gap;
  BoundarySet allowed;  // two or three boundaries
};

// decide(const BoundaryState&, const BoundaryPlace&) -> Boundary, one that is allowed.
// On entry `labels` has a label per character, decided ones are kept; on return all characters
// that are not blanks are decided. The last one is the end of a sentence.
template <class Decide>
void walk_boundaries(const Characters& text, const BoundaryTable& table,
                     std::vector<std::uint8_t>& labels, Decide&& decide) {
  BoundaryState state;
  const auto& chunks = text.chunks();
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const auto [begin, end] = chunks[c];
    if (c == 0) state.token_begin = state.sentence_begin = begin;
    for (int i = begin; i < end; ++i) {
      // Within words, as long as nothing can happen.
      while (i + 1 < end && table.is_inside(text.cls(i), text.cls(i + 1))) {
        labels[static_cast<std::size_t>(i++)] = static_cast<std::uint8_t>(Boundary::inside);
      }
      std::uint8_t& label = labels[static_cast<std::size_t>(i)];
      const bool at_end = i + 1 == end;
      if (at_end && c + 1 == chunks.size()) {
        label = static_cast<std::uint8_t>(Boundary::sentence);
        return;
      }
      const Gap gap = at_end ? gap_of(text.cls(end)) : Gap::none;
      const int next = at_end ? chunks[c + 1].begin : i + 1;
      if (label == kOpenBoundary) {
        const BoundarySet allowed = table.at(text.base_cls(i), gap, text.cls(next));
        if ((allowed & (allowed - 1)) == 0) {
          label = static_cast<std::uint8_t>(std::countr_zero(allowed));
        } else {
          const Boundary answer = decide(state, BoundaryPlace{i, c, gap, allowed});
          label = static_cast<std::uint8_t>(answer);
          state.remember(answer);
        }
      }
      if (label != 0) state.take(static_cast<Boundary>(label), i, next, text);
    }
  }
}

// Labels to tokens and back. Characters that are blanks have no label of their own.
void tokens_of_labels(const Characters& text, const std::vector<std::uint8_t>& labels,
                      Segmentation& out);
// Needs the tokens to cover all characters that are not blanks.
std::vector<std::uint8_t> labels_of_tokens(const Characters& text, const Segmentation& gold);

}  // namespace copse
