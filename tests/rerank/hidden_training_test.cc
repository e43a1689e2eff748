// From lists to a model and back: learning, choosing, keeping, going on.
#include "copse/rerank/hidden/training.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/rerank/explain_choice.h"
#include "copse/rerank/hidden/value_counts.h"
#include "copse/rerank/mixture.h"
#include "tests/repeats.h"
#include "tests/rerank/hidden_testing.h"
#include "tests/rerank/rerank_testing.h"

namespace copse::hidden {
namespace {

using rerank_testing::lists_of;
using rerank_testing::TextFile;

// A preposition's phrase belongs to the verb or to the noun, as the noun inside says; the parser
// always believes in the verb.
struct Attachment {
  std::string lists, gold;
};

Attachment attachments(std::uint64_t seed, int sentences) {
  Random random(seed);
  Attachment made;
  for (int i = 0; i < sentences; ++i) {
    const bool to_verb = random.chance(0.5);
    const char* inside =
        to_verb ? (random.chance(0.5) ? "fork" : "hand") : (random.chance(0.5) ? "cream" : "sugar");
    const std::string verb = fmt::format(
        "(S (NP (PRP we)) (VP (VBD ate) (NP (NN cake)) (PP (IN with) (NP (NN {})))))", inside);
    const std::string noun = fmt::format(
        "(S (NP (PRP we)) (VP (VBD ate) (NP (NP (NN cake)) (PP (IN with) (NP (NN {}))))))", inside);
    made.lists += fmt::format("2 {}\n-1\n{}\n-2\n{}\n\n", i + 1, verb, noun);
    made.gold += (to_verb ? verb : noun) + "\n";
  }
  return made;
}

TrainingOptions small_options() {
  TrainingOptions options;
  options.min_lists = 1;
  options.epochs = 4;
  options.batch = 4;
  options.rates = {0.2};
  return options;
}

struct Files {
  Attachment train = attachments(1, 40), dev = attachments(2, 21);
  TextFile lists{"train.lists", train.lists}, gold{"train.mrg", train.gold};
  TextFile dev_lists{"dev.lists", dev.lists}, dev_gold{"dev.mrg", dev.gold};

