#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "copse/treebank/evaluation/report.h"
#include "copse/treebank/evaluation/report_table.h"

namespace copse {
namespace {

using Json = nlohmann::ordered_json;

struct NamedColumn {
  std::string_view name;
  std::string_view key;
  const TagColumnScore* score;
};

std::vector<NamedColumn> columns_of(const TagReport& report) {
  return {{"UPOS", "upos", &report.upos},
          {"XPOS", "xpos", &report.xpos},
          {"FEATS", "feats", &report.feats},
          {"LEMMA", "lemma", &report.lemma},
          {"AllTags", "all_tags", &report.all_tags}};
}

void append_confusions(const NamedColumn& column, std::size_t limit, std::string& out) {
  if (column.score->confusions.empty() || limit == 0) return;
  fmt::format_to(std::back_inserter(out), "\n{}: gold taken for system, most frequent first\n",
                 column.name);
  const auto& confusions = column.score->confusions;
  for (std::size_t i = 0; i < std::min(limit, confusions.size()); ++i) {
    fmt::format_to(std::back_inserter(out), "{:7}  {} -> {}\n", confusions[i].words,
                   confusions[i].gold, confusions[i].system);
  }
}

}  // namespace

std::string tags_text(const TagReport& report, std::size_t confusions) {
  std::string out = "column   accuracy  correct    words";
  out += report.has_vocabulary ? "   unknown  correct    words\n" : "\n";
  for (const NamedColumn& column : columns_of(report)) {
    const TagColumnScore& score = *column.score;
    fmt::format_to(std::back_inserter(out), "{:<8}{:9.2f}{:9}{:9}", column.name,
                   score.all.accuracy(), score.all.correct, score.all.words);
    if (report.has_vocabulary) {
      fmt::format_to(std::back_inserter(out), " {:9.2f}{:9}{:9}", score.unknown.accuracy(),
                     score.unknown.correct, score.unknown.words);
    }
    out += '\n';
  }
  for (const NamedColumn& column : columns_of(report)) append_confusions(column, confusions, out);
  return out;
}

std::string tags_json(const TagReport& report) {
  Json json;
  for (const NamedColumn& column : columns_of(report)) {
    json[std::string(column.key)] = column.score->all.accuracy();
  }
  json["n"] = report.upos.all.words;
  json["sentences"] = report.sentences;
  if (report.has_vocabulary) {
    Json unknown;
    for (const NamedColumn& column : columns_of(report)) {
      unknown[std::string(column.key)] = column.score->unknown.accuracy();
    }
    unknown["n"] = report.upos.unknown.words;
    json["unknown"] = std::move(unknown);
  }
  Json confusions = Json::object();
  for (const NamedColumn& column : columns_of(report)) {
    Json list = Json::array();
    for (const TagConfusion& confusion : column.score->confusions) {
      list.push_back(
          {{"gold", confusion.gold}, {"system", confusion.system}, {"n", confusion.words}});
    }
    if (!list.empty()) confusions[std::string(column.key)] = std::move(list);
  }
  json["confusions"] = std::move(confusions);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string entities_text(const EntityReport& report) {
  std::string out = fmt::format("{} words, {} sentences; label accuracy {:.2f}\n\n", report.words,
                                report.sentences, report.accuracy());
  Breakdown<FoundCounts> rows(report.types.begin(), report.types.end());
  rows.emplace_back("all", report.total);
  out += found_table("type", rows);
  return out;
}

std::string entities_json(const EntityReport& report) {
  const auto to_json = [](const FoundCounts& c) {
    return Json{
        {"precision", c.precision()}, {"recall", c.recall()}, {"f1", c.f1()}, {"gold", c.gold},
        {"system", c.system},         {"correct", c.correct}};
  };
  Json json = to_json(report.total);
  json["accuracy"] = report.accuracy();
  json["n"] = report.words;
  json["sentences"] = report.sentences;
  json["gold_unmarked"] = report.gold_unmarked;
  json["system_unmarked"] = report.system_unmarked;
  Json types = Json::object();
  for (const auto& [type, counts] : report.types) types[type] = to_json(counts);
  json["types"] = std::move(types);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace copse
