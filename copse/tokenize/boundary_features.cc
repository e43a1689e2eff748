#include "copse/tokenize/boundary_features.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "copse/base/error.h"
#include "tokenize/boundary_templates.h"

namespace copse {
namespace {

constexpr int kLeft = 4;   // characters looked at on the left of character 0
constexpr int kRight = 5;  // and on its right
constexpr int kWindow = kLeft + 1 + kRight;

// Where an atom's value stands: the three windows, then the named ones in this order.
constexpr std::string_view kNames[] = {
    "token",      "token.shape", "token.size",  "rest",           "rest.shape",   "chunk",
    "chunk.kind", "chunk.start", "chunk.shape", "before",         "before.shape", "word",
    "word.shape", "word.size",   "previous",    "previous.shape", "next",         "next.shape",
    "next.start", "next.core",   "next.known",  "later",          "later.start",  "gap",
    "history",    "length",      "first",       "opening",        "nesting",      "style",
    "size",       "cased",       "inner",       "outer"};
constexpr int kNamed = static_cast<int>(std::size(kNames));
constexpr int kNamedBegin = 3 * kWindow;
constexpr int kAtoms = kNamedBegin + kNamed;
static_assert(kAtoms <= 256 && kNamed <= 64);

consteval int slot(std::string_view name) {
  for (int i = 0; i < kNamed; ++i) {
    if (kNames[i] == name) return kNamedBegin + i;
  }
  throw "no such atom";
}

std::optional<AtomSlot> slot_of(std::string_view name) {
  for (int i = 0; i < kNamed; ++i) {
    if (kNames[i] == name) return kNamedBegin + i;
  }
  for (int offset = -kLeft; offset <= kRight; ++offset) {
    if (name == fmt::format("c[{}]", offset)) return offset + kLeft;
    if (name == fmt::format("k[{}]", offset)) return kWindow + offset + kLeft;
    if (name == fmt::format("a[{}]", offset)) return 2 * kWindow + offset + kLeft;
  }
  return std::nullopt;
}

// Small numbers as atoms; any value but kAbsent will do, keys are mixed afterwards.
constexpr AtomValue atom(std::uint64_t number) {
  return number + 1;
}
constexpr AtomValue hashed(std::uint64_t hash) {
  return hash == kAbsent ? 1 : hash;
}

int bin(int number) {
  constexpr std::array<int, 7> kBounds = {0, 1, 2, 4, 8, 16, 32};
  int at = 0;
  while (at < static_cast<int>(kBounds.size()) && number > kBounds[static_cast<std::size_t>(at)]) {
    ++at;
  }
  return at;
}

bool is_opening(CharClass cls, char32_t point) {
  return cls == CharClass::open || cls == CharClass::quote_open || point == '"' || point == '\'' ||
         point == '(' || point == '[' || point == '*' || point == '-';
}

using Chunk = Characters::Chunk;
using Span = BoundaryState::Span;

// Fills in the atoms that a set of templates asks for.
class AtomReader {
 public:
  AtomReader(const BoundaryFeatures::TemplateSet& set, const Characters& text)
      : set_(set), asks_(set.asks), text_(text) {}

  const AtomValue* atoms() const { return atoms_.data(); }

  void windows(int i) {
    for (const int offset : set_.characters) {
      atoms_[at(offset + kLeft)] = atom(text_.point(i + offset));
    }
    for (const int offset : set_.classes) {
      atoms_[at(kWindow + offset + kLeft)] = of_class(text_.cls(i + offset));
    }
    for (const int offset : set_.alike) {
      atoms_[at(2 * kWindow + offset + kLeft)] = alike(i + offset);
    }
  }

  void read_history(const BoundaryState& state, const BoundaryFeatures::Paragraph& paragraph,
                    int i) {
    const auto depth = static_cast<unsigned>(std::min(state.brackets, 2));
    set<slot("before")>([&] { return lower(state.before); });
    set<slot("before.shape")>([&] { return shape(state.before); });
    set<slot("history")>([&] { return number(state.history); });
    set<slot("length")>([&] { return number(bin(state.sentence_tokens)); });
    set<slot("first")>([&] { return of_class(text_.cls(state.sentence_begin)); });
    set<slot("opening")>([&] { return lower(core({state.sentence_begin, i + 1})); });
    set<slot("nesting")>([&] { return atom((state.in_quotes ? 1U : 0U) + 2U * depth); });
    set<slot("style")>([&] { return paragraph.style; });
    set<slot("size")>([&] { return paragraph.size; });
    set<slot("cased")>([&] { return paragraph.cased; });
  }

