// The incremental parser from trees to answers: learning, saving, steps, streams, the generative part.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/constituency/incremental/stream.h"
#include "copse/constituency/phrase_training.h"
#include "copse/constituency/phrase_views.h"
#include "copse/constituency/tagged_trees.h"
#include "tests/constituency/incremental/incremental_testing.h"

namespace copse::incremental {
namespace {

using incremental_testing::learnt;
using incremental_testing::prepared;
using incremental_testing::quick;
using incremental_testing::some_trees;

const WordsToParse kSentence{{"The", "baker", "opens", "the", "shop", "."}, {}};

TrainingOptions mixed() {
  TrainingOptions options = quick();
  options.model.generative_weight = 2;
  options.model.features.lookahead = 0;
  return options;
}
const IncrementalParser& mixed_parser() {
  static const Trained trained = learnt(mixed());
  return trained.parser;
}
PhraseAnswer parse(const IncrementalParser& by, const WordsToParse& sentence,
                   const PhraseQuestion& question = {}, const SearchOptions& search = {}) {
  Workspace workspace;
  return by.parse(sentence, question, search, workspace);
}
std::string bytes_of(const IncrementalParser& parser) {
  return write_parser(parser, nlohmann::json::object()).bytes();
}

TEST(IncrementalParser, LearnsItsTreesByHeart) {
  for (const char* update : {"early", "max-violation", "full"}) {
    TrainingOptions options = quick();
    options.update = update;
    options.epochs = 15;
    options.batch = 1;
    // Twice the same trees: chains of phrases that are seen only once are not in use.
    const std::array<std::span<const Entry>, 2> twice = {some_trees(), some_trees()};
    Trained trained = train(twice, options);
    EXPECT_LE(trained.report.epochs.back().wrong, 1U) << update;
    EXPECT_GT(trained.report.epochs.front().wrong, 10U) << update;
    PhraseTraining recipe;
    recipe.threads = 1;
    recipe.use_tags = true;
    const auto door = make_phrase_parser(std::move(trained.parser), {});
    EXPECT_GT(judge_phrase_parser(*door, some_trees(), recipe).totals.f1(), 99) << update;
  }
  TrainingOptions options = quick();
  options.update = "late";
  EXPECT_THROW(learnt(options), Error);
}

TEST(IncrementalParser, LearnsTheSameWithAnyThreads) {
  TrainingOptions one = mixed();
  one.epochs = 2;
  one.batch = 4;
  one.cache.rounds = 2;
  one.cache.every = 20;
  TrainingOptions three = one;
  three.threads = 3;
  EXPECT_EQ(bytes_of(learnt(one).parser), bytes_of(learnt(three).parser));
}

TEST(IncrementalParser, AFileReadBackIsTheSameParser) {
  const std::string bytes = bytes_of(mixed_parser());
  const ModelFile file = ModelFile::from_bytes(bytes, "test");
  const IncrementalParser again = read_parser(file);
  EXPECT_EQ(bytes_of(again), bytes);
  EXPECT_EQ(load_phrase_parser(file)->model(), "incremental");
  const auto here = parse(mixed_parser(), kSentence, {.k = 5});
  const auto there = parse(again, kSentence, {.k = 5});
  ASSERT_EQ(here.trees.size(), there.trees.size());
  for (std::size_t k = 0; k < here.trees.size(); ++k) {
    EXPECT_EQ(here.trees[k].tree, there.trees[k].tree);
    EXPECT_EQ(here.trees[k].log_probability, there.trees[k].log_probability);
  }
}

TEST(IncrementalParser, ListsAreProbabilities) {
  const auto list = parse(mixed_parser(), kSentence, {.k = 64}).trees;
  ASSERT_GT(list.size(), 3U);
  double sum = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    sum += std::exp(list[k].log_probability);
    if (k > 0) {
      EXPECT_LE(list[k].log_probability, list[k - 1].log_probability);
    }
  }
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(IncrementalParser, SurprisalsAddUpToTheSentence) {
  const auto answer = parse(mixed_parser(), kSentence, {.steps = true});
  ASSERT_EQ(answer.steps.size(), kSentence.words.size() + 1);
  double sum = 0;
  for (const ParseStep& step : answer.steps) sum += step.surprisal.value();
  EXPECT_NEAR(sum, -answer.steps.back().log_probability.value(), 1e-9);
  EXPECT_EQ(answer.steps[1].tree.words(), 2);
  EXPECT_EQ(answer.steps.back().tree, answer.trees[0].tree);
  EXPECT_EQ(surprisal_rows(answer).substr(0, 7), "The\tDT\t");
}

TEST(IncrementalParser, AStreamIsTheSentenceWordByWord) {
  WordsToParse tagged = kSentence;
  tagged.tags = {"DT", "NN", "VBZ", "DT", "NN", "."};
  const auto answer = parse(mixed_parser(), tagged, {.steps = true});
  Stream stream(mixed_parser());
  EXPECT_TRUE(stream.partial().empty());
  for (std::size_t i = 0; i < tagged.words.size(); ++i) {
    stream.push(tagged.words[i], tagged.tags[i]);
    ASSERT_EQ(stream.attached(), i + 1);
    EXPECT_EQ(stream.partial(), answer.steps[i].tree);
    EXPECT_NEAR(stream.surprisal().value(), answer.steps[i].surprisal.value(), 1e-9);
  }
  stream.finish();
  EXPECT_EQ(stream.partial(), answer.trees[0].tree);
  EXPECT_NEAR(stream.log_probability().value(), answer.steps.back().log_probability.value(), 1e-9);
  EXPECT_THROW(stream.push("more"), Error);
}

// A model that looks at the next word waits for it.
TEST(IncrementalParser, AStreamWaitsForWhatItsFeaturesSee) {
  const Trained trained = learnt(quick());
  Stream stream(trained.parser);
  stream.push("The");
  EXPECT_EQ(stream.attached(), 0U);
  stream.push("baker");
  EXPECT_EQ(stream.attached(), 1U);
  EXPECT_FALSE(stream.surprisal().has_value());
  stream.finish();
  EXPECT_EQ(stream.attached(), 2U);
}

// Tags that are given stay; of the others the chosen one comes first and none is less probable than
// was asked for.
TEST(IncrementalParser, TagCandidatesAreThoseOfTheTagger) {
  const SequenceTagger& tagger = mixed_parser().parts().tagger;
  TagScratch scratch;
  const WordsToParse words{kSentence.words, {"", "NN", "", "", "", ""}};  // outlives the question
  const TagsToParse question(tagger, words);
  const std::vector<Label> chosen = tagger.tag(question.input(), scratch);
  std::size_t others = 0;
  for (const double share : {0.0, 1e-40, 0.2}) {
    const auto candidates = tag_candidates(tagger, question.input(), chosen, share, scratch);
    ASSERT_EQ(candidates.size(), chosen.size());
    std::size_t more = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      EXPECT_EQ(candidates[i][0].tag, tagger.label(chosen[i]));
      EXPECT_EQ(candidates[i][0].log_ratio, 0);
      for (const TagCandidate& each : candidates[i]) EXPECT_GE(std::exp(each.log_ratio), share);
      more += candidates[i].size() - 1;
    }
    EXPECT_EQ(candidates[1].size(), 1U);
    if (share == 0) {
      EXPECT_EQ(more, 0U);
    }
    if (share == 1e-40) others = more;
    if (share == 0.2) {
      EXPECT_LE(more, others);
    }
  }
  EXPECT_GT(others, 0U);
}

TEST(IncrementalParser, LearnsTagsTogetherWithTrees) {
  TrainingOptions options = quick();
  options.tag_folds = 2;
  options.model.tagging.share = 0.01;
  const Trained trained = learnt(options);
  const ModelFile file = ModelFile::from_bytes(bytes_of(trained.parser), "test");
  const IncrementalParser again = read_parser(file);
  EXPECT_EQ(again.parts().options.tagging.share, 0.01);
  SearchOptions alone;
  alone.tag_share = 0;
  TagScratch scratch;
  for (const Entry& entry : std::span(some_trees()).first(20)) {
    const PhraseTree tree = prepared(entry.tree);
    WordsToParse sentence;
    for (int i = 0; i < tree.words(); ++i) sentence.words.emplace_back(tree.word_at(i));
    const SequenceTagger& tagger = again.parts().tagger;
    const TagsToParse question(tagger, sentence);
    const auto candidates = tag_candidates(tagger, question.input(),
                                           tagger.tag(question.input(), scratch), 0.01, scratch);
    const PhraseTree without = parse(again, sentence, {}, alone).trees[0].tree;
    const PhraseTree with = parse(again, sentence).trees[0].tree;
    for (int i = 0; i < tree.words(); ++i) {
      const TagCandidates& of_word = candidates[static_cast<std::size_t>(i)];
      EXPECT_EQ(without.tag(i), of_word[0].tag);
      EXPECT_NE(std::ranges::find(of_word, with.tag(i), &TagCandidate::tag), of_word.end());
    }
  }
}

TEST(IncrementalParser, EverySentenceGetsATree) {
  for (const WordsToParse& sentence :
       {WordsToParse{{"."}, {"."}},
        WordsToParse{{",", ",", ",", "of", "of"}, {",", ",", ",", "IN", "IN"}},
        WordsToParse{{"xyzzy"}, {"NO-SUCH-TAG"}}}) {
    const auto answer = parse(mixed_parser(), sentence);
    ASSERT_EQ(answer.trees.size(), 1U);
    EXPECT_EQ(answer.trees[0].tree.words(), static_cast<int>(sentence.words.size()));
  }
  EXPECT_TRUE(parse(mixed_parser(), {}).trees.empty());
  EXPECT_THROW(parse(mixed_parser(), kSentence, {.brackets = true}), Error);
}

// Without the weight of the generative model its part of the score is gone; with no other weights it
// is all.
TEST(IncrementalParser, TheMixIsASum) {
  SearchOptions none;
  none.generative_weight = 0;
  IncrementalParser::Parts parts = mixed_parser().parts();
  parts.companion = nullptr;
  const IncrementalParser without(std::move(parts));
  EXPECT_EQ(parse(mixed_parser(), kSentence, {}, none).trees[0].tree,
            parse(without, kSentence).trees[0].tree);
  parts = mixed_parser().parts();
  parts.weights = freeze({}, parts.grammar->labels());
  const IncrementalParser generative(std::move(parts));
  Workspace workspace;
  const auto answer = generative.parse(kSentence, {.k = 2}, {}, workspace);
  for (const Hypothesis& each : workspace.search.beam()) {
    EXPECT_NEAR(each.score.total, 2 * each.score.log_probability, 1e-4);
  }
}

}  // namespace
}  // namespace copse::incremental
