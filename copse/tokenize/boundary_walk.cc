#include "copse/tokenize/boundary_walk.h"

namespace copse {

void tokens_of_labels(const Characters& text, const std::vector<std::uint8_t>& labels,
                      Segmentation& out) {
  out.clear();
  int token_begin = -1;
  for (const auto [begin, end] : text.chunks()) {
    for (int i = begin; i < end; ++i) {
      if (token_begin < 0) token_begin = i;
      const std::uint8_t label = labels[static_cast<std::size_t>(i)];
      if (label == static_cast<std::uint8_t>(Boundary::inside)) continue;
      out.tokens.push_back({text.begin(token_begin), text.begin(i + 1)});
      token_begin = -1;
      if (label == static_cast<std::uint8_t>(Boundary::sentence)) {
        out.sentence_ends.push_back(static_cast<std::uint32_t>(out.tokens.size()));
      }
    }
  }
}

std::vector<std::uint8_t> labels_of_tokens(const Characters& text, const Segmentation& gold) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(text.size()), 0);
  std::size_t token = 0;
  std::size_t sentence = 0;
  for (int i = 0; i < text.size() && token < gold.tokens.size(); ++i) {
    if (is_blank(text.cls(i)) || text.begin(i + 1) != gold.tokens[token].end) continue;
    ++token;
    const bool ends = sentence < gold.sentence_ends.size() && gold.sentence_ends[sentence] == token;
    if (ends) ++sentence;
    labels[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(ends ? Boundary::sentence : Boundary::token);
  }
  return labels;
}

}  // namespace copse
