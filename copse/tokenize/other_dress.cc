#include "copse/tokenize/other_dress.h"

#include <algorithm>
#include <array>

#include "copse/base/utf8.h"

namespace copse {
namespace {

std::string_view without_white_space_at_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr std::string_view kNumberMarks = ".,:/-";

// How often a mark stood between two digits.
struct MarkCounts {
  std::array<long, kNumberMarks.size()> inside{}, cut{};
};

void count_marks(const GoldText& paragraph, MarkCounts& counts) {
  const std::string_view text = paragraph.text;
  for (const Token& token : paragraph.gold.tokens) {
    for (std::size_t i = token.begin; i < token.end; ++i) {
      const std::size_t mark = kNumberMarks.find(text[i]);
      if (mark == std::string_view::npos || i == 0 || i + 1 >= text.size()) continue;
      if (!is_digit(text[i - 1]) || !is_digit(text[i + 1])) continue;
      const bool inside = i > token.begin && i + 1 < token.end;
      ++(inside ? counts.inside : counts.cut)[mark];
    }
  }
}

void append_digits(int count, Random& random, std::string& out) {
  for (int i = 0; i < count; ++i) out += static_cast<char>('0' + random.below(10));
}

// 12, 12.5, 1.250.000 or 1999.07.01
std::string some_number(std::string_view marks, Random& random) {
  std::string out;
  append_digits(random.between(1, 4), random, out);
  if (marks.empty() || random.chance(0.5)) return out;
  const char mark = marks[random.below(marks.size())];
  const int groups = random.between(1, 2);
  for (int i = 0; i < groups; ++i) {
    out += mark;
    append_digits(random.between(1, 4), random, out);
  }
  return out;
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

std::string number_marks(std::span<const GoldText> paragraphs) {
  MarkCounts counts;
  for (const GoldText& paragraph : paragraphs) count_marks(paragraph, counts);
  std::string marks;
  for (std::size_t i = 0; i < kNumberMarks.size(); ++i) {
    const bool needed = kNumberMarks[i] == '-' && counts.inside[i] == 0;
    if (!needed && counts.inside[i] >= 9 * counts.cut[i]) marks += kNumberMarks[i];
  }
  return marks;
}

GoldText with_other_numbers(const GoldText& paragraph, std::string_view marks, Random& random) {
  GoldText result;
  result.gold.sentence_ends = paragraph.gold.sentence_ends;
  const std::string_view text = paragraph.text;
  std::size_t done = 0;
  for (const Token& token : paragraph.gold.tokens) {
    result.text += text.substr(done, token.begin - done);
    const auto begin = static_cast<std::uint32_t>(result.text.size());
    const std::string_view form = text.substr(token.begin, token.end - token.begin);
    if (std::ranges::all_of(form, is_digit)) {
      result.text += some_number(marks, random);
    } else {
      result.text += form;
    }
    result.gold.tokens.push_back({begin, static_cast<std::uint32_t>(result.text.size())});
    done = token.end;
  }
  result.text += text.substr(done);
  return result;
}

GoldText in_other_dress(std::span<const GoldText> paragraphs, std::size_t i, std::string_view marks,
                        Random& random) {
  const GoldText& paragraph = paragraphs[i];
  const GoldText& next = paragraphs[i + 1 < paragraphs.size() ? i + 1 : 0];
  switch (random.below(5)) {
    case 0:
      return in_lower_case(paragraph);
    case 1:
      return run_together(paragraph, next, " ");
    case 2:
      return run_together(paragraph, next, "\n");
    case 3:
      return with_other_numbers(paragraph, marks, random);
    default:
      return wrapped(paragraph, static_cast<std::size_t>(random.between(40, 80)));
  }
}

}  // namespace copse
