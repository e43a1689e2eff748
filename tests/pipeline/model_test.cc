// Models of any kind behind one door, and pipelines of them: what the parts would have said.
#include "copse/pipeline/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "copse/dependency/explanation_views.h"
#include "copse/pipeline/pipeline.h"
#include "copse/tag/tagger.h"
#include "tests/pipeline/pipeline_testing.h"

namespace copse {
namespace {

using pipeline_testing::bytes_of;
using pipeline_testing::failure_of;
using pipeline_testing::fixture;
using pipeline_testing::folder;
using pipeline_testing::parser_model;
using pipeline_testing::phrase_model;
using pipeline_testing::sentences;
using pipeline_testing::tagger_model;

std::string conllu(const Sentence& sentence) {
  return to_string({sentence, {}}, Format::conllu);
}

TEST(Model, IsWhatItsFileSaysAndNothingElse) {
  const Model tagger = Model::load(tagger_model());
  EXPECT_EQ(tagger.kind(), "tagger");
  EXPECT_NE(tagger.record().find("\"epochs\":2"), std::string::npos);
  EXPECT_NO_THROW(tagger.tagger());
  EXPECT_NO_THROW(tagger.step());
  const std::string failure = failure_of([&] { tagger.dependency_parser(); });
  EXPECT_NE(failure.find("tagger"), std::string::npos);
  EXPECT_NE(failure.find("no dependency parser"), std::string::npos);
  EXPECT_NE(failure_of([&] { tagger.tokenizer(); }), "");
  EXPECT_NE(failure_of([&] { tagger.phrase_parser(); }), "");
  EXPECT_NE(failure_of([&] { tagger.reranker(); }), "");
  EXPECT_NE(failure_of([] { Model::load(fixture("english.conllu")); }), "");
  EXPECT_NE(failure_of([] { Model::from_bytes(ModelWriter("socks", {}).bytes()); }).find("socks"),
            std::string::npos);
}

TEST(Model, FromMemoryIsTheSameAsFromItsFile) {
  const Model file = Model::load(parser_model());
  const std::string bytes = bytes_of(parser_model());
  const Model memory = Model::from_bytes(bytes);
  for (const Sentence& sentence : sentences("english.conllu", 5)) {
    const Parse one = file.dependency_parser().parse(sentence);
    const Parse two = memory.dependency_parser().parse(sentence);
    EXPECT_EQ(one.trees.front().heads, two.trees.front().heads);
    EXPECT_EQ(one.trees.front().score, two.trees.front().score);
  }
}

TEST(Model, ATaggerTagsAsItDoesAlone) {
  const Model model = Model::load(tagger_model());
  const Tagger alone = Tagger::load(ModelFile::open(tagger_model()));
  TagScratch scratch;
  for (Sentence sentence : sentences("english.conllu", 10)) {
    Sentence expected = sentence;
    alone.tag(expected, scratch);
    model.tagger().tag(sentence);
    EXPECT_EQ(conllu(sentence), conllu(expected));
    const auto list = model.tagger().k_best(sentence, 3, "upos");
    ASSERT_FALSE(list.empty());
    EXPECT_EQ(list.front().tags.size(), static_cast<std::size_t>(sentence.words()));
    for (std::size_t k = 1; k < list.size(); ++k) {
      EXPECT_LE(list[k].log_probability, list[k - 1].log_probability);
    }
  }
  const Sentence one = sentences("english.conllu", 1).front();
  EXPECT_NE(failure_of([&] { model.tagger().k_best(one, 3, "shoes"); }).find("upos"),
            std::string::npos);
}

TEST(Model, AParserListsExplainsAndKeepsWhatIsKnown) {
  const Model model = Model::load(parser_model());
  const SentenceParser& parser = model.dependency_parser();
  const Sentence sentence = sentences("english.conllu", 2).back();
  const Parse parse = parser.parse(sentence, {.k = 3, .marginals = true});
  ASSERT_EQ(parse.trees.size(), 3U);
  EXPECT_GT(parse.trees[0].score, parse.trees[1].score);
  EXPECT_GE(parse.trees[0].probability, parse.trees[1].probability);
  const auto why = parser.explain(sentence);
  ASSERT_EQ(why.size(), static_cast<std::size_t>(sentence.words()));
  EXPECT_EQ(why[1].head(), parse.trees[0].heads[2]);
  const std::string lines = parser.lines(sentence, why);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), sentence.words());
  EXPECT_NE(parser.page(sentence, why[1]).find("rather than"), std::string::npos);
  EXPECT_EQ(parser.json(sentence, why).find("[\n"), 0U);
  // Another head for word 2 than the best, demanded.
  Sentence known = sentence;
  for (int m = 1; m <= known.words(); ++m) known.set_head(m, DependencyTree::kNoHead);
  known.set_head(2, why[1].other_head());
  for (int m = 1; m <= known.words(); ++m) known.set(m, Column::deprel, "_");
  const Parse kept = parser.parse(known, {.constraints = true});
  EXPECT_EQ(kept.trees.front().heads[2], why[1].other_head());
  EXPECT_LT(kept.trees.front().score, parse.trees.front().score);
}

TEST(Pipeline, GoesFromTextToTreesAsItsStepsWould) {
  const Model tagger = Model::load(tagger_model());
  const Model parser = Model::load(parser_model());
  const Pipeline nlp = Pipeline::load({tagger_model(), parser_model(), phrase_model()});
  const std::string text = "The shop opened early. Ben left.\n\nShe saw the dog.";
  const Document found = nlp(text);
  ASSERT_EQ(found.size(), 3U);
  const auto tokenised = english_tokenizer()->tokenize(text);
  for (std::size_t i = 0; i < found.size(); ++i) {
    Sentence expected = tokenised[i];
    tagger.tagger().tag(expected);
    parser.dependency_parser().fill(expected,
                                    parser.dependency_parser().parse(expected).trees.front());
    EXPECT_EQ(conllu(found[i].columns), conllu(expected));
    EXPECT_EQ(found[i].tree.words(), expected.words());
  }
  for (const int threads : {2, 3}) {
    const Document again = nlp(text, {.threads = threads});
    ASSERT_EQ(again.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(conllu(again[i].columns), conllu(found[i].columns));
      EXPECT_EQ(again[i].tree.str(), found[i].tree.str());
    }
  }
}

TEST(Treebanks, StreamsAndMemoryGiveWhatFilesGive) {
  const std::string path = fixture("english.conllu");
  const std::string bytes = bytes_of(path);
  std::istringstream in(bytes);
  const std::vector<Entry> entries = read_treebank(in, Format::conllu, path);
  EXPECT_EQ(entries.size(), read_treebank(path).size());
  std::ostringstream out;
  write_treebank(out, entries, Format::conllu);
  EXPECT_EQ(out.str(), bytes);
  EXPECT_NE(failure_of([] {
              std::istringstream bad("1\tx\n\n");
              read_treebank(bad, Format::conllu, "somewhere");
            }).find("somewhere:1"),
            std::string::npos);
  std::ostringstream full;
  full.setstate(std::ios::badbit);
  EXPECT_NE(failure_of([&] { write_treebank(full, entries, Format::conllu); }), "");
}

}  // namespace
}  // namespace copse
