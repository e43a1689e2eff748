// The whole service without sockets: every path, its answers and its refusals.
#include "copse/server/service.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "copse/server/page.h"
#include "copse/server/question.h"
#include "tests/server/server_testing.h"

namespace copse::server {
namespace {

using nlohmann::json;
using server_testing::code_of;
using server_testing::get;
using server_testing::json_of;
using server_testing::post;
using server_testing::post_json;
using server_testing::shelf;

constexpr const char* kText = "The cat sleeps. She saw the man with the telescope.";

Service& service() {
  static Service kService(shelf(), {});
  return kService;
}

Response ask(const std::string& path, const json& body) {
  return service().answer(post_json(path, body));
}

const json kBoth = {"dependency", "phrase"};

TEST(Service, ParsesTextToBothTrees) {
  const Response response = ask("/v1/parse", {{"text", kText}, {"trees", kBoth}});
  ASSERT_EQ(response.status, 200) << response.body;
  const json answer = json_of(response);
  EXPECT_EQ(answer["model"], "english-small");
  ASSERT_EQ(answer["sentences"].size(), 2U);
  const json& second = answer["sentences"][1];
  EXPECT_EQ(second["text"], "She saw the man with the telescope.");
  ASSERT_EQ(second["tokens"].size(), 8U);
  EXPECT_EQ(second["tokens"][1]["form"], "saw");
  EXPECT_TRUE(second["tokens"][1].contains("upos"));
  ASSERT_EQ(second["dependency"]["heads"].size(), 8U);
  EXPECT_EQ(second["dependency"]["heads"][0], second["tokens"][0]["head"]);
  EXPECT_EQ(second["dependency"]["deprels"][0], second["tokens"][0]["deprel"]);
  EXPECT_FALSE(second["dependency"].contains("probability"));
  EXPECT_EQ(second["tree"]["label"], "TOP");
  EXPECT_EQ(second["phrase"]["model"], "generative");
  EXPECT_EQ(response.words, 12);
  EXPECT_EQ(response.sentences, 2);
}

TEST(Service, GivesProbabilitiesWhenAsked) {
  const json answer =
      json_of(ask("/v1/parse", {{"text", kText}, {"trees", kBoth}, {"probabilities", true}}));
  const json& one = answer["sentences"][0];
  const json& arcs = one["dependency"]["arc_probabilities"];
  ASSERT_EQ(arcs.size(), 4U);
  EXPECT_LE(arcs[0].get<double>(), 1.000001);
  ASSERT_EQ(one["dependency"]["candidates"].size(), 4U);
  double sum = 0;
  for (const json& each : one["dependency"]["candidates"][0]) {
    sum += each["probability"].get<double>();
    if (each["head"] == one["dependency"]["heads"][0]) {
      EXPECT_NEAR(each["probability"].get<double>(), arcs[0].get<double>(), 1e-5);
    }
  }
  EXPECT_NEAR(sum, 1, 0.02);
  EXPECT_FALSE(one["phrase"]["probabilities"].empty());
}

TEST(Service, MakesPhraseStructureWhereItIsWanted) {
  const auto has = [](const json& body, const char* member) {
    return json_of(ask("/v1/parse", body))["sentences"][0].contains(member);
  };
  EXPECT_TRUE(has({{"text", kText}}, "dependency"));
  EXPECT_FALSE(has({{"text", kText}}, "phrase"));
  EXPECT_FALSE(has({{"text", kText}, {"trees", {"phrase"}}}, "dependency"));
  EXPECT_TRUE(has({{"text", kText}, {"trees", {"phrase"}}}, "phrase"));
  const json span = {{"text", kText}, {"demands", {{{"first", 1}, {"last", 2}, {"label", "NP"}}}}};
  EXPECT_TRUE(has(span, "dependency"));
  EXPECT_TRUE(has(span, "phrase"));
  const auto no_brackets =
      ask("/v1/parse", {{"text", kText}, {"output", "brackets"}, {"trees", {"dependency"}}});
  EXPECT_EQ(code_of(no_brackets), "no_component");
}

TEST(Service, WritesOtherForms) {
  const Response conllu = ask("/v1/parse", {{"text", kText}, {"output", "conllu"}});
  EXPECT_EQ(conllu.type, "text/x-conllu; charset=utf-8");
  EXPECT_NE(conllu.body.find("1\tThe\t"), std::string::npos);
  const Response brackets = ask("/v1/parse", {{"text", kText}, {"output", "brackets"}});
  EXPECT_EQ(brackets.body.find("(TOP "), 0U) << brackets.body;
  const Response svg = ask("/v1/parse", {{"text", kText}, {"output", "svg"}});
  EXPECT_EQ(svg.type, "image/svg+xml");
  EXPECT_NE(svg.body.find("<svg"), std::string::npos);
  const Response latex = ask("/v1/parse", {{"text", kText}, {"output", "latex"}});
  EXPECT_EQ(latex.status, 200) << latex.body;
  const Response words =
      ask("/v1/parse", {{"text", "Dogs bark .\n"}, {"input", "words"}, {"output", "conllu"}});
  EXPECT_NE(words.body.find("3\t.\t"), std::string::npos) << words.body;
  // What one form says is read by the next request.
  const Response again =
      ask("/v1/parse", {{"text", conllu.body}, {"input", "conllu"}, {"output", "conllu"}});
  EXPECT_EQ(again.body, conllu.body);
}

TEST(Service, MeetsDemands) {
  const std::string text = "She saw the man with the telescope.";
  const auto head_of = [&](int word, const json& demands) {
    const Response response = ask("/v1/parse", {{"text", text}, {"demands", demands}});
    EXPECT_EQ(response.status, 200) << response.body;
    return json_of(
               response)["sentences"][0]["dependency"]["heads"][static_cast<std::size_t>(word) - 1]
        .get<int>();
  };
  const int best = head_of(5, json::array());
  const int other = head_of(5, {{{"word", 5}, {"not_head", best}}});
  EXPECT_NE(other, best);
  EXPECT_EQ(head_of(5, {{{"word", 5}, {"head", 4}}}), 4);
  EXPECT_EQ(head_of(5, {{{"word", 5}, {"head", 2}}}), 2);
  EXPECT_EQ(head_of(5, {{{"sentence", 2}, {"word", 5}, {"not_head", best}}}), best);
  // The demands leave no trace in the answer.
  const Response conllu =
      ask("/v1/parse",
          {{"text", text}, {"output", "conllu"}, {"demands", {{{"word", 5}, {"not_head", best}}}}});
  EXPECT_EQ(conllu.body.find("NotHead"), std::string::npos);
  const auto refused = [&](const json& demands) {
    return ask("/v1/parse", {{"text", text}, {"demands", demands}}).status;
  };
  EXPECT_EQ(refused({{{"word", 50}, {"head", 1}}}), 422);
  EXPECT_EQ(refused({{{"word", 5}, {"head", 50}}}), 422);
  EXPECT_EQ(refused({{{"word", 5}, {"head", 4}}, {{"word", 5}, {"not_head", 4}}}), 422);
  EXPECT_EQ(refused({{{"word", 1}, {"head", 2}}, {{"word", 2}, {"head", 1}}}), 422);
}

TEST(Service, MeetsDemandsOnBrackets) {
  const std::string text = "She saw the man with the telescope.";
  const auto brackets = [&](const json& demands) {
    const Response response =
        ask("/v1/parse", {{"text", text}, {"trees", {"phrase"}}, {"demands", demands}});
    EXPECT_EQ(response.status, 200) << response.body;
    return json_of(response)["sentences"][0]["phrase"]["brackets"].get<std::string>();
  };
  const std::string best = brackets(json::array());
  const bool low = best.find("(NP (NP (DT the) (NN man)) (PP") != std::string::npos;
  const std::string other =
      brackets({{{"first", 3}, {"last", 7}, {"label", "NP"}, {"forbidden", low}}});
  EXPECT_NE(other, best);
  EXPECT_EQ(other.find("(NP (NP (DT the) (NN man)) (PP") != std::string::npos, !low);
  EXPECT_EQ(ask("/v1/parse", {{"text", text},
                              {"trees", {"phrase"}},
                              {"demands", {{{"first", 2}, {"last", 3}, {"label", "WHADJP"}}}}})
                .status,
            422);
}

TEST(Service, ListsTheBestTrees) {
  const Response response =
      ask("/v1/nbest", {{"text", kText}, {"trees", kBoth}, {"nbest", 4}, {"probabilities", true}});
  ASSERT_EQ(response.status, 200) << response.body;
  const json sentence = json_of(response)["sentences"][1];
  ASSERT_EQ(sentence["dependency"].size(), 4U);
  ASSERT_GE(sentence["phrase"].size(), 2U);
  std::set<json> different;
  for (std::size_t k = 0; k < 4; ++k) {
    different.insert(
        json::array({sentence["dependency"][k]["heads"], sentence["dependency"][k]["deprels"]}));
    if (k == 0) continue;
    EXPECT_LE(sentence["dependency"][k]["score"].get<double>(),
              sentence["dependency"][k - 1]["score"].get<double>());
  }
  EXPECT_EQ(different.size(), 4U);
  EXPECT_EQ(ask("/v1/nbest", {{"text", kText}, {"output", "svg"}}).status, 400);
}

TEST(Service, ExplainsArcsByFeaturesThatAddUp) {
  const Response response = ask("/v1/explain", {{"text", kText}, {"sentence", 2}, {"word", 5}});
  ASSERT_EQ(response.status, 200) << response.body;
  const json why = json_of(response)["words"][0];
  EXPECT_EQ(why["word"], 5);
  EXPECT_NE(why["best"]["head"], why["other"]["head"]);
  double sum = 0;
  for (const json& part : why["parts"]) {
    for (const json& feature : part["features"]) {
      sum += (part["in"] == "best" ? 1 : -1) * feature["weight"].get<double>();
    }
  }
  EXPECT_NEAR(sum, why["difference"].get<double>(), 1e-3);
  EXPECT_EQ(json_of(ask("/v1/explain", {{"text", kText}}))["words"].size(), 4U);
  EXPECT_EQ(ask("/v1/explain", {{"text", kText}, {"sentence", 3}}).status, 422);
  EXPECT_EQ(ask("/v1/explain", {{"text", kText}, {"word", 30}}).status, 422);
  EXPECT_EQ(ask("/v1/explain", {{"text", kText}, {"head", 1}}).status, 400);
}

TEST(Service, TagsTokenisesAndListsModels) {
  const json tagged = json_of(ask("/v1/tag", {{"text", kText}, {"model", "tags"}}));
  EXPECT_EQ(tagged["sentences"][0]["tokens"][3]["upos"], "PUNCT");
  EXPECT_FALSE(tagged["sentences"][0].contains("dependency"));
  const json tokens = json_of(ask("/v1/tokenize", {{"text", kText}}));
  EXPECT_EQ(tokens["sentences"][0]["tokens"].size(), 4U);
  EXPECT_FALSE(tokens["sentences"][0]["tokens"][0].contains("upos"));
  const json models = json_of(service().answer(get("/v1/models")))["models"];
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0]["name"], "english-small");
  EXPECT_EQ(models[0]["components"], json({"tokenizer", "tagger", "dependency", "constituency"}));
  EXPECT_EQ(models[0]["default"], true);
}

