#include "copse/server/question.h"

#include <gtest/gtest.h>

#include "tests/server/server_testing.h"

namespace copse::server {
namespace {

using server_testing::get;
using server_testing::post;
using server_testing::post_json;

int status_of(const Request& request) {
  try {
    question_of(request, {});
  } catch (const Refusal& refusal) {
    return refusal.status();
  }
  return 200;
}

TEST(Question, IsTheSameWhicheverWayItComes) {
  const std::string text = "Dogs & cats.";
  const Request requests[] = {
      post_json("/v1/parse", {{"text", text}, {"nbest", 3}, {"probabilities", true}}),
      get("/v1/parse", "text=Dogs+%26%20cats.&nbest=3&probabilities=true"),
      post("/v1/parse", "application/x-www-form-urlencoded",
           "text=Dogs+%26%20cats.&nbest=3&probabilities=1"),
      post("/v1/parse", "multipart/form-data; boundary=b",
           "--b\r\nContent-Disposition: form-data; name=text\r\n\r\nDogs & cats.\r\n--b\r\n"
           "Content-Disposition: form-data; name=nbest\r\n\r\n3\r\n--b\r\n"
           "Content-Disposition: form-data; name=probabilities\r\n\r\n\r\n--b--"),
  };
  for (const Request& request : requests) {
    const Question question = question_of(request, {});
    EXPECT_EQ(question.text, text);
    EXPECT_EQ(question.nbest, 3);
    EXPECT_TRUE(question.probabilities);
  }
  Request plain = post("/v1/parse", "text/plain; charset=utf-8", text);
  plain.query = "nbest=3&probabilities";
  EXPECT_EQ(question_of(plain, {}).text, text);
  EXPECT_EQ(question_of(plain, {}).nbest, 3);
}

TEST(Question, ReadsEveryField) {
  const Question question = question_of(
      post_json("/v1/parse",
                {{"text", "x"},
                 {"input", "conllu"},
                 {"model", "en"},
                 {"output", "svg"},
                 {"trees", {"phrase"}},
                 {"constraints", true},
                 {"sentence", 2},
                 {"word", 3},
                 {"head", 0},
                 {"lists", "y"},
                 {"demands",
                  {{{"word", 4}, {"head", 2}},
                   {{"sentence", 2}, {"word", 1}, {"not_head", 0}, {"deprel", "obj"}},
                   {{"first", 2}, {"last", 5}, {"label", "NP"}, {"forbidden", true}}}}}),
      {});
  EXPECT_EQ(question.input, Format::conllu);
  EXPECT_EQ(question.model, "en");
  EXPECT_EQ(question.output, AnswerForm::svg);
  ASSERT_TRUE(question.trees);
  EXPECT_FALSE(question.trees->dependency);
  EXPECT_TRUE(question.trees->phrase);
  EXPECT_TRUE(question.constraints);
  EXPECT_EQ(question.sentence, 2);
  EXPECT_EQ(question.word, 3);
  EXPECT_EQ(question.head, 0);
  EXPECT_EQ(question.lists, "y");
  ASSERT_EQ(question.demands.size(), 3U);
  EXPECT_EQ(question.demands[0].head, 2);
  EXPECT_EQ(question.demands[1].sentence, 2);
  EXPECT_EQ(question.demands[1].not_head, 0);
  EXPECT_EQ(question.demands[1].deprel, "obj");
  EXPECT_EQ(question.demands[2].first, 2);
  EXPECT_EQ(question.demands[2].last, 5);
  EXPECT_EQ(question.demands[2].label, "NP");
  EXPECT_TRUE(question.demands[2].forbidden);
}

TEST(Question, MalformedJsonIsRefused) {
  const auto json = [](std::string body) { return status_of(post("/", "application/json", body)); };
  EXPECT_EQ(json("{\"text\": \"a\"}"), 200);
  for (const char* body : {"{", "[]", "\"text\"", "{\"text\": }", "{\"text\": \"a\"} x", "nul",
                           "{\"text\": \"\\ud800\"}", "{\"text\": \"\x01\"}"}) {
    EXPECT_EQ(json(body), 400) << body;
  }
  EXPECT_EQ(json(std::string(200'000, '[')), 400);
  EXPECT_EQ(json("{\"demands\": " + std::string(100, '[') + std::string(100, ']') + "}"), 400);
  EXPECT_EQ(json("{\"text\": \"" + std::string(1000, '[') + "\"}"), 200);
  EXPECT_EQ(json("{\"text\": \"\xff\"}"), 400);
  EXPECT_EQ(json("{\"text\": \"\xed\xa0\x80\"}"), 400);
}

TEST(Question, WrongValuesAreRefused) {
  const auto json = [](const nlohmann::json& body) { return status_of(post_json("/", body)); };
  EXPECT_EQ(json({{"text", 1}}), 400);
  EXPECT_EQ(json({{"texts", "a"}}), 400);
  EXPECT_EQ(json({{"nbest", 0}}), 400);
  EXPECT_EQ(json({{"nbest", 1'000'000}}), 400);
  EXPECT_EQ(json({{"nbest", 18446744073709551615U}}), 400);
  EXPECT_EQ(json({{"nbest", 1.5}}), 400);
  EXPECT_EQ(json({{"nbest", "3x"}}), 400);
  EXPECT_EQ(json({{"probabilities", "perhaps"}}), 400);
  EXPECT_EQ(json({{"output", "pdf"}}), 400);
  EXPECT_EQ(json({{"input", "docx"}}), 400);
  EXPECT_EQ(json({{"trees", {"oak"}}}), 400);
  EXPECT_EQ(json({{"trees", 7}}), 400);
  EXPECT_EQ(json({{"demands", {1}}}), 400);
  EXPECT_EQ(json({{"demands", {nlohmann::json::object()}}}), 400);
  EXPECT_EQ(json({{"demands", {{{"word", 1}}}}}), 400);
  EXPECT_EQ(json({{"demands", {{{"word", 1}, {"head", 2}, {"first", 1}, {"last", 2}}}}}), 400);
  EXPECT_EQ(json({{"demands", {{{"first", 3}, {"last", 2}}}}}), 400);
  EXPECT_EQ(json({{"demands", {{{"word", 1}, {"head", 2}, {"tail", 3}}}}}), 400);
  EXPECT_EQ(status_of(post("/", "application/pdf", "x")), 415);
  EXPECT_EQ(status_of(post("/", "text/plain", "\xc3\x28")), 400);
  EXPECT_EQ(status_of(get("/", "text=%C3%28")), 400);
}

TEST(Question, AcceptAsksForADrawing) {
  Request request = post("/", "text/plain", "x");
  request.headers.emplace_back("accept", "image/svg+xml");
  EXPECT_EQ(question_of(request, {}).output, AnswerForm::svg);
  request.query = "output=conllu";
  EXPECT_EQ(question_of(request, {}).output, AnswerForm::conllu);
}

}  // namespace
}  // namespace copse::server
