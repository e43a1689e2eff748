#include "copse/cli/generative_options.h"

#include "copse/treebank/label.h"
#include "copse/treebank/ptb.h"

namespace copse {

void GenerativeOptions::declare_options(CLI::App& app) {
  const std::string group = "Search of the generative parser";
  app.add_option("--beam", parse.beam,
                 "Items this many times less promising than the best of their span are dropped")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1e300))
      ->group(group);
  app.add_option("--coarse-threshold", parse.coarse_threshold,
                 "Items with a smaller share of the coarse grammar's parses are not looked at")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5))
      ->group(group);
  app.add_option("--max-length", parse.max_length,
                 "Longer sentences, in words without final punctuation, get a flat tree")
      ->capture_default_str()
      ->check(CLI::Range(1, 2000))
      ->group(group);
  app.add_option("--max-edges", parse.max_edges,
                 "Sentences whose chart grows beyond this get a flat tree; 32 bytes each")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30))
      ->group(group);
  app.add_flag("--use-tags", use_tags,
               "Take the tags of the input (XPOS, or the tags of trees) instead of choosing them")
      ->group(group);
}

SentenceToParse sentence_to_parse(const Entry& entry, bool use_tags, const Lexicon& lexicon) {
  SentenceToParse result;
  const Sentence& sentence = entry.sentence;
  if (const auto id = sentence.comment("sent_id")) result.id = *id;
  for (char& c : result.id) {
    if (c == ' ' || c == '\t') c = '_';
  }
  const auto add = [&](std::string_view word, std::string_view tag) {
    const bool other_spelling =
        lexicon.word(word) == kUnknownWord && lexicon.word(escape_ptb_word(word)) != kUnknownWord;
    result.words.push_back(other_spelling ? escape_ptb_word(word) : std::string(word));
    if (use_tags) result.tags.emplace_back(tag);
  };
  if (sentence.words() > 0) {
    for (int i = 1; i <= sentence.words(); ++i) add(sentence.form(i), sentence.xpos(i));
  } else {
    for (const int leaf : entry.tree.leaves()) {
      const std::string_view tag = entry.tree.label(leaf);
      if (tag != kTraceTag) add(entry.tree.word(leaf), tag);
    }
  }
  return result;
}

}  // namespace copse