TEST(Service, WhatTheModelLacksIsSaid) {
  EXPECT_EQ(code_of(ask("/v1/parse", {{"text", kText}, {"model", "tags"}})), "no_component");
  EXPECT_EQ(code_of(ask("/v1/rerank", {{"text", kText}})), "no_component");
  EXPECT_EQ(ask("/v1/parse", {{"text", kText}, {"model", "klingon"}}).status, 404);
}

TEST(Service, HasEveryPathThatItsDescriptionHasAndNoOther) {
  const json described = json_of(service().answer(get("/v1/openapi.json")));
  std::set<std::string> in_file, in_table;
  for (const auto& [path, methods] : described["paths"].items()) {
    for (const auto& [method, about] : methods.items()) {
      in_file.insert(method + " " + path);
      EXPECT_TRUE(about["responses"].contains("200")) << path;
      // Nobody needs a token for what says so, and only for that.
      for (const Route& route : all_routes()) {
        if (route.path != path) continue;
        EXPECT_EQ(about.contains("security"), !route.needs_token) << path;
      }
    }
  }
  for (const Route& route : all_routes()) {
    in_table.insert((route.method == "GET" ? "get " : "post ") + std::string(route.path));
  }
  EXPECT_EQ(in_file, in_table);
  std::set<std::string> fields, documented;
  for (const FieldInfo& field : question_fields()) fields.insert(std::string(field.name));
  for (const auto& field : described["components"]["schemas"]["Question"]["properties"].items()) {
    documented.insert(field.key());
  }
  EXPECT_EQ(fields, documented);
}

