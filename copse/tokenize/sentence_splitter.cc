#include "copse/tokenize/sentence_splitter.h"

#include <algorithm>

#include "copse/base/utf8.h"

namespace copse {
namespace {

constexpr std::size_t kLongestWord = 64;

bool is_all_of(std::string_view token, std::string_view marks) {
  return !token.empty() && token.find_first_not_of(marks) == std::string_view::npos;
}

bool is_number(std::string_view token) {
  return is_all_of(token, "0123456789");
}

}  // namespace

SentenceSplitter::Ending SentenceSplitter::ending_of(std::string_view token) const {
  if (token == "." || is_all_of(token, "!?") || token == "\u203C" || token == "\u2049") {
    return Ending::mark;
  }
  if (token == "\u2026" || is_all_of(token, ".")) return Ending::ellipsis;
  if (token.size() > 2 && token.size() <= kLongestWord && token.ends_with('.') &&
      rules_.closing_abbreviations_.contains(lower_utf8(token))) {
    return Ending::abbreviation;
  }
  return Ending::none;
}

bool SentenceSplitter::closes(const Token& token, bool attached) const {
  const std::string_view text = text_of(token);
  if (text == "''" || text == "\u201D" || text == ")" || text == "]" || text == "}") return true;
  if (text == "-RRB-" || text == "-RSB-" || text == "-RCB-") return true;
  return attached && (text == "\"" || text == "'" || text == "\u2019" || text == "\u00BB");
}

bool SentenceSplitter::may_begin(std::string_view token) const {
  if (token == "``" || token == "-LRB-" || token == "-LSB-") return true;
  const char32_t first = decode_utf8(token, 0).value;
  const CharClass cls = class_of(first);
  return cls == CharClass::upper || cls == CharClass::digit || cls == CharClass::open ||
         cls == CharClass::quote_open || cls == CharClass::pictograph || first == U'"' ||
         first == U'\'' || first == U'(' || first == U'[' || first == U'@' || first == U'#';
}

bool SentenceSplitter::is_starter(std::string_view token) const {
  if (token.size() > kLongestWord || class_of(decode_utf8(token, 0).value) != CharClass::upper) {
    return false;
  }
  return rules_.starters_.contains(lower_utf8(token));
}

void SentenceSplitter::split(Segmentation& text) const {
  const auto& tokens = text.tokens;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Ending ending = ending_of(text_of(tokens[i]));
    if (ending == Ending::none) continue;
    // "1." at the start of a line is the number of an item, not a sentence.
    if (i == begin + 1 && is_number(text_of(tokens[begin])) && text_of(tokens[i]) == ".") continue;
    std::size_t next = i + 1;
    while (next < tokens.size() &&
           closes(tokens[next], tokens[next].begin == tokens[next - 1].end)) {
      ++next;
    }
    if (next == tokens.size()) break;
    const std::string_view following = text_of(tokens[next]);
    const bool apart = tokens[next].begin > tokens[next - 1].end;
    const bool ends =
        ending == Ending::abbreviation ? is_starter(following) : apart && may_begin(following);
    if (!ends) continue;
    text.sentence_ends.push_back(static_cast<std::uint32_t>(next));
    begin = next;
    i = next - 1;
  }
  if (!tokens.empty()) text.sentence_ends.push_back(static_cast<std::uint32_t>(tokens.size()));
}

}  // namespace copse
