#include "copse/pipeline/bundle_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/output.h"
#include "copse/base/version.h"
#include "copse/cluster/brown.h"
#include "copse/cluster/corpus.h"
#include "copse/pipeline/bundle.h"
#include "copse/pipeline/bundle_figures.h"
#include "copse/pipeline/kept_parts.h"
#include "copse/pipeline/learning_curve.h"
#include "copse/treebank/treebank.h"

namespace copse {
namespace {

void write_file(const std::string& path, std::string_view bytes) {
  Output output = Output::open(path);
  output.write(bytes);
  output.commit();
}

class BundleTraining {
 public:
  BundleTraining(const BundleRecipe& recipe, const std::string& output, const BundleReport& report)
      : recipe_(recipe), report_(report), output_(output), parts_(output + ".parts") {
    check();
    data_key_ = fmt::format("{} {} {}", version(), checksum_of_file(recipe_.files.train),
                            checksum_of_file(recipe_.files.dev));
  }

  TrainedBundle run() {
    clusters_ = clusters();
    std::vector<std::string> paths = {tokenizer(), tagger()};
    paths.push_back(dependency(paths[1]));
    if (!recipe_.trees.empty()) paths.push_back(constituency());
    return bundle(paths);
  }

 private:
  void check() const {
    if (recipe_.files.train.empty() || recipe_.files.dev.empty()) {
      throw usage_error("a pipeline is trained from a treebank and judged on another",
                        "expected both training and development data");
    }
    if (!recipe_.raw.empty() && !recipe_.clusters.empty()) {
      throw usage_error("clusters are given and shall be made", "expected one or the other");
    }
    if (recipe_.trees.empty() && !recipe_.dev_trees.empty()) {
      throw usage_error("trees to test a phrase-structure parser on, but none to learn from");
    }
  }

  template <class Make>
  std::string step(std::string_view title, const std::string& file, const std::string& key,
                   Make&& make) {
    say(fmt::format("{} ...", title));
    const KeptParts::Part part = parts_.get(file, key, std::forward<Make>(make));
    if (part.kept) say("  kept from an earlier training");
    return part.path;
  }
  void say(const std::string& line) const {
    if (report_.step) report_.step(line);
  }

  std::string clusters() {
    if (recipe_.raw.empty()) return recipe_.clusters;
    const std::string key =
        fmt::format("{} {} {}", version(), checksum_of_file(recipe_.raw), recipe_.cluster_count);
    return step("word clusters", "clusters.txt", key, [&](const std::string& path) {
      CorpusCounter counter({});
      Input input = Input::open(recipe_.raw);
      counter.add_text(input, recipe_.threads, [] {});
      const Bigrams bigrams = counter.finish({});
      BrownOptions options;
      options.clusters = static_cast<std::uint32_t>(recipe_.cluster_count);
      options.threads = recipe_.threads;
      write_file(path, write_paths(bigrams, brown_clusters(bigrams, options)));
    });
  }

  std::string tokenizer() {
    TokenizerRecipe recipe = recipe_.tokenizer;
    recipe.files = recipe_.files;
    const std::string key =
        fmt::format("{} {} {} {} {}", data_key_, recipe.training.epochs, recipe.training.seed,
                    recipe.training.augment, checksum_of_file(recipe.templates));
    return step("tokeniser", "tokenizer.copse", key, [&](const std::string& path) {
      TokenizerReport told;
      told.reading = report_.reading;
      train_tokenizer_model(recipe, path, told);
    });
  }

  TaggerRecipe tagger_recipe() const {
    TaggerRecipe recipe = recipe_.tagger;
    recipe.files = recipe_.files;
    recipe.clusters = clusters_;
    recipe.training.threads = recipe_.threads;
    return recipe;
  }
  std::string tagger_key() const {
    const PerceptronTaggerOptions& sequence = recipe_.tagger.training.sequence;
    return fmt::format("{} {} {} {} {} {} {}", data_key_, checksum_of_file(clusters_),
                       sequence.epochs, sequence.seed, sequence.margin, sequence.freeze.prune,
                       recipe_.tagger.templates);
  }

  std::string tagger() {
    return step("tagger with lemmas", "tagger.copse", tagger_key(), [&](const std::string& path) {
      train_tagger_model(tagger_recipe(), path, report_.reading);
    });
  }

  static std::vector<Entry> entries_of(std::vector<Sentence> sentences) {
    std::vector<Entry> entries;
    entries.reserve(sentences.size());
    for (Sentence& sentence : sentences) entries.push_back({std::move(sentence), {}});
    return entries;
  }

