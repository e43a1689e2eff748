// copse train tagger, copse train entities.
#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "copse/base/output.h"
#include "copse/cli/model_report.h"
#include "copse/cli/train_tasks.h"
#include "copse/cli/training_options.h"
#include "copse/pipeline/tagger_recipe.h"
#include "copse/treebank/candidates.h"
#include "copse/treebank/formats.h"

namespace copse {
namespace {

// What both tasks have in common: data, features, learner, output.
class TrainSequences : public Command {
 public:
  void declare_options(CLI::App& app) override {
    declare_training_files(app, recipe_.files);
    app.add_option("--holdout", recipe_.holdout,
                   "Without --dev: hold out so many sentences, the last of the training data")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    app.add_option("-o,--output", output_, "Where the model goes")->required()->type_name("MODEL");
    add_parsed_option(app,
                      {"--learner",
                       "perceptron",
                       "perceptron (accurate) or maxent (log-probabilities at every word)",
                       {},
                       {"perceptron", "maxent"}},
                      recipe_.training.learner,
                      one_of<TagLearner>({{"perceptron", TagLearner::perceptron},
                                          {"maxent", TagLearner::maxent}}));
    app.add_option("--features", recipe_.templates,
                   fmt::format("Feature templates: {} or a file", table_names()))
        ->type_name("TABLE");
    app.add_option("--clusters", recipe_.clusters, "Word clusters, a file of 'copse cluster'")
        ->type_name("FILE");
    declare_jackknife(app);
    declare_learning(app);
    declare_size(app);
  }

 protected:
  virtual std::string table_names() const = 0;

  void resolve(const CommonOptions& common) {
    recipe_.files.limits = common.limits;
    recipe_.training.threads = common.threads;
    if (!common.quiet) {
      recipe_.training.log = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    }
  }

  ExitCode train_model(const CommonOptions& common) {
    resolve(common);
    ProblemLog log(common);
    const auto model = train_tagger_model(recipe_, output_, report_to(log));
    if (!model.figures.empty() && !common.quiet) {
      fmt::print(stderr, "dev: {}\n", figures_line(model.figures["dev"]));
    }
    return log.finish("left out");
  }

  ExitCode train_or_jackknife(const CommonOptions& common) {
    if (nbest_ > 0 && folds_ == 0) throw usage_error("--nbest needs --jackknife");
    return folds_ > 0 ? write_jackknifed(common) : train_model(common);
  }

  TaggerRecipe recipe_;
  std::string output_;
  int folds_ = 0, nbest_ = 0;

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
    const auto report = [&](int fold, std::size_t sentences, const nlohmann::json& figures) {
      if (!common.quiet)
        fmt::print(stderr, "fold {}: {} sentences, {}\n", fold, sentences, figures_line(figures));
    };
    if (nbest_ > 0)
      return write_lists(jackknifed_lists(recipe_, folds_, nbest_, report_to(log), report), log);
    const Format format = format_of_file(output_).value_or(Format::conllu);
    const auto writer = make_writer(format);
    std::string text = writer->begin();
    for (Sentence& sentence : jackknifed(recipe_, folds_, report_to(log), report)) {
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
    TaggerTrainingOptions& training = recipe_.training;
    app.add_option("--passes", training.sequence.epochs, "perceptron: passes over the data")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->group(group);
    app.add_option("--seed", training.sequence.seed, "perceptron: for the order of the sentences")
        ->capture_default_str()
        ->group(group);
    app.add_option("--margin", training.sequence.margin,
                   "perceptron: by how much a right tag has to win; 0 is the plain perceptron")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->group(group);
    app.add_option("--beam", training.sequence.beam,
                   "perceptron: search with so many hypotheses, 1 is greedy; 0 is exact")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000))
        ->group(group);
    app.add_option("--variance", training.lbfgs.variance, "maxent: of the Gaussian prior")
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->group(group);
    app.add_option("--iterations", training.lbfgs.max_iterations, "maxent: at most")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000))
        ->group(group);
    app.add_option("--min-count", training.min_count, "maxent: rarer features are dropped")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000))
        ->group(group);
    app.add_option("--rare-below", training.sequence.dictionary.rare_below,
                   "Words seen less often may get any open-class tag")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000))
        ->group(group);
    app.add_option("--max-rare", training.sequence.candidates.max_rare,
                   "Tags tried for a rare or unknown word")
        ->capture_default_str()
        ->check(CLI::Range(1, 60000))
        ->group(group);
    app.add_option("--extra-common", training.sequence.candidates.extra_common,
                   "Tags tried for a common word beyond those it was seen with")
        ->capture_default_str()
        ->check(CLI::Range(0, 60000))
        ->group(group);
    app.add_option(
           "--reach", training.sequence.candidates.reach,
           "Tags that score so much worse than the best by themselves are not tried; 0: all are")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber)
        ->group(group);
  }

  void declare_size(CLI::App& app) {
    const std::string group = "Size of the model";
    FreezeOptions& freeze = recipe_.training.sequence.freeze;
    add_parsed_option(
        app, {"--precision", "int16", "Of the weights", group, {"int16", "float32"}},
        freeze.precision,
        one_of<Precision>({{"int16", Precision::int16}, {"float32", Precision::float32}}));
    app.add_option("--prune-weights", freeze.prune, "Leave out weights of at most this magnitude")
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
    app.add_flag("--together", recipe_.training.together,
                 "Learn UPOS, XPOS and FEATS as whole triples: only triples that training had are "
                 "given, better where there are many features");
  }

  ExitCode run(const CommonOptions& common) override {
    for (const std::string& name : columns_) {
      const auto column = tag_column_named(name);
      if (!column || *column == Column::misc) {
        throw usage_error(fmt::format("no column '{}'; expected upos, xpos, feats or lemma", name));
      }
      recipe_.training.columns.push_back(*column);
    }
    return train_or_jackknife(common);
  }

 protected:
  std::string table_names() const override {
    return "a (Ratnaparkhi 1996), b (the default), joint (with --together)";
  }

 private:
  std::vector<std::string> columns_;
};

class TrainEntities : public TrainSequences {
 public:
  TrainEntities() { recipe_.training.entities = true; }
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
    add_parsed_option(app,
                      {"--encoding", "bio", "Of the labels that are learnt: bio, bioes or sco"},
                      recipe_.encoding, entity_encoding_named);
    add_off_flag(app, {"--boundaries", "", "Leave the types out"}, recipe_.types);
  }

  ExitCode run(const CommonOptions& common) override { return train_or_jackknife(common); }

 protected:
  std::string table_names() const override { return "entities (the default)"; }
};

}  // namespace

std::unique_ptr<Command> make_train_tagger() {
  return std::make_unique<TrainTagger>();
}
std::unique_ptr<Command> make_train_entities() {
  return std::make_unique<TrainEntities>();
}

}  // namespace copse
