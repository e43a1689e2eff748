// Every learner over the same small treebank: it learns, and it can stop and go on.
#include "copse/dependency/learner_run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "copse/dependency/parser_words.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/thread_group.h"

namespace copse {
namespace {

using dependency_testing::failure_of;

constexpr std::array kAll = {DependencyLearner::perceptron,    DependencyLearner::mira,
                             DependencyLearner::log_linear,    DependencyLearner::log_linear_sgd,
                             DependencyLearner::eg_log_linear, DependencyLearner::eg_max_margin};

// Unlabelled non-projective trees of the first order: the quickest problem there is.
class Problem {
 public:
  explicit Problem(int threads = 1, std::function<Range(std::size_t)> own = {}) : team(threads) {
    sentences_ = dependency_testing::fixture("english.conllu", 12);
    words_.resize(sentences_.size());
    std::vector<ProblemSentence> given(sentences_.size());
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      words_[i].fill(sentences_[i], {}, {});
      given[i].words = words_[i].words();
      given[i].heads.push_back(-1);
      for (int m = 1; m <= sentences_[i].words(); ++m) {
        given[i].heads.push_back(sentences_[i].head(m));
      }
      given[i].mask = ArcMask(sentences_[i].words());
    }
    features_ = PartFeatures(dependency_testing::built_in_templates("pruner"));
    problem.emplace(given, features_, nullptr, 0,
                    TreeKind{Factorisation::first, RootRule::single, false},
                    FeatureSelection{1, 1, 1}, nullptr, team,
                    own ? std::optional(own(given.size())) : std::nullopt);
  }
  // Wrong arcs of the best trees.
  double errors(std::span<const float> weights) const {
    double sum = 0;
    for (std::size_t i = 0; i < problem->size(); ++i) {
      std::vector<float> scores(problem->parts(i)), found(scores), cost(scores);
      problem->score(i, weights, scores);
      problem->best(i, scores, found);
      problem->cost(i, cost);
      for (std::size_t a = 0; a < found.size(); ++a) sum += double{found[a]} * cost[a];
    }
    return sum;
  }

  ThreadTeam team;
  std::optional<TrainingProblem> problem;

