#include "copse/constituency/spinal/lexicon.h"

#include <algorithm>

namespace copse::spinal {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

}  // namespace

std::string signature(std::string_view form) {
  constexpr std::size_t kLong = 4;  // shorter words have no ending worth the name
  std::string out = "<";
  if (!form.empty() && is_upper(form.front())) {
    out += std::ranges::any_of(form, is_lower) ? 'C' : 'A';
  }
  if (std::ranges::any_of(form, is_digit)) out += 'D';
  if (form.find('-') != std::string_view::npos) out += 'H';
  if (form.size() >= kLong && is_lower(form[form.size() - 1]) && is_lower(form[form.size() - 2])) {
    out += form.substr(form.size() - 2);
  }
  return out + '>';
}

void Lexicon::count(std::string_view word) {
  const Symbols::Id id = words_.add(word);
  times_.resize(words_.size());
  ++times_[id];
}

void Lexicon::add(std::string_view word, std::uint32_t count) {
  const Symbols::Id id = words_.add(word);
  times_.resize(words_.size());
  times_[id] = count;
}

void Lexicon::save(ModelWriter& writer, const std::string& prefix) const {
  std::vector<std::string> words;
  for (Symbols::Id id = 0; id < words_.size(); ++id) words.emplace_back(words_.text(id));
  writer.add_strings(prefix + "lexicon", words);
  writer.add_array<std::uint32_t>(prefix + "lexicon-counts", times_);
}

Lexicon Lexicon::load(const ModelFile& file, const std::string& prefix) {
  const auto words = file.strings(prefix + "lexicon");
  const auto times = file.array<std::uint32_t>(prefix + "lexicon-counts");
  if (words.size() != times.size() || std::ranges::find(times, 0U) != times.end()) {
    throw file.damaged(prefix + "lexicon", "does not fit its counts");
  }
  Lexicon lexicon;
  for (std::size_t i = 0; i < words.size(); ++i) lexicon.add(words[i], times[i]);
  return lexicon;
}

std::string Lexicon::form(std::string_view word) const {
  const Symbols::Id id = words_.find(word);
  return id != Symbols::kUnknown && times_[id] >= kRareBelow ? std::string(word) : signature(word);
}

WordViews::WordViews(std::span<const std::string> words, std::span<const std::string> tags,
                     const Lexicon& lexicon)
    : forms_(words.begin(), words.end()), tags_(tags.begin(), tags.end()) {
  classes_.reserve(words.size());
  for (const std::string& word : words) classes_.push_back(lexicon.form(word));
  for (std::size_t i = 0; i < forms_.size(); ++i) {
    ParserWord word;
    word.form = forms_[i];
    word.lemma = classes_[i];
    word.fine = tags_[i];
    word.coarse = std::string_view(tags_[i]).substr(0, 2);
    words_.push_back(word);
  }
}

}  // namespace copse::spinal
