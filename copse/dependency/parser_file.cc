// The sections of a dependency model:
//   config            order, root, tree, tag columns, temperatures, threshold, kind of keys
//   templates  labels  weights  label.weights             the rich model
//   pruner.templates  pruner.weights  filter.*            the pruner
//   tagfilter.*                                        what it looks at
//   lexicon  clusters                                     if there are any
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "copse/base/error.h"
#include "copse/base/huge_pages.h"
#include "copse/dependency/parser.h"

namespace copse {
namespace {

// What scores may be divided by; chosen ones are between 0.01 and 100.
constexpr double kColdest = 1e-6, kHottest = 1e6;

template <class T>
T config_value(const ModelFile& file, const char* key) {
  const auto found = file.config().find(key);
  if (found == file.config().end()) throw file.damaged("config", fmt::format("has no \"{}\"", key));
  try {
    return found->get<T>();
  } catch (const nlohmann::json::exception&) {
    throw file.damaged("config", fmt::format("\"{}\" is of the wrong type", key));
  }
}

// Models of before have none.
TreeOdds tree_odds_of(const ModelFile& file) {
  constexpr double kLargest = 1e3;
  if (!file.config().contains("tree_odds")) return {};
  const auto numbers = config_value<std::vector<double>>(file, "tree_odds");
  const bool good =
      numbers.size() == 2 && numbers[0] >= 0 &&
      std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::abs(x) <= kLargest; });
  if (!good) {
    throw file.damaged("config", fmt::format("\"tree_odds\" must be two numbers up to {}, the "
                                             "first not negative",
                                             kLargest));
  }
  return {numbers[0], numbers[1]};
}

TreeKind kind_of(const ModelFile& file) {
  TreeKind kind;
  const auto order = config_value<std::string>(file, "order");
  try {
    kind.order = parse_order(order);
  } catch (const Error& error) {
    throw file.damaged("config", error.message());
  }
  const auto root = config_value<std::string>(file, "root");
  if (root != "multi" && root != "single") {
    throw file.damaged("config", fmt::format("has an unknown root rule \"{}\"", root));
  }
  kind.root = root == "multi" ? RootRule::multi : RootRule::single;
  kind.projective = config_value<bool>(file, "projective");
  if (!kind.projective && kind.order == Factorisation::carreras) {
    throw file.damaged("config", "asks for non-projective trees of the order carreras");
  }
  return kind;
}

// Models of before have chained ones and do not say so.
KeyScheme keys_of(const ModelFile& file) {
  if (!file.config().contains("keys")) return KeyScheme::chained;
  const auto keys = config_value<std::string>(file, "keys");
  if (keys == "summed") return KeyScheme::summed;
  if (keys == "chained") return KeyScheme::chained;
  throw file.damaged("config", fmt::format("has keys \"{}\"; expected chained or summed", keys));
}

PartScorer scorer_of(const ModelFile& file, const std::string& prefix, KeyScheme keys, int labels) {
  const std::string templates = prefix + "templates";
  PartFeatures features(parse_part_templates(file.text(templates), file.name() + ": " + templates),
                        keys);
  const auto view = [&](const std::string& name, auto&& read) {
    try {
      return read(file.section(name));
    } catch (const Error& error) {
      throw file.damaged(name, error.what());
    }
  };
  const HugePageCopy copy(file.section(prefix + "weights"));
  const auto weights =
      view(prefix + "weights", [&](auto) { return ScalarTable::view(copy.bytes()); });
  FrozenWeights label_weights;
  HugePageCopy label_copy;
  if (labels > 0) {
    label_copy = HugePageCopy(file.section(prefix + "label.weights"));
    label_weights = view(prefix + "label.weights",
                         [&](auto) { return FrozenWeights::view(label_copy.bytes()); });
    if (label_weights.labels() != static_cast<std::size_t>(labels)) {
      throw file.damaged(prefix + "label.weights", "has another number of labels");
    }
  }
  PartScorer scorer(std::move(features), weights, label_weights, labels);
  // Both live as long as the scorer does.
  scorer.keep(std::make_shared<const std::pair<HugePageCopy, HugePageCopy>>(copy, label_copy));
  return scorer;
}

}  // namespace

