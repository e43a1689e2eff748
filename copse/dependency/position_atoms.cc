#include "copse/dependency/position_atoms.h"

#include <algorithm>

#include "copse/base/utf8.h"
#include "copse/cluster/word_clusters.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, kPositionAtoms> kNames = {"w",  "l", "t",  "c",  "p5", "s3",
                                                                 "sh", "f", "cc", "k4", "k6", "k"};
constexpr std::array<std::string_view, PositionAtoms::kCompared> kComparedNames = {
    "Case", "Number", "Gender", "Person"};

AtomValue tag_atom(std::string_view value) {
  return is_missing(value) ? kAbsent : atom_of(value);
}

// Where the character after the first `count` begins; npos if there are no more than `count`.
std::size_t after_first(std::string_view text, int count) {
  std::size_t at = 0;
  while (count-- > 0) {
    if (at >= text.size()) return std::string_view::npos;
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  }
  return at < text.size() ? at : std::string_view::npos;
}

// Where the last `count` characters begin; npos if there are no more than `count`.
std::size_t before_last(std::string_view text, int count) {
  std::size_t at = text.size();
  while (count-- > 0) {
    if (at == 0) return std::string_view::npos;
    --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  }
  return at > 0 ? at : std::string_view::npos;
}

char shape_of(unsigned char byte) {
  if (byte >= '0' && byte <= '9') return 'd';
  if (byte >= 'A' && byte <= 'Z') return 'X';
  if (byte >= 'a' && byte <= 'z') return 'x';
  return byte >= 0x80U ? 'u' : static_cast<char>(byte);
}

using Shape = std::array<char, 16>;

std::string_view shape_text(std::string_view form, Shape& shape) {
  std::size_t size = 0;
  for (const char c : form) {
    const char next = shape_of(static_cast<unsigned char>(c));
    if (size > 1 && shape[size - 1] == next && shape[size - 2] == next) continue;
    if (size == shape.size()) break;
    shape[size++] = next;
  }
  return {shape.data(), size};
}

bool is_conjunction(const ParserWord& word) {
  return word.coarse == "CCONJ" || word.fine == "CC" || word.coarse == "CONJ";
}

bool is_verb(const ParserWord& word) {
  return word.coarse == "VERB" || word.coarse == "AUX" || word.fine.starts_with("V");
}

}  // namespace

std::optional<PositionAtom> position_atom_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<PositionAtom>(found - kNames.begin());
}

std::string_view name_of(PositionAtom atom) {
  return kNames[static_cast<std::size_t>(atom)];
}

std::string_view PositionAtoms::compared_name(int attribute) {
  return kComparedNames[static_cast<std::size_t>(attribute)];
}

std::optional<std::string> text_of(PositionAtom atom, const ParserWord& word,
                                   const WordClusters* clusters) {
  using enum PositionAtom;
  using Text = std::optional<std::string>;
  const std::string_view word_form = word.form;
  const auto unless_missing = [](std::string_view text) {
    return is_missing(text) ? Text() : Text(text);
  };
  const auto bits = [&](std::size_t length) {
    if (clusters == nullptr) return Text();
    const WordClusters::Id id = clusters->find(word_form);
    return id == WordClusters::kNone ? Text("<unknown>")
                                     : Text(clusters->bits(id).substr(0, length));
  };
  const bool needs_lexicon = atom == form || atom == lemma || atom == prefix5;
  if (needs_lexicon && !word.lexical) return std::nullopt;
  Shape room{};
  switch (atom) {
    case form:
      return Text(word_form);
    case lemma:
      return is_missing(word.lemma) ? lower_utf8(word_form) : Text(word.lemma);
    case fine:
      return unless_missing(word.fine);
    case coarse:
      return unless_missing(word.coarse);
    case prefix5: {
      const std::size_t end = after_first(word_form, 5);
      return end == std::string_view::npos ? Text() : Text(word_form.substr(0, end));
    }
    case suffix3: {
      const std::size_t begin = before_last(word_form, 3);
      return begin == std::string_view::npos ? Text() : Text(word_form.substr(begin));
    }
    case shape:
      return Text(shape_text(word_form, room));
    case feats:
      return unless_missing(word.feats);
    case conjunction:
      return is_conjunction(word) ? Text(lower_utf8(word_form)) : Text();
    case cluster4:
      return bits(4);
    case cluster6:
      return bits(6);
    case cluster:
      return bits(std::string_view::npos);
  }
  return std::nullopt;
}

