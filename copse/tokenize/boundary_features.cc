#include "copse/tokenize/boundary_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "copse/base/error.h"
#include "tokenize/boundary_templates.h"

namespace copse {
namespace {

constexpr int kLeft = 4;   // characters looked at on the left of character 0
constexpr int kRight = 5;  // and on its right
constexpr int kWindow = kLeft + 1 + kRight;

// Where an atom's value stands: the two windows, then the named ones in this order.
constexpr std::string_view kNames[] = {
    "token",      "token.exact", "token.shape", "token.size",  "rest",           "rest.shape",
    "chunk",      "chunk.kind",  "chunk.start", "chunk.shape", "before",         "before.shape",
    "word",       "word.shape",  "word.size",   "previous",    "previous.shape", "next",
    "next.shape", "next.start",  "next.core",   "next.known",  "later",          "later.start",
    "gap",        "history",     "length",      "first",       "opening",        "nesting",
    "style",      "size",        "inner",       "outer"};
constexpr int kNamed = static_cast<int>(std::size(kNames));
constexpr int kAtoms = 2 * kWindow + kNamed;

consteval int slot(std::string_view name) {
  for (int i = 0; i < kNamed; ++i) {
    if (kNames[i] == name) return 2 * kWindow + i;
  }
  throw "no such atom";
}

std::optional<AtomSlot> slot_of(std::string_view name) {
  for (int i = 0; i < kNamed; ++i) {
    if (kNames[i] == name) return 2 * kWindow + i;
  }
  for (int offset = -kLeft; offset <= kRight; ++offset) {
    if (name == fmt::format("c[{}]", offset)) return offset + kLeft;
    if (name == fmt::format("k[{}]", offset)) return kWindow + offset + kLeft;
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

class AtomReader {
 public:
  AtomReader(const Characters& characters, std::array<AtomValue, kAtoms>& atoms)
      : text_(characters), atoms_(atoms) {}

  template <int kSlot>
  void set(AtomValue value) {
    atoms_[kSlot] = value;
  }

  void windows(int i) {
    for (int offset = -kLeft; offset <= kRight; ++offset) {
      const auto at = static_cast<std::size_t>(offset + kLeft);
      const CharClass cls = text_.cls(i + offset);
      atoms_[at] = atom(text_.point(i + offset));
      atoms_[kWindow + at] = atom(static_cast<std::uint64_t>(cls));
    }
  }

  AtomValue lower(int begin, int end) const {
    return begin < end ? hashed(text_.lower_hash(begin, end)) : kAbsent;
  }

  // Classes, runs of the same drawn together.
  AtomValue shape(int begin, int end) const {
    end = std::min(end, begin + Characters::kLongestHashed);
    AtomValue value = 1;
    CharClass last = CharClass::edge;
    for (int i = begin; i < end; ++i) {
      const CharClass cls = text_.cls(i);
      if (cls != last) value = value * 67 + static_cast<std::uint64_t>(cls);
      last = cls;
    }
    return value;
  }

  bool has_word(int begin, int end) const {
    for (int i = begin; i < end; ++i) {
      if (is_letter(text_.cls(i)) || text_.cls(i) == CharClass::digit) return true;
    }
    return false;
  }

  AtomValue kind(Characters::Chunk chunk) const {
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
    const char32_t first = text_.point(chunk.begin) | 32U;
    if (first == 'w' && (text_.point(chunk.begin + 1) | 32U) == 'w' &&
        (text_.point(chunk.begin + 2) | 32U) == 'w') {
      flags |= 64;
    }
    return atom(flags);
  }

  // The letters or digits at the start of a chunk, opening marks passed over.
  BoundaryState::Span core(Characters::Chunk chunk) const {
    const int stop = std::min(chunk.end, chunk.begin + Characters::kLongestHashed);
    int begin = chunk.begin;
    while (begin < stop && is_opening(text_.cls(begin), text_.point(begin))) ++begin;
    int end = begin;
    while (end < stop && (is_letter(text_.cls(end)) || text_.cls(end) == CharClass::digit)) ++end;
    return {begin, end};
  }

 private:
  const Characters& text_;
  std::array<AtomValue, kAtoms>& atoms_;
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

BoundaryFeatures::BoundaryFeatures(std::string_view templates, const std::string& name) {
  for (Template& row : parse_templates(templates, name, slot_of)) {
    const auto drop = [&](AtomSlot guard) { return std::erase(row.guards, guard) > 0; };
    const bool inner = drop(slot("inner"));
    const bool outer = drop(slot("outer"));
    if (inner || !outer) inner_.push_back(row);
    if (outer || !inner) outer_.push_back(std::move(row));
  }
}

std::string_view BoundaryFeatures::standard() {
  return embedded::boundary_templates;
}

BoundaryFeatures::Paragraph BoundaryFeatures::look_at(const Characters& characters) const {
  if (characters.chunks().empty()) return {};
  const int last = characters.chunks().back().end - 1;
  const auto chunks = static_cast<int>(std::min<std::size_t>(characters.chunks().size(), 1000));
  return {atom(static_cast<std::uint64_t>(characters.cls(last))),
          atom(static_cast<std::uint64_t>(bin(chunks)))};
}

void BoundaryFeatures::keys(const Characters& text, const Paragraph& paragraph,
                            const WordSet& lower_words, const BoundaryState& state, int i,
                            std::size_t chunk_number, Gap gap, Keys& keys) const {
  std::array<AtomValue, kAtoms> atoms;
  AtomReader reader(text, atoms);
  const auto& chunks = text.chunks();
  const Characters::Chunk chunk = chunks[chunk_number];
  const int token = std::min(state.token_begin, i);

  reader.windows(i);
  reader.set<slot("token")>(reader.lower(token, i + 1));
  reader.set<slot("token.exact")>(hashed(text.hash(token, i + 1)));
  reader.set<slot("token.shape")>(reader.shape(token, i + 1));
  reader.set<slot("token.size")>(atom(static_cast<std::uint64_t>(bin(i - token))));
  reader.set<slot("rest")>(reader.lower(i + 1, chunk.end));
  reader.set<slot("chunk")>(reader.lower(chunk.begin, chunk.end));
  reader.set<slot("chunk.start")>(reader.lower(chunk.begin, std::min(chunk.begin + 4, chunk.end)));
  reader.set<slot("before")>(reader.lower(state.before.begin, state.before.end));
  reader.set<slot("gap")>(atom(static_cast<std::uint64_t>(gap)));
  reader.set<slot("history")>(atom(static_cast<std::uint64_t>(state.history)));
  reader.set<slot("length")>(atom(static_cast<std::uint64_t>(bin(state.sentence_tokens))));
  reader.set<slot("first")>(atom(static_cast<std::uint64_t>(text.cls(state.sentence_begin))));
  reader.set<slot("nesting")>(
      atom((state.in_quotes ? 1U : 0U) + 2U * static_cast<unsigned>(std::min(state.brackets, 2))));
  reader.set<slot("style")>(paragraph.style);
  reader.set<slot("size")>(paragraph.size);

  const bool has_next = chunk_number + 1 < chunks.size();
  const CharClass next_start =
      has_next ? text.cls(chunks[chunk_number + 1].begin) : CharClass::edge;
  reader.set<slot("next.start")>(atom(static_cast<std::uint64_t>(next_start)));
  reader.set<slot("inner")>(1);
  reader.set<slot("outer")>(1);
  reader.set<slot("chunk.kind")>(kAbsent);
  reader.set<slot("chunk.shape")>(kAbsent);
  reader.set<slot("rest.shape")>(kAbsent);
  reader.set<slot("before.shape")>(kAbsent);
  reader.set<slot("opening")>(kAbsent);
  for (const int absent :
       {slot("word"), slot("word.shape"), slot("word.size"), slot("previous"),
        slot("previous.shape"), slot("next"), slot("next.shape"), slot("next.core"),
        slot("next.known"), slot("later"), slot("later.start")}) {
    atoms[static_cast<std::size_t>(absent)] = kAbsent;
  }

  if (gap == Gap::none) {
    reader.set<slot("chunk.kind")>(reader.kind(chunk));
    reader.set<slot("chunk.shape")>(reader.shape(chunk.begin, chunk.end));
    reader.set<slot("rest.shape")>(reader.shape(i + 1, chunk.end));
  } else {
    BoundaryState::Span word{token, i + 1};
    if (!reader.has_word(word.begin, word.end)) word = state.before;
    reader.set<slot("before.shape")>(reader.shape(state.before.begin, state.before.end));
    reader.set<slot("word")>(reader.lower(word.begin, word.end));
    reader.set<slot("word.shape")>(reader.shape(word.begin, word.end));
    reader.set<slot("word.size")>(atom(static_cast<std::uint64_t>(bin(word.end - word.begin))));
    if (chunk_number > 0) {
      const auto previous = chunks[chunk_number - 1];
      reader.set<slot("previous")>(reader.lower(previous.begin, previous.end));
      reader.set<slot("previous.shape")>(reader.shape(previous.begin, previous.end));
    } else {
      reader.set<slot("previous.shape")>(1);
    }
    if (has_next) {
      const auto next = chunks[chunk_number + 1];
      const auto core = reader.core(next);
      reader.set<slot("next")>(reader.lower(next.begin, next.end));
      reader.set<slot("next.shape")>(reader.shape(next.begin, next.end));
      reader.set<slot("next.core")>(reader.lower(core.begin, core.end));
      const bool known =
          core.begin < core.end && lower_words.contains(text.lower_hash(core.begin, core.end));
      reader.set<slot("next.known")>(atom(known ? 1 : 0));
    }
    const CharClass later_start = chunk_number + 2 < chunks.size()
                                      ? text.cls(chunks[chunk_number + 2].begin)
                                      : CharClass::edge;
    reader.set<slot("later.start")>(atom(static_cast<std::uint64_t>(later_start)));
    if (chunk_number + 2 < chunks.size()) {
      const auto later = chunks[chunk_number + 2];
      reader.set<slot("later")>(reader.lower(later.begin, later.end));
    }
    const auto opening = reader.core({state.sentence_begin, i + 1});
    reader.set<slot("opening")>(reader.lower(opening.begin, opening.end));
  }
  for (const Template& row : gap == Gap::none ? inner_ : outer_) {
    if (const FeatureKey key = key_of(row, atoms.data()); key != kAbsent) keys.push_back(key);
  }
}

}  // namespace copse