TEST(Service, OtherPathsAndMethods) {
  EXPECT_EQ(service().answer(get("/nowhere")).status, 404);
  EXPECT_EQ(service().answer(get("/../etc/passwd")).status, 404);
  const Response wrong = service().answer(post("/v1/models", "text/plain", "x"));
  EXPECT_EQ(wrong.status, 405);
  ASSERT_FALSE(wrong.headers.empty());
  EXPECT_EQ(wrong.headers[0], (std::pair<std::string, std::string>("Allow", "GET, HEAD")));
  EXPECT_EQ(service().answer(post("/app.js", "text/plain", "x")).status, 405);
  Request odd = get("/v1/parse", "text=x");
  odd.method = "BREW";
  EXPECT_EQ(service().answer(odd).status, 405);
  Request head = get("/health/live");
  head.method = "HEAD";
  EXPECT_EQ(service().answer(head).status, 200);
}

TEST(Service, ServesThePageOnceAndRemembers) {
  for (const Asset& asset : all_assets()) {
    Request request = get(std::string(asset.path));
    const Response first = service().answer(request);
    EXPECT_EQ(first.status, 200) << asset.path;
    EXPECT_GT(first.body.size(), 100U) << asset.path;
    request.headers = {{"if-none-match", first.headers[0].second}};
    EXPECT_EQ(service().answer(request).status, 304) << asset.path;
    // Whatever the page names is there.
    for (std::size_t at = 0; (at = first.body.find("from \"./", at)) != std::string::npos; ++at) {
      const std::size_t begin = at + 7, end = first.body.find('"', begin);
      EXPECT_NE(find_asset(first.body.substr(begin, end - begin)), nullptr)
          << first.body.substr(begin, end - begin);
    }
  }
}

