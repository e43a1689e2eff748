#include <fmt/core.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "copse/treebank/evaluation/report.h"
#include "copse/treebank/evaluation/report_table.h"

namespace copse {
namespace {

using Json = nlohmann::ordered_json;

Json found_json(const FoundCounts& c) {
  return {{"precision", c.precision()}, {"recall", c.recall()}, {"f1", c.f1()}, {"gold", c.gold},
          {"system", c.system},         {"correct", c.correct}};
}

Json counts_json(const AttachmentCounts& c) {
  return {{"uas", c.uas()}, {"las", c.las()}, {"la", c.la()}, {"n", c.words}};
}

template <class Counts, class ToJson>
Json breakdown_json(const Breakdown<Counts>& breakdown, ToJson to_json) {
  Json json = Json::object();
  for (const auto& [name, counts] : breakdown) json[name] = to_json(counts);
  return json;
}

}  // namespace

std::string attachment_text(const AttachmentReport& report, bool details) {
  std::string out;
  const auto line = [&](std::string_view name, double value, long part, long whole) {
    fmt::format_to(std::back_inserter(out), "{:<22}{:7.2f}  ({} of {})\n", name, value, part,
                   whole);
  };
  const AttachmentCounts& total = report.total;
  line("UAS", total.uas(), total.heads, total.words);
  line("LAS", total.las(), total.both, total.words);
  line("Label accuracy", total.la(), total.labels, total.words);
  line("Root accuracy", report.root_accuracy(), report.roots.heads, report.roots.words);
  line("Complete, unlabelled", report.complete_unlabeled_match(), report.complete_heads,
       report.scored_sentences);
  line("Complete, labelled", report.complete_match(), report.complete, report.scored_sentences);
  fmt::format_to(std::back_inserter(out), "\n{} sentences; punctuation policy: {}\n",
                 report.sentences, name_of(report.options.punctuation));
  if (report.without_head > 0) {
    fmt::format_to(std::back_inserter(out), "{} words have no head in the system file\n",
                   report.without_head);
  }
  if (!details) return out;
  out += "\nBy relation (head and label right)\n" + found_table("relation", report.relations);
  out += "\nBy distance to the head (head right)\n" + found_table("distance", report.distances);
  out += "\nBy side of the head (head right)\n" + found_table("head", report.directions);
  out += "\nBy tag\n" + accuracy_table("tag", report.tags);
  out += "\nBy length of the sentence\n" + accuracy_table("words", report.lengths);
  return out;
}

std::string attachment_json(const AttachmentReport& report, bool rows) {
  Json json = counts_json(report.total);
  json["root"] = report.root_accuracy();
  json["exact"] = report.complete_match();
  json["exact_unlabeled"] = report.complete_unlabeled_match();
  json["sentences"] = report.sentences;
  json["without_head"] = report.without_head;
  json["punct"] = name_of(report.options.punctuation);
  json["relations"] = breakdown_json(report.relations, found_json);
  json["distances"] = breakdown_json(report.distances, found_json);
  json["directions"] = breakdown_json(report.directions, found_json);
  json["tags"] = breakdown_json(report.tags, counts_json);
  json["lengths"] = breakdown_json(report.lengths, counts_json);
  if (rows) {
    Json sentences = Json::array();
    for (const AttachmentCounts& counts : report.per_sentence) {
      sentences.push_back(counts_json(counts));
    }
    json["per_sentence"] = std::move(sentences);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace copse
