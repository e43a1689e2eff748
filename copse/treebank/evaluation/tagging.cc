#include "copse/treebank/evaluation/tagging.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "copse/base/error.h"
#include "copse/treebank/evaluation/lines.h"

namespace copse {
namespace {

using Confusions = std::map<std::pair<std::string, std::string>, long>;

void add(TagColumnScore& score, bool correct, bool unknown) {
  ++score.all.words;
  if (correct) ++score.all.correct;
  if (!unknown) return;
  ++score.unknown.words;
  if (correct) ++score.unknown.correct;
}

std::vector<TagConfusion> most_frequent_first(const Confusions& confusions) {
  std::vector<TagConfusion> result;
  for (const auto& [tags, words] : confusions) result.push_back({tags.first, tags.second, words});
  std::stable_sort(result.begin(), result.end(),
                   [](const TagConfusion& a, const TagConfusion& b) { return a.words > b.words; });
  return result;
}

}  // namespace

double TagCounts::accuracy() const {
  return words > 0 ? 100.0 * static_cast<double>(correct) / static_cast<double>(words) : 0.0;
}

Vocabulary vocabulary_of(std::span<const Sentence> sentences) {
  Vocabulary vocabulary;
  for (const Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.words(); ++word) vocabulary.emplace(sentence.form(word));
  }
  return vocabulary;
}

bool is_column_file(std::string_view text) {
  constexpr std::size_t kFewestConllColumns = 8;
  Lines lines(text);
  while (const auto line = lines.next()) {
    if (split_blanks(*line).empty() || line->starts_with("# ")) continue;
    return split_at(*line, '\t').size() < kFewestConllColumns;
  }
  return false;
}

std::vector<Sentence> read_column_file(std::string_view text, const std::string& name) {
  std::vector<Sentence> sentences;
  bool inside = false;
  Lines lines(text);
  while (const auto line = lines.next()) {
    const auto fields = split_blanks(*line);
    if (fields.empty()) {
      inside = false;
      continue;
    }
    if (fields.size() < 2) {
      throw data_error(fmt::format("'{}' has no tag; expected a word and a tag", fields[0]),
                       {name, lines.number(), 0});
    }
    if (!inside) sentences.emplace_back();
    inside = true;
    sentences.back().add_word(fields[0]);
    sentences.back().set(sentences.back().words(), Column::xpos, fields[1]);
  }
  return sentences;
}

TagReport evaluate_tags(const ScoredFile& gold, const ScoredFile& system,
                        const Vocabulary* vocabulary) {
  check_same_sentences(gold, system);
  TagReport report;
  report.has_vocabulary = vocabulary != nullptr;
  report.sentences = static_cast<long>(gold.sentences.size());
  Confusions upos_confusions;
  Confusions xpos_confusions;
  for (std::size_t i = 0; i < gold.sentences.size(); ++i) {
    const Sentence& g = gold.sentences[i];
    const Sentence& s = system.sentences[i];
    for (int word = 1; word <= g.words(); ++word) {
      const bool unknown =
          vocabulary != nullptr && !vocabulary->contains(std::string(g.form(word)));
      const bool upos = g.upos(word) == s.upos(word);
      const bool xpos = g.xpos(word) == s.xpos(word);
      const bool feats = g.feats(word) == s.feats(word);
      add(report.upos, upos, unknown);
      add(report.xpos, xpos, unknown);
      add(report.feats, feats, unknown);
      add(report.lemma, g.lemma(word) == s.lemma(word), unknown);
      add(report.all_tags, upos && xpos && feats, unknown);
      if (!upos) ++upos_confusions[{std::string(g.upos(word)), std::string(s.upos(word))}];
      if (!xpos) ++xpos_confusions[{std::string(g.xpos(word)), std::string(s.xpos(word))}];
    }
  }
  report.upos.confusions = most_frequent_first(upos_confusions);
  report.xpos.confusions = most_frequent_first(xpos_confusions);
  return report;
}

}  // namespace copse
