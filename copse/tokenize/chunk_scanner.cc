#include "copse/tokenize/chunk_scanner.h"

#include <algorithm>

namespace copse {
namespace {

constexpr int kLongestWord = 64;  // words of the tables are shorter

bool is_one_of(char32_t point, std::u32string_view marks) {
  return marks.find(point) != std::u32string_view::npos;
}
bool is_apostrophe(char32_t point) {
  return point == U'\'' || point == U'\u2019';
}
bool is_dash(char32_t point) {
  return point == U'\u2014' || point == U'\u2015';  // em dash, bar
}

constexpr std::u32string_view kOpening = U"\"'`([{<\u201C\u2018\u201E\u00AB\u2039\u00BF\u00A1";
constexpr std::u32string_view kClosing = U"\"')]}>\u201D\u2019\u00BB\u203A";
constexpr std::u32string_view kEnding = U".,;:!?%\u2026";
constexpr std::u32string_view kCutting = U",;:()[]{}<>\"\u201C\u201D\u2026%";
constexpr std::u32string_view kCurrencies = U"$\u00A3\u20AC\u00A5";

}  // namespace

void ChunkScanner::give(int begin, int end, Spelling spelling) {
  if (begin < end) tokens_.push_back({text_.begin(begin), text_.begin(end), spelling});
}

// A single mark, written as the options want it.
void ChunkScanner::give_mark(int i, bool opening) {
  Spelling spelling = kAsIs;
  if (point(i) == U'"') {
    in_quotes_ = opening;
    if (!rules_.options_.keep_quotes) spelling = opening ? kOpenQuote : kCloseQuote;
  } else if (rules_.options_.ptb_brackets) {
    constexpr std::u32string_view kBrackets = U"()[]{}";
    const std::size_t at = kBrackets.find(point(i));
    if (at != std::u32string_view::npos) spelling = static_cast<Spelling>(kOpenRound + at);
  }
  give(i, i + 1, spelling);
}

std::string ChunkScanner::folded(int begin, int end) const {
  std::string word;
  for (int i = begin; i < end; ++i) {
    const char32_t c = is_apostrophe(point(i)) ? U'\'' : lower_of(point(i));
    word += c < 128 ? static_cast<char>(c) : '\x7F';  // the tables are ASCII
  }
  return word;
}

int ChunkScanner::run_of(int begin, int end, std::u32string_view marks) const {
  int i = begin;
  while (i < end && is_one_of(point(i), marks)) ++i;
  return i - begin;
}

bool ChunkScanner::is_whole(int begin, int end) const {
  if (end - begin > kLongestWord) return false;
  const std::string word = folded(begin, end);
  if (word == "``" || word == "''") return true;
  return rules_.whole_.contains(word) || rules_.emoticons_.contains(word) ||
         std::ranges::find(rules_.clitics_, word) != rules_.clitics_.end();
}

// Letters with a full stop after each: U.S., a.m.
bool ChunkScanner::is_acronym(int begin, int end) const {
  if (end - begin < 4 || (end - begin) % 2 != 0) return false;
  for (int i = begin; i < end; i += 2) {
    if (!is_alphabetic(i) || point(i + 1) != U'.') return false;
  }
  return true;
}

// Whether a final full stop belongs to the word [begin, end).
bool ChunkScanner::keeps_stop(int begin, int end) const {
  if (end - begin < 2 || end - begin > kLongestWord) return false;
  if (is_acronym(begin, end)) return true;
  if (end - begin == 2 && text_.cls(begin) == CharClass::upper) {
    return point(begin) != U'I' || capital_follows_;  // an initial
  }
  std::string word = folded(begin, end);
  if (rules_.before_numbers_.contains(word)) return number_follows_;
  if (rules_.keeps_stop(word)) return true;
  const std::size_t hyphen = word.rfind('-');  // Mon.-Fri.
  return hyphen != std::string::npos && rules_.keeps_stop(word.substr(hyphen + 1));
}

bool ChunkScanner::is_address(int begin, int end) const {
  if (rules_.options_.split_addresses || end - begin < 2) return false;
  if ((point(begin) == U'@' || point(begin) == U'#') && is_alphabetic(begin + 1)) return true;
  const std::string start = folded(begin, std::min(end, begin + 4));
  if (start == "www." && end - begin > 4) return true;
  for (int i = begin + 1; i + 1 < end; ++i) {
    if (point(i) == U'@' && point(i + 1) != U'@') return true;
    if (point(i) == U':' && point(i + 1) == U'/' && i + 2 < end && point(i + 2) == U'/')
      return true;
  }
  return false;
}

void ChunkScanner::scan(std::size_t number) {
  const auto [begin, end] = text_.chunks()[number];
  const bool last = number + 1 == text_.chunks().size();
  const int next = last ? text_.size() : text_.chunks()[number + 1].begin;
  const bool bracket = next + 1 < text_.size() && (point(next) == U'(' || point(next) == U'[');
  number_follows_ = is_digit(next) || (bracket && is_digit(next + 1));
  capital_follows_ = text_.cls(next) == CharClass::upper;
  if (is_whole(begin, end)) {
    if (point(begin) == U'`' && end - begin == 2) in_quotes_ = true;
    give(begin, end);
    return;
  }
  const int core = take_opening(begin, end);
  const int core_end = find_core_end(core, end);
  cut_core(core, core_end);
  take_closing(core_end, end);
}

// Whether the apostrophe at i is part of the word after it: 'em, '90s, 'tis.
bool ChunkScanner::begins_word(int i, int end) {
  if (is_digit(i + 1)) return true;
  if (end - i > 2 * kLongestWord) return false;  // no such word, and not worth a search
  for (const int word_end : {end, find_core_end(i, end)}) {
    if (word_end == i || word_end - i > kLongestWord) continue;
    if (is_whole(i, word_end) || rules_.splits_.contains(folded(i, word_end))) return true;
  }
  return false;
}

// Opening marks, one token each; returns where the rest begins.
int ChunkScanner::take_opening(int begin, int end) {
  int i = begin;
  while (i < end) {
    const char32_t c = point(i);
    if (c == U'"' && end - begin == 1) {
      give_mark(i, !in_quotes_);  // it stands alone: whichever is due
      return end;
    }
    if (is_apostrophe(c) && begins_word(i, end)) break;
    if (c == U'`' && point(i + 1) == U'`' && i + 1 < end) {
      give(i, i + 2);
      i += 2;
      continue;
    }
    if (is_one_of(c, kOpening) || c == U'\u2019') {
      give_mark(i, true);
      ++i;
      continue;
    }
    break;
  }
  return i;
}

// Where closing and ending marks begin.
int ChunkScanner::find_core_end(int begin, int end) {
  int i = end;
  while (i > begin) {
    const char32_t c = point(i - 1);
    if (c == U'.') {
      const bool dots = i - 2 >= begin && point(i - 2) == U'.';
      if (!dots && keeps_stop(begin, i)) break;
    } else if (is_apostrophe(c)) {
      if (is_whole(begin, i)) break;
    } else if (!is_one_of(c, kClosing) && !is_one_of(c, kEnding)) {
      break;
    }
    --i;
  }
  return i;
}

void ChunkScanner::take_closing(int begin, int end) {
  for (int i = begin; i < end;) {
    int size = 1;
    if (point(i) == U'.') size = run_of(i, end, U".");
    if (is_one_of(point(i), U"!?")) size = run_of(i, end, U"!?");
    if (point(i) == U'\'' && i + 1 < end && point(i + 1) == U'\'') size = 2;
    if (size == 1) {
      give_mark(i, false);
    } else {
      give(i, i + size);
    }
    i += size;
  }
}

// How long a token of its own begins at i inside of a core; 0 if none does.
int ChunkScanner::separator_size(int i, int begin, int end) const {
  const char32_t c = point(i);
  const bool between_digits = i > begin && i + 1 < end && is_digit(i - 1) && is_digit(i + 1);
  if ((c == U',' || c == U':') && between_digits) return 0;
  if (c == U'-') {
    const int run = run_of(i, end, U"-");
    if (run > 1) return run;
    const bool inside = i > begin && i + 1 < end;
    return rules_.options_.split_hyphens && inside ? 1 : 0;
  }
  if (c == U'.') {
    const int run = run_of(i, end, U".");
    return run > 1 ? run : 0;
  }
  if (c == U'!' || c == U'?') return run_of(i, end, U"!?");
  if (is_dash(c)) return 1;
  if (c == U'\u2013') return between_digits ? 0 : 1;
  if (c == U'&') {
    const bool name = i > begin && i + 1 < end && text_.cls(i - 1) == CharClass::upper &&
                      text_.cls(i + 1) == CharClass::upper;
    return name ? 0 : 1;
  }
  if (c == U'@' || c == U'#') return 1;
  return is_one_of(c, kCutting) ? 1 : 0;
}

void ChunkScanner::cut_core(int begin, int end) {
  if (begin == end) return;
  if (is_address(begin, end) || is_whole(begin, end)) {
    give(begin, end);
    return;
  }
  int word = begin;
  for (int i = begin; i < end;) {
    // $5 is cut after the sign, US$5 too.
    if (is_one_of(point(i), kCurrencies) && i + 1 < end) {
      if (i > word && !is_alphabetic(i - 1)) {
        cut_word(word, i);
        word = i;
      }
      give(word, i + 1);
      word = ++i;
      continue;
    }
    const int size = separator_size(i, begin, end);
    if (size == 0) {
      ++i;
      continue;
    }
    cut_word(word, i);
    if (size == 1) {
      give_mark(i, is_one_of(point(i), U"([{<\u201C"));
    } else {
      give(i, i + size);
    }
    i += size;
    word = i;
  }
  cut_word(word, end);
}

// A word without marks inside: the table of splits, then clitics.
void ChunkScanner::cut_word(int begin, int end) {
  if (end - begin < 2 || end - begin > kLongestWord || is_whole(begin, end)) {
    give(begin, end);
    return;
  }
  const auto split = rules_.splits_.find(folded(begin, end));
  if (split == rules_.splits_.end()) {
    cut_clitics(begin, end);
    return;
  }
  for (const int size : split->second) {
    give(begin, begin + size);
    begin += size;
  }
}

void ChunkScanner::cut_clitics(int begin, int end) {
  std::vector<int> cuts;
  int stop = end;
  for (bool found = true; found;) {
    found = false;
    const std::string word = folded(begin, stop);
    for (const std::string& clitic : rules_.clitics_) {
      if (word.size() <= clitic.size() || !word.ends_with(clitic)) continue;
      stop -= static_cast<int>(clitic.size());
      cuts.push_back(stop);
      found = true;
      break;
    }
  }
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
    give(begin, *cut);
    begin = *cut;
  }
  give(begin, end);
}

}  // namespace copse