TEST(Service, LimitsWordsAndTime) {
  std::string endless;
  for (int i = 0; i < 100'000; ++i) endless += "word ";
  EXPECT_EQ(code_of(ask("/v1/parse", {{"text", endless}})), "sentence_too_long");
  EXPECT_EQ(ask("/v1/parse", {{"text", endless}, {"input", "words"}}).status, 400);
  const Request request = post_json("/v1/parse", {{"text", kText}});
  const Response late =
      service().answer(request, Service::route_of(request), Deadline(std::chrono::milliseconds(0)));
  EXPECT_EQ(late.status, 503);
  EXPECT_EQ(code_of(late), "deadline");
  EXPECT_EQ(late.headers[0].first, "Retry-After");
}

TEST(Service, ADeadlineStopsWorkBetweenSentences) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "She saw the man with the telescope. ";
  const Request request = post_json("/v1/parse", {{"text", text}, {"probabilities", true}});
  const auto begin = std::chrono::steady_clock::now();
  const Response late = service().answer(request, Service::route_of(request),
                                         Deadline(std::chrono::milliseconds(200)));
  EXPECT_EQ(late.status, 503);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Service, WantsItsToken) {
  Service guarded(shelf(), {{}, "secret"});
  Request request = get("/v1/models");
  EXPECT_EQ(guarded.answer(request).status, 401);
  for (const char* wrong :
       {"Bearer ", "Bearer secre", "Bearer secret2", "Basic secret", "secret"}) {
    request.headers = {{"authorization", wrong}};
    EXPECT_EQ(guarded.answer(request).status, 401) << wrong;
  }
  request.headers = {{"authorization", "Bearer secret"}};
  EXPECT_EQ(guarded.answer(request).status, 200);
  for (const char* open : {"/health/live", "/health/ready", "/", "/v1/openapi.json"}) {
    EXPECT_EQ(guarded.answer(get(open)).status, 200) << open;
  }
  EXPECT_EQ(guarded.answer(get("/metrics")).status, 401);
}

