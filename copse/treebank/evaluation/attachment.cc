#include "copse/treebank/evaluation/attachment.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "copse/base/error.h"
#include "copse/base/utf8.h"

namespace copse {
namespace {

double percentage(long part, long whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

constexpr std::array<std::pair<std::string_view, PunctuationPolicy>, 5> kPolicies = {{
    {"all", PunctuationPolicy::all},
    {"ptb", PunctuationPolicy::ptb},
    {"ud", PunctuationPolicy::ud},
    {"conllx", PunctuationPolicy::conllx},
    {"none", PunctuationPolicy::all},
}};

bool is_left_out(const Sentence& gold, int word, PunctuationPolicy policy) {
  switch (policy) {
    case PunctuationPolicy::all:
      return false;
    case PunctuationPolicy::ptb: {
      const std::string_view tag = gold.xpos(word) == "_" ? gold.upos(word) : gold.xpos(word);
      return tag == "``" || tag == "''" || tag == "," || tag == ":" || tag == ".";
    }
    case PunctuationPolicy::ud:
      return gold.upos(word) == "PUNCT";
    case PunctuationPolicy::conllx:
      return is_all_punctuation(gold.form(word));
  }
  return false;
}

constexpr std::array<std::string_view, 5> kDistances = {"root", "1", "2", "3-6", "7-"};
std::size_t distance_bin(int head, int word) {
  const int distance = std::abs(head - word);
  if (head == 0) return 0;
  if (distance <= 2) return static_cast<std::size_t>(distance);
  return distance <= 6 ? 3 : 4;
}

constexpr std::array<std::string_view, 3> kDirections = {"root", "left", "right"};
std::size_t direction_bin(int head, int word) {
  if (head == 0) return 0;
  return head < word ? 1 : 2;
}

constexpr std::array<std::string_view, 5> kLengths = {"1-10", "11-20", "21-30", "31-40", "41-"};
std::size_t length_bin(int words) {
  return std::min<std::size_t>(static_cast<std::size_t>(std::max(words - 1, 0)) / 10, 4);
}

template <class Counts, std::size_t N>
Breakdown<Counts> named(const std::array<std::string_view, N>& names,
                        const std::array<Counts, N>& counts) {
  Breakdown<Counts> result;
  for (std::size_t i = 0; i < N; ++i) result.emplace_back(names[i], counts[i]);
  return result;
}

// Most frequent in gold first, then by name.
template <class Counts, class Frequency>
Breakdown<Counts> by_frequency(const std::map<std::string, Counts, std::less<>>& counts,
                               Frequency frequency) {
  Breakdown<Counts> result(counts.begin(), counts.end());
  std::stable_sort(result.begin(), result.end(), [&](const auto& a, const auto& b) {
    return frequency(a.second) > frequency(b.second);
  });
  return result;
}

template <class Counts>
Counts& at(std::map<std::string, Counts, std::less<>>& counts, std::string_view key) {
  const auto found = counts.find(key);
  return found != counts.end() ? found->second : counts[std::string(key)];
}

void add(AttachmentCounts& counts, bool head, bool label) {
  ++counts.words;
  if (head) ++counts.heads;
  if (label) ++counts.labels;
  if (head && label) ++counts.both;
}

class Scorer {
 public:
  Scorer(const ScoredFile& gold, const ScoredFile& system, const AttachmentOptions& options)
      : gold_(gold), system_(system) {
    report_.options = options;
  }

  AttachmentReport run() && {
    check_same_sentences(gold_, system_);
    for (std::size_t i = 0; i < gold_.sentences.size(); ++i) score_sentence(i);
    report_.relations = by_frequency(relations_, [](const FoundCounts& c) { return c.gold; });
    report_.tags = by_frequency(tags_, [](const AttachmentCounts& c) { return c.words; });
    report_.distances = named(kDistances, distances_);
    report_.directions = named(kDirections, directions_);
    report_.lengths = named(kLengths, lengths_);
    return std::move(report_);
  }

 private:
  std::string_view label(const Sentence& sentence, int word) const {
    const std::string_view label = sentence.deprel(word);
    return report_.options.ignore_subtypes ? label.substr(0, label.find(':')) : label;
  }

  void score_sentence(std::size_t index) {
    const Sentence& gold = gold_.sentences[index];
    const Sentence& system = system_.sentences[index];
    AttachmentCounts counts;
    for (int word = 1; word <= gold.words(); ++word) {
      if (gold.head(word) == DependencyTree::kNoHead) {
        throw data_error(fmt::format("sentence {}: word {} of gold has no HEAD", index + 1, word),
                         {gold_.name, line_of_word(gold_, index, word), 0});
      }
      if (is_left_out(gold, word, report_.options.punctuation)) continue;
      score_word(gold, system, word, counts);
    }
    report_.total.words += counts.words;
    report_.total.heads += counts.heads;
    report_.total.labels += counts.labels;
    report_.total.both += counts.both;
    ++report_.sentences;
    if (counts.words > 0) ++report_.scored_sentences;
    if (counts.words > 0 && counts.heads == counts.words) ++report_.complete_heads;
    if (counts.words > 0 && counts.both == counts.words) ++report_.complete;
    report_.per_sentence.push_back(counts);
  }

  void score_word(const Sentence& gold, const Sentence& system, int word,
                  AttachmentCounts& counts) {
    const int gold_head = gold.head(word);
    const int system_head = system.head(word);
    const std::string_view gold_label = label(gold, word);
    const std::string_view system_label = label(system, word);
    const bool head = gold_head == system_head;
    const bool same_label = gold_label == system_label;
    add(counts, head, same_label);
    report_.per_word.push_back(
        static_cast<unsigned char>((head ? 1 : 0) | (head && same_label ? 2 : 0)));
    if (gold_head == 0) add(report_.roots, head, same_label);

    FoundCounts& relation = at(relations_, gold_label);
    ++relation.gold;
    if (head && same_label) ++relation.correct;
    ++at(relations_, system_label).system;
    ++distances_[distance_bin(gold_head, word)].gold;
    ++directions_[direction_bin(gold_head, word)].gold;
    if (system_head == DependencyTree::kNoHead) {
      ++report_.without_head;
    } else {
      ++distances_[distance_bin(system_head, word)].system;
      ++directions_[direction_bin(system_head, word)].system;
    }
    if (head) {
      ++distances_[distance_bin(gold_head, word)].correct;
      ++directions_[direction_bin(gold_head, word)].correct;
    }
    const std::string_view tag = gold.upos(word) == "_" ? gold.xpos(word) : gold.upos(word);
    add(at(tags_, tag), head, same_label);
    add(lengths_[length_bin(gold.words())], head, same_label);
  }

  const ScoredFile& gold_;
  const ScoredFile& system_;
  AttachmentReport report_;
  std::map<std::string, FoundCounts, std::less<>> relations_;
  std::map<std::string, AttachmentCounts, std::less<>> tags_;
  std::array<FoundCounts, kDistances.size()> distances_{};
  std::array<FoundCounts, kDirections.size()> directions_{};
  std::array<AttachmentCounts, kLengths.size()> lengths_{};
};

}  // namespace

PunctuationPolicy punctuation_policy_named(std::string_view name) {
  for (const auto& [known, policy] : kPolicies) {
    if (known == name) return policy;
  }
  throw usage_error(fmt::format("no punctuation policy is called '{}'", name),
                    "one of all, ptb, ud, conllx");
}

std::string_view name_of(PunctuationPolicy policy) {
  return std::find_if(kPolicies.begin(), kPolicies.end(),
                      [&](const auto& known) { return known.second == policy; })
      ->first;
}

double AttachmentCounts::uas() const {
  return percentage(heads, words);
}
double AttachmentCounts::las() const {
  return percentage(both, words);
}
double AttachmentCounts::la() const {
  return percentage(labels, words);
}

double FoundCounts::precision() const {
  return percentage(correct, system);
}
double FoundCounts::recall() const {
  return percentage(correct, gold);
}
double FoundCounts::f1() const {
  return percentage(2 * correct, gold + system);
}

double AttachmentReport::complete_match() const {
  return percentage(complete, scored_sentences);
}
double AttachmentReport::complete_unlabeled_match() const {
  return percentage(complete_heads, scored_sentences);
}

AttachmentReport evaluate_attachment(const ScoredFile& gold, const ScoredFile& system,
                                     const AttachmentOptions& options) {
  return Scorer(gold, system, options).run();
}

}  // namespace copse
