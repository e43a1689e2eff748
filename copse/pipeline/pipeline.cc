#include "copse/pipeline/pipeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/base/stream.h"
#include "copse/base/thread_team.h"
#include "copse/constituency/demanded_brackets.h"
#include "copse/pipeline/bundle.h"
#include "copse/pipeline/model_path.h"
#include "copse/treebank/tree_demands.h"

namespace copse {
namespace {

constexpr int kRerankedTrees = 50;  // the list that a reranker chooses from

// Whether every word has what taggers fill in: a part of speech of either kind.
bool has_all_tags(const Sentence& sentence) {
  for (int word = 1; word <= sentence.words(); ++word) {
    if (sentence.upos(word) == "_" && sentence.xpos(word) == "_") return false;
  }
  return true;
}

void check(const PipelineOptions& options) {
  if (options.n_best < 1) throw usage_error("expected at least one tree per sentence");
  if (options.n_best > 1 && options.mbr) {
    throw usage_error("the tree with the least expected error is one: it has no n-best list");
  }
}

// The sentence with what is demanded of its dependency tree, as a parser reads it.
Sentence demanding(const Sentence& sentence, const SentenceDemands& demands,
                   const PipelineOptions& options) {
  Sentence out = sentence;
  for (int word = 1; !options.constraints && word <= out.words(); ++word) {
    out.set_head(word, DependencyTree::kNoHead);
    out.set(word, Column::deprel, "_");
  }
  std::map<int, std::string> not_heads;
  for (const SentenceDemands::Arc& arc : demands.arcs) {
    if (arc.head) out.set_head(arc.word, *arc.head);
    if (!arc.relation.empty()) out.set(arc.word, Column::deprel, arc.relation);
    if (!arc.not_head) continue;
    std::string& list = not_heads[arc.word];
    list += fmt::format("{}{}", list.empty() ? "" : ",", *arc.not_head);
  }
  for (const auto& [word, heads] : not_heads) out.set_misc(word, "NotHead", heads);
  return out;
}

// Every demand names words that there are.
void check(const SentenceDemands& demands, const Sentence& sentence) {
  const auto require = [&](int word, int least) {
    if (word >= least && word <= sentence.words()) return;
    throw data_error(
        fmt::format("a demand names word {}; the sentence has {}", word, sentence.words()));
  };
  for (const SentenceDemands::Arc& arc : demands.arcs) {
    require(arc.word, 1);
    require(arc.head.value_or(0), 0);
    require(arc.not_head.value_or(0), 0);
  }
  for (const SpanDemand& span : demands.phrases) {
    require(span.first, 1);
    require(span.last, span.first);
  }
}

template <class T>
const T* first_of(const std::vector<Model>& steps, std::string_view kind,
                  const T& (Model::*get)() const) {
  const auto found = std::ranges::find(steps, kind, &Model::kind);
  return found == steps.end() ? nullptr : &((*found).*get)();
}

}  // namespace

Pipeline::Pipeline() : tokenizer_(english_tokenizer()) {}

Pipeline Pipeline::load(const std::vector<std::string>& paths) {
  Pipeline pipeline;
  for (const std::string& path : paths) {
    const ModelFile file = ModelFile::open(path);
    if (file.kind() != kBundleKind) {
      pipeline.add(Model::from(file));
      continue;
    }
    pipeline.add_all(bundle_files(file));
  }
  return pipeline;
}

Pipeline Pipeline::from(const ModelFile& file, const std::vector<std::string_view>& parts) {
  Pipeline pipeline;
  if (file.kind() != kBundleKind) return pipeline.add(Model::from(file));
  pipeline.name_ = bundle_name(file);
  pipeline.record_ = file.config().dump();
  return pipeline.add_all(bundle_files(file, parts));
}

Pipeline load(const std::string& name_or_path) {
  return Pipeline::from(ModelFile::open(ModelPath::standard().find(name_or_path)));
}

Pipeline& Pipeline::set_tokenizer(std::shared_ptr<const TextTokenizer> tokenizer) {
  tokenizer_ = std::move(tokenizer);
  return *this;
}

Pipeline& Pipeline::add(const Model& model) {
  if (model.is_tokenizer()) {
    tokenizer_ = model.shared_tokenizer();
  } else {
    if (model.kind() != kRerankerKind) model.step();  // throws for what is none
    steps_.push_back(model);
  }
  return *this;
}

Pipeline& Pipeline::add_all(const std::vector<ModelFile>& files) {
  std::vector<std::optional<Model>> models(files.size());
  const int threads = std::min(resolve_threads(0), std::max(1, static_cast<int>(files.size())));
  ThreadTeam(threads).for_each(files.size(),
                               [&](std::size_t i) { models[i] = Model::from(files[i]); });
  for (const std::optional<Model>& model : models) add(*model);
  return *this;
}

const SentenceTagger* Pipeline::tagger() const {
  return first_of(steps_, "tagger", &Model::tagger);
}
const SentenceParser* Pipeline::dependency_parser() const {
  return first_of(steps_, kDependencyKind, &Model::dependency_parser);
}
const PhraseParser* Pipeline::phrase_parser() const {
  return first_of(steps_, kConstituencyKind, &Model::phrase_parser);
}
const Reranker* Pipeline::reranker() const {
  return first_of(steps_, kRerankerKind, &Model::reranker);
}

const SentenceParser& Pipeline::require_dependency_parser() const {
  if (const SentenceParser* parser = dependency_parser()) return *parser;
  throw data_error("the pipeline has no dependency parser", {name_, 0, 0});
}
const PhraseParser& Pipeline::require_phrase_parser() const {
  if (const PhraseParser* parser = phrase_parser()) return *parser;
  throw data_error("the pipeline has no phrase-structure parser", {name_, 0, 0});
}

Document Pipeline::operator()(std::string text, const PipelineOptions& options) const {
  check(options);
  TokenizedTextOptions with_places = options.text;
  with_places.ranges = true;
  with_places.stop = options.stop;
  std::vector<Sentence> sentences = tokenizer_->tokenize(text, with_places);
  return annotated(Document(std::move(text), std::move(sentences)), options);
}

Document Pipeline::operator()(std::vector<Entry> entries, const PipelineOptions& options) const {
  check(options);
  return annotated(Document(std::move(entries)), options);
}

Document Pipeline::annotated(Document document, const PipelineOptions& options) const {
  auto& sentences = document.sentences();
  ThreadTeam team(std::min(resolve_threads(options.threads),
                           static_cast<int>(std::max<std::size_t>(1, sentences.size()))));
  team.for_each(sentences.size(), [&](std::size_t i) { annotate(sentences[i], options); });
  return document;
}

void Pipeline::annotate(ParsedSentence& sentence, const PipelineOptions& options,
                        const SentenceDemands& demands) const {
  try {
    check(demands, sentence.columns);
    sentence.only_tree = false;
    for (const Model& step : steps_) {
      options.stop.check();
      if (step.kind() == kDependencyKind) {
        if (options.dependencies) {
          parse_dependencies(step.dependency_parser(), sentence, options, demands);
        }
      } else if (step.kind() == kConstituencyKind) {
        if (options.phrases) parse_phrases(step.phrase_parser(), sentence, options, demands);
      } else if (step.kind() != kRerankerKind && options.tags) {
        tag(step, sentence, options);
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    sentence.problem = error;
  }
}

void Pipeline::annotate(std::vector<Entry>& entries, int threads) const {
  PipelineOptions options;
  options.threads = threads;
  const Document document = (*this)(std::move(entries), options);
  document.require_no_problem();
  entries = document.entries();
}

void Pipeline::tag(const Model& model, ParsedSentence& sentence,
                   const PipelineOptions& options) const {
  if (options.keep_tags && has_all_tags(sentence.columns)) return;
  model.tagger().tag(sentence.columns, {.keep = options.keep_tags, .stop = options.stop});
}

void Pipeline::parse_dependencies(const SentenceParser& parser, ParsedSentence& sentence,
                                  const PipelineOptions& options,
                                  const SentenceDemands& demands) const {
  if (sentence.size() == 0) return;
  DependencyParseOptions asked;
  asked.k = options.n_best;
  asked.marginals = options.marginals;
  asked.mbr = options.mbr;
  asked.constraints = options.constraints || !demands.arcs.empty();
  asked.most_words = options.most_words;
  asked.stop = options.stop;
  Parse parse = demands.arcs.empty()
                    ? parser.parse(sentence.columns, asked)
                    : parser.parse(demanding(sentence.columns, demands, options), asked);
  parser.fill(sentence.columns, parse.trees.front(), {.probabilities = options.marginals});
  for (ParsedTree& tree : parse.trees) {
    sentence.dependencies.push_back({parser.tree_of(tree), tree.score, tree.probability,
                                     std::move(tree.arc_probability),
                                     std::move(tree.label_probability)});
  }
  sentence.certificate = parse.certificate;
  sentence.degraded = std::move(parse.degraded);
  sentence.arcs = std::move(parse.arcs);
}

void Pipeline::parse_phrases(const PhraseParser& parser, ParsedSentence& sentence,
                             const PipelineOptions& options, const SentenceDemands& demands) const {
  const bool own_tags = options.keep_tags || !options.tags;
  const WordsToParse words = words_to_parse(sentence.entry(), own_tags, parser);
  if (words.words.empty()) return;
  if (static_cast<int>(words.words.size()) > options.longest_phrases) {
    sentence.phrases.note = fmt::format("{} words: no phrase-structure tree for more than {}",
                                        words.words.size(), options.longest_phrases);
    return;
  }
  const bool reranked = options.rerank && reranker() != nullptr && !options.mbr;
  PhraseQuestion asked;
  asked.k = reranked ? std::max(kRerankedTrees, options.n_best) : options.n_best;
  asked.brackets = options.marginals && parser.has_probabilities();
  asked.expected_brackets = options.mbr && parser.has_probabilities();
  asked.stop = options.stop;
  std::vector<SpanDemand> spans = demands.phrases;
  if (options.constraints && parser.takes_spans()) {
    const auto own = tree_demands(sentence.columns).spans;
    spans.insert(spans.end(), own.begin(), own.end());
  }
  sentence.phrases =
      spans.empty() ? parser.parse(words, asked) : parse_with_brackets(parser, words, asked, spans);
  if (reranked) rerank(sentence);
  auto& trees = sentence.phrases.trees;
  trees.resize(std::min(trees.size(), static_cast<std::size_t>(options.n_best)));
  sentence.reranker_scores.resize(std::min(sentence.reranker_scores.size(), trees.size()));
  sentence.tree = trees.front().tree;
}

void Pipeline::rerank(ParsedSentence& sentence) const {
  auto& trees = sentence.phrases.trees;
  const Candidates list = candidates_from({"", trees, {}});
  const std::vector<double> scores = reranker()->scores(list);
  std::vector<ScoredTree> ordered;
  for (const std::size_t i : ranking(list, scores)) {
    ordered.push_back(std::move(trees[i]));
    sentence.reranker_scores.push_back(scores[i]);
  }
  trees = std::move(ordered);
}

}  // namespace copse