TEST(Service, SaysNothingOfItsInside) {
  for (const Response& response :
       {ask("/v1/parse", {{"text", "1\tx\ty\n"}, {"input", "conllu"}}),
        ask("/v1/parse", {{"text", "(S (NP"}, {"input", "brackets"}}),
        ask("/v1/parse", {{"text", "x"}, {"model", "klingon"}}),
        ask("/v1/rerank", {{"lists", "3 x\nnonsense"}, {"model", "tags"}})}) {
    EXPECT_GE(response.status, 400) << response.body;
    EXPECT_EQ(response.body.find(".copse"), std::string::npos) << response.body;
    EXPECT_EQ(response.body.find(".cc"), std::string::npos) << response.body;
    EXPECT_EQ(response.body.find("/tmp"), std::string::npos) << response.body;
  }
}

// Files are to be replaced; of one that is written into the server says so until it has loaded it again.
TEST(Service, SaysThatAModelWasChangedWhereItLies) {
  const std::string path = server_testing::folder().file("overwritten.copse");
  const std::string good = server_testing::folder().file("tagger.copse");
  std::filesystem::copy_file(good, path);
  ModelShelf models([&] { return load_models({{"x", {path}}}); });
  const Service overwritten(models, {});
  const Request request = get("/v1/tag", "text=a");
  EXPECT_EQ(overwritten.answer(request).status, 200);
  std::ofstream(path, std::ios::in | std::ios::out) << "other bytes";
  const Response response = overwritten.answer(request);
  EXPECT_EQ(response.status, 503) << response.body;
  EXPECT_EQ(code_of(response), "model_changed");
  std::filesystem::copy_file(good, path + ".new");
  std::filesystem::rename(path + ".new", path);
  models.reload();
  EXPECT_EQ(overwritten.answer(request).status, 200);
}

TEST(Service, IsNotReadyWhileItStops) {
  Service stopping(shelf(), {});
  EXPECT_EQ(stopping.answer(get("/health/ready")).status, 200);
  stopping.stopping = true;
  EXPECT_EQ(stopping.answer(get("/health/ready")).status, 503);
  EXPECT_EQ(stopping.answer(get("/health/live")).status, 200);
}

TEST(Service, CountsForPrometheus) {
  Service counted(shelf(), {});
  const Request request = get("/health/live");
  counted.metrics().count(Service::route_of(request), 200, 0.003);
  counted.metrics().count(Service::kNoRoute, 404, 7);
  counted.metrics().count_work(2, 12);
  const std::string text = counted.answer(get("/metrics")).body;
  for (const char* line :
       {"copse_http_requests_total{route=\"GET /health/live\",status=\"200\"} 1\n",
        "copse_http_requests_total{route=\"other\",status=\"404\"} 1\n",
        "copse_http_request_seconds_bucket{route=\"GET /health/live\",le=\"0.0025\"} 0\n",
        "copse_http_request_seconds_bucket{route=\"GET /health/live\",le=\"0.005\"} 1\n",
        "copse_http_request_seconds_bucket{route=\"other\",le=\"+Inf\"} 1\n",
        "copse_sentences_total 2\n", "copse_words_total 12\n",
        "# TYPE copse_connections gauge\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(Http, AnswersCarryWhatKeepsBrowsersSafe) {
  const Response response = service().answer(get("/health/live"));
  const std::string bytes = wire_bytes(response, true, false);
  EXPECT_EQ(bytes.find("HTTP/1.1 200 OK\r\n"), 0U);
  for (const char* part : {"X-Content-Type-Options: nosniff\r\n", "Content-Length: 3\r\n",
                           "Content-Security-Policy: default-src 'none'", "Connection: keep-alive",
                           "Cache-Control: no-store\r\n", "\r\n\r\nok\n"}) {
    EXPECT_NE(bytes.find(part), std::string::npos) << part;
  }
  const std::string head = wire_bytes(response, false, true);
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  EXPECT_NE(head.find("Content-Length: 3\r\n"), std::string::npos);
  EXPECT_NE(head.find("Connection: close\r\n"), std::string::npos);
}

}  // namespace
}  // namespace copse::server
