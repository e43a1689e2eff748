#include "copse/constituency/history/vocabulary.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "copse/base/utf8.h"

namespace copse::history {
namespace {

constexpr std::string_view kEnd = "</s>";
constexpr int kPrefixes[] = {4, 6, 10};

std::string pair_text(std::uint32_t tag, std::string_view word) {
  return fmt::format("{} {}", tag, word);
}

// Bytes are enough for endings: what is not ASCII only gets its own ones.
std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// "Xx", "d-d", ...: kinds of characters, runs as one.
std::string shape(std::string_view word) {
  std::string out;
  for (const char c : word) {
    const char kind = c >= 'A' && c <= 'Z'   ? 'X'
                      : c >= 'a' && c <= 'z' ? 'x'
                      : c >= '0' && c <= '9' ? 'd'
                      : (c & 0x80) != 0      ? 'u'
                                             : c;
    if (out.empty() || out.back() != kind) out += kind;
    if (out.size() == 8) break;
  }
  return out;
}

std::uint32_t count_of(Symbols& symbols, std::vector<std::uint32_t>& counts,
                       std::string_view text) {
  const Symbols::Id id = symbols.add(text);
  if (id == counts.size()) counts.push_back(0);
  return ++counts[id];
}

}  // namespace

template <class Take>
void Vocabulary::each_trait(std::string_view tag, std::string_view word,
                            const WordClusters* clusters, Take&& take) const {
  const std::string small = lower(word);
  take(fmt::format("t {}", tag));
  take(fmt::format("w {}", word));
  take(fmt::format("l {}", small));
  for (std::size_t n = 1; n <= 3 && n < small.size(); ++n) {
    take(fmt::format("e {}", std::string_view(small).substr(small.size() - n)));
  }
  take(fmt::format("b {}", std::string_view(small).substr(0, 2)));
  take(fmt::format("s {}", shape(word)));
  if (clusters != nullptr) {
    const WordClusters::Id cluster = clusters->find(word);
    if (cluster != WordClusters::kNone) {
      for (const int length : kPrefixes) {
        take(fmt::format("c{} {}", length, clusters->prefix(cluster, length)));
      }
      take(fmt::format("c {}", cluster));
    }
  }
  constexpr std::size_t kMostLetters = 64;
  for (std::size_t i = 0; options_.letters && i + 3 <= std::min(small.size(), kMostLetters); ++i) {
    take(fmt::format("n {}", std::string_view(small).substr(i, 3)));
  }
}

void Vocabulary::count(std::span<const std::string> tags, std::span<const std::string> words,
                       const WordClusters* clusters) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    forms_.add(words[i]);
    count_of(seen_pairs_, pair_counts_, pair_text(tags_.add(tags[i]), words[i]));
    if (!options_.traits) continue;
    each_trait(tags[i], words[i], clusters,
               [&](const std::string& trait) { count_of(seen_traits_, trait_counts_, trait); });
  }
}

void Vocabulary::finish() {
  for (Symbols::Id id = 0; id < seen_pairs_.size(); ++id) {
    if (pair_counts_[id] < static_cast<std::uint32_t>(options_.pair_threshold)) continue;
    const std::string_view text = seen_pairs_.text(id);
    const std::size_t blank = text.find(' ');
    pair_tags_.push_back(
        static_cast<std::uint32_t>(std::stoul(std::string(text.substr(0, blank)))));
    pair_words_.emplace_back(text.substr(blank + 1));
  }
  traits_.add(kEnd);
  for (Symbols::Id id = 0; id < seen_traits_.size(); ++id) {
    const bool is_tag = seen_traits_.text(id).starts_with("t ");
    if (is_tag || trait_counts_[id] >= static_cast<std::uint32_t>(options_.trait_threshold)) {
      traits_.add(seen_traits_.text(id));
    }
  }
  seen_pairs_ = {};
  seen_traits_ = {};
  pair_counts_.clear();
  trait_counts_.clear();
  index_pairs();
}

// Pairs by tag, in the order of the list.
void Vocabulary::index_pairs() {
  std::vector<std::size_t> order(pair_tags_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return pair_tags_[i]; });
  std::vector<std::uint32_t> tags;
  std::vector<std::string> words;
  pair_end_.assign(tags_.size() + 1, 0);
  for (const std::size_t i : order) {
    tags.push_back(pair_tags_[i]);
    words.push_back(pair_words_[i]);
    ++pair_end_[pair_tags_[i] + 1];
  }
  pair_tags_ = std::move(tags);
  pair_words_ = std::move(words);
  for (std::size_t t = 0; t < tags_.size(); ++t) pair_end_[t + 1] += pair_end_[t] + 1;
  pair_index_ = {};
  for (std::size_t i = 0; i < pair_tags_.size(); ++i) {
    pair_index_.add(pair_text(pair_tags_[i], pair_words_[i]));
  }
}

std::uint32_t Vocabulary::word_row(std::uint32_t tag, std::string_view word) const {
  const Symbols::Id id = pair_index_.find(pair_text(tag, word));
  // Before the words of a tag in pair_words_ there is no UNKNOWN, but one for each tag in the rows.
  return id == Symbols::kUnknown ? 0 : id + tag + 1 - static_cast<std::uint32_t>(pair_end_[tag]);
}

void Vocabulary::add_traits(std::string_view tag, std::string_view word,
                            const WordClusters* clusters, std::vector<std::uint32_t>& out) const {
  each_trait(tag, word, clusters, [&](const std::string& trait) {
    const Symbols::Id id = traits_.find(trait);
    if (id != Symbols::kUnknown) out.push_back(id);
  });
}

void Vocabulary::save(ModelWriter& writer, const std::string& prefix) const {
  const auto texts = [](const Symbols& symbols) {
    std::vector<std::string> out;
    for (Symbols::Id id = 0; id < symbols.size(); ++id) out.emplace_back(symbols.text(id));
    return out;
  };
  writer.add_strings(prefix + "labels", texts(labels_));
  writer.add_strings(prefix + "tags", texts(tags_));
  writer.add_strings(prefix + "forms", texts(forms_));
  writer.add_strings(prefix + "traits", texts(traits_));
  writer.add_strings(prefix + "pair-words", pair_words_);
  writer.add_array<std::uint32_t>(prefix + "pair-tags", pair_tags_);
}

Vocabulary Vocabulary::load(const ModelFile& file, const std::string& prefix,
                            const VocabularyOptions& options) {
  Vocabulary out(options);
  const auto read = [&](const char* name, Symbols& symbols) {
    const std::vector<std::string> texts = file.strings(prefix + name);
    for (const std::string& text : texts) symbols.add(text);
    if (symbols.size() != texts.size()) throw file.damaged(prefix + name, "has a name twice");
    if (texts.empty()) throw file.damaged(prefix + name, "is empty");
  };
  read("labels", out.labels_);
  read("tags", out.tags_);
  read("forms", out.forms_);
  read("traits", out.traits_);
  out.pair_words_ = file.strings(prefix + "pair-words");
  const auto tags = file.array<std::uint32_t>(prefix + "pair-tags");
  out.pair_tags_.assign(tags.begin(), tags.end());
  if (tags.size() != out.pair_words_.size()) {
    throw file.damaged(prefix + "pair-tags", "has not one tag for each word");
  }
  for (const std::uint32_t tag : tags) {
    if (tag >= out.tags_.size()) throw file.damaged(prefix + "pair-tags", "names no tag");
  }
  out.index_pairs();
  if (out.pair_index_.size() != out.pair_words_.size()) {
    throw file.damaged(prefix + "pair-words", "has a pair twice");
  }
  return out;
}

}  // namespace copse::history
