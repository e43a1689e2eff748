// Tokens with blanks in them ("vis a vis", "10 000"): a list from the training data, looked for
// before anything else. A form begins with a chunk and ends where a chunk or a word ends.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "copse/tokenize/characters.h"

namespace copse {

class SpacedForms {
 public:
  SpacedForms() = default;
  explicit SpacedForms(std::vector<std::string> forms);

  const std::vector<std::string>& forms() const { return forms_; }
  // Labels the characters inside of such forms, all but the last, as Boundary::inside. The longest
  // form counts. Needs a label per character.
  void mark(const Characters& text, std::vector<std::uint8_t>& labels) const;

 private:
  // Where the form ends in the text if it begins at character `begin`; 0 if it does not.
  int match(const Characters& text, int begin, const std::u32string& form) const;

  std::vector<std::string> forms_;
  std::unordered_map<std::uint64_t, std::vector<std::u32string>> by_first_chunk_;  // longest first
};

}  // namespace copse
