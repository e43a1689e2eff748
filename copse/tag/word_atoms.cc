#include "copse/tag/word_atoms.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "copse/base/utf8.h"
#include "copse/cluster/word_clusters.h"
#include "copse/tag/tag_dictionary.h"

namespace copse {
namespace {

constexpr std::size_t kMaxCharacters = 64;
constexpr AtomValue kTrue = atom_of(std::uint64_t{1});

constexpr std::array<std::string_view, kWordAtoms> kNames = {
    "w",     "lw",   "p1",    "p2",    "p3",    "p4",     "s1",      "s2",   "s3",     "s4",
    "s5",    "s6",   "shape", "digit", "upper", "hyphen", "capital", "rare", "common", "first",
    "shout", "dict", "c4",    "c6",    "c10",   "c",      "pos",     "run",  "inside"};

enum class CharacterClass { lower, upper, digit, other };

CharacterClass class_of(char32_t c) {
  if (c < 0x80) {
    if (c >= 'a' && c <= 'z') return CharacterClass::lower;
    if (c >= 'A' && c <= 'Z') return CharacterClass::upper;
    if (c >= '0' && c <= '9') return CharacterClass::digit;
    return CharacterClass::other;
  }
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return CharacterClass::upper;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_LM:
      return CharacterClass::lower;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return CharacterClass::digit;
    default:
      return CharacterClass::other;
  }
}

// A word cut into its characters, and what they say.
class WordView {
 public:
  explicit WordView(std::string_view word) {
    std::array<CharacterClass, 2> last{};
    for (std::size_t i = 0; i < word.size() && length_ < kMaxCharacters;) {
      const CodePoint point = decode_utf8(word, i);
      const CharacterClass kind = class_of(point.value);
      note(point.value, kind);
      // The shape: a run of the same class counts twice at most.
      const bool third = shape_.size() >= 2 && kind == last[0] && kind == last[1];
      if (!third || kind == CharacterClass::other) append_shape(point.value, kind);
      last = {last[1], kind};
      begins_[length_++] = i;
      i += static_cast<std::size_t>(point.size);
      end_ = i;
    }
    text_ = word.substr(0, end_);
  }

  AtomValue prefix(std::size_t characters) const {
    if (characters > length_) return kAbsent;
    return atom_of(text_.substr(0, characters == length_ ? end_ : begins_[characters]));
  }
  AtomValue suffix(std::size_t characters) const {
    if (characters > length_) return kAbsent;
    return atom_of(text_.substr(begins_[length_ - characters]));
  }
  AtomValue shape() const { return atom_of(shape_); }
  AtomValue lower() const { return is_plain_ ? atom_of(text_) : atom_of(lower_utf8(text_)); }

  bool has_digit() const { return has_digit_; }
  bool has_upper() const { return has_upper_; }
  bool has_lower() const { return has_lower_; }
  bool has_hyphen() const { return has_hyphen_; }
  bool begins_with_capital() const { return begins_with_capital_; }

 private:
  void note(char32_t c, CharacterClass kind) {
    has_digit_ |= kind == CharacterClass::digit;
    has_upper_ |= kind == CharacterClass::upper;
    has_lower_ |= kind == CharacterClass::lower;
    has_hyphen_ |= c == '-' || c == U'\u2010' || c == U'\u2011';
    is_plain_ &= c < 0x80 && kind != CharacterClass::upper;
    if (length_ == 0) begins_with_capital_ = kind == CharacterClass::upper;
  }
  void append_shape(char32_t c, CharacterClass kind) {
    switch (kind) {
      case CharacterClass::lower:
        shape_ += 'x';
        break;
      case CharacterClass::upper:
        shape_ += 'X';
        break;
      case CharacterClass::digit:
        shape_ += 'd';
        break;
      case CharacterClass::other:
        append_utf8(c, shape_);
        break;
    }
  }

