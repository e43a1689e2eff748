// copse rerank: chooses among the candidates of each list.
#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "copse/base/output.h"
#include "copse/base/progress.h"
#include "copse/base/stream.h"
#include "copse/cli/commands.h"
#include "copse/rerank/fragment_features.h"
#include "copse/rerank/graded_lists.h"
#include "copse/rerank/reranker.h"

namespace copse {
namespace {

class RerankCommand : public Command {
 public:
  std::string_view name() const override { return "rerank"; }
  std::string_view summary() const override {
    return "Choose among the candidates of each list with a trained reranker";
  }
  std::vector<Example> examples() const override {
    return {
        {"rerank -m reranker.copse dev.nbl -o dev.trees", "the winner of each list, one a line"},
        {"rerank -m reranker.copse --show order dev.nbl -o ordered.txt",
         "the lists again, best first"},
        {"rerank -m reranker.copse --show scores lists.txt",
         "a line per candidate: its rank and its score"},
        {"rerank -m reranker.copse --show json lists.txt", "lists for a program"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("-m,--model", model_, "A reranker")->required()->type_name("MODEL");
    app.add_option("lists", lists_, "Lists; standard input if not given")->type_name("LISTS");
    app.add_option("--show", show_,
                   "winner: its text, a line per list; order: the lists, best first; scores: rank "
                   "and score of each candidate; json: an object per list, best first")
        ->capture_default_str()
        ->check(CLI::IsMember({"winner", "order", "scores", "json"}))
        ->type_name("WHAT");
    app.add_option("--linearise", fragments_,
                   "With a reranker by the tree kernel: write the lists as candidates whose "
                   "features are its N heaviest fragments, to learn another reranker from")
        ->check(CLI::Range(1, 10'000'000))
        ->type_name("N");
    app.add_option("--gold", gold_, "With --linearise: gold trees, to score the candidates")
        ->type_name("TREES");
    app.add_option("-o,--output", output_, "File to write; standard output if not given")
        ->type_name("OUT");
  }

  ExitCode run(const CommonOptions& common) override {
    const auto reranker = load_reranker(ModelFile::open(model_));
    if (fragments_ > 0) return linearise(*reranker, common);
    if (!gold_.empty()) throw usage_error("--gold needs --linearise");
    CandidateReader reader(Input::open(lists_));
    Output output = Output::open(output_);
    form_ = reader.parses();
    if (show_ == "order" && form_) output.write(n_best_begin(*form_));
    Progress progress("rerank", "lists", !common.quiet);
    stream_in_order<Candidates, std::string>(
        common.threads, [&] { return reader.next(); },
        [&](Candidates&& list) { return shown(*reranker, std::move(list)); },
        [&](std::string&& text) {
          output.write(text);
          progress.add(1);
        });
    if (show_ == "order" && form_) output.write(n_best_end(*form_));
    output.commit();
    return ExitCode::fine;
  }

 private:
  ExitCode linearise(const Reranker& reranker, const CommonOptions& common) const {
    const FragmentFeatures features(reranker, fragments_);
    GradedLists lists({.lists = lists_, .gold = gold_, .role = "lists"});
    Output output = Output::open(output_);
    Progress progress("linearise", "lists", !common.quiet);
    stream_in_order<GradedLists::Item, std::string>(
        common.threads, [&] { return lists.next(); },
        [&](GradedLists::Item&& item) {
          Candidates list = gold_.empty() ? std::move(item.list) : lists.graded(std::move(item));
          std::string text;
          append_candidates(features.with_features(std::move(list)), text);
          return text;
        },
        [&](std::string&& text) {
          output.write(text);
          progress.add(1);
        });
    output.commit();
    return ExitCode::fine;
  }

  std::string shown(const Reranker& reranker, Candidates&& list) const {
    std::vector<double> scores;
    try {
      scores = reranker.scores(list);
    } catch (const Error& error) {
      const std::string which = list.id.empty() ? "" : fmt::format("list {}: ", list.id);
      throw Error(error.kind(), which + error.message(),
                  {lists_ == "-" ? "standard input" : lists_, 0, 0}, error.hint());
    }
    const std::vector<std::size_t> order = ranking(list, scores);
    std::string text;
    if (show_ == "winner") {
      text = order.empty() ? "\n" : text_of(list.items[order[0]]) + "\n";
    } else if (show_ == "scores") {
      std::vector<std::size_t> rank(order.size());
      for (std::size_t r = 0; r < order.size(); ++r) rank[order[r]] = r + 1;
      for (std::size_t c = 0; c < order.size(); ++c) {
        text += fmt::format("{}\t{:.17g}\t{}\n", rank[c], scores[c], text_of(list.items[c]));
      }
      text += "\n";
    } else if (show_ == "json") {
      text = json_of(list, order, scores, reranker.scores_are_log_probabilities())
                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
             "\n";
    } else {
      append_in_order(std::move(list), order, text);
    }
    return text;
  }

  // Best first; "was" is the place of a candidate in the list that came in, from 1; "probability"
  // where scores are logarithms of probabilities.
  static nlohmann::json json_of(const Candidates& list, const std::vector<std::size_t>& order,
                                const std::vector<double>& scores, bool probabilities) {
    nlohmann::json out{{"id", list.id}, {"candidates", nlohmann::json::array()}};
    for (const std::size_t c : order) {
      out["candidates"].push_back(
          {{"text", text_of(list.items[c])}, {"score", scores[c]}, {"was", c + 1}});
      if (probabilities) out["candidates"].back()["probability"] = std::exp(scores[c]);
    }
    return out;
  }

  void append_in_order(Candidates&& list, const std::vector<std::size_t>& order,
                       std::string& out) const {
    std::vector<Candidate> items;
    items.reserve(order.size());
    for (const std::size_t c : order) items.push_back(std::move(list.items[c]));
    list.items = std::move(items);
    if (form_) {
      append_n_best(n_best_from(std::move(list)), *form_, out);
    } else {
      append_candidates(list, out);
    }
  }

  std::string model_, lists_ = "-", output_ = "-", show_ = "winner", gold_;
  std::size_t fragments_ = 0;
  std::optional<NBestForm> form_;
};

}  // namespace

std::unique_ptr<Command> make_rerank_command() {
  return std::make_unique<RerankCommand>();
}

}  // namespace copse
