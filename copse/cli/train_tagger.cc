// copse train tagger, copse train entities.
#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/cli/train_tasks.h"
#include "copse/cli/training_data.h"
#include "copse/cluster/word_clusters.h"
#include "copse/model/model_file.h"
#include "copse/tag/entity_labels.h"
#include "copse/tag/tagger_training.h"

namespace copse {
namespace {

constexpr std::size_t kLargestTable = std::size_t{16} << 20;

// What both tasks have in common: data, features, learner, output.
class TrainSequences : public Command {
 public:
  void declare_options(CLI::App& app) override {
    app.add_option("--train", train_, "The treebank to learn from")->required()->type_name("FILE");
    app.add_option("--dev", dev_, "Held-out data; the epoch that is best on it is kept")
        ->type_name("FILE");
    app.add_option("--holdout", holdout_,
                   "Without --dev: hold out so many sentences, the last of the training data")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--from", format_, "Format of the files; told by the files if not given")
        ->type_name("FORMAT");
    app.add_option("-o,--output", output_, "Where the model goes")->required()->type_name("MODEL");
    app.add_option("--learner", learner_,
                   "perceptron (accurate) or maxent (log-probabilities at every word)")
        ->capture_default_str()
        ->check(CLI::IsMember({"perceptron", "maxent"}));
    app.add_option("--features", features_,
                   fmt::format("Feature templates: {} or a file", table_names()))
        ->type_name("TABLE");
    app.add_option("--clusters", clusters_, "Word clusters, a file of 'copse cluster'")
        ->type_name("FILE");
    declare_jackknife(app);
    declare_learning(app);
    declare_size(app);
  }

 protected:
  virtual std::string table_names() const = 0;
  virtual void prepare(std::vector<Sentence>&) const {}

  void resolve(const CommonOptions& common) {
    options_.threads = common.threads;
    options_.lbfgs.threads = common.threads;
    options_.learner = learner_ == "maxent" ? TagLearner::maxent : TagLearner::perceptron;
    if (!common.quiet) {
      options_.log = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    }
    if (features_ == "a" || features_ == "b" || features_ == "entities") {
      options_.sequence.table = tag_feature_table(features_);
      options_.sequence.table_name = fmt::format("built-in table {}", features_);
    } else if (!features_.empty()) {
      options_.sequence.table = Input::open(features_).read_all(kLargestTable);
      options_.sequence.table_name = features_;
    }
    if (precision_ == "float32") options_.sequence.freeze.precision = Precision::float32;
    if (!clusters_.empty()) {
      Input input = Input::open(clusters_);
      options_.sequence.clusters = std::make_shared<WordClusters>(WordClusters::read(input));
    }
  }

  struct Data {
    std::vector<Sentence> train, dev;
    std::vector<DataSource> sources;
  };

  Data read(const CommonOptions& common, ProblemLog& log) const {
    Data data;
    TrainingData train = read_training_data(train_, "train", format_, common, log);
    data.sources.push_back(train.source);
    data.train = std::move(train.sentences);
    prepare(data.train);
    if (!dev_.empty()) {
      TrainingData dev = read_training_data(dev_, "dev", format_, common, log);
      data.sources.push_back(dev.source);
      data.dev = std::move(dev.sentences);
      prepare(data.dev);
    } else if (holdout_ > 0) {
      if (static_cast<std::size_t>(holdout_) >= data.train.size()) {
        throw usage_error(fmt::format("--holdout {} leaves nothing of {} sentences", holdout_,
                                      data.train.size()));
      }
      const auto cut = data.train.end() - holdout_;
      data.dev.assign(std::make_move_iterator(cut), std::make_move_iterator(data.train.end()));
      data.train.erase(cut, data.train.end());
    }
    if (!clusters_.empty()) {
      const std::string bytes = Input::open(clusters_).read_all(std::size_t{4} << 30);
      data.sources.push_back({"clusters", file_name(clusters_), checksum_text(bytes), 0, 0});
    }
    return data;
  }

  nlohmann::json options_json() const {
    return {{"learner", learner_},
            {"features", features_.empty() ? "default" : file_name(features_)},
            {"epochs", options_.sequence.epochs},
            {"seed", options_.sequence.seed},
            {"margin", options_.sequence.margin},
            {"beam", options_.sequence.beam},
            {"variance", options_.lbfgs.variance},
            {"min_count", options_.min_count},
            {"rare_below", options_.sequence.dictionary.rare_below},
            {"reach", options_.sequence.candidates.reach},
            {"precision", precision_},
            {"prune", options_.sequence.freeze.prune}};
  }