 private:
  std::vector<Sentence> sentences_;
  std::vector<ParserWords> words_;
  PartFeatures features_;
};

struct Learnt {
  std::vector<int> passes;
  std::vector<double> losses;
  std::vector<float> weights;
  std::string checkpoint;  // after the last pass
};

Learnt learn(Problem& given, const LearnerOptions& options, int stop_after = 1 << 20,
             const std::string& from = {}, Group* group = nullptr) {
  Learnt out;
  std::optional<ModelFile> resume;
  if (!from.empty()) resume = ModelFile::from_bytes(from, "checkpoint");
  run_learner(*given.problem, options, {given.team, group}, resume ? &*resume : nullptr,
              [&](const PassDone& done) {
                out.passes.push_back(done.pass);
                out.losses.push_back(done.loss);
                out.weights.assign(done.weights.begin(), done.weights.end());
                ModelWriter writer("checkpoint", {{"passes", done.pass}});
                done.save(writer);
                out.checkpoint = writer.bytes();
                return done.pass < stop_after;
              });
  return out;
}

LearnerOptions options_of(DependencyLearner learner, int passes) {
  LearnerOptions options;
  options.learner = learner;
  options.passes = passes;
  return options;
}

TEST(LearnerRun, NamesGoBothWays) {
  for (const DependencyLearner learner : kAll) {
    EXPECT_EQ(parse_dependency_learner(name_of(learner)), learner);
  }
  EXPECT_NE(
      failure_of([] { parse_dependency_learner("svm"); }).find("usage: unknown learner \"svm\""),
      std::string::npos);
  EXPECT_NE(failure_of([] { parse_dependency_learner(""); }), "");
}

TEST(LearnerRun, EveryLearnerLearnsItsTrainingData) {
  Problem given;
  const double before = given.errors(std::vector<float>(given.problem->dimension()));
  ASSERT_GT(before, 50);
  for (const DependencyLearner learner : kAll) {
    SCOPED_TRACE(name_of(learner));
    const Learnt found = learn(given, options_of(learner, 8));
    EXPECT_LT(given.errors(found.weights), 0.2 * before);
    EXPECT_EQ(found.weights.size(), given.problem->dimension());
    ASSERT_GE(found.losses.size(), 3U);
    const bool dual =
        learner == DependencyLearner::eg_log_linear || learner == DependencyLearner::eg_max_margin;
    if (dual) {
      EXPECT_GT(found.losses.back(), found.losses.front());  // a dual rises
    } else {
      EXPECT_LT(found.losses.back(), found.losses.front());
    }
  }
}

TEST(LearnerRun, PassesAreCountedFromOne) {
  Problem given;
  for (const DependencyLearner learner : kAll) {
    SCOPED_TRACE(name_of(learner));
    EXPECT_EQ(learn(given, options_of(learner, 3)).passes, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(learn(given, options_of(learner, 9), 2).passes, (std::vector<int>{1, 2}));
  }
}

TEST(LearnerRun, TellsHowFarAPassHasCome) {
  Problem given;
  for (const DependencyLearner learner : kAll) {
    if (learner == DependencyLearner::log_linear) continue;  // a pass is one sum
    SCOPED_TRACE(name_of(learner));
    int passes = 0, ends = 0;
    const auto after = [&](const PassDone&) {
      EXPECT_EQ(ends, ++passes);
      return passes < 2;
    };
    const auto during = [&](std::size_t done, std::size_t all) {
      EXPECT_EQ(all, given.problem->size());
      EXPECT_LE(done, all);
      ends += done == all ? 1 : 0;
    };
    run_learner(*given.problem, options_of(learner, 2), {given.team}, nullptr, after, during);
    EXPECT_EQ(passes, 2);
  }
}

TEST(LearnerRun, StoppingAndGoingOnIsTheSameAsNotStopping) {
  Problem given;
  for (const DependencyLearner learner : kAll) {
    SCOPED_TRACE(name_of(learner));
    const Learnt whole = learn(given, options_of(learner, 5));
    const Learnt half = learn(given, options_of(learner, 5), 2);
    const Learnt rest = learn(given, options_of(learner, 5), 1 << 20, half.checkpoint);
    EXPECT_EQ(rest.passes, (std::vector<int>{3, 4, 5}));
    EXPECT_EQ(rest.weights, whole.weights);
    EXPECT_EQ(rest.checkpoint, whole.checkpoint);
    EXPECT_EQ(rest.losses.back(), whole.losses.back());
  }
}

// Longer than its memory, broken off at every iteration.
TEST(LearnerRun, LbfgsGoesOnWithItsMemory) {
  Problem given;
  const LearnerOptions options = options_of(DependencyLearner::log_linear, 16);
  const Learnt whole = learn(given, options);
  const int passes = static_cast<int>(whole.passes.size());  // it may converge before the last
  ASSERT_GT(passes, 7);
  Learnt part = learn(given, options, 1);
  for (int pass = 2; pass <= passes; ++pass) {
    part = learn(given, options, pass, part.checkpoint);
    ASSERT_EQ(part.passes, std::vector<int>{pass});
  }
  EXPECT_EQ(part.weights, whole.weights);
  EXPECT_EQ(part.checkpoint, whole.checkpoint);
}

TEST(LearnerRun, ADamagedMemoryOfLbfgsIsRefused) {
  Problem given;
  const LearnerOptions options = options_of(DependencyLearner::log_linear, 6);
  const ModelFile file = ModelFile::from_bytes(learn(given, options, 3).checkpoint, "checkpoint");
  for (const std::string_view name :
       {"state.weights", "state.values", "state.steps", "state.slopes", "state.counts"}) {
    for (const std::string& bytes : {std::string(), std::string(file.text(name)).substr(4),
                                     std::string(file.text(name).size(), '\xFF')}) {
      ModelWriter writer("checkpoint", {{"passes", 3}});
      for (const auto& section : file.sections()) {
        if (section.name == "config") continue;
        writer.add(section.name,
                   section.name == name ? bytes : std::string(file.text(section.name)));
      }
      const std::string failure = failure_of([&] { learn(given, options, 9, writer.bytes()); });
      EXPECT_TRUE(failure.starts_with("data: ")) << name << ": " << failure;
    }
  }
}

TEST(LearnerRun, ACheckpointOfTheLastPassHasNothingLeftToDo) {
  Problem given;
  for (const DependencyLearner learner : kAll) {
    SCOPED_TRACE(name_of(learner));
    const Learnt whole = learn(given, options_of(learner, 3));
    EXPECT_TRUE(learn(given, options_of(learner, 3), 1 << 20, whole.checkpoint).passes.empty());
  }
}

TEST(LearnerRun, CheckpointsOfOtherLearnersOrSizesAreRefused) {
  Problem given;
  const std::string online = learn(given, options_of(DependencyLearner::mira, 1)).checkpoint;
  const std::string dual = learn(given, options_of(DependencyLearner::eg_max_margin, 1)).checkpoint;
  const auto failure = [&](DependencyLearner learner, const std::string& from) {
    return failure_of([&] { learn(given, options_of(learner, 4), 9, from); });
  };
  EXPECT_NE(failure(DependencyLearner::eg_max_margin, online), "");
  EXPECT_NE(failure(DependencyLearner::mira, dual), "");
  EXPECT_NE(failure(DependencyLearner::eg_log_linear, dual), "");
  const auto states = [](std::vector<std::uint64_t> counts, std::size_t weights) {
    ModelWriter writer("checkpoint", {{"passes", 1}});
    writer.add_array("state.weights", std::span<const float>(std::vector<float>(weights)));
    writer.add_array("state.moments", std::span<const double>(std::vector<double>(weights)));
    writer.add_array("state.squares", std::span<const float>());
    writer.add_array("state.pulled", std::span<const std::uint32_t>());
    writer.add_array("state.counts", std::span<const std::uint64_t>(counts));
    return writer.bytes();
  };
  EXPECT_NE(failure(DependencyLearner::mira, states({1}, 3)).find("data: "), std::string::npos);
  EXPECT_NE(failure(DependencyLearner::mira, states({1, 1}, 10'000'000)).find("more features"),
            std::string::npos);
}

TEST(LearnerRun, ThreadsGiveTheSameWeights) {
  Problem one(1), two(2), three(3);
  for (const DependencyLearner learner : kAll) {
    SCOPED_TRACE(name_of(learner));
    const Learnt expected = learn(one, options_of(learner, 2));
    EXPECT_EQ(learn(two, options_of(learner, 2)).checkpoint, expected.checkpoint);
    EXPECT_EQ(learn(three, options_of(learner, 2)).checkpoint, expected.checkpoint);
  }
}

// Groups: what the leader has learnt. Every member has the features of its own sentences only.
Learnt learn_together(int members, const LearnerOptions& options, int stop_after = 1 << 20,
                      const std::string& from = {}) {
  Learnt out;
  with_members(members, [&](Group& group) {
    Problem own(1, [&](std::size_t examples) { return own_examples(options, examples, &group); });
    const Learnt found = learn(own, options, stop_after, from, &group);
    if (group.leads()) out = found;
  });
  return out;
}

LearnerOptions with_blocks(DependencyLearner learner, int passes) {
  LearnerOptions options = options_of(learner, passes);
  const bool sums =
      learner == DependencyLearner::log_linear || learner == DependencyLearner::log_linear_sgd;
  options.blocks = sums ? 0 : 4;
  return options;
}

TEST(LearnerRun, AnyNumberOfProcessesGivesTheBytesOfOne) {
  Problem given(2);
  for (const DependencyLearner learner : kAll) {
    SCOPED_TRACE(name_of(learner));
    const LearnerOptions options = with_blocks(learner, 3);
    const Learnt expected = learn(given, options);
    for (const int members : {1, 3}) {
      EXPECT_EQ(learn_together(members, options).checkpoint, expected.checkpoint) << members;
    }
  }
}

TEST(LearnerRun, OneBlockInAGroupIsTheOrdinaryLearner) {
  Problem given;
  for (const DependencyLearner learner : {DependencyLearner::perceptron, DependencyLearner::mira}) {
    LearnerOptions options = options_of(learner, 2);
    options.blocks = 1;
    EXPECT_EQ(learn_together(3, options).checkpoint, learn(given, options).checkpoint);
  }
  LearnerOptions dual = options_of(DependencyLearner::eg_log_linear, 2);
  dual.blocks = 1;
  EXPECT_NE(failure_of([&] { learn_together(2, dual); }).find("one sentence after the other"),
            std::string::npos);
}

TEST(LearnerRun, AnotherNumberOfProcessesGoesOnToTheSameEnd) {
  Problem given;
  for (const DependencyLearner learner : kAll) {
    SCOPED_TRACE(name_of(learner));
    const LearnerOptions options = with_blocks(learner, 5);
    const Learnt whole = learn(given, options);
    const Learnt half = learn_together(3, options, 2);
    const Learnt rest = learn_together(2, options, 1 << 20, half.checkpoint);
    EXPECT_EQ(rest.passes, (std::vector<int>{3, 4, 5}));
    EXPECT_EQ(rest.checkpoint, whole.checkpoint);
  }
}

TEST(LearnerRun, BlocksLearnTheirTrainingData) {
  Problem given;
  const double before = given.errors(std::vector<float>(given.problem->dimension()));
  for (const DependencyLearner learner : kAll) {
    SCOPED_TRACE(name_of(learner));
    const Learnt found = learn(given, with_blocks(learner, 12));
    EXPECT_LT(given.errors(found.weights), 0.2 * before);
  }
}

TEST(LearnerRun, BlocksArePowersOfTwoAndNotForAll) {
  for (const int blocks : {-1, 3, 6, 1 << 17}) {
    LearnerOptions options = options_of(DependencyLearner::mira, 1);
    options.blocks = blocks;
    EXPECT_NE(failure_of([&] { with_defaults(options); }).find("power of two"), std::string::npos);
  }
  LearnerOptions options = options_of(DependencyLearner::log_linear, 1);
  options.blocks = 2;
  EXPECT_NE(failure_of([&] { with_defaults(options); }).find("has no blocks"), std::string::npos);
  EXPECT_EQ(with_defaults(options_of(DependencyLearner::mira, 1)).blocks, 1);
  EXPECT_EQ(with_defaults(options_of(DependencyLearner::mira, 1), true).blocks, 4);
}

TEST(LearnerRun, SeedsChangeTheOrder) {
  Problem given;
  LearnerOptions options = options_of(DependencyLearner::perceptron, 2);
  const Learnt first = learn(given, options);
  options.seed = 2;
  EXPECT_NE(learn(given, options).weights, first.weights);
}

}  // namespace
}  // namespace copse
