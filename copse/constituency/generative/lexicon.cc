#include "copse/constituency/generative/lexicon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "copse/base/utf8.h"

namespace copse::generative {
namespace {

constexpr std::array<std::string_view, 10> kSuffixClasses = {"s",   "ed", "ing", "ion", "er",
                                                             "est", "ly", "ity", "y",   "al"};
constexpr std::size_t kLongestSuffix = 6;
constexpr std::uint32_t kRareForSuffixes = 10;  // words up to this count teach endings
constexpr double kUnseenSignature = 0.05;       // count given to each tag of each signature

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Shape {
  bool capital = false, lower = false, letter = false, digit = false, other = false, hyphen = false,
       all_capitals = false;
};

Shape shape_of(std::string_view word) {
  Shape shape;
  std::size_t capitals = 0;
  for (const char c : word) {
    shape.lower |= is_lower(c);
    capitals += is_upper(c) ? 1 : 0;
    shape.digit |= is_digit(c);
    shape.hyphen |= c == '-';
    shape.other |= !is_digit(c) && c != '.' && c != ',' && c != '-' && c != '/' && c != '\\';
  }
  shape.capital = !word.empty() && is_upper(word.front());
  shape.letter = shape.lower || capitals > 0 ||
                 std::any_of(word.begin(), word.end(), [](char c) { return (c & 0x80) != 0; });
  shape.all_capitals = capitals > 1 && !shape.lower;
  return shape;
}

std::string_view suffix_class(std::string_view word) {
  std::string_view best;
  for (const std::string_view suffix : kSuffixClasses) {
    if (word.size() > suffix.size() + 1 && word.ends_with(suffix) && suffix.size() > best.size()) {
      best = suffix;
    }
  }
  return best;
}

// Endings are learnt apart for words with and without capital, digit and hyphen.
std::string suffix_prefix(std::string_view text, bool initial) {
  const Shape shape = shape_of(text);
  std::string key;
  key += !shape.capital ? 'l' : initial ? 'i' : shape.all_capitals ? 'A' : 'C';
  if (shape.digit) key += shape.other ? 'd' : 'D';
  if (shape.hyphen) key += '-';
  key += '|';
  return key;
}

}  // namespace

std::string word_signature(std::string_view word, bool initial) {
  const Shape shape = shape_of(word);
  std::string signature = "UNK";
  if (shape.all_capitals) {
    signature += "+ALL";
  } else if (shape.capital) {
    signature += initial ? "+Init" : "+Cap";
  }
  if (shape.digit) signature += shape.other ? "+digit" : "+number";
  if (!shape.letter && !shape.digit) signature += "+sign";
  if (shape.hyphen) signature += "+dash";
  if (const auto suffix = suffix_class(word); !suffix.empty() && !shape.all_capitals) {
    signature += '+';
    signature += suffix;
  }
  return signature;
}

Lexicon::Lexicon(const std::vector<PreparedTree>& trees, const LabelSet& labels,
                 const LexiconOptions& options)
    : options_(options), tags_(labels.tags()) {
  symbols_.add("");
  entries_.emplace_back();
  tag_count_.assign(static_cast<std::size_t>(tags_), 0);
  for (const PreparedTree& tree : trees) {
    for (std::size_t i = 0; i < tree.words.size(); ++i) {
      const LabelId tag = labels.tag(tree.tags[i]);
      count(symbols_.add(tree.words[i]), tag);
      tag_count_[tag] += 1;
    }
  }
  for (const PreparedTree& tree : trees) {
    const auto first = static_cast<std::size_t>(tree.tokens.front());
    for (std::size_t i = 0; i < tree.words.size(); ++i) {
      const WordId id = symbols_.find(tree.words[i]);
      const std::uint32_t seen = entries_[id].count;
      const LabelId tag = labels.tag(tree.tags[i]);
      if (static_cast<int>(seen) < options_.rare_below) {
        count(symbols_.add(" " + word_signature(tree.words[i], i == first)), tag);
      }
      if (seen <= kRareForSuffixes) {
        const std::string prefix = suffix_prefix(tree.words[i], i == first);
        const std::string lower = lower_utf8(tree.words[i]);
        for (std::size_t size = 0; size <= std::min(kLongestSuffix, lower.size()); ++size) {
          count(suffixes_[prefix + lower.substr(lower.size() - size)], tag);
        }
      }
    }
  }
  finish();
}

void Lexicon::count(WordId word, LabelId tag) {
  if (word >= entries_.size()) entries_.resize(word + 1);
  ++entries_[word].count;
  count(entries_[word].tags, tag);
}

void Lexicon::count(std::vector<TagCount>& counts, LabelId tag) {
  for (TagCount& known : counts) {
    if (known.tag == tag) {
      ++known.count;
      return;
    }
  }
  counts.push_back({tag, 1});
}

// The signature of all words whose signature was never seen, and the sums.
void Lexicon::finish() {
  any_signature_ = symbols_.add(" UNK+any");
  entries_.resize(symbols_.size());
  signatures_ = 0;
  for (WordId id = 0; id < symbols_.size(); ++id) {
    if (symbols_.text(id).starts_with(' ')) ++signatures_;
  }
  const double all = std::accumulate(tag_count_.begin(), tag_count_.end(), 0.0);
  tag_share_.resize(tag_count_.size());
  for (std::size_t t = 0; t < tag_count_.size(); ++t) tag_share_[t] = tag_count_[t] / all;
}

WordId Lexicon::word(std::string_view text) const {
  const Symbols::Id id = symbols_.find(text);
  return id == Symbols::kUnknown || text.starts_with(' ') ? kUnknownWord : id;
}

WordId Lexicon::future(std::string_view text, bool initial) const {
  const WordId id = word(text);
  if (id != kUnknownWord && static_cast<int>(entries_[id].count) >= options_.rare_below) return id;
  const Symbols::Id signature = symbols_.find(" " + word_signature(text, initial));
  return signature == Symbols::kUnknown ? any_signature_ : signature;
}

double Lexicon::emission(WordId future, LabelId tag) const {
  const WordEntry& entry = entries_[future];
  const bool signature = symbols_.text(future).starts_with(' ');
  if (!signature && static_cast<int>(entry.count) < options_.rare_below) return 0;
  double count = signature ? kUnseenSignature : 0;
  for (const TagCount& known : entry.tags) {
    if (known.tag == tag) count += known.count;
  }
  return count / (tag_count_[tag] + kUnseenSignature * static_cast<double>(signatures_));
}

std::vector<double> Lexicon::guess(std::string_view text, bool initial) const {
  // Evidence from the general to the special: all rare words, the shape, then its endings.
  std::vector<double> share = tag_share_;
  const std::string prefix = suffix_prefix(text, initial);
  const std::string lower = lower_utf8(text);
  for (std::size_t size = 0; size <= std::min(kLongestSuffix, lower.size()); ++size) {
    const auto found = suffixes_.find(prefix + lower.substr(lower.size() - size));
    if (found == suffixes_.end()) break;
    const auto& counts = found->second;
    const double strength = size == 0 ? 0.1 : options_.suffix_strength;
    double all = strength;
    for (const TagCount& known : counts) all += known.count;
    for (double& value : share) value *= strength / all;
    for (const TagCount& known : counts) share[known.tag] += known.count / all;
  }
  return share;
}

std::vector<double> Lexicon::tag_shares(std::string_view text, bool initial,
                                        const WordEntry* seen) const {
  std::vector<double> share = guess(text, initial);
  if (seen == nullptr) return share;
  const double strength = options_.guess_strength;
  for (double& value : share) value *= strength / (seen->count + strength);
  for (const TagCount& known : seen->tags) {
    share[known.tag] += known.count / (seen->count + strength);
  }
  return share;
}

WordReading Lexicon::read(std::string_view text, bool initial, LabelId tag) const {
  WordReading reading;
  reading.word = word(text);
  reading.future = future(text, initial);
  const WordEntry* seen = entry(reading.word);
  const bool rare = reading.future != reading.word;
  std::vector<double> share;
  if (rare) {
    share = tag_shares(text, initial, seen);
  } else {
    share.assign(static_cast<std::size_t>(tags_), 0);
    for (const TagCount& known : seen->tags) share[known.tag] = double(known.count) / seen->count;
  }
  const double best = *std::max_element(share.begin(), share.end());
  double signature_mass = 0;
  std::vector<double> signature_share(share.size(), 1);
  if (rare) {
    for (std::size_t t = 0; t < share.size(); ++t) {
      signature_share[t] = emission(reading.future, static_cast<LabelId>(t)) * tag_share_[t];
      signature_mass += signature_share[t];
    }
  }
  for (std::size_t t = 0; t < share.size(); ++t) {
    if (tag != kNoLabel ? t != tag : !(share[t] > 0 && share[t] >= options_.least_share * best)) {
      continue;
    }
    TagCandidate candidate;
    candidate.tag = static_cast<LabelId>(t);
    const double tiny = 1e-6;
    candidate.share = std::max(share[t], tiny);
    candidate.emission = std::max(share[t], tiny) / tag_share_[t];
    if (rare) {
      candidate.log_spelling =
          std::log(std::max(share[t], tiny) / (signature_share[t] / signature_mass));
    }
    reading.tags.push_back(candidate);
  }
  std::stable_sort(
      reading.tags.begin(), reading.tags.end(),
      [&](const TagCandidate& a, const TagCandidate& b) { return share[a.tag] > share[b.tag]; });
  return reading;
}

LabelId Lexicon::usual_tag(std::string_view text) const {
  const WordEntry* seen = entry(word(text));
  if (seen == nullptr || seen->tags.empty()) return kNoLabel;
  return static_cast<LabelId>(
      std::max_element(seen->tags.begin(), seen->tags.end(),
                       [](const TagCount& a, const TagCount& b) { return a.count < b.count; })
          ->tag);
}

}  // namespace copse::generative
