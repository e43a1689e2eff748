// From treebank to parser: edges of the data, threads, checkpoints.
#include "copse/dependency/trainer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "copse/base/random.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/thread_group.h"

namespace copse {
namespace {

using dependency_testing::bytes_of;
using dependency_testing::failure_of;
using dependency_testing::fixture;
using dependency_testing::parser_of;
using dependency_testing::quick_training;
using dependency_testing::sentence_of;
using dependency_testing::train;

Sentence rain_falls() {
  return sentence_of({{"Rain", "NOUN", "NN", 2, "nsubj"}, {"falls", "VERB", "VBZ", 0, "root"}});
}

DependencyTree parse(const TrainedParser& trained, const Sentence& sentence) {
  const DependencyParser parser = parser_of(trained);
  DependencyParser::Scratch scratch;
  return parser.tree_of(parser.parse(sentence, {}, scratch).trees.front());
}

// A file that is gone when the test is over.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(std::filesystem::path(testing::TempDir()) /
              (name + std::to_string(Random(reinterpret_cast<std::uintptr_t>(this)).next()))) {
    std::filesystem::remove(path_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(DependencyTrainer, ATreebankOfOneSentenceIsLearnt) {
  for (const Factorisation order : {Factorisation::first, Factorisation::carreras,
                                    Factorisation::model1, Factorisation::model2}) {
    SCOPED_TRACE(name(order));
    DependencyTraining options = quick_training(order);
    options.learner.passes = 5;
    const TrainedParser trained = train({rain_falls()}, {}, options);
    EXPECT_EQ(parse(trained, rain_falls()), rain_falls().tree());
    EXPECT_EQ(trained.passes.size(), 5U);
    EXPECT_EQ(trained.chosen, 5);  // the last one, without dev
    EXPECT_EQ(trained.parts.temperature, 1);
    EXPECT_EQ(trained.calibration_error, 0);
  }
}

TEST(DependencyTrainer, NothingToLearnFromIsADataError) {
  const auto failure = [](const std::vector<Sentence>& sentences) {
    return failure_of([&] { train(sentences, {}, quick_training()); });
  };
  EXPECT_EQ(failure({}), "data: there is no sentence to learn from");
  EXPECT_EQ(failure({Sentence(), Sentence()}), "data: there is no sentence to learn from");
  EXPECT_EQ(failure({Sentence(), rain_falls()}), "");
}

TEST(DependencyTrainer, SentencesThatAreTooLongAreNotLearntFrom) {
  Sentence chain;
  {
    std::vector<dependency_testing::WordLine> rows;
    for (int m = 1; m <= 30; ++m) rows.push_back({"go", "VERB", "VB", m - 1, "next"});
    chain = sentence_of(rows);
  }
  DependencyTraining options = quick_training();
  options.longest = 30;
  EXPECT_EQ(train({rain_falls(), chain}, {}, options).parts.labels,
            (std::vector<std::string>{"next", "nsubj", "root"}));
  options.longest = 29;
  EXPECT_EQ(train({rain_falls(), chain}, {chain}, options).parts.labels,
            (std::vector<std::string>{"nsubj", "root"}));
  EXPECT_EQ(failure_of([&] { train({chain}, {}, options); }),
            "data: there is no sentence to learn from");
}

TEST(DependencyTrainer, NonProjectiveSearchIsNotOfEveryOrderAndLearner) {
  DependencyTraining options = quick_training(Factorisation::carreras);
  options.kind.projective = false;
  const auto refused = [&] {
    return failure_of([&] { train({rain_falls()}, {}, options); }).starts_with("usage: ");
  };
  EXPECT_TRUE(refused());
  options.kind.order = Factorisation::sibling;
  EXPECT_FALSE(refused());
  options.learner.learner = DependencyLearner::log_linear_sgd;
  EXPECT_TRUE(refused());
}

TEST(DependencyTrainer, WrongTemplatesAreNamedByTheirFile) {
  DependencyTraining options = quick_training();
  options.templates = "[dep]\nx = h.nosuch\n";
  options.templates_name = "mine.templates";
  EXPECT_EQ(failure_of([&] { train({rain_falls()}, {}, options); }),
            "data: mine.templates:2: template 'x': no atom 'h.nosuch'");
}

TEST(DependencyTrainer, EverySettingTrainsAndParses) {
  const auto sentences = fixture("english.conllu", 12);
  for (const Factorisation order :
       {Factorisation::first, Factorisation::sibling, Factorisation::carreras,
        Factorisation::model0, Factorisation::model1, Factorisation::model2}) {
    for (const bool labelled : {true, false}) {
      DependencyTraining options = quick_training(order);
      options.kind.root = labelled ? RootRule::single : RootRule::multi;
      options.labelled = labelled;
      options.learner.passes = 3;
      const TrainedParser trained = train(sentences, sentences, options);
      EXPECT_GT(trained.passes.back().dev.uas(), 80) << name(order);
      EXPECT_EQ(trained.parts.labels.empty(), !labelled);
      EXPECT_EQ(parse(trained, sentences[3]).words(), sentences[3].words());
    }
  }
}

TEST(DependencyTrainer, OtherWaysToTrain) {
  const auto sentences = fixture("english.conllu", 15);
  const auto accuracy = [&](const DependencyTraining& options) {
    const TrainedParser trained = train(sentences, sentences, options);
    // What dev said of the weights before they were frozen holds for the parser.
    DependencyScores scores;
    for (const Sentence& sentence : sentences) {
      const DependencyTree tree = parse(trained, sentence);
      for (int m = 1; m <= sentence.words(); ++m) {
        ++scores.words;
        scores.heads += tree.head(m) == sentence.head(m) ? 1 : 0;
      }
    }
    for (const TrainingPass& pass : trained.passes) {
      if (pass.pass == trained.chosen) {
        EXPECT_NEAR(scores.uas(), pass.dev.uas(), 1.5);
      }
    }
    return scores.uas();
  };
  DependencyTraining options = quick_training();
  options.learner.passes = 4;
  const double plain = accuracy(options);
  EXPECT_GT(plain, 85);
  DependencyTraining untagged = options;
  untagged.tags = false;
  EXPECT_GT(accuracy(untagged), 65);
  DependencyTraining unpruned = options;
  unpruned.pruner.threshold = 0;
  EXPECT_GT(accuracy(unpruned), 85);
  unpruned.pruner.filter = false;
  EXPECT_GT(accuracy(unpruned), 85);
  DependencyTraining limited = options;
  limited.lexical_limit = 10;
  limited.clusters = std::make_shared<const WordClusters>(
      std::vector<WordClusters::Line>{{"00", "the", 3}, {"0101", "bakery", 1}});
  EXPECT_GT(accuracy(limited), 75);
  DependencyTraining in_turn = options;
  in_turn.learner.learner = DependencyLearner::perceptron;
  in_turn.learner.batch = 1;
  EXPECT_GT(accuracy(in_turn), 85);
  for (const auto learner : {DependencyLearner::eg_log_linear, DependencyLearner::log_linear}) {
    DependencyTraining other_pruner = options;
    other_pruner.pruner.learner = learner;
    EXPECT_GT(accuracy(other_pruner), 85);
    const TrainedParser pruned = train(sentences, sentences, other_pruner);
    EXPECT_LT(pruned.pruning.dev_lost, 2);
    EXPECT_LT(pruned.pruning.dev_arcs, 8);
    other_pruner.pruner.learner = DependencyLearner::log_linear_sgd;
    EXPECT_NE(train(sentences, sentences, other_pruner).pruning.dev_arcs, pruned.pruning.dev_arcs);
  }
  DependencyTraining crossing = options;
  crossing.kind.projective = false;
  EXPECT_GT(accuracy(crossing), 85);
  DependencyTraining lifted = options;
  lifted.lifted = true;
  lifted.kind.order = Factorisation::sibling;
  EXPECT_GT(accuracy(lifted), 85);
  DependencyTraining small = options;
  small.model_megabytes = 20000.0 / (1 << 20);
  const TrainedParser trained = train(sentences, {}, small);
  EXPECT_LT(trained.weights.parts.size() + trained.weights.labels.size(), 21000U);
  EXPECT_LT(trained.kept_features, trained.features);
}

TEST(DependencyTrainer, SeveralRootsAreMadeOneWhereOneIsSearchedFor) {
  const auto sentences = fixture("multiroot.conllu");
  DependencyTraining options = quick_training();
  options.learner.passes = 6;
  const TrainedParser one = train(sentences, sentences, options);
  options.kind.root = RootRule::multi;
  const TrainedParser several = train(sentences, sentences, options);
  bool any = false;
  for (const Sentence& sentence : sentences) {
    EXPECT_EQ(parse(one, sentence).root_count(), 1);
    any = any || parse(several, sentence).root_count() > 1;
  }
  EXPECT_TRUE(any);
}

TEST(DependencyTrainer, LabelsOfDevThatTrainingDoesNotHaveCountAsWrong) {
  Sentence unseen = rain_falls();
  unseen.set(1, Column::deprel, "nosuch");
  DependencyTraining options = quick_training();
  options.learner.passes = 3;
  const TrainedParser trained = train({rain_falls()}, {unseen}, options);
  EXPECT_EQ(trained.passes.back().dev.heads, 2U);
  EXPECT_EQ(trained.passes.back().dev.labels, 1U);
  EXPECT_EQ(trained.parts.labels, (std::vector<std::string>{"nsubj", "root"}));
}

TEST(DependencyTrainer, DevWithoutHeadsOrWordsDoesNoHarm) {
  const Sentence bare = sentence_of({{"Rain", "NOUN", "NN"}, {"falls", "VERB", "VBZ"}});
  const TrainedParser trained = train({rain_falls()}, {bare, Sentence()}, quick_training());
  EXPECT_EQ(trained.passes.back().dev.words, 2U);
  EXPECT_EQ(trained.passes.back().dev.heads, 0U);
}

TEST(DependencyTrainer, ThePassThatIsBestOnDevIsKept) {
  const auto sentences = fixture("english.conllu");
  const std::vector<Sentence> front(sentences.begin(), sentences.begin() + 30);
  const std::vector<Sentence> back(sentences.begin() + 30, sentences.end());
  DependencyTraining options = quick_training();
  options.learner.passes = 12;
  options.patience = 2;
  std::vector<int> told;
  std::vector<std::string> steps;
  TrainingProgress progress;
  progress.pass = [&](const TrainingPass& pass) { told.push_back(pass.pass); };
  progress.step = [&](const std::string& step) { steps.push_back(step); };
  const TrainedParser trained = train_dependency_parser(front, back, options, progress);
  std::size_t best = 0;
  int first_best = 0;
  for (const TrainingPass& pass : trained.passes) {
    if (pass.pass == 1 || pass.dev.labels > best) {
      best = pass.dev.labels;
      first_best = pass.pass;
    }
  }
  EXPECT_EQ(trained.chosen, first_best);
  EXPECT_EQ(told.size(), trained.passes.size());
  EXPECT_LE(trained.passes.back().pass, trained.chosen + 2);
  EXPECT_EQ(steps, (std::vector<std::string>{"pruner", "features", "training", "calibration"}));
  EXPECT_GT(trained.parts.temperature, 0);
  EXPECT_GT(trained.pruning.dev_arcs, 1);
  EXPECT_GE(trained.pruning.train_arcs, 1);
}

TEST(DependencyTrainer, AStricterPrunerSavesTheMemoryOfFeatures) {
  const auto train = fixture("english.conllu");
  DependencyTraining options = quick_training(Factorisation::model1);
  options.pruner.threshold = 1e-3;
  const auto run = [&](double megabytes) {
    options.pruner.feature_megabytes = megabytes;
    return train_dependency_parser(train, {}, options, {});
  };
  const TrainedParser free = run(0), roomy = run(1e6), narrow = run(0.3);
  EXPECT_EQ(free.parts.pruner.threshold(), 1e-3);
  EXPECT_EQ(roomy.parts.pruner.threshold(), 1e-3);
  EXPECT_GT(narrow.parts.pruner.threshold(), 1e-3);
  EXPECT_LT(narrow.pruning.train_arcs, free.pruning.train_arcs);
  EXPECT_LT(run(1e-6).parts.pruner.threshold(), 0.2) << "it has to end somewhere";
}

TEST(DependencyTrainer, ThreadsGiveTheSameBytes) {
  const auto sentences = fixture("english.conllu", 30);
  const auto dev = fixture("english.conllu", 10);
  for (const Factorisation order : {Factorisation::first, Factorisation::model1}) {
    std::vector<std::string> bytes;
    for (const int threads : {1, 2, 3}) {
      DependencyTraining options = quick_training(order);
      options.threads = threads;
      bytes.push_back(bytes_of(train(sentences, dev, options)));
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_EQ(bytes[0], bytes[2]);
  }
}

TEST(DependencyTrainer, ProcessesGiveTheSameBytes) {
  const auto sentences = fixture("english.conllu", 20);
  DependencyTraining options = quick_training(Factorisation::sibling);
  options.learner.blocks = 4;
  options.learner.passes = 3;
  const std::string expected = bytes_of(train(sentences, sentences, options));
  for (const int members : {1, 2, 3}) {
    const TemporaryFile file("group");
    for (const int passes : {1, 3}) {  // broken off, and gone on with
      with_members(members, [&](Group& group) {
        DependencyTraining own = options;
        own.group = &group;
        own.learner.passes = passes;
        own.checkpoint = file.path();
        const TrainedParser trained = train(sentences, sentences, own);
        if (group.leads() && passes > 1) {
          EXPECT_EQ(bytes_of(trained), expected) << members;
        }
      });
    }
  }
}

TEST(DependencyTrainer, ProcessesWithOtherDataAreRefused) {
  const auto sentences = fixture("english.conllu", 20);
  std::atomic<int> refused = 0;
  with_members(2, [&](Group& group) {
    DependencyTraining own = quick_training(Factorisation::first);
    own.group = &group;
    const auto used =
        group.leads() ? sentences : std::vector(sentences.begin(), sentences.end() - 1);
    if (failure_of([&] { train(used, {}, own); }).find("other data or options") !=
        std::string::npos) {
      ++refused;
    }
  });
  EXPECT_EQ(refused, 2);
}

TEST(DependencyTrainer, GoingOnFromACheckpointGivesTheSameModel) {
  const auto sentences = fixture("english.conllu", 20);
  const auto dev = fixture("english.conllu", 25);
  for (const DependencyLearner learner :
       {DependencyLearner::mira, DependencyLearner::log_linear_sgd,
        DependencyLearner::eg_max_margin, DependencyLearner::eg_log_linear}) {
    SCOPED_TRACE(name_of(learner));
    DependencyTraining options = quick_training();
    options.learner.learner = learner;
    options.learner.passes = 4;
    const TrainedParser whole = train(sentences, dev, options);
    const TemporaryFile file("dependency-checkpoint");
    options.checkpoint = file.path();
    options.learner.passes = 2;
    train(sentences, dev, options);
    ASSERT_TRUE(std::filesystem::exists(file.path()));
    options.learner.passes = 4;
    const TrainedParser resumed = train(sentences, dev, options);
    EXPECT_EQ(bytes_of(resumed), bytes_of(whole));
    EXPECT_EQ(resumed.chosen, whole.chosen);
    ASSERT_EQ(resumed.passes.size(), whole.passes.size());
    for (std::size_t k = 0; k < whole.passes.size(); ++k) {
      EXPECT_EQ(resumed.passes[k].dev.heads, whole.passes[k].dev.heads);
    }
    // And once more, with nothing left to do.
    EXPECT_EQ(bytes_of(train(sentences, dev, options)), bytes_of(whole));
  }
}

TEST(DependencyTrainer, PatienceThatHasRunOutStaysSoAfterGoingOn) {
  const auto sentences = fixture("english.conllu", 20);
  DependencyTraining options = quick_training();
  options.learner.passes = 30;
  options.patience = 1;
  const TemporaryFile file("dependency-patience");
  options.checkpoint = file.path();
  const TrainedParser whole = train(sentences, sentences, options);
  ASSERT_LT(whole.passes.size(), 30U);
  const TrainedParser again = train(sentences, sentences, options);
  EXPECT_EQ(bytes_of(again), bytes_of(whole));
  EXPECT_EQ(again.passes.size(), whole.passes.size());
}

TEST(DependencyTrainer, CheckpointsOfOtherOptionsDataOrKindsAreRefused) {
  const auto sentences = fixture("english.conllu", 6);
  DependencyTraining options = quick_training();
  options.pruner.threshold = 0;
  const TemporaryFile file("dependency-other");
  options.checkpoint = file.path();
  train(sentences, {}, options);
  DependencyTraining other = options;
  other.learner.seed = 7;
  const std::string refusal = failure_of([&] { train(sentences, {}, other); });
  EXPECT_NE(refusal.find("usage: " + file.path() + " was made with other data or options"),
            std::string::npos)
      << refusal;
  EXPECT_NE(failure_of([&] { train(fixture("english.conllu", 7), {}, options); }).find("usage: "),
            std::string::npos);
  ModelWriter(kDependencyKind, nullptr).save(file.path());
  EXPECT_NE(failure_of([&] { train(sentences, {}, options); }).find("data: "), std::string::npos);
}

// A file of clusters may have the same name and other words in it; other head rules or another
// tagger change the sentences, not the options.
TEST(DependencyTrainer, CheckpointsKnowTheirDataByContent) {
  const auto sentences = fixture("english.conllu", 6);
  DependencyTraining options = quick_training();
  options.pruner.threshold = 0;
  const auto clusters = [](std::string_view bits) {
    return std::make_shared<const WordClusters>(
        std::vector<WordClusters::Line>{{bits, "the", 3}, {"0101", "of", 1}});
  };
  options.clusters = clusters("00");
  options.clusters_name = "paths.txt";
  const TemporaryFile file("dependency-content");
  options.checkpoint = file.path();
  train(sentences, sentences, options);
  const auto refused = [&](const std::vector<Sentence>& learnt, const std::vector<Sentence>& dev,
                           const DependencyTraining& how) {
    return failure_of([&] { train(learnt, dev, how); }).find("other data or options") !=
           std::string::npos;
  };
  EXPECT_FALSE(refused(sentences, sentences, options));
  DependencyTraining other = options;
  other.clusters = clusters("01");
  EXPECT_TRUE(refused(sentences, sentences, other));
  auto tagged = sentences;
  tagged[2].set(1, Column::xpos, "OTHER");
  EXPECT_TRUE(refused(sentences, tagged, options));
  auto attached = sentences;
  attached[2].set(1, Column::deprel, "other");
  EXPECT_TRUE(refused(attached, sentences, options));
  other = options;
  other.threads = 2;
  other.patience = 9;
  EXPECT_FALSE(refused(sentences, sentences, other));
}

TEST(DependencyTrainer, WithoutTagsTheOtherColumnsMakeNoDifference) {
  const auto sentences = fixture("english.conllu", 15);
  auto bare = sentences;
  for (Sentence& sentence : bare) {
    for (int m = 1; m <= sentence.words(); ++m) {
      for (const Column column : {Column::upos, Column::xpos, Column::feats, Column::lemma}) {
        sentence.set(m, column, "_");
      }
    }
  }
  DependencyTraining options = quick_training();
  options.tags = false;
  const TrainedParser full = train(sentences, {}, options);
  const TrainedParser without = train(bare, {}, options);
  EXPECT_EQ(full.weights.parts, without.weights.parts);
  EXPECT_EQ(full.weights.labels, without.weights.labels);
  EXPECT_EQ(full.weights.pruner, without.weights.pruner);
  for (std::size_t i = 0; i < bare.size(); ++i) {
    EXPECT_EQ(parse(full, sentences[i]), parse(full, bare[i]));
  }
}

TEST(DependencyTrainer, OddCheckpointsAreADataError) {
  const auto sentences = fixture("english.conllu", 6);
  DependencyTraining options = quick_training();
  options.pruner.threshold = 0;
  const TemporaryFile file("dependency-odd");
  options.checkpoint = file.path();
  train(sentences, {}, options);
  const ModelFile good = ModelFile::open(file.path());
  const auto failure = [&](const std::string& key, const nlohmann::json& value) {
    nlohmann::json config = good.config();
    config.erase("kind");
    if (value.is_null()) {
      config.erase(key);
    } else {
      config[key] = value;
    }
    ModelWriter writer(good.kind(), config);
    for (const auto& section : good.sections()) {
      if (section.name != "config") writer.add(section.name, std::string(good.text(section.name)));
    }
    writer.save(file.path());
    return failure_of([&] { train(sentences, {}, options); });
  };
  for (const auto& value : {nlohmann::json(nullptr), nlohmann::json("x"), nlohmann::json({1, 2}),
                            nlohmann::json::array({nlohmann::json::array({1, 2})})}) {
    EXPECT_NE(failure("history", value), "") << value.dump();
  }
  EXPECT_NE(failure("identity", 7), "");
  EXPECT_NE(failure("dimension", "many"), "");
  EXPECT_NE(failure("chosen", "first"), "");
}

}  // namespace
}  // namespace copse
