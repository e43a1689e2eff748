#include "copse/server/service.h"

#include <fmt/format.h>

#include <new>

#include "copse/base/watched_files.h"
#include "copse/server/handlers.h"
#include "copse/server/page.h"
#include "copse/server/question.h"

namespace copse::server {
namespace {

using Answer = Response (*)(const Question&, const Work&);

// What answers a path: a question to a model, or something else.
struct Entrance : Route {
  Answer answer = nullptr;
};
constexpr Entrance kRoutes[] = {
    {{"POST", "/v1/parse", true}, answer_parse},
    {{"GET", "/v1/parse", true}, answer_parse},
    {{"POST", "/v1/tag", true}, answer_tag},
    {{"GET", "/v1/tag", true}, answer_tag},
    {{"POST", "/v1/tokenize", true}, answer_tokenize},
    {{"GET", "/v1/tokenize", true}, answer_tokenize},
    {{"POST", "/v1/nbest", true}, answer_nbest},
    {{"GET", "/v1/nbest", true}, answer_nbest},
    {{"POST", "/v1/rerank", true}, answer_rerank},
    {{"POST", "/v1/explain", true}, answer_explain},
    {{"GET", "/v1/explain", true}, answer_explain},
    {{"GET", "/v1/models"}},
    {{"GET", "/v1/openapi.json", false, false}},
    {{"POST", "/process", true}},
    {{"GET", "/process", true}},
    {{"GET", "/models"}},
    {{"POST", "/models"}},
    {{"GET", "/health/live", false, false}},
    {{"GET", "/health/ready", false, false}},
    {{"GET", "/metrics"}},
};

// Where clients of UDPipe's public service look, when they are told another host only.
constexpr std::string_view kUdpipePrefix = "/services/udpipe/api";

std::string_view known_path(std::string_view path) {
  if (path.starts_with(kUdpipePrefix)) {
    const std::string_view rest = path.substr(kUdpipePrefix.size());
    if (rest == "/process" || rest == "/models") return rest;
  }
  return path;
}

std::vector<std::string> route_names() {
  std::vector<std::string> names;
  for (const Route& route : all_routes()) {
    names.push_back(fmt::format("{} {}", route.method, route.path));
  }
  return names;
}

// The time it takes does not tell how much of a token is right.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned differences = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    differences |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(other);
  }
  return differences == 0;
}

Response text_answer(int status, std::string body) {
  Response out;
  out.status = status;
  out.type = "text/plain; charset=utf-8";
  out.body = std::move(body);
  return out;
}

// Only loading the models again helps: what is mapped is not what it was.
Refusal changed_model() {
  return {503, "model_changed",
          "the file of a model was changed while it was in use; the models must be loaded again"};
}

// What is wrong with a path or method that has no route.
[[noreturn]] void refuse_route(const Request& request) {
  std::string allowed;
  for (const Route& route : all_routes()) {
    if (route.path != known_path(request.path)) continue;
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
    if (route.method == "GET") allowed += ", HEAD";
  }
  if (allowed.empty() && find_asset(request.path) != nullptr) allowed = "GET, HEAD";
  if (allowed.empty()) throw Refusal(404, "no_such_path", "there is nothing at this path");
  throw Refusal(405, "bad_method", fmt::format("this path takes {}", allowed),
                {{"Allow", allowed}});
}

}  // namespace

std::span<const Route> all_routes() {
  static const std::vector<Route> kAll(std::begin(kRoutes), std::end(kRoutes));
  return kAll;
}

Service::Service(ModelShelf& shelf, ServiceOptions options)
    : shelf_(shelf), options_(std::move(options)), metrics_(route_names()) {}

std::size_t Service::route_of(const Request& request) {
  const std::string_view path = known_path(request.path);
  std::string_view method = request.method;
  if (method == "HEAD") method = "GET";
  const auto routes = all_routes();
  for (std::size_t i = 0; i < routes.size(); ++i) {
    if (routes[i].path == path && routes[i].method == method) return i;
  }
  return kNoRoute;
}

void Service::require_token(const Request& request) const {
  constexpr std::string_view kScheme = "Bearer ";
  if (options_.token.empty()) return;
  const std::string_view given = request.header("authorization");
  if (given.starts_with(kScheme) && same_secret(given.substr(kScheme.size()), options_.token)) {
    return;
  }
  throw Refusal(401, "no_token", "this server wants a bearer token",
                {{"WWW-Authenticate", "Bearer realm=\"copse\""}});
}

Response Service::dispatch(const Request& request, std::size_t route,
                           const Deadline& deadline) const {
  if (route == kNoRoute) {
    const bool get = request.method == "GET" || request.method == "HEAD";
    if (const Asset* asset = get ? find_asset(request.path) : nullptr) {
      return asset_answer(*asset, request);
    }
    refuse_route(request);
  }
  const Entrance& entrance = kRoutes[route];
  if (entrance.needs_token) require_token(request);
  deadline.check();
  const auto models = shelf_.current();
  if (entrance.answer != nullptr) {
    const Question question = question_of(request, limits());
    const auto model = model_named(*models, question.model);
    return entrance.answer(question, {*model, limits(), deadline});
  }
  if (entrance.path == "/v1/models") return answer_models(*models);
  if (entrance.path == "/models") return answer_udpipe_models(*models);
  if (entrance.path == "/process") {
    return answer_udpipe_process(request, *models, limits(), deadline);
  }
  if (entrance.path == "/v1/openapi.json") return openapi_answer();
  if (entrance.path == "/metrics") {
    Response out = text_answer(200, metrics_.text());
    out.type = "text/plain; version=0.0.4; charset=utf-8";
    return out;
  }
  if (entrance.path == "/health/ready" && stopping) return text_answer(503, "stopping\n");
  return text_answer(200, "ok\n");
}

Response Service::answer(const Request& request, std::size_t route,
                         const Deadline& deadline) const {
  try {
    return dispatch(request, route, deadline);
  } catch (const Refusal& refusal) {
    return refusal.response();
  } catch (const Stopped&) {
    return out_of_time().response();
  } catch (const std::bad_alloc&) {
    return Refusal(503, "no_memory", "not enough memory for this request").response();
  } catch (const std::exception&) {
    if (WatchedFiles::changed() != nullptr) return changed_model().response();
    return Refusal(500, "internal", "the server failed to answer").response();
  }
}

Response Service::answer(const Request& request) const {
  return answer(request, route_of(request), Deadline(limits().work_time));
}

}  // namespace copse::server