  std::string tagged_training() {
    const std::string key = fmt::format("{} {}", tagger_key(), recipe_.folds);
    return step(
        "tags for the parser to learn from", "train.conllu", key, [&](const std::string& path) {
          TaggerRecipe recipe = tagger_recipe();
          recipe.files.dev.clear();
          write_treebank(path, entries_of(jackknifed(recipe, recipe_.folds, report_.reading)),
                         Format::conllu);
        });
  }

  std::string tagged_dev(const std::string& tagger) {
    return step(
        "tags of the development data", "dev.conllu", tagger_key(), [&](const std::string& path) {
          const Model model = Model::load(tagger);
          std::vector<Sentence> sentences =
              read_training_treebank(recipe_.files.dev_file(), accept_words(), report_.reading)
                  .sentences();
          for (Sentence& sentence : sentences) model.tagger().tag(sentence);
          write_treebank(path, entries_of(std::move(sentences)), Format::conllu);
        });
  }

  std::string dependency(const std::string& tagger) {
    DependencyRecipe recipe = recipe_.dependency;
    recipe.files = recipe_.files;
    recipe.files.train = tagged_training();
    recipe.files.dev = tagged_dev(tagger);
    recipe.tags = TrainingTags::gold;  // of files that have predicted ones
    recipe.clusters = clusters_;
    recipe.training.threads = recipe_.threads;
    recipe.training.checkpoint = parts_.file("dependency.checkpoint");
    const std::string key = fmt::format(
        "{} {} {} {} {}", tagger_key(), recipe_.folds, record_of(training_of(recipe)).dump(),
        recipe.training.model_megabytes.value_or(-1),
        recipe.trees ? name_of(*recipe.trees) : std::string_view("chosen"));
    return step("dependency parser", "dependency.copse", key, [&](const std::string& path) {
      DependencyReport told;
      told.reading = report_.reading;
      told.training.step = [this](const std::string& stage) { say("  " + stage); };
      const TrainedParser trained = train_dependency_model(recipe, path, told);
      write_file(parts_.file("passes.svg"),
                 training_curve_svg(trained.passes, recipe.training.learner.learner, true));
    });
  }

  std::string constituency() {
    PhraseTraining recipe = recipe_.phrases;
    recipe.threads = recipe_.threads;
    const std::string key = fmt::format("{} {} {} {}", version(), checksum_of_file(recipe_.trees),
                                        checksum_of_file(recipe_.dev_trees), recipe.model);
    return step("phrase-structure parser", "constituency.copse", key, [&](const std::string& path) {
      const auto read = [&](const std::string& file, const std::string& role) {
        return read_training_treebank({.path = file, .role = role}, accept_phrase_trees(),
                                      report_.reading);
      };
      const TrainingTreebank train = read(recipe_.trees, "train");
      TrainingTreebank dev;
      if (!recipe_.dev_trees.empty()) dev = read(recipe_.dev_trees, "dev");
      const TreeData dev_data{dev.entries, dev.source};
      train_phrase_parser(TreeData{train.entries, train.source},
                          recipe_.dev_trees.empty() ? nullptr : &dev_data, recipe)
          .file()
          .save(path);
    });
  }

  TrainedBundle bundle(const std::vector<std::string>& paths) {
    std::vector<ModelFile> files;
    files.reserve(paths.size());
    for (const std::string& path : paths) files.push_back(ModelFile::open(path));
    nlohmann::json about = {{"name", recipe_.name.empty()
                                         ? std::filesystem::path(output_).stem().string()
                                         : recipe_.name}};
    if (!recipe_.language.empty()) about["language"] = recipe_.language;
    Pipeline nlp;
    for (const ModelFile& file : files) nlp.add(Model::from(file));
    say("figures on the development data ...");
    const BundleFigures found = judge_bundle(nlp, files, recipe_.files.dev, recipe_.threads);
    about["figures"] = found.figures;
    make_bundle(files, about).save(output_);
    TrainedBundle out{found.figures, bundle_page(about, found, parts_.file("passes.svg"))};
    parts_.remove();
    return out;
  }

  const BundleRecipe& recipe_;
  const BundleReport& report_;
  std::string output_;
  KeptParts parts_;
  std::string clusters_, data_key_;
};

}  // namespace

TrainedBundle train_bundle(const BundleRecipe& recipe, const std::string& output,
                           const BundleReport& report) {
  return BundleTraining(recipe, output, report).run();
}

}  // namespace copse
