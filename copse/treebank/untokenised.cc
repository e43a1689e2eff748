#include "copse/treebank/untokenised.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace copse {
namespace {

bool is_ascii_mark(char c) {
  return std::ispunct(static_cast<unsigned char>(c)) != 0;
}

// Letters of any script count: whatever is neither ASCII punctuation nor a digit.
bool is_letter(char c) {
  return !is_ascii_mark(c) && std::isdigit(static_cast<unsigned char>(c)) == 0;
}

bool is_mark(std::string_view form) {
  return std::all_of(form.begin(), form.end(), is_ascii_mark);
}

bool has_mark_behind(std::string_view form) {
  constexpr std::string_view kNeverInside = ",;:!?";
  return form.size() > 2 && kNeverInside.find(form.back()) != std::string_view::npos &&
         is_letter(form[form.size() - 2]) && is_letter(form[form.size() - 3]);
}

// "mat." but neither "Inc." nor "U.S." nor "No.": abbreviations begin with a capital, are short or
// have another full stop.
bool ends_sentence(std::string_view form) {
  constexpr std::size_t kLongest = 4;  // of an abbreviation in small letters: "etc.", "vols."
  if (form.size() <= kLongest - 1 || form.back() != '.') return false;
  const std::string_view word = form.substr(0, form.size() - 1);
  if (!std::all_of(word.begin(), word.end(), is_letter)) return false;
  const bool capital = std::isupper(static_cast<unsigned char>(word.front())) != 0;
  return !capital && word != "etc" && word != "vols" && word != "approx" && word != "seq" &&
         word != "incl";
}

}  // namespace

bool looks_untokenised(const Sentence& sentence) {
  bool sure = false;
  for (int word = 1; word <= sentence.words(); ++word) {
    const std::string_view form = sentence.form(word);
    if (form.empty() || is_mark(form)) return false;
    sure = sure || has_mark_behind(form);
  }
  return sure || (sentence.words() > 1 && ends_sentence(sentence.form(sentence.words())));
}

}  // namespace copse
