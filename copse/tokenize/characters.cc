#include "copse/tokenize/characters.h"

#include <utf8proc.h>

#include "copse/base/utf8.h"

namespace copse {
namespace {

constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15ULL | 1;

constexpr auto kPowers = [] {
  std::array<std::uint64_t, Characters::kLongestHashed + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * kBase;
  return powers;
}();

constexpr std::uint64_t roll(std::uint64_t prefix, char32_t point) {
  return prefix * kBase + point + 1;
}

struct AsciiTables {
  std::array<CharClass, 128> cls{};
  std::array<char, 128> lower{};
};

constexpr AsciiTables make_ascii_tables() {
  AsciiTables tables;
  int marks = 0;
  for (int c = 0; c < 128; ++c) {
    const auto i = static_cast<std::size_t>(c);
    tables.lower[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    CharClass& cls = tables.cls[i];
    if (c >= 'a' && c <= 'z') {
      cls = CharClass::lower;
    } else if (c >= 'A' && c <= 'Z') {
      cls = CharClass::upper;
    } else if (c >= '0' && c <= '9') {
      cls = CharClass::digit;
    } else if (c == ' ' || c == '\t') {
      cls = CharClass::blank;
    } else if (c >= '\n' && c <= '\r') {
      cls = CharClass::line_end;
    } else if (c < ' ' || c == 127) {
      cls = CharClass::control;
    } else {
      cls = static_cast<CharClass>(index_of(CharClass::ascii_mark) + marks++);
    }
  }
  return tables;
}
constexpr AsciiTables kAscii = make_ascii_tables();

// Characters whose category says too little.
struct ClassRange {
  char32_t first;
  char32_t last;
  CharClass cls;
};
constexpr ClassRange kRanges[] = {
    {0x0085, 0x0085, CharClass::line_end},
    {0x00A0, 0x00A0, CharClass::blank},
    {0x0589, 0x0589, CharClass::full_stop},  // Armenian
    {0x060C, 0x060C, CharClass::comma},      // Arabic
    {0x061B, 0x061B, CharClass::comma},      // Arabic semicolon
    {0x061F, 0x061F, CharClass::full_stop},  // Arabic question mark
    {0x06D4, 0x06D4, CharClass::full_stop},  // Urdu
    {0x0964, 0x0965, CharClass::full_stop},  // danda
    {0x0E00, 0x0EFF, CharClass::south_east_asian},
    {0x1000, 0x109F, CharClass::south_east_asian},
    {0x1362, 0x1362, CharClass::full_stop},  // Ethiopic
    {0x1780, 0x17FF, CharClass::south_east_asian},
    {0x1680, 0x1680, CharClass::blank},
    {0x2000, 0x200A, CharClass::blank},
    {0x200C, 0x200D, CharClass::extender},  // joiners
    {0x2018, 0x2018, CharClass::quote_open},
    {0x2019, 0x2019, CharClass::apostrophe},
    {0x201C, 0x201C, CharClass::quote_open},
    {0x201D, 0x201D, CharClass::quote_close},
    {0x201E, 0x201E, CharClass::quote_open},
    {0x2026, 0x2026, CharClass::ellipsis},
    {0x2028, 0x2029, CharClass::line_end},
    {0x202F, 0x202F, CharClass::blank},
    {0x203C, 0x203D, CharClass::full_stop},
    {0x2047, 0x2049, CharClass::full_stop},
    {0x205F, 0x205F, CharClass::blank},
    {0x20E3, 0x20E3, CharClass::extender},  // keycap
    {0x2190, 0x21FF, CharClass::symbol},
    {0x2300, 0x23FF, CharClass::pictograph},
    {0x2600, 0x27BF, CharClass::pictograph},
    {0x3000, 0x3000, CharClass::blank},
    {0x3001, 0x3001, CharClass::comma},
    {0x3002, 0x3002, CharClass::full_stop},
    {0x3005, 0x3007, CharClass::han},
    {0x3040, 0x309F, CharClass::hiragana},
    {0x30A0, 0x30FF, CharClass::katakana},
    {0x31F0, 0x31FF, CharClass::katakana},
    {0x3400, 0x4DBF, CharClass::han},
    {0x4E00, 0x9FFF, CharClass::han},
    {0xAC00, 0xD7A3, CharClass::hangul},
    {0xF900, 0xFAFF, CharClass::han},
    {0xFE00, 0xFE0F, CharClass::extender},  // variation selectors
    {0xFF01, 0xFF01, CharClass::full_stop},
    {0xFF0C, 0xFF0C, CharClass::comma},
    {0xFF0E, 0xFF0E, CharClass::full_stop},
    {0xFF1F, 0xFF1F, CharClass::full_stop},
    {0xFF61, 0xFF61, CharClass::full_stop},
    {0xFF64, 0xFF64, CharClass::comma},
    {0xFF66, 0xFF9F, CharClass::katakana},
    {0x1F000, 0x1F3FA, CharClass::pictograph},
    {0x1F3FB, 0x1F3FF, CharClass::extender},  // skin tones
    {0x1F400, 0x1FAFF, CharClass::pictograph},
    {0x20000, 0x3FFFD, CharClass::han},
    {0xE0020, 0xE007F, CharClass::extender},  // tags of flags
};

CharClass class_of_category(char32_t point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return CharClass::upper;
    case UTF8PROC_CATEGORY_LL:
      return CharClass::lower;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return CharClass::other_letter;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return CharClass::extender;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return CharClass::digit;
    case UTF8PROC_CATEGORY_PD:
      return CharClass::dash;
    case UTF8PROC_CATEGORY_PS:
      return CharClass::open;
    case UTF8PROC_CATEGORY_PE:
      return CharClass::close;
    case UTF8PROC_CATEGORY_PI:
      return CharClass::quote_open;
    case UTF8PROC_CATEGORY_PF:
      return CharClass::quote_close;
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PO:
      return CharClass::other_mark;
    case UTF8PROC_CATEGORY_SC:
      return CharClass::currency;
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_SK:
      return CharClass::symbol;
    case UTF8PROC_CATEGORY_SO:
      return point == kReplacementCharacter ? CharClass::invalid : CharClass::symbol;
    default:
      return CharClass::control;
  }
}

bool is_regional_indicator(char32_t point) {
  return point >= 0x1F1E6 && point <= 0x1F1FF;
}

}  // namespace

CharClass class_of(char32_t point) {
  if (point < 128) return kAscii.cls[point];
  const auto* range = std::upper_bound(
      std::begin(kRanges), std::end(kRanges), point,
      [](char32_t value, const ClassRange& candidate) { return value < candidate.first; });
  if (range != std::begin(kRanges) && point <= (range - 1)->last) return (range - 1)->cls;
  return class_of_category(point);
}

bool is_white_space(char32_t point) {
  return is_blank(class_of(point));
}

char32_t lower_of(char32_t point) {
  if (point < 128) return static_cast<char32_t>(kAscii.lower[point]);
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point)));
}