  ExitCode train_model(const CommonOptions& common) {
    resolve(common);
    ProblemLog log(common);
    const Data data = read(common, log);
    const TaggerTraining trained = train_tagger(data.train, data.dev, options_);
    nlohmann::json figures = nlohmann::json::object();
    if (!data.dev.empty()) {
      figures = {{"dev", tagger_figures(trained.tagger, data.dev, common.threads)}};
      if (!common.quiet) fmt::print(stderr, "dev: {}\n", figures["dev"].dump());
    }
    nlohmann::json config = trained.tagger.config();
    config["provenance"] = provenance(options_json(), data.sources, figures);
    ModelWriter writer(Tagger::kKind, config);
    trained.tagger.save(writer);
    writer.save(output_);
    return log.finish("left out");
  }

  ExitCode train_or_jackknife(const CommonOptions& common) {
    if (nbest_ > 0 && folds_ == 0) throw usage_error("--nbest needs --jackknife");
    return folds_ > 0 ? write_jackknifed(common) : train_model(common);
  }

  std::string train_, dev_, format_, output_, features_, clusters_;
  std::string learner_ = "perceptron", precision_ = "int16";
  int holdout_ = 0, folds_ = 0, nbest_ = 0;
  TaggerTrainingOptions options_;

 private:
  void declare_jackknife(CLI::App& app) {
    app.add_option("--jackknife", folds_,
                   "Write the training data with tags of taggers that have not seen them, this "
                   "many folds, instead of a model")
        ->type_name("FOLDS")
        ->check(CLI::Range(2, 1000));
    app.add_option("--nbest", nbest_,
                   "With --jackknife: lists of so many tag sequences with their scores, for 'copse "
                   "train reranker'")
        ->type_name("K")
        ->check(CLI::Range(1, 100'000));
  }

  ExitCode write_jackknifed(const CommonOptions& common) {
    resolve(common);
    ProblemLog log(common);
    const Data data = read(common, log);
    const auto report = [&](int fold, std::size_t sentences, const nlohmann::json& figures) {
      if (!common.quiet)
        fmt::print(stderr, "fold {}: {} sentences, {}\n", fold, sentences, figures.dump());
    };
    if (nbest_ > 0)
      return write_lists(jackknife_lists(data.train, folds_, nbest_, options_, report), log);
    const Format format = format_of_file(output_).value_or(Format::conllu);
    const auto writer = make_writer(format);
    std::string text = writer->begin();
    for (Sentence& sentence : jackknife(data.train, folds_, options_, report)) {
      writer->write({std::move(sentence), {}}, text);
    }
    Output output = Output::open(output_);
    output.write(text + writer->end());
    output.commit();
    return log.finish("left out");
  }

  ExitCode write_lists(const std::vector<Candidates>& lists, ProblemLog& log) const {
    std::string text;
    for (const Candidates& list : lists) append_candidates(list, text);
    Output output = Output::open(output_);
    output.write(text);
    output.commit();
    return log.finish("left out");
  }

  void declare_learning(CLI::App& app) {
    const std::string group = "Learning";
    app.add_option("--epochs", options_.sequence.epochs, "perceptron: passes over the data")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_option("--seed", options_.sequence.seed, "perceptron: for the order of the sentences")
        ->capture_default_str()
        ->group(group);
    app.add_option("--margin", options_.sequence.margin,
                   "perceptron: by how much a right tag has to win; 0 is the plain perceptron")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--beam", options_.sequence.beam,
                   "perceptron: search with so many hypotheses, 1 is greedy; 0 is exact")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000))
        ->group(group);
    app.add_option("--variance", options_.lbfgs.variance, "maxent: of the Gaussian prior")
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_option("--iterations", options_.lbfgs.max_iterations, "maxent: at most")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000))
        ->group(group);
    app.add_option("--min-count", options_.min_count, "maxent: rarer features are dropped")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000))
        ->group(group);
    app.add_option("--rare-below", options_.sequence.dictionary.rare_below,
                   "Words seen less often may get any open-class tag")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000))
        ->group(group);
    app.add_option("--max-rare", options_.sequence.candidates.max_rare,
                   "Tags tried for a rare or unknown word")
        ->capture_default_str()
        ->check(CLI::Range(1, 60000))
        ->group(group);
    app.add_option("--extra-common", options_.sequence.candidates.extra_common,
                   "Tags tried for a common word beyond those it was seen with")
        ->capture_default_str()
        ->check(CLI::Range(0, 60000))
        ->group(group);
    app.add_option(
           "--reach", options_.sequence.candidates.reach,
           "Tags that score so much worse than the best by themselves are not tried; 0: all are")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber)
        ->group(group);
  }

  void declare_size(CLI::App& app) {
    const std::string group = "Size of the model";
    app.add_option("--precision", precision_, "Of the weights: int16 or float32")
        ->capture_default_str()
        ->check(CLI::IsMember({"int16", "float32"}))
        ->group(group);
    app.add_option("--prune", options_.sequence.freeze.prune,
                   "Leave out weights of at most this magnitude")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber)
        ->group(group);
  }
};

