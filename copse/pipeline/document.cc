#include "copse/pipeline/document.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "copse/base/utf8.h"
#include "copse/tokenize/gold_text.h"
#include "copse/tokenize/space_escapes.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

// Where each code point of a text begins, asked in rising order.
class PointWalk {
 public:
  explicit PointWalk(std::string_view text) : text_(text) {}

  // The byte at which a code point begins; the end of the text for those beyond it.
  std::size_t byte_of(std::size_t point) {
    if (point < point_) point_ = byte_ = 0;
    for (; point_ < point && byte_ < text_.size(); ++point_) {
      byte_ += static_cast<std::size_t>(decode_utf8(text_, byte_).size);
    }
    return byte_;
  }

 private:
  std::string_view text_;
  std::size_t point_ = 0, byte_ = 0;
};

std::optional<TextPlace> token_range(std::string_view misc, std::size_t first_point,
                                     PointWalk& walk) {
  const auto value = misc_value(misc, "TokenRange");
  if (!value) return std::nullopt;
  TextPlace place;
  const char* const end = value->data() + value->size();
  const auto first = std::from_chars(value->data(), end, place.point_begin);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return std::nullopt;
  if (std::from_chars(first.ptr + 1, end, place.point_end).ec != std::errc()) return std::nullopt;
  if (place.point_begin < first_point || place.point_end < first_point) return std::nullopt;
  place.point_begin -= first_point;
  place.point_end -= first_point;
  place.byte_begin = walk.byte_of(place.point_begin);
  place.byte_end = walk.byte_of(place.point_end);
  return place;
}

// The words that a row of the sentence stands for: itself, or those of a multiword token.
std::pair<int, int> words_of(const Row& row) {
  return {row.id, row.kind == RowKind::multiword ? row.last : row.id};
}

// Calls use(row) for every token of the text, in order: words inside of multiword tokens are none.
template <class Use>
void for_each_token(const Sentence& sentence, Use&& use) {
  int covered = 0;
  for (const Row& row : sentence.rows()) {
    if (row.kind != RowKind::word && row.kind != RowKind::multiword) continue;
    const auto [first, last] = words_of(row);
    if (row.kind == RowKind::word && first <= covered) continue;
    use(row);
    covered = last;
  }
}

// Gives every word the place of its surface token; place_of(row) is asked for each of those.
template <class PlaceOf>
void put_places(ParsedSentence& sentence, PlaceOf&& place_of) {
  sentence.places.assign(static_cast<std::size_t>(sentence.size()) + 1, {});
  for_each_token(sentence.columns, [&](const Row& row) {
    const auto [first, last] = words_of(row);
    const TextPlace place = place_of(row);
    for (int word = first; word <= last && word <= sentence.size(); ++word) {
      sentence.places[static_cast<std::size_t>(word)] = place;
    }
  });
  if (sentence.size() == 0) return;
  sentence.place = sentence.places[1];
  sentence.place.byte_end = sentence.places.back().byte_end;
  sentence.place.point_end = sentence.places.back().point_end;
}

}  // namespace

std::string ParsedSentence::text() const {
  if (const auto given = columns.comment("text")) return std::string(*given);
  return columns.surface_text();
}

DocumentWord ParsedSentence::word(int number) const {
  return {*this, number};
}

std::vector<DocumentWord> ParsedSentence::words() const {
  std::vector<DocumentWord> out;
  for (int number = 1; number <= size(); ++number) out.emplace_back(*this, number);
  return out;
}

std::vector<DocumentToken> ParsedSentence::tokens() const {
  std::vector<DocumentToken> out;
  for_each_token(columns, [&](const Row& row) {
    const auto [first, last] = words_of(row);
    out.push_back({columns.get(row, Column::form), first, std::min(last, size()),
                   places[static_cast<std::size_t>(first)]});
  });
  return out;
}

Document::Document(std::string text, std::vector<Sentence> sentences, std::size_t first_point)
    : text_(std::move(text)) {
  PointWalk walk(text_);
  for (Sentence& columns : sentences) {
    ParsedSentence& sentence = sentences_.emplace_back();
    sentence.columns = std::move(columns);
    TextPlace last;
    put_places(sentence, [&](const Row& row) {
      const auto place = token_range(sentence.columns.get(row, Column::misc), first_point, walk);
      if (place) last = *place;
      return last;
    });
  }
}

Document::Document(std::vector<Entry> entries) {
  std::size_t points = 0;
  const auto append = [&](std::string_view bytes) {
    text_ += bytes;
    points += count_code_points(bytes);
  };
  for (Entry& entry : entries) {
    ParsedSentence& sentence = sentences_.emplace_back();
    sentence.only_tree = entry.sentence.words() == 0 && !entry.tree.empty();
    sentence.columns =
        sentence.only_tree ? sentence_from_tree(entry.tree) : std::move(entry.sentence);
    sentence.tree = std::move(entry.tree);
    const std::vector<SurfaceToken> tokens = surface_tokens(sentence.columns);
    std::size_t next = 0;
    put_places(sentence, [&](const Row&) {
      TextPlace place;
      if (next == tokens.size()) return place;
      const SurfaceToken& token = tokens[next++];
      if (const auto before = misc_value(token.misc, "SpacesBefore")) append(unescape(*before));
      place.byte_begin = text_.size();
      place.point_begin = points;
      append(token.form);
      place.byte_end = text_.size();
      place.point_end = points;
      append(spaces_after(token.misc));
      return place;
    });
  }
}

void Document::require_no_problem() const {
  for (const ParsedSentence& sentence : sentences_) {
    if (sentence.problem) throw Error(*sentence.problem);
  }
}

std::vector<Entry> Document::entries() const {
  std::vector<Entry> out;
  for (const ParsedSentence& sentence : sentences_) out.push_back(sentence.entry());
  return out;
}

}  // namespace copse
