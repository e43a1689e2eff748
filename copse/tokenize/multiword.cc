#include "copse/tokenize/multiword.h"

#include <fmt/format.h>

#include <algorithm>

#include "copse/base/error.h"
#include "copse/base/utf8.h"
#include "copse/tokenize/characters.h"
#include "copse/tokenize/gold_text.h"

namespace copse {
namespace {

bool is_char_start(std::string_view text, std::size_t at) {
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

std::size_t ascii_lower(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 'A' && byte <= 'Z' ? byte + 32U : byte;
}

// The last byte, and the one before it (0 if there is none), in lower case.
std::size_t last_two(std::string_view text) {
  const std::size_t before = text.size() > 1 ? ascii_lower(text[text.size() - 2]) : 0;
  return ascii_lower(text.back()) * 256 + before;
}

std::string upper_utf8(std::string_view text) {
  std::string out;
  for_each_code_point(text, [&](char32_t point) { append_utf8(upper_of(point), out); });
  return out;
}

std::string capitalised(std::string_view text) {
  if (text.empty()) return {};
  const CodePoint first = decode_utf8(text, 0);
  std::string out;
  append_utf8(upper_of(first.value), out);
  out += text.substr(static_cast<std::size_t>(first.size));
  return out;
}

enum class Case { as_is, first_upper, all_upper };

Case case_of(std::string_view text) {
  int upper = 0;
  int lower = 0;
  bool first_is_upper = false;
  bool first = true;
  for_each_code_point(text, [&](char32_t point) {
    const CharClass cls = class_of(point);
    if (cls == CharClass::upper) ++upper;
    if (cls == CharClass::lower) ++lower;
    if (first) first_is_upper = cls == CharClass::upper;
    first = false;
  });
  if (upper > 1 && lower == 0) return Case::all_upper;
  return first_is_upper ? Case::first_upper : Case::as_is;
}

std::string with_case(std::string_view word, Case wanted, bool first) {
  if (wanted == Case::all_upper) return upper_utf8(word);
  return wanted == Case::first_upper && first ? capitalised(word) : std::string(word);
}

// Fills `words` with `pieces`, dressed like `form`.
void dress(std::string_view form, const std::vector<std::string>& pieces,
           std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& piece : pieces) joined += piece;
  if (joined.size() == form.size() && joined == lower_utf8(form)) {
    std::size_t at = 0;
    for (const std::string& piece : pieces) {
      words.emplace_back(form.substr(at, piece.size()));
      at += piece.size();
    }
    return;
  }
  const Case wanted = case_of(form);
  for (const std::string& piece : pieces) words.push_back(with_case(piece, wanted, words.empty()));
}

std::string join_tabs(const std::vector<std::string>& pieces) {
  return fmt::format("{}", fmt::join(pieces, "\t"));
}

// How often each expansion was seen; the empty one stands for "one word".
using Counts = std::map<std::string, int>;

std::pair<std::string, int> most_frequent(const Counts& counts) {
  const auto best = std::ranges::max_element(
      counts, [](const auto& a, const auto& b) { return a.second < b.second; });
  return *best;
}

int total_of(const Counts& counts) {
  int total = 0;
  for (const auto& [expansion, count] : counts) total += count;
  return total;
}

}  // namespace

MultiwordExpander::Table MultiwordExpander::parse(const std::vector<std::string>& rows,
                                                  std::size_t pieces) {
  Table table;
  for (const std::string& row : rows) {
    Pieces fields;
    for (std::string_view rest = row;;) {
      const std::size_t tab = rest.find('\t');
      fields.emplace_back(rest.substr(0, tab));
      if (tab == std::string_view::npos) break;
      rest.remove_prefix(tab + 1);
    }
    const bool one_word = fields.size() == 1 && pieces == 0;
    if (fields[0].empty() || (!one_word && fields.size() < 3) ||
        std::ranges::any_of(
            fields.begin() + static_cast<long>(std::min<std::size_t>(2, fields.size())),
            fields.end(), &std::string::empty)) {
      throw data_error(fmt::format("'{}' is no expansion of a multiword token", row));
    }
    table[fields[0]] = Pieces(fields.begin() + 1, fields.end());
  }
  return table;
}

MultiwordExpander::MultiwordExpander(std::vector<std::string> words,
                                     std::vector<std::string> endings)
    : word_rows_(std::move(words)),
      ending_rows_(std::move(endings)),
      words_(parse(word_rows_, 0)),
      endings_(parse(ending_rows_, 1)) {
  for (const auto& [word, pieces] : words_) outlines_.set(outline(word));
  for (const auto& [ending, pieces] : endings_) {
    const std::size_t last = last_two(ending) / 256;
    if (ending.size() > 1) last_bytes_.set(last_two(ending));
    for (std::size_t before = 0; ending.size() == 1 && before < 256; ++before) {
      last_bytes_.set(last * 256 + before);
    }
  }
}

std::size_t MultiwordExpander::outline(std::string_view word) {
  const std::size_t bits =
      last_two(word) * 31 + ascii_lower(word[0]) * 0x2F0B + word.size() * 0x1F35;
  return bits & 0xFFFF;
}

bool MultiwordExpander::may_expand(std::string_view form) const {
  if (form.empty()) return false;
  if (outlines_[outline(form)] || last_bytes_[last_two(form)]) return true;
  // Lower case may change the bytes of letters outside of ASCII, and their number.
  const auto is_high = [](char c) { return static_cast<signed char>(c) < 0; };
  return std::ranges::any_of(form, is_high) && !empty();
}

MultiwordExpander MultiwordExpander::learn(std::span<const Entry> entries) {
  std::map<std::string, Counts> seen;  // by lower-case token
  for (const Entry& entry : entries) {
    for (const SurfaceToken& token : surface_tokens(entry.sentence)) {
      const std::string key = lower_utf8(token.form);
      Pieces words;
      for (const std::string_view word : token.words) {
        words.push_back(key == token.form ? std::string(word) : lower_utf8(word));
      }
      if (key.find_first_of("\t\n") == std::string::npos) ++seen[key][join_tabs(words)];
    }
  }
  // Each kind of token counts once for its endings.
  std::map<std::string, Counts> endings;
  const auto count_endings = [&](const std::string& token, const std::string& expansion) {
    Pieces pieces;
    if (!expansion.empty()) {
      for (std::string_view rest = expansion;;) {
        const std::size_t tab = rest.find('\t');
        pieces.emplace_back(rest.substr(0, tab));
        if (tab == std::string_view::npos) break;
        rest.remove_prefix(tab + 1);
      }
    }
    std::size_t common = 0;
    while (!pieces.empty() && common < std::min(token.size(), pieces[0].size()) &&
           token[common] == pieces[0][common]) {
      ++common;
    }
    for (std::size_t size = 1; size <= kLongestEnding && size < token.size(); ++size) {
      const std::size_t cut = token.size() - size;
      if (!is_char_start(token, cut)) continue;
      if (pieces.empty()) {
        ++endings[token.substr(cut)][""];
      } else if (cut <= common && cut > 0) {
        Pieces rule = pieces;
        rule[0] = rule[0].substr(cut);
        ++endings[token.substr(cut)][join_tabs(rule)];
      }
    }
  };

  std::vector<std::string> word_rows;
  for (const auto& [token, counts] : seen) {
    const auto [expansion, count] = most_frequent(counts);
    const bool multiword = counts.size() > 1 || !counts.begin()->first.empty();
    if (!expansion.empty()) word_rows.push_back(token + "\t" + expansion);
    count_endings(token, expansion);
    // A word that is sometimes several, mostly one, must not fall to the endings.
    if (expansion.empty() && multiword) word_rows.push_back(token);
  }
  std::vector<std::string> ending_rows;
  for (const auto& [ending, counts] : endings) {
    const auto [rule, count] = most_frequent(counts);
    const bool reliable = count >= kMinCount && count * 10 >= total_of(counts) * 9;
    if (!rule.empty() && reliable) ending_rows.push_back(ending + "\t" + rule);
  }
  return MultiwordExpander(std::move(word_rows), std::move(ending_rows));
}

bool MultiwordExpander::expand(std::string_view form, std::vector<std::string>& words) const {
  words.clear();
  if (form.size() > kLongestToken || !may_expand(form)) return false;
  const std::string lower = lower_utf8(form);
  if (const auto known = words_.find(lower); known != words_.end()) {
    dress(form, known->second, words);
    return !words.empty();
  }
  if (lower.size() != form.size()) return false;  // pieces could not be cut from it
  for (std::size_t size = std::min(kLongestEnding, form.size() - 1); size > 0; --size) {
    const std::size_t cut = lower.size() - size;
    if (!is_char_start(lower, cut)) continue;
    const auto rule = endings_.find(std::string_view(lower).substr(cut));
    if (rule == endings_.end()) continue;
    dress(form.substr(cut), rule->second, words);
    words[0].insert(0, form.substr(0, cut));
    return true;
  }
  return false;
}

}  // namespace copse
