// copse serve: models behind HTTP, with a page.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/server/server.h"

namespace copse {
namespace {

constexpr std::size_t kLongestToken = 4096;

class ServeCommand : public Command {
 public:
  std::string_view name() const override { return "serve"; }
  std::string_view summary() const override {
    return "Serve models over HTTP: a REST API, UDPipe's API and a page to look at parses";
  }
  std::vector<Example> examples() const override {
    return {
        {"serve -m en=tagger.copse,parser.copse", "a model of two files at http://127.0.0.1:8080/"},
        {"serve -m en=tagger.copse,parser.copse,wsj.copse --port 9000",
         "with phrase structure, at another port"},
        {"serve -m ud=parser.copse -m ptb=wsj.copse --port 0",
         "two models, at a port that the system chooses and the first line of output names"},
        {"serve -m en=parser.copse --time-limit 2 --queue 64 --max-bytes 100000",
         "for strangers: short requests only"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("-m,--model", models_,
                   "A model: the name or file of a bundle, or [NAME=]FILE[,FILE...] for its "
                   "tokeniser, tagger, parsers and reranker; may be given several times; en if not "
                   "given")
        ->type_name("MODEL");
    app.add_option("--port", port_, "Port to listen at; 0: one that the system chooses")
        ->capture_default_str()
        ->check(CLI::Range(0, 65535));
    app.add_option("--address", listen_.address,
                   "Address to listen at; 0.0.0.0 or :: for all, when anybody can ask")
        ->capture_default_str()
        ->type_name("ADDRESS");
    app.add_option("--max-bytes", limits_.max_bytes, "Longest body of a request")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30U));
    app.add_option("--longest", limits_.max_words, "Longest sentence, in words")
        ->capture_default_str()
        ->check(CLI::Range(1, 5000))
        ->type_name("N");
    app.add_option("--time-limit", seconds_, "Seconds that the work on a request may take")
        ->capture_default_str()
        ->check(CLI::Range(0.001, 3600.0))
        ->type_name("SECONDS");
    app.add_option("--queue", limits_.max_queue,
                   "Requests that may wait for a worker; others are told to come again")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--connections", limits_.max_connections,
                   "Connections at a time; the one idle longest makes room for another")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--client-time", client_seconds_,
                   "Seconds that a client may take to send headers; three times that for a body, "
                   "an answer, or between requests")
        ->capture_default_str()
        ->check(CLI::Range(0.001, 3600.0))
        ->type_name("SECONDS");
    app.add_option("--token-file", token_file_,
                   "File with a token that requests must bring as 'Authorization: Bearer TOKEN'")
        ->type_name("FILE");
    app.add_option("--access-log", log_, "File for a line of JSON per request; -: standard error")
        ->type_name("FILE");
  }

  ExitCode run(const CommonOptions& common) override {
    std::vector<server::ModelSpec> specs;
    if (models_.empty()) models_.emplace_back(kDefaultModel);
    for (const std::string& text : models_) specs.push_back(server::ModelSpec::from(text));
    server::ModelShelf shelf([specs] { return server::load_models(specs); });
    server::Service service(shelf, {resolved_limits(), token()});
    server::AccessLog log(log_);
    listen_.port = static_cast<std::uint16_t>(port_);
    listen_.workers = common.threads;
    server::Server server(service, listen_, log);
    announce(server.port());
    server.run();
    return ExitCode::fine;
  }

 private:
  server::ServerLimits resolved_limits() const {
    const auto milliseconds = [](double seconds) {
      return std::chrono::milliseconds(static_cast<long>(seconds * 1000));
    };
    server::ServerLimits out = limits_;
    out.work_time = milliseconds(seconds_);
    out.header_time = milliseconds(client_seconds_);
    out.body_time = out.write_time = out.idle_time = milliseconds(3 * client_seconds_);
    return out;
  }

  std::string token() const {
    if (token_file_.empty()) return {};
    std::string text = Input::open(token_file_).read_all(kLongestToken);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (text.empty()) throw usage_error("the file of --token-file is empty");
    return text;
  }

  void announce(int port) const {
    const bool six = listen_.address.find(':') != std::string::npos;
    Output output = Output::open("-");
    output.write(fmt::format("copse serves at http://{}{}{}:{}/\n", six ? "[" : "", listen_.address,
                             six ? "]" : "", port));
    output.commit();
  }

  std::vector<std::string> models_;
  server::ListenOptions listen_;
  server::ServerLimits limits_;
  int port_ = 8080;
  double seconds_ = 10, client_seconds_ = 10;
  std::string token_file_, log_;
};

}  // namespace

std::unique_ptr<Command> make_serve_command() {
  return std::make_unique<ServeCommand>();
}

}  // namespace copse
