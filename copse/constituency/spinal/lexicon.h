// The words of a sentence as the spinal parser's features see them: forms, rare and unknown ones
// replaced by what they look like, and tags.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/base/symbols.h"
#include "copse/dependency/position_atoms.h"
#include "copse/model/model_file.h"

namespace copse::spinal {

// "<Cs>": a capital or other trait of the spelling, and the last two letters of longer words.
std::string signature(std::string_view form);

class Lexicon {
 public:
  static constexpr std::uint32_t kRareBelow = 3;

  void count(std::string_view word);
  // As saved: words and how often each was seen.
  void add(std::string_view word, std::uint32_t count);

  // As sections of a model file under a prefix such as "spinal/".
  void save(ModelWriter& writer, const std::string& prefix) const;
  static Lexicon load(const ModelFile& file, const std::string& prefix);

  bool knows(std::string_view word) const { return words_.find(word) != Symbols::kUnknown; }
  // The form for features.
  std::string form(std::string_view word) const;
  const Symbols& words() const { return words_; }
  std::uint32_t times(Symbols::Id word) const { return times_[word]; }

 private:
  Symbols words_;
  std::vector<std::uint32_t> times_;
};

// Texts and views into them; does not move. What stands for a rare word goes where templates look
// for lemmas (.l); endings and shapes are those of the form.
class WordViews {
 public:
  WordViews(std::span<const std::string> words, std::span<const std::string> tags,
            const Lexicon& lexicon);
  WordViews(const WordViews&) = delete;
  WordViews& operator=(const WordViews&) = delete;

  std::span<const ParserWord> words() const { return words_; }
  const std::vector<std::string>& tags() const { return tags_; }

 private:
  std::vector<std::string> forms_, classes_, tags_;
  std::vector<ParserWord> words_;
};

}  // namespace copse::spinal
