#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "copse/treebank/evaluation/report.h"

namespace copse {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kRule =
    "============================================================================\n";

double percentage(long part, long whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

double f_measure(double precision, double recall) {
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0.0;
}

void append_row(const EvalbSentence& s, std::string& out) {
  fmt::format_to(std::back_inserter(out),
                 "{:4}  {:3}    {}  {:6.2f} {:6.2f}   {:3}    {:3}  {:3}    {:3}   {:4}  {:4}   "
                 "{:6.2f}\n",
                 s.line, s.length, static_cast<int>(s.status), percentage(s.matched, s.gold),
                 percentage(s.matched, s.system), s.matched, s.gold, s.system, s.crossing, s.words,
                 s.correct_tags, percentage(s.correct_tags, s.words));
}

void append_totals(const EvalbTotals& t, std::string& out) {
  out += kRule;
  if (t.gold > 0 && t.system > 0) {
    fmt::format_to(std::back_inserter(out), "                {:6.2f} {:6.2f} {:6} {:5} {:5}  {:5}",
                   t.recall(), t.precision(), t.matched, t.gold, t.system, t.crossing);
  }
  fmt::format_to(std::back_inserter(out), "  {:5} {:5}   {:6.2f}\n", t.words, t.correct_tags,
                 t.tagging_accuracy());
}

void append_summary(const EvalbTotals& t, std::string& out) {
  const auto number = [&](std::string_view name, long value) {
    fmt::format_to(std::back_inserter(out), "{:<26}= {:6}\n", name, value);
  };
  const auto figure = [&](std::string_view name, double value) {
    fmt::format_to(std::back_inserter(out), "{:<26}= {:6.2f}\n", name, value);
  };
  number("Number of sentence", t.sentences);
  number("Number of Error sentence", t.errors);
  number("Number of Skip  sentence", t.skipped);
  number("Number of Valid sentence", t.valid());
  figure("Bracketing Recall", t.recall());
  figure("Bracketing Precision", t.precision());
  if (t.matched > 0) {
    figure("Bracketing FMeasure", t.f1());
  } else {
    // EVALB divides nothing by nothing here and prints what comes of it.
    fmt::format_to(std::back_inserter(out), "{:<26}= {:>6}\n", "Bracketing FMeasure", "nan");
  }
  figure("Complete match", t.complete_match());
  figure("Average crossing", t.average_crossing());
  figure("No crossing", t.no_crossing());
  figure("2 or less crossing", t.two_or_less_crossing());
  figure("Tagging accuracy", t.tagging_accuracy());
}

// Totals by length of the gold sentence, ten words to a row.
std::array<std::pair<std::string_view, EvalbTotals>, 5> by_length(const EvalbReport& report) {
  std::array<std::pair<std::string_view, EvalbTotals>, 5> rows = {
      {{"1-10", {}}, {"11-20", {}}, {"21-30", {}}, {"31-40", {}}, {"41-", {}}}};
  for (const EvalbSentence& sentence : report.sentences) {
    const int row = std::clamp((sentence.length - 1) / 10, 0, 4);
    rows[static_cast<std::size_t>(row)].second.add(sentence);
  }
  return rows;
}

Json totals_json(const EvalbTotals& t) {
  return {{"precision", t.precision()},
          {"recall", t.recall()},
          {"f1", t.f1()},
          {"exact", t.complete_match()},
          {"crossing", t.average_crossing()},
          {"no_crossing", t.no_crossing()},
          {"two_or_less_crossing", t.two_or_less_crossing()},
          {"tagging", t.tagging_accuracy()},
          {"n", t.valid()},
          {"sentences", t.sentences},
          {"errors", t.errors},
          {"skipped", t.skipped},
          {"matched", t.matched},
          {"gold", t.gold},
          {"system", t.system},
          {"words", t.words},
          {"correct_tags", t.correct_tags}};
}

}  // namespace

std::string evalb_text(const EvalbReport& report, bool rows) {
  std::string out;
  if (rows) {
    out += "  Sent.                        Matched  Bracket   Cross        Correct Tag\n";
    out += " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n";
    out += kRule;
    for (const EvalbSentence& sentence : report.sentences) append_row(sentence, out);
  }
  if (report.stopped) return out;
  if (rows) append_totals(report.all, out);
  out += "=== Summary ===\n\n-- All --\n";
  append_summary(report.all, out);
  fmt::format_to(std::back_inserter(out), "\n-- len<={} --\n", report.parameters.cutoff);
  append_summary(report.up_to_cutoff, out);
  return out;
}

std::string evalb_details_text(const EvalbReport& report) {
  std::vector<std::pair<std::string, EvalbLabelCounts>> labels(report.labels.begin(),
                                                               report.labels.end());
  std::stable_sort(labels.begin(), labels.end(),
                   [](const auto& a, const auto& b) { return a.second.gold > b.second.gold; });
  std::string out = "label          precision  recall     f1   gold system\n";
  for (const auto& [label, counts] : labels) {
    const double precision = percentage(counts.system_matched, counts.system);
    const double recall = percentage(counts.gold_matched, counts.gold);
    fmt::format_to(std::back_inserter(out), "{:<14} {:9.2f} {:7.2f} {:6.2f} {:6} {:6}\n",
                   label.empty() ? "(none)" : label, precision, recall,
                   f_measure(precision, recall), counts.gold, counts.system);
  }
  out += "\nlength         precision  recall     f1   gold system  sentences\n";
  for (const auto& [length, t] : by_length(report)) {
    fmt::format_to(std::back_inserter(out), "{:<14} {:9.2f} {:7.2f} {:6.2f} {:6} {:6} {:10}\n",
                   length, t.precision(), t.recall(), t.f1(), t.gold, t.system, t.valid());
  }
  return out;
}

std::string evalb_json(const EvalbReport& report, bool rows) {
  Json json = totals_json(report.all);
  json["missing"] = report.missing;
  json["extra"] = report.extra;
  json["outer_read_as_top"] = report.outer_read_as_top;
  json["cutoff"] = report.parameters.cutoff;
  json["up_to_cutoff"] = totals_json(report.up_to_cutoff);
  Json labels = Json::object();
  for (const auto& [label, counts] : report.labels) {
    const double precision = percentage(counts.system_matched, counts.system);
    const double recall = percentage(counts.gold_matched, counts.gold);
    labels[label] = {{"precision", precision},
                     {"recall", recall},
                     {"f1", f_measure(precision, recall)},
                     {"gold", counts.gold},
                     {"system", counts.system}};
  }
  json["labels"] = std::move(labels);
  Json lengths = Json::object();
  for (const auto& [length, totals] : by_length(report)) {
    lengths[std::string(length)] = totals_json(totals);
  }
  json["lengths"] = std::move(lengths);
  json["messages"] = report.messages;
  if (rows) {
    Json sentences = Json::array();
    for (const EvalbSentence& s : report.sentences) {
      sentences.push_back({{"line", s.line},
                           {"length", s.length},
                           {"status", static_cast<int>(s.status)},
                           {"matched", s.matched},
                           {"gold", s.gold},
                           {"system", s.system},
                           {"crossing", s.crossing},
                           {"words", s.words},
                           {"correct_tags", s.correct_tags}});
    }
    json["per_sentence"] = std::move(sentences);
  }
  // Labels and words are whatever bytes the files have: what is no UTF-8 is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace copse
