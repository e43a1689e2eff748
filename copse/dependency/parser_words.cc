#include "copse/dependency/parser_words.h"

#include <algorithm>
#include <array>
#include <map>

namespace copse {
namespace {

std::string_view short_tag(std::string_view xpos) {
  if (xpos == "PRP" || xpos == "PRP$") return xpos;
  return xpos.substr(0, 2);
}

// "NOUN+Case=Gen+Number=Plur"
void append_telling_attributes(std::string_view feats, std::string& tag) {
  static constexpr std::array<std::string_view, 3> kTelling = {"Case=", "Number=", "VerbForm="};
  while (!feats.empty()) {
    const std::string_view pair = feats.substr(0, feats.find('|'));
    feats.remove_prefix(std::min(pair.size() + 1, feats.size()));
    const auto begins = [&](std::string_view name) { return pair.starts_with(name); };
    if (std::any_of(kTelling.begin(), kTelling.end(), begins)) (tag += '+') += pair;
  }
}

}  // namespace

TagScheme tag_scheme_of(std::span<const Sentence> sentences) {
  TagScheme scheme{false, false, true};
  for (const Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.words(); ++word) {
      const bool upos = !is_missing(sentence.upos(word));
      const bool xpos = !is_missing(sentence.xpos(word));
      scheme.xpos = scheme.xpos || xpos;
      scheme.own_coarse = scheme.own_coarse || (upos && sentence.upos(word) != sentence.xpos(word));
    }
  }
  return scheme;
}

std::string_view missing_tags(const Sentence& sentence, const TagScheme& scheme) {
  if (!scheme.tags || sentence.words() == 0) return {};
  bool upos = false, xpos = false;
  for (int word = 1; word <= sentence.words(); ++word) {
    upos = upos || !is_missing(sentence.upos(word));
    xpos = xpos || !is_missing(sentence.xpos(word));
  }
  const bool lacks_xpos = scheme.xpos && !xpos;
  const bool lacks_upos = scheme.own_coarse && !upos;
  if (lacks_xpos && (lacks_upos || !upos)) return "tags";
  if (lacks_upos) return scheme.xpos ? "UPOS" : "tags";
  return lacks_xpos ? "XPOS" : "";
}

LexicalLimit::LexicalLimit(std::vector<std::string> words)
    : words_(std::move(words)), limited_(true) {
  std::sort(words_.begin(), words_.end());
}

LexicalLimit LexicalLimit::most_frequent(std::span<const Sentence> sentences, std::size_t count) {
  std::map<std::string_view, std::size_t> counts;
  for (const Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.words(); ++word) ++counts[sentence.form(word)];
  }
  std::vector<std::pair<std::string_view, std::size_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  order.resize(std::min(order.size(), count));
  std::vector<std::string> words;
  words.reserve(order.size());
  for (const auto& [word, times] : order) words.emplace_back(word);
  return LexicalLimit(std::move(words));
}

bool LexicalLimit::allows(std::string_view form) const {
  return !limited_ || std::binary_search(words_.begin(), words_.end(), form);
}

void ParserWords::fill(const Sentence& sentence, const TagScheme& scheme,
                       const LexicalLimit& limit) {
  words_.clear();
  made_.clear();
  for (int word = 1; word <= sentence.words(); ++word) {
    ParserWord next;
    next.form = sentence.form(word);
    next.lexical = limit.allows(next.form);
    if (scheme.tags) {
      next.lemma = sentence.lemma(word);
      next.feats = sentence.feats(word);
      const std::string_view upos = sentence.upos(word);
      next.coarse = upos;
      if (scheme.xpos) {
        next.fine = sentence.xpos(word);
        if (!scheme.own_coarse) next.coarse = short_tag(next.fine);
      } else if (!is_missing(upos)) {
        made_.push_back(std::make_unique<std::string>(upos));
        append_telling_attributes(next.feats, *made_.back());
        next.fine = *made_.back();
      }
    }
    words_.push_back(next);
  }
}

}  // namespace copse
