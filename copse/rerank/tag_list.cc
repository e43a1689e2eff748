#include "copse/rerank/tag_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "copse/base/error.h"
#include "copse/base/utf8.h"
#include "copse/rerank/sequence_ids.h"

namespace copse {

WordClass word_class(std::string_view word) {
  int upper = 0, lower = 0, digits = 0, others = 0;
  bool first_upper = false, hyphen = false;
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint point = decode_utf8(word, at);
    const std::string_view bytes = word.substr(at, static_cast<std::size_t>(point.size));
    const bool first = at == 0;
    at += static_cast<std::size_t>(point.size);
    if (bytes.size() == 1 && bytes[0] >= '0' && bytes[0] <= '9') {
      ++digits;
    } else if (is_all_punctuation(bytes)) {
      ++others;
      hyphen |= bytes == "-";
    } else if (lower_utf8(bytes) != bytes) {
      ++upper;
      first_upper |= first;
    } else {
      ++lower;
    }
  }
  if (digits > 0 && upper + lower == 0) {
    return others > 0 ? WordClass::digits_and_punctuation : WordClass::digits;
  }
  if (upper > 0 && lower == 0 && digits == 0) return WordClass::all_capital;
  if (first_upper) return WordClass::first_capital;
  if (hyphen && lower > 0) return WordClass::hyphen;
  if (lower > 0 && upper + digits + others == 0) return WordClass::lower;
  return WordClass::other;
}

namespace {

std::uint32_t number(Symbols& symbols, std::string_view text) {
  return symbols.add(text);
}
std::uint32_t number(const Symbols& symbols, std::string_view text) {
  return symbols.find(text);
}

template <class Vocabulary>
TagList make(const Candidates& list, Vocabulary& vocabulary) {
  static_assert(Symbols::kUnknown == TagList::kNone);
  TagList result;
  for (const std::string& word : list.words) {
    result.word.push_back(number(vocabulary.words, word));
    result.word_class.push_back(static_cast<std::uint8_t>(word_class(word)));
  }
  SequenceIds nodes;
  for (const Candidate& candidate : list.items) {
    const auto tags = tags_of(candidate);
    if (tags.size() != list.words.size() || !candidate.tree.empty()) {
      throw data_error(
          fmt::format("a candidate has {} tags for {} words", tags.size(), list.words.size()), {},
          "the tagging kernel needs tag sequences, and the words of the list");
    }
    std::uint32_t next = TagList::kNone;
    for (std::size_t i = tags.size(); i-- > 0;) {
      const std::array<std::uint32_t, 3> key{number(vocabulary.labels, tags[i]),
                                             static_cast<std::uint32_t>(i), next};
      const std::uint32_t node = nodes.add(key);
      if (node == result.nodes()) {
        result.label.push_back(key[0]);
        result.position.push_back(key[1]);
        result.next.push_back(next);
      }
      next = node;
    }
    result.first.push_back(next);
  }
  return result;
}

}  // namespace

TagList make_tag_list(const Candidates& list, TagVocabulary& vocabulary) {
  return make(list, vocabulary);
}
TagList make_tag_list(const Candidates& list, const TagVocabulary& vocabulary) {
  return make(list, vocabulary);
}

}  // namespace copse
