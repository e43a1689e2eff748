// How a lemma is made from a word form: an edit script that can be shared by many words.
//
//   form = "Houses", lemma = "house"     lower case, nothing off or on in front, "s" off behind
//   form = "am",     lemma = "be"        no letters in common worth keeping: the lemma itself
//
// With f the form after a change of case and S the longest substring it shares with the lemma
// (leftmost on ties), f = a S b and lemma = c S d give the rule: drop |a| characters and put c in
// front, drop |b| and put d behind. Characters are code points.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace copse {

struct LemmaRule {
  enum class Case : char { keep = 'k', lower = 'l', capital = 'c', upper = 'u' };

  bool absolute = false;  // the lemma is `after`, whatever the form
  Case change = Case::keep;
  int drop_front = 0;
  int drop_back = 0;
  std::string before;  // put in front
  std::string after;   // put behind

  bool operator==(const LemmaRule&) const = default;

  // One line of text, and back; parse() gives nothing for anything else.
  std::string str() const;
  static std::optional<LemmaRule> parse(std::string_view text);
};

// Always such that apply_rule(rule, form) == lemma.
LemmaRule lemma_rule(std::string_view form, std::string_view lemma);

// Nothing when the form is shorter than what the rule drops.
std::optional<std::string> apply_rule(const LemmaRule& rule, std::string_view form);

}  // namespace copse
