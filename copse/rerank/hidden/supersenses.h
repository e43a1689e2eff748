// Supersenses: the names of WordNet's lexicographer files, 45 coarse classes of nouns, verbs,
// adjectives and adverbs (noun.act, verb.motion, ...), looked up by form and tag.
//
// They are read from WordNet's own files (index.*, data.*, *.exc; Debian's wordnet-base). A form is
// looked up in lower case, as it is and reduced as WordNet does it: by the lists of exceptions, and
// where these do not have it by the first rule for suffixes that leads to an entry:
//
//   noun  -s  -ses s  -xes x  -zes z  -ches ch  -shes sh  -men man  -ies y      ful words without it
//   verb  -s  -ies y  -es e  -es  -ed e  -ed  -ing e  -ing
//   adj   -er  -est  -er e  -est e
//
// The part of speech is that of the tag: NN* noun, VB* verb, JJ* adjective, RB* adverb; other tags
// have none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace copse::hidden {

inline constexpr std::size_t kSupersenses = 45;
// "noun.act" for 4, as WordNet numbers its files.
std::string_view supersense_name(std::size_t number);

enum class WordNetPart : std::uint8_t { noun, verb, adjective, adverb };
std::optional<WordNetPart> part_of_tag(std::string_view tag);

class Supersenses {
 public:
  using Number = std::uint8_t;

  // From the files of a folder; nothing if it has none of them. Throws data_error with file and line
  // for files that are not WordNet's.
  static std::optional<Supersenses> read(const std::string& folder);
  // Where Debian puts them.
  static constexpr const char* kFolder = "/usr/share/wordnet";

  // By rising number; empty for words without an entry and for tags without a part of speech.
  std::vector<Number> find(std::string_view form, std::string_view tag) const;
  // The entries that a form is reduced to, itself included if it is one.
  std::vector<std::string> lemmas(std::string_view form, WordNetPart part) const;

  // All of it as text, for a model, and back; throws data_error for anything else.
  std::string str() const;
  static Supersenses parse(std::string_view text, const std::string& file);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  template <class Value>
  using Words = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;
  struct Part {
    Words<std::vector<Number>> entries;
    Words<std::vector<std::string>> exceptions;
  };
  Part& part(WordNetPart which) { return parts_[static_cast<std::size_t>(which)]; }
  const Part& part(WordNetPart which) const { return parts_[static_cast<std::size_t>(which)]; }

  std::array<Part, 4> parts_;
};

}  // namespace copse::hidden
