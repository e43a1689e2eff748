// Raw text with known tokens and sentences, from CoNLL-U: what the tokeniser learns from and is
// measured on, and the way back from its output to the bytes it was given.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/tokenize/segmentation.h"
#include "copse/treebank/format.h"

namespace copse {

// A surface token of a sentence: a word, or a multiword token with its words.
struct SurfaceToken {
  std::string form;                     // its bytes in the text
  std::string_view misc;                // views of the sentence
  std::vector<std::string_view> words;  // empty unless it is a multiword token
};
std::vector<SurfaceToken> surface_tokens(const Sentence& sentence);

// One paragraph.
struct GoldText {
  std::string text;
  Segmentation gold;
};

// The paragraphs of a treebank. newdoc, newpar and blank lines in SpacesAfter part paragraphs;
// sentences within one are joined by the SpacesAfter of their last token, else by one blank. Blanks
// between tokens are those of MISC, or those of "# text" where MISC has no SpacesAfter and the two
// fit.
std::vector<GoldText> gold_paragraphs(std::span<const Entry> entries);

// Whether the treebank says where blanks are: "# text" or SpaceAfter somewhere.
bool has_text(std::span<const Entry> entries);

// The text that a tokenised file was made from, byte for byte: SpacesBefore, token, what follows.
std::string restore_text(std::span<const Entry> entries);

// F1 of tokens and sentences by their stretches of text, in percent.
struct SegmentationCounts {
  long gold = 0;
  long system = 0;
  long correct = 0;

  double f1() const;
};
struct SegmentationScore {
  SegmentationCounts tokens;
  SegmentationCounts sentences;

  void add(const Segmentation& gold, const Segmentation& system);
};

}  // namespace copse
