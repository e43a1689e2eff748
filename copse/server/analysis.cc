#include "copse/server/analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "copse/treebank/tree_to_sentence.h"

namespace copse::server {
namespace {

constexpr std::size_t kSentencesPerLook = 256;

void require_short(const ParsedSentence& sentence, std::size_t number, const ServerLimits& limits) {
  const int words = std::max(sentence.size(), sentence.tree.words());
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

// Those of one sentence.
SentenceDemands demands_of(const Question& question, const Sentence& sentence, int number) {
  SentenceDemands out;
  const auto require_word = [&](int word) {
    if (word <= sentence.words()) return;
    throw Refusal(
        422, "no_such_word",
        fmt::format("a demand names word {}; the sentence has {}", word, sentence.words()));
  };
  for (const Demand& demand : question.demands) {
    if (demand.sentence != number) continue;
    if (demand.word > 0) {
      require_word(demand.word);
      require_word(demand.head.value_or(0));
      require_word(demand.not_head.value_or(0));
      out.arcs.push_back({demand.word, demand.head, demand.not_head, demand.deprel});
    } else {
      require_word(demand.last);
      out.phrases.push_back({demand.first, demand.last, demand.label, demand.forbidden});
    }
  }
  return out;
}

}  // namespace

std::vector<ParsedSentence> sentences_of(const Question& question, const Work& work) {
  std::vector<ParsedSentence> out;
  if (question.input == Format::text && !question.tokenized) {
    const TokenizedTextOptions options{.stop = work.deadline.stop()};
    for (Sentence& sentence : work.model.pipeline().tokenizer().tokenize(question.text, options)) {
      out.emplace_back().columns = std::move(sentence);
    }
  } else {
    for (Entry& entry : read(question, work.limits)) {
      ParsedSentence& sentence = out.emplace_back();
      // What came as a tree is worked on like any sentence.
      const bool only_tree = entry.sentence.words() == 0 && !entry.tree.empty();
      sentence.columns = only_tree ? sentence_from_tree(entry.tree) : std::move(entry.sentence);
      sentence.tree = std::move(entry.tree);
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i % kSentencesPerLook == 0) work.deadline.check();
    require_short(out[i], i + 1, work.limits);
  }
  return out;
}

TreeKinds wanted_trees(const Question& question, const ServedModel& model) {
  const bool arcs = model.dependencies() != nullptr, phrases = model.phrases() != nullptr;
  if (question.trees) {
    return {question.trees->dependency && arcs, question.trees->phrase && phrases};
  }
  const bool brackets = question.output == AnswerForm::brackets;
  const bool spans = std::any_of(question.demands.begin(), question.demands.end(),
                                 [](const Demand& demand) { return demand.word == 0; });
  return {arcs && !brackets, phrases && (brackets || spans || !arcs)};
}

PipelineOptions options_of(const Question& question, const Work& work, int k) {
  PipelineOptions options;
  const TreeKinds trees = wanted_trees(question, work.model);
  options.dependencies = trees.dependency;
  options.phrases = trees.phrase;
  options.keep_tags = question.input != Format::text;
  options.constraints = question.constraints;
  options.n_best = k;
  options.marginals = question.probabilities;
  options.most_words = options.longest_phrases = work.limits.max_words;
  options.stop = work.deadline.stop();
  return options;
}

PipelineOptions tags_alone(const Question& question, const Work& work) {
  PipelineOptions options = options_of(question, work, 1);
  options.dependencies = options.phrases = false;
  return options;
}

void analyse(const Question& question, const Work& work, const PipelineOptions& options, int number,
             ParsedSentence& sentence) {
  work.deadline.check();
  const auto refusal = [&](const Error& error) {
    return Refusal(422, "no_answer", fmt::format("sentence {}: {}", number, error.message()));
  };
  try {
    work.model.pipeline().annotate(sentence, options,
                                   demands_of(question, sentence.columns, number));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::machine) throw;
    throw refusal(error);
  }
  if (sentence.problem) throw refusal(*sentence.problem);
}

void require_component(bool there, const Work& work, std::string_view what) {
  if (there) return;
  throw Refusal(422, "no_component",
                fmt::format("the model '{}' has no {}", work.model.name(), what));
}

}  // namespace copse::server
