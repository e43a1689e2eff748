#include <fmt/core.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "copse/treebank/evaluation/report.h"

namespace copse {
namespace {

using Json = nlohmann::ordered_json;

void append_scores(std::string_view metric, const Conll18Score& score, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{:11}|{:10.2f} |{:10.2f} |{:10.2f} |", metric,
                 100 * score.precision(), 100 * score.recall(), 100 * score.f1());
  if (const auto accuracy = score.aligned_accuracy()) {
    fmt::format_to(std::back_inserter(out), "{:10.2f}", 100 * *accuracy);
  }
  out += '\n';
}

void append_counts(std::string_view metric, const Conll18Score& score, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{:11}|{:10} |{:10} |{:10} |", metric, score.correct,
                 score.gold, score.system);
  const long aligned = score.aligned.value_or(metric == "Words" ? score.correct : 0);
  if (aligned != 0) {
    fmt::format_to(std::back_inserter(out), "{:10}", aligned);
  } else {
    out += metric == "Words" ? "         0" : "          ";
  }
  out += '\n';
}

}  // namespace

std::string conll18_text(const Conll18Report& report, bool counts) {
  std::string out = counts ? "Metric     | Correct   |      Gold | Predicted | Aligned\n"
                           : "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n";
  out += "-----------+-----------+-----------+-----------+-----------\n";
  for (std::size_t i = 0; i < kConll18Metrics.size(); ++i) {
    (counts ? append_counts : append_scores)(kConll18Metrics[i], report.scores[i], out);
  }
  return out;
}

std::string conll18_json(const Conll18Report& report) {
  Json json;
  for (std::size_t i = 0; i < kConll18Metrics.size(); ++i) {
    json[std::string(kConll18Metrics[i])] = 100 * report.scores[i].f1();
  }
  Json details = Json::object();
  for (std::size_t i = 0; i < kConll18Metrics.size(); ++i) {
    const Conll18Score& score = report.scores[i];
    Json entry = {{"precision", 100 * score.precision()},
                  {"recall", 100 * score.recall()},
                  {"f1", 100 * score.f1()}};
    if (const auto accuracy = score.aligned_accuracy()) entry["aligned"] = 100 * *accuracy;
    entry["correct"] = score.correct;
    entry["gold"] = score.gold;
    entry["system"] = score.system;
    details[std::string(kConll18Metrics[i])] = std::move(entry);
  }
  json["details"] = std::move(details);
  return json.dump(2) + "\n";
}

}  // namespace copse