class TrainTagger : public TrainSequences {
 public:
  std::string_view name() const override { return "tagger"; }
  std::string_view summary() const override {
    return "UPOS, XPOS, FEATS and lemmas from CoNLL-U, tags from trees and simple columns";
  }
  std::vector<Example> examples() const override {
    return {
        {"train tagger --train train.conllu --dev dev.conllu -o tagger.copse",
         "a tagger for every column that the treebank has"},
        {"train tagger --train train.mrg --holdout 300 -o ptb.copse",
         "Penn Treebank tags; the last 300 trees choose the epoch"},
        {"train tagger --train train.conllu --columns xpos --learner maxent -o maxent.copse",
         "a maximum-entropy tagger with log-probabilities"},
        {"train tagger --train train.conllu --jackknife 10 -o train.tagged.conllu",
         "the training data with tags as a tagger predicts them, for training parsers"},
    };
  }

  void declare_options(CLI::App& app) override {
    TrainSequences::declare_options(app);
    app.add_option("--columns", columns_, "What to learn: upos, xpos, feats, lemma; by the data")
        ->delimiter(',')
        ->type_name("LIST");
  }

  ExitCode run(const CommonOptions& common) override {
    for (const std::string& name : columns_) {
      const auto column = tag_column_named(name);
      if (!column || *column == Column::misc) {
        throw usage_error(fmt::format("no column '{}'; expected upos, xpos, feats or lemma", name));
      }
      options_.columns.push_back(*column);
    }
    return train_or_jackknife(common);
  }

 protected:
  std::string table_names() const override { return "a (Ratnaparkhi 1996), b (the default)"; }

 private:
  std::vector<std::string> columns_;
};

class TrainEntities : public TrainSequences {
 public:
  TrainEntities() {
    features_ = "entities";
    options_.entities = true;
  }
  std::string_view name() const override { return "entities"; }
  std::string_view summary() const override {
    return "Named entities or chunks from BIO labels in the last column, or NE= in MISC";
  }
  std::vector<Example> examples() const override {
    return {{"train entities --train train.bio --dev dev.bio -o entities.copse",
             "an entity tagger; 'copse tag' uses it"},
            {"train entities --train train.bio --dev dev.bio --boundaries -o starts.copse",
             "where entities begin and go on, whatever their type"}};
  }

  void declare_options(CLI::App& app) override {
    TrainSequences::declare_options(app);
    app.add_option("--encoding", encoding_, "Of the labels that are learnt: bio, bioes or sco")
        ->capture_default_str()
        ->check(CLI::IsMember({"bio", "bioes", "sco"}));
    app.add_flag("--boundaries", boundaries_, "Leave the types out");
  }

  ExitCode run(const CommonOptions& common) override { return train_or_jackknife(common); }

 protected:
  std::string table_names() const override { return "entities (the default)"; }

  void prepare(std::vector<Sentence>& sentences) const override {
    for (Sentence& sentence : sentences) {
      recode_entities(sentence, entity_encoding_named(encoding_), !boundaries_);
    }
  }

 private:
  std::string encoding_ = "bio";
  bool boundaries_ = false;
};

}  // namespace

std::unique_ptr<Command> make_train_tagger() {
  return std::make_unique<TrainTagger>();
}
std::unique_ptr<Command> make_train_entities() {
  return std::make_unique<TrainEntities>();
}

}  // namespace copse
