#include "fuzz/small_models.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "copse/base/error.h"
#include "copse/dependency/trainer.h"
#include "copse/pipeline/bundle.h"
#include "copse/pipeline/model.h"
#include "copse/pipeline/pipeline.h"
#include "copse/rerank/hidden/training.h"
#include "copse/rerank/hidden/value_counts.h"
#include "copse/rerank/kernel_training.h"
#include "copse/rerank/linear_training.h"
#include "copse/rerank/mixture.h"
#include "copse/rerank/top_training.h"
#include "copse/tag/tagger_training.h"
#include "copse/tokenize/tokenizer_trainer.h"
#include "copse/treebank/treebank.h"
#include "fuzz/promise.h"

namespace copse::fuzz {
namespace {

constexpr std::size_t kSentences = 12;  // few: damage to a small model meets more of it

constexpr std::string_view kParses =
    "2 1\n-3\n(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n-2.5\n(S (NP (DT the)) (VP (NN cat) "
    "(VBZ sleeps)))\n\n"
    "3 2\n-1\n(S (NP (NNS dogs)) (VP (VBP see) (NP (NNS cats))))\n-1.5\n(S (NP (NNS dogs) (VBP "
    "see)) (NP (NNS cats)))\n-4\n(NP (NNS dogs) (VP (VBP see) (NNS cats)))\n\n"
    "2 3\n-2\n(S (VP (VB go)) (ADVP (RB home)))\n-2.25\n(S (VP (VB go) (ADVP (RB home))))\n\n";
constexpr std::string_view kGoldTrees =
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NNS dogs)) (VP (VBP see) (NP (NNS "
    "cats))))\n(S (VP (VB go) (ADVP (RB home))))\n";
constexpr std::string_view kTagLists =
    "# words = Bob sees Ann\n3\t-1\t\tS O S\n2\t-0.5\t\tS O O\n0\t-3\t\tO S O\n\n"
    "# words = Ann sleeps\n1\t-1\t\tO O\n2\t-2\t\tS O\n\n";
constexpr std::string_view kFeatureLists =
    "3\t-1\tgood:3 noise:1\ta\n1\t-0.5\tgood noise:2\tb\n2\t-2\tnoise:3\tc\n\n"
    "1\t-1\tnoise:2\ta\n2\t-2\tgood:2\tb\n\n";

// A file for the time of a training.
class TextFile {
 public:
  explicit TextFile(std::string_view text)
      : path_(std::filesystem::temp_directory_path() /
              ("copse-fuzz-" + std::to_string(::getpid()) + "-" +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::vector<Entry> fixture(const std::string& name) {
  std::vector<Entry> entries = read_treebank(std::string(COPSE_FIXTURES) + "/" + name);
  if (entries.size() > kSentences) entries.resize(kSentences);
  return entries;
}

std::vector<Sentence> sentences(const std::string& name) {
  std::vector<Sentence> out;
  for (Entry& entry : fixture(name)) out.push_back(std::move(entry.sentence));
  return out;
}

std::string tagger_model(TagLearner learner, bool entities) {
  TaggerTrainingOptions options;
  options.learner = learner;
  options.sequence.epochs = 1;
  options.sequence.dictionary = {3, 2};
  options.lbfgs.max_iterations = 5;
  options.entities = entities;
  const auto data = sentences(entities ? "entities.iob" : "english.conllu");
  const Tagger tagger = train_tagger(data, {}, options).tagger;
  ModelWriter writer(Tagger::kKind, tagger.config());
  tagger.save(writer);
  return writer.bytes();
}

std::string dependency_model(bool projective) {
  DependencyTraining options;
  options.kind = {projective ? Factorisation::model1 : Factorisation::sibling, RootRule::single,
                  projective};
  options.learner.passes = 1;
  options.selection = {1, 1, 20};
  options.pruner.threshold = 2e-3;
  options.pruner.most_count = 1;
  options.lexical_limit = projective ? 50 : 0;
  if (projective) {
    options.clusters = std::make_shared<const WordClusters>(
        std::vector<WordClusters::Line>{{"00", "the", 3}, {"0101", "bakery", 1}});
  }
  return train_dependency_parser(sentences("english.conllu"), {}, options, {})
      .model(nullptr)
      .bytes();
}

std::string phrase_model(const std::string& model) {
  const std::vector<Entry> entries = some_trees();
  const std::vector<std::span<const Entry>> trees = {entries};
  return train_phrase_parser(trees, small_phrase_training(model))
      ->file(nlohmann::json::object())
      .bytes();
}

std::string linear_reranker() {
  const TextFile lists(kParses), gold(kGoldTrees);
  LinearTrainingOptions options;
  options.rounds = 20;
  options.smoothing = {0.01};
  options.cutoff.min_lists = 1;
  return train_linear_reranker({lists.path(), gold.path(), "", ""}, options, {}).bytes();
}

std::string kernel_reranker(const std::string& method, std::string_view text,
                            std::string_view trees = {}) {
  const TextFile lists(text), gold(trees);
  KernelTrainingOptions options;
  options.method = method;
  options.vote = method == "tree-kernel";
  return train_kernel_reranker({lists.path(), trees.empty() ? "" : gold.path(), "", ""}, options,
                               [](const std::string&) {})
      .bytes();
}

std::string top_reranker() {
  const TextFile lists(kParses), gold(kGoldTrees), parser(small_model("history"));
  TopTrainingOptions options;
  options.method = "top";
  options.model = parser.path();
  return train_top_reranker({lists.path(), gold.path(), "", ""}, options, [](const std::string&) {})
      .bytes();
}

std::string mixture() {
  const TextFile lists(kParses), gold(kGoldTrees), hidden(small_model("hidden")),
      linear(small_model("reranker"));
  MixtureTrainingOptions options;
  options.members = {hidden.path(), linear.path()};
  return train_mixture({lists.path(), gold.path(), "", ""}, options, [](const std::string&) {})
      .bytes();
}

std::string bundle() {
  std::vector<ModelFile> files;
  for (const std::string_view kind :
       {"tokenizer", "tagger", "dependency", "constituency", "reranker"}) {
    files.push_back(ModelFile::from_bytes(small_model(kind), std::string(kind)));
  }
  return make_bundle(files, {{"name", "small"}}).bytes();
}

std::string made(std::string_view kind) {
  if (kind == "tokenizer") {
    const auto entries = fixture("english.conllu");
    TokenizerTrainingOptions options;
    options.epochs = 1;
    return train_tokenizer(entries, entries, options, {}, {}).bytes();
  }
  if (kind == "tagger") return tagger_model(TagLearner::perceptron, false);
  if (kind == "maxent-tagger") return tagger_model(TagLearner::maxent, false);
  if (kind == "entities") return tagger_model(TagLearner::perceptron, true);
  if (kind == "dependency") return dependency_model(true);
  if (kind == "crossing") return dependency_model(false);
  if (kind == "constituency") return phrase_model("generative");
  if (kind == "reranker") return linear_reranker();
  if (kind == "tree-kernel-votes") return kernel_reranker("tree-kernel", kParses, kGoldTrees);
  if (kind == "tag-kernel") return kernel_reranker("tag-kernel", kTagLists);
  if (kind == "bundle") return bundle();
  if (kind == "hidden") return learn_hidden_values("", 1);
  if (kind == "mixture") return mixture();
  if (kind == "history" || kind == "spinal" || kind == "incremental") {
    return phrase_model(std::string(kind));
  }
  if (kind == "top-kernel") return top_reranker();
  return kernel_reranker("linear-kernel", kFeatureLists);
}

const std::vector<Sentence>& some_sentences() {
  static const std::vector<Sentence> some = [] {
    std::vector<Sentence> all = sentences("english.conllu");
    all.resize(3);
    Sentence odd;
    for (const char* word : {"Never-seen", "\xFF\xFE", "42", "!"}) odd.add_word(word);
    all.push_back(std::move(odd));
    return all;
  }();
  return some;
}

void use_tokenizer(const Model& model) {
  for (const std::string text :
       {"I don't know, Mr. Ben.  He paid $3.50 (cash)!\n\nVis-a-vis", "\xFF\xF0\x9F\x98\x80 a"}) {
    model.tokenizer().tokenize(text);
  }
}

void use_tagger(const Model& model) {
  for (const Sentence& sentence : some_sentences()) {
    Sentence tagged = sentence;
    model.tagger().tag(tagged);
    model.tagger().tag_with_probabilities(tagged);
    for (const std::string_view column : {"upos", "misc"}) {
      try {
        model.tagger().k_best(sentence, 3, column);
      } catch (const Error& error) {  // a column that it has not
        promise(error.kind() != ErrorKind::machine, "a tagger needs no machine");
      }
    }
  }
}

void use_parser(const Model& model) {
  for (const Sentence& sentence : some_sentences()) {
    const Parse parse = model.dependency_parser().parse(sentence, {.k = 2, .marginals = true});
    promise(!parse.trees.empty(), "there is a tree");
    Sentence filled = sentence;
    model.dependency_parser().fill(filled, parse.trees.front());
  }
  const Sentence& sentence = some_sentences().front();
  model.dependency_parser().json(sentence, model.dependency_parser().explain(sentence, 1));
}

void use_phrase_parser(const Model& model) {
  for (const Sentence& sentence : some_sentences()) {
    WordsToParse words;
    for (int m = 1; m <= sentence.words(); ++m) words.words.emplace_back(sentence.form(m));
    const bool brackets = model.phrase_parser().has_probabilities();
    const PhraseAnswer answer = model.phrase_parser().parse(words, {.k = 3, .brackets = brackets});
    promise(!answer.trees.empty(), "there is a tree");
    for (const ScoredTree& tree : answer.trees) {
      promise(!std::isnan(tree.log_probability), "probabilities are numbers");
    }
  }
}

void use_reranker(const Model& model) {
  for (const std::string_view text : {kParses, kTagLists, kFeatureLists}) {
    CandidateReader reader(Input::from_memory(std::string(text), "lists"));
    while (const auto list = reader.next()) {
      try {
        promise(model.reranker().scores(*list).size() == list->items.size(), "each has a score");
        model.reranker().reasons(*list, 0);
        for (const auto& member : hidden::hidden_members(model.reranker())) {
          member.reranker->values(*list, 0);
        }
      } catch (const Error& error) {  // lists of another kind than it was made for
        promise(error.kind() == ErrorKind::data, "bad data is a data error");
      }
    }
  }
}

void use_bundle(const ModelFile& file) {
  const Pipeline nlp = Pipeline::from(file);
  const Document document =
      nlp("The dog saw a cat. \xFF Never-seen!", {.n_best = 2, .marginals = true});
  for (const ParsedSentence& sentence : document) {
    promise(sentence.problem || sentence.places.size() > static_cast<std::size_t>(sentence.size()),
            "every word has a place");
  }
}

}  // namespace

PhraseTraining small_phrase_training(const std::string& model) {
  PhraseTraining recipe;
  recipe.model = model;
  recipe.threads = 1;
  recipe.generative.model.tagger.epochs = 1;
  recipe.history.hidden = 4;
  recipe.history.embedding = 3;
  recipe.history.epochs = 1;
  recipe.history.networks = 2;
  recipe.history.vocabulary.pair_threshold = 2;
  recipe.history.tag_folds = 0;
  recipe.history.tagger_epochs = 1;
  recipe.spinal.epochs = 1;
  recipe.spinal.pruner.passes = 1;
  recipe.spinal.tag_folds = 0;
  recipe.spinal.tagger_epochs = 1;
  recipe.incremental.epochs = 1;
  recipe.incremental.beam = 2;
  recipe.incremental.model.generative_weight = 0.5;
  recipe.incremental.tag_folds = 0;
  recipe.incremental.tagger_epochs = 1;
  recipe.incremental.generative_folds = 0;
  return recipe;
}

std::vector<Entry> some_trees() {
  return fixture("english.mrg");
}

std::string learn_hidden_values(const std::string& checkpoint, int passes) {
  const TextFile lists(kParses), gold(kGoldTrees);
  hidden::TrainingOptions options;
  options.domain.kind = hidden::DomainKind::mixed;
  options.domain.values = 2;
  options.min_lists = 1;
  options.domain.min_count = 1;
  options.epochs = passes;
  options.checkpoint = checkpoint;
  return hidden::train_hidden_reranker({lists.path(), gold.path(), "", ""}, options, {}).bytes();
}

const std::string& small_model(std::string_view kind) {
  static std::map<std::string, std::string, std::less<>> models;
  const auto found = models.find(kind);
  if (found != models.end()) return found->second;
  return models.emplace(kind, made(kind)).first->second;
}

bool load_and_use(std::string_view kind, std::string_view bytes) {
  try {
    const ModelFile file = ModelFile::from_bytes(bytes, "fuzz");
    if (file.kind() == kBundleKind) {
      use_bundle(file);
      return true;
    }
    const Model model = Model::from_bytes(bytes, "fuzz");
    if (model.is_tokenizer()) {
      use_tokenizer(model);
    } else if (model.kind() == "tagger") {
      use_tagger(model);
    } else if (model.kind() == "dependency") {
      use_parser(model);
    } else if (model.kind() == "constituency") {
      use_phrase_parser(model);
    } else {
      use_reranker(model);
    }
  } catch (const Error& error) {
    promise(error.kind() == ErrorKind::data, "bad data is a data error");
    return false;
  }
  promise(!kind.empty(), "a model has a kind");
  return true;
}

}  // namespace copse::fuzz