void PositionAtoms::fill(std::span<const ParserWord> words, const WordClusters* clusters) {
  words_ = static_cast<int>(words.size());
  const auto n = words.size();
  const std::size_t rows = n + 6 * std::size_t{kPositionWindow} + 2;
  values_.assign(rows * kPositionAtoms, kAbsent);
  attributes_.assign(n + 2, {});
  counts_.assign(n + 1, {});
  const bool with_clusters = clusters != nullptr;
  constexpr std::size_t kWindow = kPositionWindow;
  for (std::size_t k = 0; k < kWindow; ++k) {
    fill_row(k, "<bos>", with_clusters);
    fill_row(kWindow + n + k, "<eos>", with_clusters);
  }
  for (int word = 1; word <= words_; ++word) {
    const ParserWord& columns = words[static_cast<std::size_t>(word) - 1];
    fill_word(word, columns, clusters);
    fill_attributes(word, columns.feats);
    count(word, columns);
  }
  same_before_.assign((n + 1) * kPositionAtoms, 0);
  same_after_.assign((n + 1) * kPositionAtoms, words_ + 1);
  for (int word = 2; word <= words_; ++word) link_equals(word);
  const std::size_t root = n + 3 * kWindow;
  for (std::size_t k = 1; k <= kWindow; ++k) fill_row(root - k, "<bos>", with_clusters);
  fill_row(root, "<root>", with_clusters);
  // To the right of the root stands the beginning of the sentence.
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(kWindow * kPositionAtoms),
              kWindow * kPositionAtoms,
              values_.begin() + static_cast<std::ptrdiff_t>((root + 1) * kPositionAtoms));
  for (std::size_t row = root + kWindow + 1; row < rows; ++row) {
    fill_row(row, "<none>", with_clusters);
  }
}

void PositionAtoms::fill_row(std::size_t row, std::string_view special, bool clusters) {
  using enum PositionAtom;
  const AtomValue value = atom_of(special);
  AtomValue* const atoms = values_.data() + row * kPositionAtoms;
  for (const PositionAtom atom : {form, lemma, fine, coarse, shape, feats}) {
    atoms[static_cast<int>(atom)] = value;
  }
  if (!clusters) return;
  for (const PositionAtom atom : {cluster4, cluster6, cluster}) {
    atoms[static_cast<int>(atom)] = value;
  }
}

void PositionAtoms::fill_word(int word, const ParserWord& columns, const WordClusters* clusters) {
  using enum PositionAtom;
  AtomValue* const atoms = values_.data() + offset(word);
  const auto set = [&](PositionAtom atom, AtomValue value) {
    atoms[static_cast<int>(atom)] = value;
  };
  const std::string_view word_form = columns.form;
  if (columns.lexical) {
    set(form, atom_of(word_form));
    set(lemma, is_missing(columns.lemma) ? atom_of(lower_utf8(word_form)) : atom_of(columns.lemma));
    if (const auto end = after_first(word_form, 5); end != std::string_view::npos) {
      set(prefix5, atom_of(word_form.substr(0, end)));
    }
  }
  set(fine, tag_atom(columns.fine));
  set(coarse, tag_atom(columns.coarse));
  if (const auto begin = before_last(word_form, 3); begin != std::string_view::npos) {
    set(suffix3, atom_of(word_form.substr(begin)));
  }
  Shape room{};
  set(shape, atom_of(shape_text(word_form, room)));
  set(feats, tag_atom(columns.feats));
  if (is_conjunction(columns)) set(conjunction, atom_of(lower_utf8(word_form)));
  if (clusters == nullptr) return;
  const WordClusters::Id id = clusters->find(word_form);
  const auto bits = id == WordClusters::kNone ? std::string_view("<unknown>") : clusters->bits(id);
  const bool known = id != WordClusters::kNone;
  set(cluster4, atom_of(known ? bits.substr(0, 4) : bits));
  set(cluster6, atom_of(known ? bits.substr(0, 6) : bits));
  set(cluster, atom_of(bits));
}

void PositionAtoms::fill_attributes(int word, std::string_view feats) {
  if (is_missing(feats)) return;
  Attributes& list = attributes_[static_cast<std::size_t>(word) + 1];
  while (!feats.empty()) {
    const std::string_view pair = feats.substr(0, feats.find('|'));
    feats.remove_prefix(std::min(pair.size() + 1, feats.size()));
    if (pair.empty()) continue;
    if (list.size < list.values.size()) list.values[list.size++] = atom_of(pair);
    const std::string_view name = pair.substr(0, pair.find('='));
    for (std::size_t k = 0; k < kComparedNames.size(); ++k) {
      if (name == kComparedNames[k] && name.size() < pair.size()) {
        list.compared[k] = atom_of(pair.substr(name.size() + 1));
      }
    }
  }
}

void PositionAtoms::link_equals(int word) {
  const AtomValue* const own = at(word);
  int* const before = same_before_.data() + static_cast<std::size_t>(word) * kPositionAtoms;
  for (int atom = 0; atom < kPositionAtoms; ++atom) {
    if (own[atom] == kAbsent) continue;
    int other = word - 1;
    while (other > 0 && at(other)[atom] != own[atom]) --other;
    before[atom] = other;
    if (other > 0) {
      same_after_[static_cast<std::size_t>(other * kPositionAtoms + atom)] = word;
    }
  }
}

void PositionAtoms::count(int word, const ParserWord& columns) {
  Counts counts = counts_[static_cast<std::size_t>(word) - 1];
  counts.verbs += is_verb(columns) ? 1 : 0;
  counts.commas += columns.form == "," ? 1 : 0;
  counts.conjunctions += is_conjunction(columns) ? 1 : 0;
  counts_[static_cast<std::size_t>(word)] = counts;
}

}  // namespace copse
