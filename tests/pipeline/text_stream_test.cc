// Text of any length through a pipeline: what a document would hold, in order, for any threads.
#include "copse/pipeline/text_stream.h"

#include <gtest/gtest.h>

#include "copse/treebank/treebank.h"
#include "tests/pipeline/pipeline_testing.h"

namespace copse {
namespace {

using pipeline_testing::parser_model;
using pipeline_testing::tagger_model;

TEST(TextStream, GivesTheSentencesOfTheWholeTextInOrder) {
  const Pipeline nlp = Pipeline::load({tagger_model(), parser_model()});
  std::string text;
  for (int i = 0; i < 400; ++i) text += "Zoë left. The shop opened early.\n\n";
  const Document whole = nlp(text);
  for (const int threads : {1, 3}) {
    TextStreamOptions options;
    options.pipeline.threads = threads;
    Input input = Input::from_memory(text, "text");
    std::size_t next = 0;
    const auto given = stream_text(input, nlp, options, [&](ParsedSentence&& sentence) {
      ASSERT_LT(next, whole.size());
      const ParsedSentence& expected = whole[next++];
      EXPECT_EQ(to_string(sentence.entry(), Format::conllu),
                to_string(expected.entry(), Format::conllu));
      EXPECT_EQ(sentence.places, expected.places);
      EXPECT_EQ(sentence.place, expected.place);
    });
    EXPECT_EQ(given, whole.size());
    EXPECT_EQ(next, whole.size());
  }
}

}  // namespace
}  // namespace copse