  std::string_view text_;
  std::array<std::size_t, kMaxCharacters> begins_;
  std::size_t length_ = 0;
  std::size_t end_ = 0;
  std::string shape_;
  bool has_digit_ = false, has_upper_ = false, has_lower_ = false, has_hyphen_ = false;
  bool begins_with_capital_ = false;
  bool is_plain_ = true;  // ASCII without capitals: its own lower case
};

AtomValue flag(bool value) {
  return value ? kTrue : kAbsent;
}

void fill_spelling(SentenceAtoms& atoms, int i, std::string_view word, const WordView& view) {
  atoms.at(i, WordAtom::form) = atom_of(word);
  atoms.at(i, WordAtom::lower) = view.lower();
  for (int k = 0; k < 4; ++k) {
    const auto atom = static_cast<WordAtom>(static_cast<int>(WordAtom::prefix1) + k);
    atoms.at(i, atom) = view.prefix(static_cast<std::size_t>(k) + 1);
  }
  for (int k = 0; k < 6; ++k) {
    const auto atom = static_cast<WordAtom>(static_cast<int>(WordAtom::suffix1) + k);
    atoms.at(i, atom) = view.suffix(static_cast<std::size_t>(k) + 1);
  }
  atoms.at(i, WordAtom::shape) = view.shape();
  atoms.at(i, WordAtom::digit) = flag(view.has_digit());
  atoms.at(i, WordAtom::upper) = flag(view.has_upper());
  atoms.at(i, WordAtom::hyphen) = flag(view.has_hyphen());
  atoms.at(i, WordAtom::capital) = flag(view.begins_with_capital());
}

void fill_dictionary(SentenceAtoms& atoms, int i, const TagDictionary& dictionary) {
  const auto row = dictionary.find(atoms.at(i, WordAtom::form));
  const bool common = dictionary.is_common(row);
  atoms.at(i, WordAtom::common) = flag(common);
  atoms.at(i, WordAtom::rare) = flag(!common);
  if (!common) return;
  AtomValue set = kTrue;
  dictionary.for_each_tag(row,
                          [&](Label tag, float) { set = join(set, atom_of(std::uint64_t{tag})); });
  atoms.at(i, WordAtom::dictionary) = set == kAbsent ? kTrue : set;
}

void fill_clusters(SentenceAtoms& atoms, int i, std::string_view word,
                   const WordClusters& clusters) {
  const WordClusters::Id id = clusters.find(word);
  if (id == WordClusters::kNone) return;
  atoms.at(i, WordAtom::cluster4) = atom_of(clusters.bits(id).substr(0, 4));
  atoms.at(i, WordAtom::cluster6) = atom_of(clusters.bits(id).substr(0, 6));
  atoms.at(i, WordAtom::cluster10) = atom_of(clusters.bits(id).substr(0, 10));
  atoms.at(i, WordAtom::cluster) = atom_of(clusters.bits(id));
}

// "3:2": the second word of three capitalised ones in a row; lengths beyond 5 are one.
void fill_runs(SentenceAtoms& atoms) {
  for (int begin = 0; begin < atoms.words();) {
    int end = begin;
    while (end < atoms.words() && atoms.at(end, WordAtom::capital) != kAbsent) ++end;
    const auto length = static_cast<std::uint64_t>(std::min(end - begin, 5));
    for (int i = begin; i < end; ++i) {
      const auto place = static_cast<std::uint64_t>(std::min(i - begin, 5));
      atoms.at(i, WordAtom::run) = atom_of(length * 8 + place);
    }
    begin = std::max(end, begin + 1);
  }
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

void fill_inside(std::span<const std::string_view> words, SentenceAtoms& atoms) {
  int brackets = 0;
  bool quoted = false;
  for (int i = 0; i < atoms.words(); ++i) {
    const std::string_view word = words[static_cast<std::size_t>(i)];
    if (is_one_of(word, {")", "]", "-RRB-", "-RSB-"})) brackets = std::max(0, brackets - 1);
    if (is_one_of(word, {"''", "\u201D", "\u00BB"})) quoted = false;
    if (brackets > 0 || quoted) {
      atoms.at(i, WordAtom::inside) = atom_of((brackets > 0 ? 2U : 0U) + (quoted ? 1U : 0U));
    }
    if (is_one_of(word, {"(", "[", "-LRB-", "-LSB-"})) ++brackets;
    if (is_one_of(word, {"``", "\u201C", "\u00AB"})) quoted = true;
    if (word == "\"") quoted = !quoted;
  }
}

void fill_edges(SentenceAtoms& atoms) {
  for (int k = 1; k <= kWordWindow; ++k) {
    const AtomValue before = atom_of("<before>");
    const AtomValue after = atom_of("<after>");
    atoms.at(-k, WordAtom::form) = atoms.at(-k, WordAtom::lower) = before;
    atoms.at(atoms.words() - 1 + k, WordAtom::form) = after;
    atoms.at(atoms.words() - 1 + k, WordAtom::lower) = after;
  }
}

}  // namespace

std::optional<AtomSlot> word_atom_slot(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string_view::npos || name.back() != ']') return std::nullopt;
  const auto found = std::ranges::find(kNames, name.substr(0, bracket));
  if (found == kNames.end()) return std::nullopt;
  const std::string_view number = name.substr(bracket + 1, name.size() - bracket - 2);
  int position = 0;
  const auto [end, failure] =
      std::from_chars(number.data(), number.data() + number.size(), position);
  if (failure != std::errc() || end != number.data() + number.size()) return std::nullopt;
  if (position < -kWordWindow || position > kWordWindow) return std::nullopt;
  return position * kWordAtoms + static_cast<AtomSlot>(found - kNames.begin());
}

void SentenceAtoms::reset(int words) {
  words_ = words;
  values_.assign(static_cast<std::size_t>(words + 2 * kWordWindow) * kWordAtoms, kAbsent);
}

void fill_atoms(std::span<const std::string_view> words,
                std::span<const std::string_view> parts_of_speech, const WordAtomSources& sources,
                SentenceAtoms& atoms) {
  atoms.reset(static_cast<int>(words.size()));
  bool shouting = !words.empty();
  bool any_upper = false;
  for (int i = 0; i < atoms.words(); ++i) {
    const std::string_view word = words[static_cast<std::size_t>(i)];
    const WordView view(word);
    fill_spelling(atoms, i, word, view);
    if (sources.dictionary != nullptr) fill_dictionary(atoms, i, *sources.dictionary);
    if (sources.clusters != nullptr) fill_clusters(atoms, i, word, *sources.clusters);
    if (!parts_of_speech.empty()) {
      atoms.at(i, WordAtom::part_of_speech) = atom_of(parts_of_speech[static_cast<std::size_t>(i)]);
    }
    shouting = shouting && !view.has_lower();
    any_upper = any_upper || view.has_upper();
  }
  if (!words.empty()) atoms.at(0, WordAtom::first) = kTrue;
  for (int i = 0; i < atoms.words(); ++i)
    atoms.at(i, WordAtom::shout) = flag(shouting && any_upper);
  fill_runs(atoms);
  fill_inside(words, atoms);
  fill_edges(atoms);
}

}  // namespace copse
