#include "copse/pipeline/model.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/pool.h"
#include "copse/dependency/explanation_views.h"
#include "copse/dependency/parser.h"
#include "copse/model/model_file.h"
#include "copse/tag/entity_labels.h"
#include "copse/tag/tagger.h"
#include "copse/tokenize/rule_tokenizer.h"
#include "copse/tokenize/tokenized_text.h"
#include "copse/tokenize/trained_tokenizer.h"

namespace copse {
namespace {

class LoadedTokenizer : public TextTokenizer {
 public:
  explicit LoadedTokenizer(std::unique_ptr<const Tokenizer> tokenizer)
      : tokenizer_(std::move(tokenizer)) {}
  std::vector<Sentence> tokenize(std::string text,
                                 const TokenizedTextOptions& options) const override {
    return tokenize_sentences(*tokenizer_, std::move(text), options);
  }
  std::vector<Sentence> tokenize_block(const TextBlock& block, const std::string& document,
                                       const TokenizedTextOptions& options) const override {
    return block_sentences(*tokenizer_, block, document, options);
  }

 private:
  std::unique_ptr<const Tokenizer> tokenizer_;
};

class LoadedTagger : public SentenceTagger {
 public:
  explicit LoadedTagger(Tagger tagger) : tagger_(std::move(tagger)) {}

  void tag(Sentence& sentence, const TagOptions& options) const override {
    tagger_.tag(sentence, *scratches_.take(), options);
  }
  void tag_with_probabilities(Sentence& sentence, const TagOptions& options) const override {
    tagger_.tag_with_marginals(sentence, *scratches_.take(), options);
  }
  std::vector<ScoredTags> k_best(const Sentence& sentence, int k,
                                 std::string_view column) const override {
    const SequenceTagger& tagger = part_for(column).tagger;
    const SentenceWords words(sentence, tagger_.entities() && has_parts_of_speech(sentence));
    std::vector<ScoredTags> list;
    for (const auto& [labels, score] :
         tagger.k_best_with_probabilities(words.input(), k, *scratches_.take())) {
      ScoredTags& tags = list.emplace_back();
      tags.log_probability = score;
      for (const Label label : labels) {
        std::string name = tagger.label(label);
        std::ranges::replace(name, '\t', '+');
        tags.tags.push_back(std::move(name));
      }
    }
    return list;
  }

 private:
  const TaggerPart& part_for(std::string_view column) const {
    const auto& parts = tagger_.parts();
    if (column.empty() && parts.size() == 1) return parts.front();
    std::string names;
    for (const TaggerPart& part : parts) {
      for (const Column each : part.columns) {
        if (name_of_tag_column(each) == column) return part;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of_tag_column(each));
      }
    }
    throw usage_error(
        fmt::format("the tagger has no column '{}'; expected one of {}", column, names));
  }

  Tagger tagger_;
  mutable Pool<TagScratch> scratches_;
};

class LoadedParser : public SentenceParser {
 public:
  explicit LoadedParser(DependencyParser parser) : parser_(std::move(parser)) {}

  Parse parse(const Sentence& sentence, const DependencyParseOptions& options) const override {
    return parser_.parse(sentence, options, *scratches_.take());
  }
  DependencyTree tree_of(const ParsedTree& parsed) const override {
    return parser_.tree_of(parsed);
  }
  const std::vector<std::string>& labels() const override { return parser_.labels(); }
  void fill(Sentence& sentence, const ParsedTree& parsed,
            const TreeColumns& columns) const override {
    write_tree(parser_, parsed, columns, sentence);
  }
  std::vector<ArcExplanation> explain(const Sentence& sentence, std::optional<int> word,
                                      std::optional<int> head) const override {
    ArcExplainer explainer(parser_, sentence, {});
    std::vector<ArcExplanation> explained;
    if (word) {
      explained.push_back(explainer.explain(*word, head));
    } else {
      for (int m = 1; m <= sentence.words(); ++m) explained.push_back(explainer.explain(m));
    }
    return explained;
  }
  std::string lines(const Sentence& sentence,
                    const std::vector<ArcExplanation>& explained) const override {
    return ExplanationViews(parser_.labels(), sentence).lines(explained);
  }
  std::string page(const Sentence& sentence, const ArcExplanation& explained,
                   std::size_t top) const override {
    return ExplanationViews(parser_.labels(), sentence).page(explained, top);
  }
  std::string json(const Sentence& sentence,
                   const std::vector<ArcExplanation>& explained) const override {
    const ExplanationViews views(parser_.labels(), sentence);
    nlohmann::json words = nlohmann::json::array();
    for (const ArcExplanation& each : explained) words.push_back(views.json(each));
    return words.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

 private:
  DependencyParser parser_;
  mutable Pool<DependencyParser::Scratch> scratches_;
};

template <class T>
const T& wanted(const std::shared_ptr<const T>& found, const std::string& name,
                const std::string& kind, std::string_view what) {
  if (found) return *found;
  throw data_error(fmt::format("a model of kind \"{}\" is no {}", kind, what), {name, 0, 0});
}

}  // namespace

Model Model::load(const std::string& path) {
  return from(ModelFile::open(path));
}

Model Model::from_bytes(std::string_view bytes, const std::string& name) {
  return from(ModelFile::from_bytes(bytes, name));
}

Model Model::from(const ModelFile& file) {
  Model model;
  model.kind_ = file.kind();
  model.name_ = file.name();
  model.record_ = file.config().dump();
  if (file.kind() == kTokenizerKind) {
    model.tokenizer_ = std::make_shared<LoadedTokenizer>(
        std::make_unique<TrainedTokenizer>(TrainedTokenizer::from(file)));
  } else if (file.kind() == Tagger::kKind) {
    model.tagger_ = std::make_shared<LoadedTagger>(Tagger::load(file));
    model.step_ = model.tagger_;
  } else if (file.kind() == kDependencyKind) {
    model.parser_ = std::make_shared<LoadedParser>(DependencyParser::load(file));
    model.step_ = model.parser_;
  } else if (file.kind() == kConstituencyKind) {
    model.phrases_ = load_phrase_parser(file);
    model.step_ = std::make_shared<PhraseStep>(*model.phrases_);
  } else if (file.kind() == kRerankerKind) {
    model.reranker_ = load_reranker(file);
  } else {
    throw data_error(fmt::format("a model of kind \"{}\" is not known here", file.kind()),
                     {file.name(), 0, 0});
  }
  return model;
}

const TextTokenizer& Model::tokenizer() const {
  return wanted(tokenizer_, name_, kind_, "tokeniser");
}
const SentenceTagger& Model::tagger() const {
  return wanted(tagger_, name_, kind_, "tagger");
}
const SentenceParser& Model::dependency_parser() const {
  return wanted(parser_, name_, kind_, "dependency parser");
}
const PhraseParser& Model::phrase_parser() const {
  return wanted(phrases_, name_, kind_, "phrase-structure parser");
}
const Reranker& Model::reranker() const {
  return wanted(reranker_, name_, kind_, "reranker");
}
const PipelineStep& Model::step() const {
  return wanted(step_, name_, kind_, "step of a pipeline");
}

std::shared_ptr<const TextTokenizer> english_tokenizer(const RuleTokenizerOptions& options) {
  return std::make_shared<LoadedTokenizer>(std::make_unique<RuleTokenizer>(options));
}

}  // namespace copse
