#include "copse/pipeline/document_pipe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace copse {
namespace {

// Texts of several lengths, so that later ones are done before earlier ones.
std::vector<std::string> texts(int count) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) {
    std::string text = "Text " + std::to_string(i) + ".";
    for (int k = 0; k < (i % 7) * 20; ++k) text += " Dogs sleep, don't they?";
    out.push_back(text);
  }
  return out;
}

std::vector<Document> through(const std::vector<std::string>& questions, int threads) {
  DocumentPipe pipe(Pipeline(), {.threads = threads});
  std::vector<Document> out;
  for (std::size_t next = 0; next < questions.size() || !pipe.empty();) {
    while (next < questions.size() && pipe.has_room()) pipe.put(questions[next++]);
    out.push_back(pipe.take());
  }
  return out;
}

TEST(DocumentPipe, AnswersComeInOrderForAnyNumberOfThreads) {
  const auto questions = texts(50);
  for (const int threads : {1, 2, 4}) {
    const auto answers = through(questions, threads);
    ASSERT_EQ(answers.size(), questions.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      EXPECT_EQ(answers[i].text(), questions[i]);
      EXPECT_EQ(answers[i].size(), Pipeline()(questions[i]).size());
    }
  }
}

TEST(DocumentPipe, HasRoomForAFewThreadsOnly) {
  DocumentPipe pipe(Pipeline(), {.threads = 2});
  int put = 0;
  for (; pipe.has_room(); ++put) pipe.put("Dogs sleep.");
  EXPECT_LE(put, 32);
  EXPECT_GE(put, 2);
  pipe.take();
  EXPECT_TRUE(pipe.has_room());
}

TEST(DocumentPipe, TakesSentences) {
  DocumentPipe pipe(Pipeline(), {.threads = 2});
  Entry entry;
  entry.sentence.add_word("Dogs");
  pipe.put(std::vector<Entry>{entry});
  EXPECT_EQ(pipe.take()[0].columns.form(1), "Dogs");
}

TEST(DocumentPipe, ErrorsArriveInTheirPlace) {
  for (const int threads : {1, 3}) {
    // Options that do not go together are an error of every text.
    DocumentPipe pipe(Pipeline(), {.n_best = 2, .mbr = true, .threads = threads});
    pipe.put("Dogs sleep.");
    EXPECT_THROW(pipe.take(), Error);
    EXPECT_TRUE(pipe.empty());
  }
}

TEST(DocumentPipe, ThreadsEndWithWhatIsLeft) {
  DocumentPipe pipe(Pipeline(), {.threads = 3});
  for (const std::string& text : texts(10)) pipe.put(text);
}

TEST(Document, TokensAreWhatIsWritten) {
  Sentence sentence;
  sentence.add_word("I");
  sentence.add_multiword(2, 3, "can't");
  sentence.add_word("ca");
  sentence.add_word("n't");
  const Document document(std::vector<Entry>{{sentence, {}}});
  const auto tokens = document[0].tokens();
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[1].form, "can't");
  EXPECT_EQ(tokens[1].first, 2);
  EXPECT_EQ(tokens[1].last, 3);
  EXPECT_EQ(document.text(tokens[1].place), "can't");
}

}  // namespace
}  // namespace copse
