// UDPipe's API, as its manual and its client call it.
#include <gtest/gtest.h>

#include "tests/server/server_testing.h"

namespace copse::server {
namespace {

using server_testing::get;
using server_testing::json_of;
using server_testing::post;
using server_testing::shelf;

constexpr const char* kForm = "application/x-www-form-urlencoded";

Response answer(const Request& request) {
  static const Service kService(shelf(), {});
  return kService.answer(request);
}

std::string result_of(const Request& request) {
  const Response response = answer(request);
  EXPECT_EQ(response.status, 200) << response.body;
  return json_of(response).at("result");
}

TEST(Udpipe, ListsModels) {
  for (const char* path : {"/models", "/services/udpipe/api/models"}) {
    const auto models = json_of(answer(get(path)));
    EXPECT_EQ(models["default_model"], "english-small");
    EXPECT_EQ(models["models"]["english-small"], nlohmann::json({"tokenizer", "tagger", "parser"}));
    EXPECT_EQ(models["models"]["tags"], nlohmann::json({"tokenizer", "tagger"}));
  }
}

TEST(Udpipe, ProcessesWhateverTheFormAndThePath) {
  const std::string form = "tokenizer=&tagger=&parser=&data=The+cat+sleeps.";
  const std::string parts =
      "--b\nContent-Type: text/plain\nMIME-Version: 1.0\n"
      "Content-Disposition: form-data; name=\"data\"\nContent-Transfer-Encoding: 8bit\n\n"
      "The cat sleeps.\n--b\nContent-Disposition: form-data; name=\"tokenizer\"\n\n\n"
      "--b\nContent-Disposition: form-data; name=\"tagger\"\n\n\n"
      "--b\nContent-Disposition: form-data; name=\"parser\"\n\n\n--b--\n";
  const std::string expected = result_of(post("/process", kForm, form));
  EXPECT_NE(expected.find("# text = The cat sleeps.\n"), std::string::npos) << expected;
  EXPECT_NE(expected.find("2\tcat\t"), std::string::npos);
  EXPECT_EQ(result_of(get("/process", form)), expected);
  EXPECT_EQ(result_of(post("/services/udpipe/api/process", kForm, form)), expected);
  EXPECT_EQ(result_of(post("/process", "multipart/form-data; boundary=b", parts)), expected);
  EXPECT_EQ(result_of(post("/process", kForm, form + "&model=english")), expected);
  EXPECT_EQ(result_of(post("/process", kForm, form + "&model=English-Small&x=y")), expected);
  const auto body = json_of(answer(post("/process", kForm, form)));
  EXPECT_EQ(body["model"], "english-small");
  EXPECT_TRUE(body.contains("acknowledgements"));
}

TEST(Udpipe, DoesTheStepsThatAreAskedFor) {
  const std::string tokens = result_of(get("/process", "tokenizer&data=The+cat+sleeps."));
  EXPECT_NE(tokens.find("1\tThe\t_\t_\t_\t_\t_\t_\t_\t"), std::string::npos) << tokens;
  const std::string tagged = result_of(get("/process", "tokenizer&tagger&data=The+cat+sleeps."));
  EXPECT_EQ(tagged.find("1\tThe\t_\t_\t"), std::string::npos) << tagged;
  EXPECT_NE(tagged.find("\t_\t_\t_\t"), std::string::npos) << tagged;
}

TEST(Udpipe, ReadsAndWritesItsFormats) {
  EXPECT_EQ(result_of(get("/process", "tokenizer&output=horizontal&data=The+cat+sleeps.")),
            "The cat sleeps .\n");
  EXPECT_EQ(result_of(get("/process", "tokenizer&output=vertical&data=The+cat.")),
            "The\ncat\n.\n\n");
  EXPECT_EQ(result_of(get("/process", "tokenizer&output=plaintext&data=The+cat.")), "The cat.\n");
  EXPECT_EQ(result_of(get("/process", "input=horizontal&output=vertical&data=a+b%0Ac%0A")),
            "a\nb\n\nc\n\n");
  EXPECT_EQ(result_of(get("/process", "input=vertical&output=horizontal&data=a%0Ab%09x%0A%0Ac%0A")),
            "a b\nc\n");
  EXPECT_EQ(
      result_of(get("/process", "output=horizontal&data=1%09a%09_%09_%09_%09_%09_%09_%09_%09_")),
      "a\n");
}

TEST(Udpipe, SaysWhatIsWrongInALine) {
  for (const char* query : {"tokenizer", "data=x&input=docx", "tokenizer&data=x&output=pdf",
                            "tokenizer&data=x&model=klingon", "data=1%09a"}) {
    const Response response = answer(get("/process", query));
    EXPECT_EQ(response.status, 400) << query;
    EXPECT_EQ(response.type, "text/plain; charset=utf-8");
    EXPECT_TRUE(response.body.ends_with("\n"));
  }
  EXPECT_EQ(answer(get("/process", "tokenizer&parser&data=x&model=tags")).status, 422);
}

}  // namespace
}  // namespace copse::server
