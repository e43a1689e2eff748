#include "copse/treebank/evaluation/same_sentences.h"

#include <fmt/core.h>

#include <algorithm>

#include "copse/base/error.h"

namespace copse {
namespace {

// "sentence 12 (weblog-7)"
std::string sentence_name(const ScoredFile& file, std::size_t sentence) {
  const auto id = file.sentences[sentence].comment("sent_id");
  return id && !id->empty() ? fmt::format("sentence {} ({})", sentence + 1, *id)
                            : fmt::format("sentence {}", sentence + 1);
}

}  // namespace

std::size_t line_of_word(const ScoredFile& file, std::size_t sentence, int word) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < sentence; ++i) line += file.sentences[i].rows().size();
  for (const Row& row : file.sentences[sentence].rows()) {
    if (row.kind == RowKind::word && row.id >= word) break;
    ++line;
  }
  return line;
}

void check_same_sentences(const ScoredFile& gold, const ScoredFile& system) {
  const std::size_t both = std::min(gold.sentences.size(), system.sentences.size());
  for (std::size_t i = 0; i < both; ++i) {
    const Sentence& g = gold.sentences[i];
    const Sentence& s = system.sentences[i];
    const int words = std::min(g.words(), s.words());
    for (int w = 1; w <= words; ++w) {
      if (g.form(w) == s.form(w)) continue;
      throw data_error(fmt::format("{}: word {} is '{}' but '{}' in {}:{}", sentence_name(gold, i),
                                   w, s.form(w), g.form(w), gold.name, line_of_word(gold, i, w)),
                       {system.name, line_of_word(system, i, w), 0},
                       "'copse eval conll18' aligns files that cut the text differently");
    }
    if (g.words() != s.words()) {
      throw data_error(fmt::format("{} has {} words but {} in {}:{}", sentence_name(gold, i),
                                   s.words(), g.words(), gold.name, line_of_word(gold, i, 1)),
                       {system.name, line_of_word(system, i, 1), 0},
                       "'copse eval conll18' aligns files that cut the text differently");
    }
  }
  if (gold.sentences.size() != system.sentences.size()) {
    throw data_error(fmt::format("{} sentences but {} in {}", system.sentences.size(),
                                 gold.sentences.size(), gold.name),
                     {system.name, 0, 0});
  }
}

}  // namespace copse
