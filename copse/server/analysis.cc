#include "copse/server/analysis.h"

#include <fmt/format.h>

#include <map>

#include "copse/constituency/demanded_brackets.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse::server {
namespace {

void require_short(const Entry& entry, std::size_t number, const ServerLimits& limits) {
  const int words = std::max(entry.sentence.words(), entry.tree.words());
  if (words <= limits.max_words) return;
  throw Refusal(
      413, "sentence_too_long",
      fmt::format("sentence {} has {} words; the limit is {}", number, words, limits.max_words));
}

std::vector<Entry> read(const Question& question, const ServerLimits& limits) {
  Limits of_reader;
  of_reader.max_words = limits.max_words;
  of_reader.max_depth = 1000;
  try {
    return parse_treebank(question.text, question.input, "request", of_reader);
  } catch (const Error& error) {
    throw Refusal(400, "bad_input", error.what());
  }
}

bool has_demands_for(const Question& question, int number) {
  return std::ranges::any_of(question.demands,
                             [&](const Demand& each) { return each.sentence == number; });
}

void require_word(int word, const Sentence& sentence) {
  if (word <= sentence.words()) return;
  throw Refusal(422, "no_such_word",
                fmt::format("a demand names word {}; the sentence has {}", word, sentence.words()));
}

void append_item(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ",") + item;
}

// The sentence with what is demanded of its dependency tree, as the parser reads it.
Sentence demanding(const Question& question, const Sentence& sentence, int number) {
  Sentence out = sentence;
  for (int m = 1; !question.constraints && m <= out.words(); ++m) {
    out.set_head(m, DependencyTree::kNoHead);
    out.set(m, Column::deprel, "_");
  }
  std::map<int, std::string> not_heads;
  for (const Demand& demand : question.demands) {
    if (demand.sentence != number || demand.word == 0) continue;
    require_word(demand.word, sentence);
    require_word(demand.head.value_or(0), sentence);
    if (demand.head) out.set_head(demand.word, *demand.head);
    if (!demand.deprel.empty()) out.set(demand.word, Column::deprel, demand.deprel);
    if (demand.not_head) append_item(not_heads[demand.word], std::to_string(*demand.not_head));
  }
  for (const auto& [word, heads] : not_heads) out.set_misc(word, "NotHead", heads);
  return out;
}

std::vector<SpanDemand> spans_of(const Question& question, const Sentence& sentence, int number) {
  std::vector<SpanDemand> spans;
  for (const Demand& demand : question.demands) {
    if (demand.sentence != number || demand.word > 0) continue;
    require_word(demand.last, sentence);
    spans.push_back({demand.first, demand.last, demand.label, demand.forbidden});
  }
  return spans;
}

void add_dependencies(const Question& question, const Work& work, int number, int k,
                      Analysis& out) {
  DependencyParseOptions options;
  options.k = k;
  options.marginals = question.probabilities;
  options.most_words = work.limits.max_words;
  options.stop = work.deadline.stop();
  options.constraints = question.constraints || has_demands_for(question, number);
  const SentenceParser& parser = *work.model.dependencies();
  Sentence& sentence = out.entry.sentence;
  out.dependencies = options.constraints
                         ? parser.parse(demanding(question, sentence, number), options)
                         : parser.parse(sentence, options);
  parser.fill(sentence, out.dependencies->trees.front(), {.probabilities = question.probabilities});
}

void add_phrases(const Question& question, const Work& work, int number, int k, Analysis& out) {
  const PhraseParser& parser = *work.model.phrases();
  PhraseQuestion asked;
  asked.k = k;
  asked.brackets = question.probabilities && parser.has_probabilities();
  const WordsToParse words = words_to_parse(out.entry, false, parser);
  asked.stop = work.deadline.stop();
  const auto spans = spans_of(question, out.entry.sentence, number);
  out.phrases =
      spans.empty() ? parser.parse(words, asked) : parse_with_brackets(parser, words, asked, spans);
  if (!out.phrases->trees.empty()) out.entry.tree = out.phrases->trees.front().tree;
}

}  // namespace

std::vector<Entry> sentences_of(const Question& question, const Work& work) {
  std::vector<Entry> entries;
  if (question.input == Format::text && !question.tokenized) {
    for (Sentence& sentence : work.model.tokenizer().tokenize(question.text)) {
      entries.push_back({std::move(sentence), {}});
    }
  } else {
    entries = read(question, work.limits);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    require_short(entries[i], i + 1, work.limits);
    // What came as a tree is worked on like any sentence.
    if (entries[i].sentence.words() == 0 && !entries[i].tree.empty()) {
      entries[i].sentence = sentence_from_tree(entries[i].tree);
    }
  }
  return entries;
}

void tag(const Question& question, const Work& work, Entry& entry) {
  if (work.model.tagger() == nullptr) return;
  work.model.tagger()->tag(entry.sentence, {.keep = question.input != Format::text});
}

Analysis analyse(const Question& question, const Work& work, Entry entry, int number, int k) {
  Analysis out;
  out.entry = std::move(entry);
  work.deadline.check();
  try {
    tag(question, work, out.entry);
    if (question.dependency && work.model.dependencies() != nullptr) {
      add_dependencies(question, work, number, k, out);
    }
    work.deadline.check();
    if (question.phrase && work.model.phrases() != nullptr) {
      add_phrases(question, work, number, k, out);
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::machine) throw;
    throw Refusal(422, "no_answer", fmt::format("sentence {}: {}", number, error.message()));
  }
  return out;
}

void require_component(bool there, const Work& work, std::string_view what) {
  if (there) return;
  throw Refusal(422, "no_component",
                fmt::format("the model '{}' has no {}", work.model.name(), what));
}

}  // namespace copse::server