  void read_token(const BoundaryState& state, Chunk chunk, int i) {
    const Span token{std::min(state.token_begin, i), i + 1};
    const Span rest{i + 1, chunk.end};
    const Span whole{chunk.begin, chunk.end};
    set<slot("token")>([&] { return lower(token); });
    set<slot("token.shape")>([&] { return shape(token); });
    set<slot("token.size")>([&] { return number(bin(token.end - token.begin - 1)); });
    set<slot("rest")>([&] { return lower(rest); });
    set<slot("rest.shape")>([&] { return shape(rest); });
    set<slot("chunk")>([&] { return lower(whole); });
    set<slot("chunk.shape")>([&] { return shape(whole); });
    set<slot("chunk.kind")>([&] { return kind(chunk); });
    set<slot("chunk.start")>([&] {
      return lower({chunk.begin, std::min(chunk.begin + 4, chunk.end)});
    });
    const Span word = has_word(token) ? token : state.before;
    set<slot("word")>([&] { return lower(word); });
    set<slot("word.shape")>([&] { return shape(word); });
    set<slot("word.size")>([&] { return number(bin(word.end - word.begin)); });
  }

  // Chunks around chunk number `c`.
  void read_neighbours(std::size_t c, const WordSet& lower_words) {
    const auto& chunks = text_.chunks();
    const auto span = [&](std::size_t at) {
      return at < chunks.size() ? Span{chunks[at].begin, chunks[at].end} : Span{};
    };
    const auto start = [&](std::size_t at) {
      return of_class(at < chunks.size() ? text_.cls(chunks[at].begin) : CharClass::edge);
    };
    const Span previous = c > 0 ? span(c - 1) : Span{};
    const Span next = span(c + 1);
    set<slot("previous")>([&] { return lower(previous); });
    set<slot("previous.shape")>([&] { return shape(previous); });
    set<slot("next")>([&] { return lower(next); });
    set<slot("next.shape")>([&] { return shape(next); });
    set<slot("next.start")>([&] { return start(c + 1); });
    set<slot("later")>([&] { return lower(span(c + 2)); });
    set<slot("later.start")>([&] { return start(c + 2); });
    if (!asks(slot("next.core")) && !asks(slot("next.known"))) return;
    const Span letters = core({next.begin, next.end});
    set<slot("next.core")>([&] { return lower(letters); });
    set<slot("next.known")>([&] {
      return atom(letters.begin < letters.end &&
                  lower_words.contains(text_.lower_hash(letters.begin, letters.end)));
    });
  }

  template <int kSlot, class Value>
  void set(Value value) {
    if (asks(kSlot)) atoms_[kSlot] = value();
  }

  static AtomValue number(int value) { return atom(static_cast<std::uint64_t>(value)); }
  static AtomValue of_class(CharClass cls) { return number(index_of(cls)); }

 private:
  static std::size_t at(std::ptrdiff_t place) { return static_cast<std::size_t>(place); }
  bool asks(int named) const { return (asks_ >> (named - kNamedBegin) & 1) != 0; }

  // Letters and digits by their class, marks as they are.
  AtomValue alike(int i) const {
    constexpr std::uint64_t kBeyond = 0x110000;  // code points end there
    const CharClass cls = text_.cls(i);
    const bool whole = !is_letter(cls) && cls != CharClass::digit;
    return atom(whole ? text_.point(i) : kBeyond + static_cast<std::uint64_t>(index_of(cls)));
  }

  AtomValue lower(Span span) const {
    return span.begin < span.end ? hashed(text_.lower_hash(span.begin, span.end)) : kAbsent;
  }

  // Classes, runs of the same drawn together.
  AtomValue shape(Span span) const {
    const int end = std::min(span.end, span.begin + Characters::kLongestHashed);
    AtomValue value = 1;
    CharClass last = CharClass::edge;
    for (int i = span.begin; i < end; ++i) {
      const CharClass cls = text_.cls(i);
      if (cls != last) value = value * 67 + static_cast<std::uint64_t>(cls);
      last = cls;
    }
    return value;
  }

  bool is_word_part(int i) const {
    return is_letter(text_.cls(i)) || text_.cls(i) == CharClass::digit;
  }

  bool has_word(Span span) const {
    const int end = std::min(span.end, span.begin + Characters::kLongestHashed);
    for (int i = span.begin; i < end; ++i) {
      if (is_word_part(i)) return true;
    }
    return false;
  }

  AtomValue kind(Chunk chunk) const {
    const int end = std::min(chunk.end, chunk.begin + Characters::kLongestHashed);
    unsigned flags = 0;
    for (int i = chunk.begin; i < end; ++i) {
      const char32_t point = text_.point(i);
      if (point == '@') flags |= 1;
      if (point == '/') flags |= text_.point(i + 1) == '/' ? 2 : 4;
      if (point == '.' && i + 1 < end) flags |= 8;
      if (text_.cls(i) == CharClass::digit) flags |= 16;
      if (point == '_' || point == '=') flags |= 32;
    }
    return atom(flags);
  }

  // The letters or digits at the start of a chunk, opening marks passed over.
  Span core(Chunk chunk) const {
    const int stop = std::min(chunk.end, chunk.begin + Characters::kLongestHashed);
    int begin = chunk.begin;
    while (begin < stop && is_opening(text_.cls(begin), text_.point(begin))) ++begin;
    int end = begin;
    while (end < stop && is_word_part(end)) ++end;
    return {begin, end};
  }