  RerankerPaths paths() const {
    return {lists.path(), gold.path(), dev_lists.path(), dev_gold.path()};
  }
};

std::string trained(const Files& files, const TrainingOptions& options,
                    std::vector<std::string>* report = nullptr) {
  TrainingOutput output;
  output.report = [&](const std::string& line) {
    if (report != nullptr) report->push_back(line);
  };
  return train_hidden_reranker(files.paths(), options, output).bytes();
}

nlohmann::json config_of(const std::string& bytes) {
  return ModelFile::from_bytes(bytes, "model").config();
}

double dev_figure(const std::string& bytes) {
  return config_of(bytes)["provenance"]["figures"]["dev"]["chosen"].get<double>();
}

TEST(HiddenTraining, LearnsWhatTheWordInsideSays) {
  const Files files;
  for (const DomainKind kind : {DomainKind::lexical, DomainKind::pos, DomainKind::mixed}) {
    for (const GraphKind graph : {GraphKind::dependency, GraphKind::sibling}) {
      for (const Start start : {Start::random, Start::plain}) {
        TrainingOptions options = small_options();
        options.domain.kind = kind;
        options.graph = graph;
        options.start = start;
        const std::string bytes = trained(files, options);
        EXPECT_EQ(dev_figure(bytes), 100) << name_of(kind) << " " << name_of(graph);
        // The model that was kept chooses as its figures say.
        const auto reranker = load_reranker(ModelFile::from_bytes(bytes, "model"));
        EXPECT_EQ(reranker->method(), "hidden");
        std::size_t right = 0;
        const auto lists = lists_of(files.dev.lists);
        for (const Candidates& list : lists) {
          const std::vector<double> scores = reranker->scores(list);
          EXPECT_NEAR(std::exp(scores[0]) + std::exp(scores[1]), 1, 1e-9);
          const std::size_t winner = ranking(list, scores)[0];
          right += files.dev.gold.find(list.items[winner].tree.str()) != std::string::npos ? 1 : 0;
        }
        EXPECT_EQ(right, lists.size());
        if (kShare > 1) return;
      }
    }
  }
}

TEST(HiddenTraining, OtherLossesAreLearntFromAsWell) {
  const Files files;
  for (const Loss loss : {Loss::graded, Loss::risk}) {
    TrainingOptions options = small_options();
    options.loss = loss;
    EXPECT_EQ(dev_figure(trained(files, options)), 100);
  }
}

// With features of tags alone, which all candidates share, only whole trees can tell them apart.
TEST(HiddenTraining, WholeTreesAreLearntFrom) {
  const Files files;
  TrainingOptions options = small_options();
  options.templates = "pos = v pos\n";
  EXPECT_LT(dev_figure(trained(files, options)), 100);
  options.whole = true;
  const std::string bytes = trained(files, options);
  EXPECT_EQ(dev_figure(bytes), 100);
  const auto reranker = load_reranker(ModelFile::from_bytes(bytes, "model"));
  const Candidates list = lists_of(files.dev.lists).at(0);
  const auto reasons = reranker->reasons(list, 0);
  EXPECT_TRUE(std::any_of(reasons.begin(), reasons.end(), [](const Reason& reason) {
    return reason.name.starts_with("head-modifier") && reason.share != 0;
  }));
  double sum = 0;
  for (const Reason& reason : reasons) sum += reason.share;
  EXPECT_NEAR(sum, reranker->scores(list)[0], 1e-9);
  const auto members = hidden_members(*reranker);
  EXPECT_EQ(members[0].reranker->values(list, 0).size(), 5U);
  options.threads = 3;
  EXPECT_EQ(trained(files, options), bytes);
}

TEST(HiddenTraining, ThreadsGiveTheSameBytesAndSeedsOthers) {
  const Files files;
  TrainingOptions options = small_options();
  options.epochs = 2;
  const std::string one = trained(files, options);
  options.threads = 3;
  EXPECT_EQ(trained(files, options), one);
  options.seed = 2;
  EXPECT_NE(trained(files, options), one);
}

TEST(HiddenTraining, SharingGivesTheSameChoice) {
  const Files files;
  TrainingOptions options = small_options();
  const double shared = dev_figure(trained(files, options));
  options.sharing = false;
  EXPECT_EQ(dev_figure(trained(files, options)), shared);
}

TEST(HiddenTraining, GoesOnToTheSameBytes) {
  const Files files;
  TrainingOptions options = small_options();
  options.start = Start::plain;
  options.plain_epochs = 2;
  options.epochs = 3;
  options.variances = {10, 0};
  options.rates = {0.05, 0.2};
  const std::string whole = trained(files, options);
  const std::string path = testing::TempDir() + "/hidden-training.ck";
  for (int epochs = 1; epochs <= 3;
       ++epochs) {  // ended before, in the middle and at the end of a run
    std::filesystem::remove(path);
    options.checkpoint = path;
    options.variances = {10, 0};
    TrainingOptions shorter = options;
    shorter.epochs = epochs;
    struct Killed {};
    TrainingOutput dying;
    int left = options.plain_epochs + epochs;  // dies in the epoch after these
    dying.report = [&](const std::string& line) {
      if (line.find("epoch") != std::string::npos && line.find("loss") != std::string::npos &&
          left-- == 0) {
        throw Killed();
      }
    };
    EXPECT_THROW(train_hidden_reranker(files.paths(), options, dying), Killed);
    std::vector<std::string> report;
    EXPECT_EQ(trained(files, options, &report), whole) << epochs;
    EXPECT_NE(std::find(report.begin(), report.end(),
                        fmt::format("going on after epoch {}", options.plain_epochs + epochs)),
              report.end());
  }
  options.seed = 5;
  EXPECT_THROW(trained(files, options), Error);  // of other options
  std::filesystem::remove(path);
}

TEST(HiddenTraining, WithoutWordNetOneWarningAndTags) {
  const Files files;
  TrainingOptions options = small_options();
  options.domain.kind = DomainKind::supersense;
  options.wordnet = testing::TempDir() + "/no-such-folder";
  std::vector<std::string> report;
  const std::string bytes = trained(files, options, &report);
  EXPECT_EQ(std::count_if(report.begin(), report.end(),
                          [](const std::string& line) { return line.starts_with("warning: "); }),
            1);
  EXPECT_EQ(dev_figure(bytes), 100);
}

TEST(HiddenTraining, TagSequences) {
  // "b" is followed by V, "c" by N; the tagger is wrong half of the time.
  std::string text;
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    const bool verb = random.chance(0.5);
    text += fmt::format("# words = a {}\n{}\t-1\t\tD V\n{}\t-1.5\t\tD N\n\n", verb ? "b" : "c",
                        verb ? 1 : 0, verb ? 0 : 1);
  }
  const TextFile lists("tags.lists", text);
  TrainingOptions options = small_options();
  options.domain.kind = DomainKind::pos;
  const std::string bytes =
      train_hidden_reranker({lists.path(), "", lists.path(), ""}, options, {}).bytes();
  EXPECT_EQ(dev_figure(bytes), 30);
}

TEST(HiddenTraining, OptionsOutOfRangeAreRefused) {
  const Files files;
  TrainingOptions options = small_options();
  options.rates = {0};
  EXPECT_THROW(trained(files, options), Error);
  options = small_options();
  options.variances = {-1};
  EXPECT_THROW(trained(files, options), Error);
  options = small_options();
  options.domain.kind = DomainKind::cluster;
  EXPECT_THROW(trained(files, options), Error);
}

// --- explanations

TEST(HiddenReranker, SharesSumToTheScore) {
  const Files files;
  TrainingOptions options = small_options();
  options.domain.kind = DomainKind::mixed;
  options.epochs = 2;
  const auto reranker = load_reranker(ModelFile::from_bytes(trained(files, options), "model"));
  const Candidates list = lists_of(files.dev.lists).at(0);
  const std::vector<double> scores = reranker->scores(list);
  for (std::size_t j = 0; j < 2; ++j) {
    double sum = 0;
    for (const Reason& reason : reranker->reasons(list, j)) sum += reason.share;
    EXPECT_NEAR(sum, scores[j], 1e-9);
  }
  const auto why = explain_choice(*reranker, list);
  ASSERT_TRUE(why);
  double difference = 0;
  for (const ReasonPair& reason : why->reasons) difference += reason.difference();
  EXPECT_NEAR(difference, why->difference(), 1e-9);
}

TEST(HiddenReranker, ValuesOfWords) {
  const Files files;
  TrainingOptions options = small_options();
  const auto reranker = load_reranker(ModelFile::from_bytes(trained(files, options), "model"));
  const Candidates list = lists_of(files.dev.lists).at(0);
  const auto members = hidden_members(*reranker);
  ASSERT_EQ(members.size(), 1U);
  const std::vector<WordValue> values = members[0].reranker->values(list, 0);
  ASSERT_EQ(values.size(), 5U);
  EXPECT_EQ(values[1].word, "ate");
  EXPECT_TRUE(values[1].value.starts_with("VBD_"));
  for (const WordValue& value : values) {
    EXPECT_GT(value.probability, 0.1);
    EXPECT_LE(value.probability, 1 + 1e-12);
  }
  ValueCounts counts;
  counts.add(*members[0].reranker, list, 0);
  const nlohmann::json all = counts.json(3);
  std::size_t uses = 0;
  for (const auto& each : all) uses += each["times"].get<std::size_t>();
  EXPECT_EQ(uses, 5U);
  EXPECT_NE(counts.page(3).find("  heads   ate 1"), std::string::npos) << counts.page(3);
}

// --- mixtures

TEST(Mixture, IsTheWeightedSumOfItsMembers) {
  const Files files;
  const TextFile hidden("hidden.copse", trained(files, small_options()));
  LinearTrainingOptions boosting;
  boosting.rounds = 30;
  boosting.cutoff.min_lists = 1;
  const TextFile linear(
      "boost.copse",
      train_linear_reranker({files.lists.path(), files.gold.path(), "", ""}, boosting, {}).bytes());
  std::vector<std::string> report;
  MixtureTrainingOptions options;
  options.members = {hidden.path(), linear.path()};
  options.search.starts = 3;
  const RerankerPaths paths{files.dev_lists.path(), files.dev_gold.path(), files.lists.path(),
                            files.gold.path()};
  const auto train = [&] {
    return train_mixture(paths, options, [&](const std::string& line) { report.push_back(line); })
        .bytes();
  };
  const std::string bytes = train();
  ASSERT_EQ(report.size(), 4U);
  EXPECT_NE(report[1].find("100.00 chosen"), std::string::npos) << report[1];
  options.threads = 2;
  EXPECT_EQ(train(), bytes);
  const auto mixture = MixtureReranker::load(ModelFile::from_bytes(bytes, "mix"));
  ASSERT_EQ(mixture->members().size(), 2U);
  const auto a = load_reranker(ModelFile::open(hidden.path()));
  const auto b = load_reranker(ModelFile::open(linear.path()));
  for (const Candidates& list : lists_of(files.dev.lists)) {
    const auto scores = mixture->scores(list);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(scores[j],
                  mixture->base_weight() * list.items[j].log_probability +
                      mixture->members()[0].weight * a->scores(list)[j] +
                      mixture->members()[1].weight * b->scores(list)[j],
                  1e-12);
      double sum = 0;
      for (const Reason& reason : mixture->reasons(list, j)) sum += reason.share;
      EXPECT_NEAR(sum, scores[j], 1e-12);
    }
  }
  EXPECT_EQ(hidden_members(*mixture).size(), 1U);
  const TextFile mixed("mix.copse", bytes);
  options.members = {mixed.path()};
  EXPECT_THROW(train(), Error);  // a mixture of mixtures
  options.members = {};
  EXPECT_THROW(train(), Error);
}

}  // namespace
}  // namespace copse::hidden