Factorisation parse_order(const std::string& order) {
  for (const Factorisation each :
       {Factorisation::first, Factorisation::sibling, Factorisation::carreras,
        Factorisation::model0, Factorisation::model1, Factorisation::model2}) {
    if (order == name(each)) return each;
  }
  if (order == "grandsibling") return Factorisation::model1;
  throw usage_error(fmt::format("unknown order \"{}\"", order),
                    "expected first, sibling, carreras, model0, model1 or model2");
}

DependencyParser DependencyParser::load(const ModelFile& file) {
  file.require_kind(kDependencyKind);
  Parts parts;
  parts.kind = kind_of(file);
  parts.scheme.xpos = config_value<bool>(file, "xpos");
  parts.scheme.own_coarse = config_value<bool>(file, "own_coarse");
  parts.scheme.tags = config_value<bool>(file, "tags");
  parts.lifted = config_value<bool>(file, "lifted");
  parts.temperature = config_value<double>(file, "temperature");
  parts.label_temperature = file.config().contains("label_temperature")
                                ? config_value<double>(file, "label_temperature")
                                : parts.temperature;
  if (file.config().contains("tree_temperature")) {
    parts.tree_temperature = config_value<double>(file, "tree_temperature");
  }
  for (const double temperature :
       {parts.temperature, parts.label_temperature, parts.tree_temperature}) {
    if (!(temperature >= kColdest && temperature <= kHottest)) {
      throw file.damaged("config", fmt::format("has a temperature of {}", temperature));
    }
  }
  parts.tree_odds = tree_odds_of(file);
  if (file.has("lexicon")) parts.limit = LexicalLimit(file.strings("lexicon"));
  if (file.has("clusters")) {
    try {
      parts.clusters =
          std::make_shared<const WordClusters>(WordClusters::from_bytes(file.text("clusters")));
    } catch (const Error& error) {
      throw file.damaged("clusters", error.message());
    }
  }
  parts.labels = file.strings("labels");
  if (parts.labels.size() > UINT16_MAX) throw file.damaged("labels", "has too many");
  parts.keys = keys_of(file);
  parts.scorer = scorer_of(file, "", parts.keys, static_cast<int>(parts.labels.size()));
  // Above 1 not even the likeliest head of a word would be kept.
  const auto threshold = config_value<double>(file, "prune");
  if (!(threshold >= 0 && threshold <= 1)) {
    throw file.damaged("config", fmt::format("\"prune\" is {}; expected 0 to 1", threshold));
  }
  PartScorer pruner_scorer =
      threshold > 0 ? scorer_of(file, "pruner.", parts.keys, 0) : PartScorer();
  parts.pruner =
      ArcPruner(LengthFilter::load(file), std::move(pruner_scorer), threshold, parts.kind);
  parts.pruner.set_tag_filter(TagFilter::load(file));
  parts.owner = file.owner();
  return DependencyParser(std::move(parts));
}

nlohmann::json parser_config(const DependencyParser::Parts& parts) {
  return {{"order", name(parts.kind.order)},
          {"root", parts.kind.root == RootRule::multi ? "multi" : "single"},
          {"projective", parts.kind.projective},
          {"xpos", parts.scheme.xpos},
          {"own_coarse", parts.scheme.own_coarse},
          {"tags", parts.scheme.tags},
          {"keys", parts.keys == KeyScheme::summed ? "summed" : "chained"},
          {"lifted", parts.lifted},
          {"temperature", parts.temperature},
          {"label_temperature", parts.label_temperature},
          {"tree_temperature", parts.tree_temperature},
          {"tree_odds", {parts.tree_odds.slope, parts.tree_odds.offset}},
          {"prune", parts.pruner.threshold()}};
}

void save_parser(const DependencyParser::Parts& parts, const ParserTemplates& templates,
                 const FrozenParserWeights& weights, ModelWriter& writer) {
  writer.add("templates", templates.parts);
  writer.add_strings("labels", parts.labels);
  writer.add("weights", weights.parts);
  if (!parts.labels.empty()) writer.add("label.weights", weights.labels);
  if (parts.pruner.threshold() > 0) {
    writer.add("pruner.templates", templates.pruner);
    writer.add("pruner.weights", weights.pruner);
  }
  parts.pruner.filter().save(writer);
  if (parts.pruner.threshold() > 0) parts.pruner.tag_filter().save(writer);
  if (parts.limit.is_limited()) writer.add_strings("lexicon", parts.limit.words());
  if (parts.clusters) writer.add("clusters", parts.clusters->bytes());
}

}  // namespace copse
