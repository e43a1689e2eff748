#include "copse/tokenize/other_dress.h"

#include "copse/base/utf8.h"

namespace copse {
namespace {

std::string_view without_white_space_at_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

GoldText in_lower_case(const GoldText& paragraph) {
  GoldText result;
  result.gold.sentence_ends = paragraph.gold.sentence_ends;
  std::size_t done = 0;
  // Lower case may take more or fewer bytes, so the tokens move.
  for (const Token& token : paragraph.gold.tokens) {
    result.text += std::string_view(paragraph.text).substr(done, token.begin - done);
    const auto begin = static_cast<std::uint32_t>(result.text.size());
    result.text +=
        lower_utf8(std::string_view(paragraph.text).substr(token.begin, token.end - token.begin));
    result.gold.tokens.push_back({begin, static_cast<std::uint32_t>(result.text.size())});
    done = token.end;
  }
  result.text += std::string_view(paragraph.text).substr(done);
  return result;
}

GoldText run_together(const GoldText& first, const GoldText& second, std::string_view gap) {
  GoldText result = first;
  result.text = without_white_space_at_end(first.text);
  result.text += gap;
  const auto shift = static_cast<std::uint32_t>(result.text.size());
  const auto tokens = static_cast<std::uint32_t>(result.gold.tokens.size());
  result.text += second.text;
  for (Token token : second.gold.tokens) {
    token.begin += shift;
    token.end += shift;
    result.gold.tokens.push_back(token);
  }
  for (const std::uint32_t end : second.gold.sentence_ends) {
    result.gold.sentence_ends.push_back(tokens + end);
  }
  return result;
}

GoldText wrapped(const GoldText& paragraph, std::size_t width) {
  GoldText result = paragraph;
  std::size_t line_begin = 0;
  for (std::size_t i = 1; i < paragraph.gold.tokens.size(); ++i) {
    const std::size_t gap = paragraph.gold.tokens[i - 1].end;
    const bool one_blank = gap + 1 == paragraph.gold.tokens[i].begin && result.text[gap] == ' ';
    if (!one_blank || paragraph.gold.tokens[i].end - line_begin <= width) continue;
    result.text[gap] = '\n';
    line_begin = gap + 1;
  }
  return result;
}

GoldText in_other_dress(std::span<const GoldText> paragraphs, std::size_t i, Random& random) {
  const GoldText& paragraph = paragraphs[i];
  const GoldText& next = paragraphs[i + 1 < paragraphs.size() ? i + 1 : 0];
  switch (random.below(4)) {
    case 0:
      return in_lower_case(paragraph);
    case 1:
      return run_together(paragraph, next, " ");
    case 2:
      return run_together(paragraph, next, "\n");
    default:
      return wrapped(paragraph, static_cast<std::size_t>(random.between(40, 80)));
  }
}

}  // namespace copse
