// A connection's bytes: read in pieces, the first byte says how large, and answered by a service over
// small models. However the bytes are cut, the requests are the same; every answer is whole.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "copse/server/request_reader.h"
#include "copse/server/service.h"
#include "fuzz/promise.h"
#include "fuzz/small_models.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

using server::Request;
using server::RequestReader;
using server::Response;
using server::ServerLimits;

ServerLimits reader_limits() {
  ServerLimits limits;
  limits.max_bytes = 4096;
  limits.max_header_bytes = 2048;
  limits.max_words = 30;
  limits.max_nbest = 8;
  limits.work_time = std::chrono::milliseconds(2000);
  return limits;
}

const server::Service& small_service() {
  static server::ModelShelf kShelf([] {
    Pipeline pipeline;
    for (const char* kind : {"tagger", "dependency", "constituency", "reranker"}) {
      pipeline.add(Model::from_bytes(small_model(kind)));
    }
    return server::ServedModels{std::make_shared<server::ServedModel>("en", std::move(pipeline))};
  });
  static const server::Service kService(kShelf, {reader_limits(), ""});
  return kService;
}

struct Reading {
  std::vector<Request> requests;
  int refused = 0;  // the status
};

Reading read(std::string_view bytes, std::size_t piece) {
  Reading out;
  RequestReader reader(reader_limits());
  while (!bytes.empty() && out.refused == 0) {
    auto state = reader.feed(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    for (; state == RequestReader::State::complete; state = reader.state()) {
      out.requests.push_back(reader.take());
    }
    if (state == RequestReader::State::refused) out.refused = reader.refusal().status();
  }
  return out;
}

bool is_whole(const Response& response) {
  if (response.status < 200 || response.status > 599) return false;
  return response.type != "application/json" || nlohmann::json::accept(response.body);
}

}  // namespace

void requests(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t piece = 1 + static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  const Reading reading = read(bytes, piece);
  const Reading whole = read(bytes, bytes.size() + 1);
  promise(reading.requests.size() == whole.requests.size() && reading.refused == whole.refused,
          "however bytes are cut, the requests are the same");
  for (std::size_t i = 0; i < reading.requests.size(); ++i) {
    const Request& request = reading.requests[i];
    promise(request.body == whole.requests[i].body && request.path == whole.requests[i].path,
            "however bytes are cut, the requests say the same");
    const Response response = small_service().answer(request);
    promise(is_whole(response), "every answer is whole");
    promise(response.status != 500, "nothing unforeseen happens");
  }
}

}  // namespace copse::fuzz
