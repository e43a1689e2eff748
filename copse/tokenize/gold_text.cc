#include "copse/tokenize/gold_text.h"

#include <algorithm>

#include "copse/base/utf8.h"
#include "copse/tokenize/space_escapes.h"

namespace copse {
namespace {

std::size_t skip_white_space(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const CodePoint point = decode_utf8(text, at);
    if (!is_white_space(point.value)) break;
    at += static_cast<std::size_t>(point.size);
  }
  return at;
}

// What follows each token, by "# text"; empty when the two do not fit. The last entry is unused.
std::vector<std::string> gaps_by_text(std::string_view text,
                                      const std::vector<SurfaceToken>& tokens) {
  std::vector<std::string> gaps;
  std::size_t at = skip_white_space(text, 0);
  for (const SurfaceToken& token : tokens) {
    if (!text.substr(at).starts_with(token.form)) return {};
    at += token.form.size();
    const std::size_t next = skip_white_space(text, at);
    gaps.emplace_back(text.substr(at, next - at));
    at = next;
  }
  if (at != text.size()) gaps.clear();
  return gaps;
}

// What follows each token, the last one included.
std::vector<std::string> gaps_of(const Sentence& sentence,
                                 const std::vector<SurfaceToken>& tokens) {
  std::vector<std::string> gaps;
  const bool exact = std::ranges::any_of(tokens, [](const SurfaceToken& token) {
    return misc_value(token.misc, "SpacesAfter").has_value();
  });
  if (const auto text = sentence.comment("text"); text && !exact && !tokens.empty()) {
    gaps = gaps_by_text(*text, tokens);
    if (!gaps.empty()) gaps.back() = spaces_after(tokens.back().misc);
  }
  if (gaps.empty()) {
    for (const SurfaceToken& token : tokens) gaps.push_back(spaces_after(token.misc));
  }
  return gaps;
}

bool is_paragraph_break(std::string_view gap) {
  return std::ranges::count(gap, '\n') >= 2;
}

bool begins_paragraph(const Sentence& sentence) {
  return sentence.comment("newpar").has_value() || sentence.comment("newdoc").has_value() ||
         sentence.comment("newpar id").has_value() || sentence.comment("newdoc id").has_value();
}

}  // namespace

std::vector<SurfaceToken> surface_tokens(const Sentence& sentence) {
  std::vector<SurfaceToken> tokens;
  int covered = 0;
  for (const Row& row : sentence.rows()) {
    const bool multiword = row.kind == RowKind::multiword;
    if (!multiword && row.kind != RowKind::word) continue;
    const std::string_view form = sentence.get(row, Column::form);
    if (row.id <= covered) {
      tokens.back().words.push_back(form);
      continue;
    }
    if (multiword) covered = row.last;
    const std::string_view misc = sentence.get(row, Column::misc);
    const auto raw = misc_value(misc, "RawForm");
    tokens.push_back({raw ? unescape(*raw) : std::string(form), misc, {}});
  }
  return tokens;
}

std::vector<GoldText> gold_paragraphs(std::span<const Entry> entries) {
  std::vector<GoldText> paragraphs;
  bool fresh = true;
  for (const Entry& entry : entries) {
    const auto tokens = surface_tokens(entry.sentence);
    if (tokens.empty()) continue;
    const auto gaps = gaps_of(entry.sentence, tokens);
    if (fresh || begins_paragraph(entry.sentence)) paragraphs.emplace_back();
    auto& [text, gold] = paragraphs.back();
    if (const auto before = misc_value(tokens[0].misc, "SpacesBefore")) text += unescape(*before);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto begin = static_cast<std::uint32_t>(text.size());
      text += tokens[i].form;
      gold.tokens.push_back({begin, static_cast<std::uint32_t>(text.size())});
      text += gaps[i];
    }
    gold.sentence_ends.push_back(static_cast<std::uint32_t>(gold.tokens.size()));
    fresh = is_paragraph_break(gaps.back());
  }
  return paragraphs;
}

bool has_text(std::span<const Entry> entries) {
  return std::ranges::any_of(entries, [](const Entry& entry) {
    if (entry.sentence.comment("text")) return true;
    const auto tokens = surface_tokens(entry.sentence);
    return std::ranges::any_of(tokens, [](const SurfaceToken& token) {
      return misc_value(token.misc, "SpaceAfter") || misc_value(token.misc, "SpacesAfter");
    });
  });
}

std::string restore_text(std::span<const Entry> entries) {
  std::string text;
  for (const Entry& entry : entries) {
    for (const SurfaceToken& token : surface_tokens(entry.sentence)) {
      if (const auto before = misc_value(token.misc, "SpacesBefore")) text += unescape(*before);
      text += token.form;
      text += spaces_after(token.misc);
    }
  }
  return text;
}

double SegmentationCounts::f1() const {
  return gold + system == 0
             ? 0
             : 200 * static_cast<double>(correct) / static_cast<double>(gold + system);
}

namespace {

std::vector<Token> sentence_spans(const Segmentation& text) {
  std::vector<Token> spans;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : text.sentence_ends) {
    spans.push_back({text.tokens[begin].begin, text.tokens[end - 1].end});
    begin = end;
  }
  return spans;
}

void count(std::span<const Token> gold, std::span<const Token> system, SegmentationCounts& counts) {
  counts.gold += static_cast<long>(gold.size());
  counts.system += static_cast<long>(system.size());
  for (std::size_t g = 0, s = 0; g < gold.size() && s < system.size();) {
    if (gold[g].begin == system[s].begin && gold[g].end == system[s].end) ++counts.correct;
    if (gold[g].begin <= system[s].begin) {
      ++g;
    } else {
      ++s;
    }
  }
}

}  // namespace

void SegmentationScore::add(const Segmentation& gold, const Segmentation& system) {
  count(gold.tokens, system.tokens, tokens);
  count(sentence_spans(gold), sentence_spans(system), sentences);
}

}  // namespace copse
