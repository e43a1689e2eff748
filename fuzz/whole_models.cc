// Whole models and checkpoints with damage that their checksums do not see, and what only a model
// can be asked: trees with constraints.
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/dependency/trainer.h"
#include "copse/pipeline/model.h"
#include "copse/treebank/formats.h"
#include "fuzz/damage.h"
#include "fuzz/promise.h"
#include "fuzz/small_models.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

void damaged(std::string_view kind, std::string_view changes) {
  load_and_use(kind, damaged_model(small_model(kind), changes.substr(0, 70)));
}

std::vector<Sentence> treebank() {
  std::vector<Sentence> sentences;
  const std::string text =
      "1\tDogs\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\tVBP\t_\t0\troot\t_\t_\n"
      "3\tloudly\t_\tADV\tRB\t_\t2\tadvmod\t_\t_\n\n"
      "1\tThe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n2\tcat\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
      "3\tsleeps\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n";
  for (ReadItem& item : make_reader(Format::conllu)->parse({text, "fuzz", 1}).items) {
    sentences.push_back(std::move(item.entry.sentence));
  }
  return sentences;
}

// The learners that have checkpoints: six of dependency parsers, three of phrase-structure parsers,
// that of hidden values. Each learns a part, then goes on to the whole.
enum class Share { part, whole };
struct BrokenOff {};

constexpr std::array kDependencyLearners = {
    DependencyLearner::perceptron,    DependencyLearner::mira,
    DependencyLearner::log_linear,    DependencyLearner::log_linear_sgd,
    DependencyLearner::eg_log_linear, DependencyLearner::eg_max_margin};
constexpr std::array kPhraseLearners = {"spinal", "incremental", "history"};
constexpr std::size_t kLearners = kDependencyLearners.size() + kPhraseLearners.size() + 1;

void learn_dependencies(DependencyLearner learner, const std::string& checkpoint, Share share) {
  static const std::vector<Sentence> sentences = treebank();
  DependencyTraining options;
  options.kind.order = Factorisation::first;
  options.selection = {1, 1, 20};
  options.pruner.threshold = 0;
  options.learner.learner = learner;
  options.learner.passes = share == Share::part ? 2 : 3;
  options.checkpoint = checkpoint;
  train_dependency_parser(sentences, {}, options, {});
}

// Some take the number of passes for an option, so that the part is a training broken off.
void learn_phrases(const std::string& model, const std::string& checkpoint, Share share) {
  static const std::vector<Entry> entries = some_trees();
  const std::vector<std::span<const Entry>> trees = {entries};
  PhraseTraining recipe = small_phrase_training(model);
  recipe.spinal.epochs = recipe.incremental.epochs = recipe.history.epochs = 2;
  recipe.spinal.checkpoint = recipe.incremental.checkpoint = recipe.history.checkpoint = checkpoint;
  recipe.step = [&](const std::string&) {
    if (share == Share::part && std::filesystem::exists(checkpoint)) throw BrokenOff{};
  };
  try {
    train_phrase_parser(trees, recipe);
  } catch (const BrokenOff&) {
    return;
  }
}

void learn(std::size_t learner, const std::string& checkpoint, Share share) {
  if (learner < kDependencyLearners.size()) {
    learn_dependencies(kDependencyLearners[learner], checkpoint, share);
  } else if (learner < kLearners - 1) {
    learn_phrases(kPhraseLearners[learner - kDependencyLearners.size()], checkpoint, share);
  } else {
    learn_hidden_values(checkpoint, share == Share::part ? 1 : 2);
  }
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void model_tokenizer(std::string_view changes) {
  damaged("tokenizer", changes);
}
void model_tagger(std::string_view changes) {
  damaged("tagger", changes);
}
void model_maxent_tagger(std::string_view changes) {
  damaged("maxent-tagger", changes);
}
void model_entities(std::string_view changes) {
  damaged("entities", changes);
}
void model_dependency(std::string_view changes) {
  damaged("dependency", changes);
}
void model_crossing(std::string_view changes) {
  damaged("crossing", changes);
}
void model_constituency(std::string_view changes) {
  damaged("constituency", changes);
}
void model_reranker(std::string_view changes) {
  damaged("reranker", changes);
}
void model_tree_kernel(std::string_view changes) {
  damaged("tree-kernel-votes", changes);
}
void model_tag_kernel(std::string_view changes) {
  damaged("tag-kernel", changes);
}
void model_bundle(std::string_view changes) {
  damaged("bundle", changes);
}
void model_hidden(std::string_view changes) {
  damaged("hidden", changes);
}
void model_mixture(std::string_view changes) {
  damaged("mixture", changes);
}
void model_history(std::string_view changes) {
  damaged("history", changes);
}
void model_top_kernel(std::string_view changes) {
  damaged("top-kernel", changes);
}
void model_spinal(std::string_view changes) {
  damaged("spinal", changes);
}
void model_incremental(std::string_view changes) {
  damaged("incremental", changes);
}
void model_linear_kernel(std::string_view changes) {
  damaged("linear-kernel", changes);
}

// The first byte chooses the learner.
void checkpoint(std::string_view changes) {
  if (changes.empty()) return;
  static const std::string path = (std::filesystem::temp_directory_path() /
                                   ("copse-fuzz-" + std::to_string(::getpid()) + ".ck"))
                                      .string();
  static std::map<std::size_t, std::string> good;
  const std::size_t learner = static_cast<unsigned char>(changes[0]) % kLearners;
  if (!good.contains(learner)) {
    std::filesystem::remove(path);
    learn(learner, path, Share::part);
    promise(std::filesystem::exists(path), "a learner leaves its checkpoint");
    good[learner] = bytes_of(path);
  }
  std::ofstream(path, std::ios::binary) << damaged_model(good[learner], changes.substr(1, 70));
  try {
    learn(learner, path, Share::whole);
  } catch (const Error& error) {
    promise(error.kind() != ErrorKind::machine, "a damaged checkpoint is no fault of the machine");
  }
  std::filesystem::remove(path);
}

void constraints(std::string_view bytes) {
  static const Model model = Model::from_bytes(small_model("dependency"));
  Limits limits = small_limits();
  limits.max_words = 40;
  const Parsed parsed = make_reader(Format::conllu, limits)->parse({std::string(bytes), "fuzz", 1});
  for (const ReadItem& item : parsed.items) {
    if (item.error || item.entry.sentence.words() == 0) continue;
    try {
      const Sentence& sentence = item.entry.sentence;
      const Parse parse = model.dependency_parser().parse(sentence, {.constraints = true});
      promise(model.dependency_parser().tree_of(parse.trees.front()).is_tree(), "it is a tree");
    } catch (const Error& error) {
      promise(error.kind() == ErrorKind::data, "contradictions are data errors");
    }
  }
}

}  // namespace copse::fuzz
