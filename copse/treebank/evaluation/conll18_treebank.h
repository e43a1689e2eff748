// A CoNLL-U file as the CoNLL 2018 metrics see it: one text, and tokens, sentences and words as
// spans of it. Not the treebank's own reader, because what is refused is part of the definition
// of the metrics.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

struct UdSpan {
  std::size_t begin = 0;  // in bytes of UdTreebank::text
  std::size_t end = 0;

  bool operator==(const UdSpan&) const = default;
};

struct UdWord {
  static constexpr int kRoot = -1;
  static constexpr int kNoHead = -2;  // of a sentence that has no tree, HEAD "_" throughout

  UdSpan span;             // of its token: words of a multiword token share it
  bool multiword = false;  // part of a multiword token
  std::string form, lemma, upos, xpos;
  std::string feats;   // universal features, sorted
  std::string deprel;  // without subtype
  bool content = false;
  bool functional = false;
  int parent = kRoot;  // index into UdTreebank::words
  std::vector<int> functional_children;
};

struct UdTreebank {
  std::string text;  // all FORMs without spaces
  std::vector<UdSpan> tokens;
  std::vector<UdSpan> sentences;
  std::vector<UdWord> words;
  std::vector<std::size_t> token_lines;  // line of each token, for messages
};

// Throws data_error with the place.
UdTreebank read_ud_treebank(std::string_view bytes, const std::string& file);

}  // namespace copse