  const BoundaryFeatures::TemplateSet& set_;
  const std::uint64_t asks_;
  const Characters& text_;
  std::array<AtomValue, kAtoms> atoms_{};  // kAbsent
};

}  // namespace

void BoundaryState::take(Boundary boundary, int i, int next, const Characters& characters) {
  if (boundary == Boundary::inside) return;
  if (i == token_begin) {
    const char32_t point = characters.point(i);
    if (point == '"') in_quotes = !in_quotes;
    if (point == '(' || point == '[') ++brackets;
    if ((point == ')' || point == ']') && brackets > 0) --brackets;
  }
  before = {token_begin, i + 1};
  token_begin = next;
  ++sentence_tokens;
  if (boundary != Boundary::sentence) return;
  sentence_begin = next;
  sentence_tokens = 0;
  in_quotes = false;
  brackets = 0;
}

void BoundaryFeatures::TemplateSet::add(const Template& row) {
  const auto here = [&] { return static_cast<std::uint32_t>(slots.size()); };
  const std::uint32_t begin = here();
  Recipe recipe{row.seed, 0, 0};
  for (const AtomSlot at : row.atoms) slots.push_back(static_cast<std::uint8_t>(at));
  recipe.end = here();
  for (const AtomSlot at : row.guards) slots.push_back(static_cast<std::uint8_t>(at));
  recipe.last = here();
  recipes.push_back(recipe);
  const auto note = [](std::vector<int>& offsets, int offset) {
    if (std::ranges::find(offsets, offset) == offsets.end()) offsets.push_back(offset);
  };
  for (std::uint32_t i = begin; i < recipe.last; ++i) {
    const int at = slots[i];
    if (at < kWindow) {
      note(characters, at - kLeft);
    } else if (at < 2 * kWindow) {
      note(classes, at - kWindow - kLeft);
    } else if (at < kNamedBegin) {
      note(alike, at - 2 * kWindow - kLeft);
    } else {
      asks |= std::uint64_t{1} << (at - kNamedBegin);
    }
  }
}

// The same keys as key_of(), template by template.
void BoundaryFeatures::TemplateSet::append_keys(const AtomValue* atoms, Keys& keys) const {
  const std::size_t had = keys.size();
  keys.resize(had + recipes.size());
  FeatureKey* out = keys.data() + had;
  const std::uint8_t* slot = slots.data();
  for (const Recipe& recipe : recipes) {
    FeatureKey key = recipe.seed;
    unsigned absent = 0;
    for (const std::uint8_t* const end = slots.data() + recipe.end; slot != end; ++slot) {
      const AtomValue value = atoms[*slot];
      absent |= value == kAbsent ? 1U : 0U;
      key = join(key, value);
    }
    for (const std::uint8_t* const last = slots.data() + recipe.last; slot != last; ++slot) {
      absent |= atoms[*slot] == kAbsent ? 1U : 0U;
    }
    *out = key;
    out += 1 - absent;
  }
  keys.resize(static_cast<std::size_t>(out - keys.data()));
}

BoundaryFeatures::BoundaryFeatures(std::string_view templates, const std::string& name) {
  for (Template& row : parse_templates(templates, name, slot_of)) {
    const auto drop = [&](AtomSlot guard) { return std::erase(row.guards, guard) > 0; };
    const bool inner = drop(slot("inner"));
    const bool outer = drop(slot("outer"));
    if (inner || !outer) inner_.add(row);
    if (outer || !inner) outer_.add(row);
  }
}

std::string_view BoundaryFeatures::standard() {
  return embedded::boundary_templates;
}

BoundaryFeatures::Paragraph BoundaryFeatures::look_at(const Characters& characters) const {
  if (characters.chunks().empty()) return {};
  const int last = characters.chunks().back().end - 1;
  const auto chunks = static_cast<int>(std::min<std::size_t>(characters.chunks().size(), 1000));
  const auto begins_with_capital = [&](const Chunk& chunk) {
    return characters.cls(chunk.begin) == CharClass::upper;
  };
  const bool cased = std::ranges::any_of(characters.chunks(), begins_with_capital);
  return {AtomReader::of_class(characters.cls(last)), AtomReader::number(bin(chunks)),
          AtomReader::number(cased ? 1 : 0)};
}

void BoundaryFeatures::keys(const Characters& text, const Paragraph& paragraph,
                            const WordSet& lower_words, const BoundaryState& state, int i,
                            std::size_t chunk, Gap gap, Keys& keys) const {
  const TemplateSet& set = gap == Gap::none ? inner_ : outer_;
  AtomReader reader(set, text);
  reader.windows(i);
  reader.set<slot("gap")>([&] { return AtomReader::number(static_cast<int>(gap)); });
  reader.read_history(state, paragraph, i);
  reader.read_token(state, text.chunks()[chunk], i);
  reader.read_neighbours(chunk, lower_words);
  set.append_keys(reader.atoms(), keys);
}

}  // namespace copse
