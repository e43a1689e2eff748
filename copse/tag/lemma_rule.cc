#include "copse/tag/lemma_rule.h"

#include <fmt/core.h>
#include <utf8proc.h>

#include <array>
#include <charconv>
#include <vector>

#include "copse/base/utf8.h"

namespace copse {
namespace {

using Characters = std::u32string;

// Bytes that are no UTF-8 cannot be told apart once decoded; such words get absolute rules.
Characters characters_of(std::string_view text) {
  Characters result;
  for_each_code_point(text, [&](char32_t c) { result.push_back(c); });
  return result;
}

std::string text_of(std::u32string_view characters) {
  std::string result;
  for (const char32_t c : characters) append_utf8(c, result);
  return result;
}

char32_t lower(char32_t c) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}
char32_t upper(char32_t c) {
  return static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c)));
}

Characters change_case(Characters word, LemmaRule::Case change) {
  if (change == LemmaRule::Case::keep) return word;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool raise =
        change == LemmaRule::Case::upper || (change == LemmaRule::Case::capital && i == 0);
    word[i] = raise ? upper(word[i]) : lower(word[i]);
  }
  return word;
}

struct Common {
  std::size_t in_form = 0;
  std::size_t in_lemma = 0;
  std::size_t size = 0;
};

// The longest common substring, the leftmost in the form.
Common longest_common(const Characters& form, const Characters& lemma) {
  Common best;
  std::vector<std::size_t> before(lemma.size() + 1, 0);
  std::vector<std::size_t> here(lemma.size() + 1, 0);
  for (std::size_t i = 0; i < form.size(); ++i) {
    for (std::size_t j = 0; j < lemma.size(); ++j) {
      here[j + 1] = form[i] == lemma[j] ? before[j] + 1 : 0;
      const std::size_t size = here[j + 1];
      if (size > best.size) best = {i + 1 - size, j + 1 - size, size};
    }
    std::swap(before, here);
  }
  return best;
}

LemmaRule absolute_rule(std::string_view lemma) {
  LemmaRule rule;
  rule.absolute = true;
  rule.after = lemma;
  return rule;
}

// Beyond this the quadratic search for the common part is not worth it.
constexpr std::size_t kLongest = 200;

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\\\";
        break;
      case '/':
        result += "\\s";
        break;
      case '\n':
        result += "\\n";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::optional<std::string> unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    switch (text[i]) {
      case '\\':
        result += '\\';
        break;
      case 's':
        result += '/';
        break;
      case 'n':
        result += '\n';
        break;
      default:
        return std::nullopt;
    }
  }
  return result;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

LemmaRule lemma_rule(std::string_view form, std::string_view lemma) {
  const Characters form_characters = characters_of(form);
  const Characters target = characters_of(lemma);
  if (form.size() > kLongest || lemma.size() > kLongest || text_of(target) != lemma ||
      text_of(form_characters) != form) {
    return absolute_rule(lemma);
  }
  using Case = LemmaRule::Case;
  const bool is_lower = target == change_case(target, Case::lower);
  constexpr std::array<Case, 1> kLower = {Case::lower};
  constexpr std::array<Case, 3> kOthers = {Case::keep, Case::capital, Case::upper};
  LemmaRule rule;
  Common best;
  std::size_t length = 0;
  const auto consider = [&](Case change) {
    const Characters changed = change_case(form_characters, change);
    const Common common = longest_common(changed, target);
    if (length != 0 && common.size <= best.size) return;
    best = common;
    length = changed.size();
    rule.change = change;
  };
  if (is_lower) {
    for (const Case change : kLower) consider(change);
  } else {
    for (const Case change : kOthers) consider(change);
  }
  if (best.size == 0 || (best.size < 2 && length > 3)) return absolute_rule(lemma);
  rule.drop_front = static_cast<int>(best.in_form);
  rule.drop_back = static_cast<int>(length - best.in_form - best.size);
  const std::u32string_view view(target);
  rule.before = text_of(view.substr(0, best.in_lemma));
  rule.after = text_of(view.substr(best.in_lemma + best.size));
  return rule;
}

std::optional<std::string> apply_rule(const LemmaRule& rule, std::string_view form) {
  if (rule.absolute) return rule.after;
  const Characters word = change_case(characters_of(form), rule.change);
  const auto dropped =
      static_cast<std::size_t>(rule.drop_front) + static_cast<std::size_t>(rule.drop_back);
  if (dropped >= word.size()) return std::nullopt;
  const std::u32string_view view(word);
  const auto kept = view.substr(static_cast<std::size_t>(rule.drop_front), word.size() - dropped);
  return rule.before + text_of(kept) + rule.after;
}

std::string LemmaRule::str() const {
  if (absolute) return "=" + escape(after);
  return fmt::format("{}/{}/{}/{}/{}", static_cast<char>(change), drop_front, escape(before),
                     drop_back, escape(after));
}

std::optional<LemmaRule> LemmaRule::parse(std::string_view text) {
  LemmaRule rule;
  if (text.starts_with('=')) {
    const auto lemma = unescape(text.substr(1));
    if (!lemma) return std::nullopt;
    return absolute_rule(*lemma);
  }
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    fields.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (fields.size() != 5 || fields[0].size() != 1) return std::nullopt;
  if (std::string_view("klcu").find(fields[0][0]) == std::string_view::npos) return std::nullopt;
  rule.change = static_cast<Case>(fields[0][0]);
  const auto front = number(fields[1]);
  const auto before = unescape(fields[2]);
  const auto back = number(fields[3]);
  const auto after = unescape(fields[4]);
  if (!front || !before || !back || !after) return std::nullopt;
  rule.drop_front = *front;
  rule.before = *before;
  rule.drop_back = *back;
  rule.after = *after;
  return rule;
}

}  // namespace copse
