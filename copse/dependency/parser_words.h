// The columns of a sentence as a parser reads them.
//
// Treebanks differ in what their tag columns hold. What a parser takes for fine and coarse tags is
// settled once, by its training data, and kept with the model:
//
//             XPOS used                               XPOS not used
//   fine      XPOS                                    UPOS with Case, Number and VerbForm of FEATS
//   coarse    UPOS, or if that says no more than      UPOS
//             XPOS, the first two characters of XPOS
//             (PRP and PRP$ whole)
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/dependency/position_atoms.h"
#include "copse/treebank/sentence.h"

namespace copse {

struct TagScheme {
  bool xpos = true;        // whether XPOS is used
  bool own_coarse = true;  // whether UPOS differs from XPOS
  bool tags = true;        // false: parse without tags, and without the FEATS and lemmas that
                           // come from a tagger like them
  bool operator==(const TagScheme&) const = default;
};

// What the columns of these sentences hold.
TagScheme tag_scheme_of(std::span<const Sentence> sentences);

// What no word of the sentence has though the scheme looks at it: "tags", "XPOS" or "UPOS"; empty if
// nothing is missing, or there are no words.
std::string_view missing_tags(const Sentence& sentence, const TagScheme& scheme);

// The words whose forms are looked at (Koo et al. 2008: the most frequent 800 beside clusters).
class LexicalLimit {
 public:
  LexicalLimit() = default;  // no limit
  explicit LexicalLimit(std::vector<std::string> words);
  // The `count` most frequent forms; ties by bytes.
  static LexicalLimit most_frequent(std::span<const Sentence> sentences, std::size_t count);

  bool allows(std::string_view form) const;
  bool is_limited() const { return limited_; }
  const std::vector<std::string>& words() const { return words_; }  // sorted

 private:
  std::vector<std::string> words_;
  bool limited_ = false;
};

// Views into a sentence, which must outlive them, and into tags made here: not to be copied; when
// it is moved, the tags stay where they are.
class ParserWords {
 public:
  ParserWords() = default;
  ParserWords(ParserWords&&) noexcept = default;
  ParserWords& operator=(ParserWords&&) noexcept = default;
  ParserWords(const ParserWords&) = delete;
  ParserWords& operator=(const ParserWords&) = delete;
  ~ParserWords() = default;

  void fill(const Sentence& sentence, const TagScheme& scheme, const LexicalLimit& limit);
  std::span<const ParserWord> words() const { return words_; }

 private:
  std::vector<ParserWord> words_;
  std::vector<std::unique_ptr<std::string>> made_;  // tags that are in no column
};

}  // namespace copse