char32_t upper_of(char32_t point) {
  return static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(point)));
}

void Characters::make_room(std::size_t bytes) {
  const std::size_t room = bytes + 2 * kPadding;
  if (cells_.size() < room) cells_.resize(room);
  if (lower_.size() < bytes + 1) lower_.resize(bytes + 1);
  chunks_.clear();
}

void Characters::read(std::string_view text) {
  make_room(text.size());
  std::fill_n(cells_.begin(), kPadding, Cell{0, 0, CharClass::edge});
  Cell* const first = cells_.data() + kPadding;
  Cell* cell = first;  // the next one to fill
  std::uint64_t lower = 0;
  lower_[0] = 0;
  int chunk_begin = -1;
  bool joined = false;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    CodePoint point{byte, 1};
    CharClass cls = kAscii.cls[byte & 127];
    char32_t small = static_cast<unsigned char>(kAscii.lower[byte & 127]);
    if (byte >= 128) {
      point = decode_utf8(text, i);
      cls = class_of(point.value);
      small = lower_of(point.value);
      joined = joined || cls == CharClass::extender || cls == CharClass::pictograph;
    }
    const int here = static_cast<int>(cell - first);
    if (is_blank(cls)) {
      if (chunk_begin >= 0) chunks_.push_back({chunk_begin, here});
      chunk_begin = -1;
      if (is_blank(cell[-1].cls)) {
        if (cls == CharClass::line_end) cell[-1] = {'\n', cell[-1].begin, cls};
        i += static_cast<std::size_t>(point.size);
        continue;
      }
      point.value = cls == CharClass::line_end ? '\n' : ' ';
      small = ' ';
    } else if (chunk_begin < 0) {
      chunk_begin = here;
    }
    *cell++ = {point.value, static_cast<std::uint32_t>(i), cls};
    lower = roll(lower, small);
    lower_[static_cast<std::size_t>(here) + 1] = lower;
    i += static_cast<std::size_t>(point.size);
  }
  size_ = static_cast<int>(cell - first);
  if (chunk_begin >= 0) chunks_.push_back({chunk_begin, size_});
  std::fill_n(cell, kPadding, Cell{0, static_cast<std::uint32_t>(text.size()), CharClass::edge});
  if (joined) mark_joined();
}

// What follows a zero-width joiner, and the second letter of a flag, belong to what is before them.
void Characters::mark_joined() {
  constexpr char32_t kJoiner = 0x200D;
  bool open_flag = false;
  for (int i = 0; i < size_; ++i) {
    Cell& cell = cells_[at(i)];
    if (cell.cls == CharClass::pictograph && i > 0 && point(i - 1) == kJoiner) {
      cell.cls = CharClass::extender;
    }
    if (!is_regional_indicator(cell.point)) {
      open_flag = false;
      continue;
    }
    if (open_flag) cell.cls = CharClass::extender;
    open_flag = !open_flag;
  }
}

std::uint64_t Characters::lower_hash(int begin, int end) const {
  end = std::min(end, begin + kLongestHashed);
  const auto from = static_cast<std::size_t>(begin);
  const auto to = static_cast<std::size_t>(end);
  return lower_[to] - lower_[from] * kPowers[to - from];
}

std::uint64_t lower_hash_of(std::string_view text) {
  std::uint64_t hash = 0;
  int count = 0;
  for_each_code_point(text, [&](char32_t point) {
    if (count++ < Characters::kLongestHashed) hash = roll(hash, lower_of(point));
  });
  return hash;
}

}  // namespace copse
