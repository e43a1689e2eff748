#include "copse/constituency/spinal/parser_file.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/data_source.h"
#include "copse/base/error.h"
#include "copse/base/pool.h"
#include "copse/constituency/spinal/explain.h"

namespace copse::spinal {
namespace {

const std::string kSections = "spinal/";       // prefix of all sections
const std::string kTagger = "spinal/tagger/";  // prefix of its sections

class Door : public PhraseParser {
 public:
  Door(SpinalParser parser, const SearchOptions& search)
      : parser_(std::move(parser)), search_(search) {}

  std::string_view model() const override { return kModelName; }
  bool has_probabilities() const override { return false; }
  bool has_dependencies() const override { return true; }
  bool knows(std::string_view word) const override { return parser_.parts().lexicon.knows(word); }
  PhraseAnswer parse(const WordsToParse& sentence, const PhraseQuestion& question) const override {
    return parser_.parse(sentence, question, search_, *workspaces_.take());
  }
  PhraseExplanation explain(const WordsToParse& sentence, std::optional<int> word,
                            std::optional<int> head) const override {
    AttachmentExplainer explainer(parser_, sentence, search_);
    PhraseExplanation out{{}, AttachmentExplainer::labels(parser_), explainer.note()};
    if (word) {
      out.words.push_back(explainer.explain(*word, head));
      return out;
    }
    for (int m = 1; m <= static_cast<int>(sentence.words.size()); ++m) {
      out.words.push_back(explainer.explain(m));
    }
    return out;
  }
  ModelWriter file(nlohmann::json config) const override {
    return write_parser(parser_, std::move(config));
  }

 private:
  SpinalParser parser_;
  SearchOptions search_;
  mutable Pool<Workspace> workspaces_;
};

// Lists of numbers by name: the names, how long each list is, all numbers.
void add_lists(ModelWriter& writer, const std::string& name, const ChainLists& lists) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> sizes, all;
  for (const auto& [key, row] : lists) {
    names.push_back(key);
    sizes.push_back(static_cast<std::uint32_t>(row.size()));
    all.insert(all.end(), row.begin(), row.end());
  }
  writer.add_strings(name, names);
  writer.add_array<std::uint32_t>(name + "-sizes", sizes);
  writer.add_array<std::uint32_t>(name + "-chains", all);
}

// The pieces of a flat array.
template <class T>
std::vector<std::vector<T>> pieces(const ModelFile& file, const std::string& name,
                                   std::span<const std::uint32_t> sizes, std::span<const T> all) {
  std::vector<std::vector<T>> out;
  for (const std::uint32_t size : sizes) {
    if (size > all.size()) throw file.damaged(name, "is shorter than its lists");
    out.emplace_back(all.begin(), all.begin() + size);
    all = all.subspan(size);
  }
  if (!all.empty()) throw file.damaged(name, "is longer than its lists");
  return out;
}

ChainLists read_lists(const ModelFile& file, const std::string& name) {
  const auto names = file.strings(name);
  auto rows = pieces<std::uint32_t>(file, name, file.array<std::uint32_t>(name + "-sizes"),
                                    file.array<std::uint32_t>(name + "-chains"));
  if (rows.size() != names.size()) throw file.damaged(name, "does not fit its lists");
  ChainLists lists;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!lists.emplace(names[i], std::move(rows[i])).second) {
      throw file.damaged(name, "has a name twice");
    }
  }
  return lists;
}

void write_inventory(ModelWriter& writer, const Inventory& inventory) {
  std::vector<std::string> labels;
  for (Symbols::Id id = 0; id < inventory.labels().size(); ++id) {
    labels.emplace_back(inventory.labels().text(id));
  }
  std::vector<std::uint32_t> sizes;
  std::vector<LabelId> nodes;
  for (const Chain& each : inventory.chains()) {
    sizes.push_back(static_cast<std::uint32_t>(each.size()));
    nodes.insert(nodes.end(), each.begin(), each.end());
  }
  writer.add_strings("spinal/labels", labels);
  writer.add_array<SpinalLabel>("spinal/adjunctions", inventory.adjunctions());
  writer.add_array<std::uint32_t>("spinal/chain-sizes", sizes);
  writer.add_array<LabelId>("spinal/chains", nodes);
  add_lists(writer, "spinal/tags", inventory.by_tag());
  add_lists(writer, "spinal/words", inventory.by_word());
  writer.add_array<std::uint32_t>("spinal/unknown-chains", inventory.for_unknown());
}

std::shared_ptr<const Inventory> read_inventory(const ModelFile& file) {
  Symbols labels;
  const auto names = file.strings("spinal/labels");
  for (const std::string& name : names) labels.add(name);
  if (labels.size() != names.size() || names.size() > std::numeric_limits<LabelId>::max()) {
    throw file.damaged("spinal/labels", "has a label twice, or too many");
  }
  const auto adjunctions = file.array<SpinalLabel>("spinal/adjunctions");
  const auto unknown = file.array<std::uint32_t>("spinal/unknown-chains");
  auto inventory = std::make_shared<Inventory>(
      std::move(labels), std::vector<SpinalLabel>(adjunctions.begin(), adjunctions.end()),
      pieces<LabelId>(file, "spinal/chains", file.array<std::uint32_t>("spinal/chain-sizes"),
                      file.array<LabelId>("spinal/chains")),
      read_lists(file, "spinal/tags"), read_lists(file, "spinal/words"),
      std::vector<std::uint32_t>(unknown.begin(), unknown.end()));
  const std::string wrong = inventory->check();
  if (!wrong.empty()) throw file.damaged("spinal/chains", wrong);
  return inventory;
}

template <class T>
T config_value(const ModelFile& file, const char* key) {
  const auto found = file.config().find(key);
  if (found == file.config().end()) {
    throw file.damaged("config", std::string("has no \"") + key + "\"");
  }
  try {
    return found->get<T>();
  } catch (const nlohmann::json::exception&) {
    throw file.damaged("config", std::string("\"") + key + "\" is of the wrong type");
  }
}

ModelOptions read_options(const ModelFile& file) {
  ModelOptions options;
  const auto order = config_value<std::string>(file, "order");
  if (order != "first" && order != "second") {
    throw file.damaged("config", "has an order that is neither first nor second");
  }
  options.second_order = order == "second";
  options.exact_levels = config_value<bool>(file, "exact_levels");
  options.alpha = config_value<double>(file, "alpha");
  if (!(options.alpha >= 0 && options.alpha <= 1)) throw file.damaged("config", "has a bad alpha");
  return options;
}

// Every tag that the tagger may give must be a label of the inventory.
void check_tags(const ModelFile& file, const SequenceTagger& tagger, const Inventory& inventory) {
  for (const std::string& tag : tagger.model().labels) {
    if (inventory.labels().find(tag) == Symbols::kUnknown) {
      throw file.damaged("spinal/labels", "lacks a tag of the tagger");
    }
  }
  for (const auto& [tag, chains] : inventory.by_tag()) {
    if (inventory.labels().find(tag) == Symbols::kUnknown) {
      throw file.damaged("spinal/labels", "lacks a tag");
    }
  }
}

}  // namespace

nlohmann::json to_json(const TrainingOptions& options) {
  return {{"order", options.model.second_order ? "second" : "first"},
          {"exact_levels", options.model.exact_levels},
          {"alpha", options.model.alpha},
          {"training_alpha", options.training_alpha},
          {"arc_threshold", options.pruner.arc_threshold},
          {"pruner_passes", options.pruner.passes},
          {"pruner_trees", options.pruner.most_trees},
          {"epochs", options.epochs},
          {"clusters", file_name(options.clusters_name)},
          {"batch", options.batch},
          {"update", options.mira ? "mira" : "perceptron"},
          {"cost", options.cost},
          {"aggressiveness", options.aggressiveness},
          {"pruner_folds", options.pruner_folds},
          {"tag_folds", options.tag_folds},
          {"tagger_epochs", options.tagger_epochs},
          {"max_length", options.max_length},
          {"seed", options.seed}};
}

ModelWriter write_parser(const SpinalParser& parser, nlohmann::json config) {
  const SpinalParser::Parts& parts = parser.parts();
  config["model"] = kModelName;
  config["order"] = parts.options.second_order ? "second" : "first";
  config["exact_levels"] = parts.options.exact_levels;
  config["alpha"] = parts.options.alpha;
  config["arc_threshold"] = parts.pruner.arc_threshold();
  ModelWriter writer(kConstituencyKind, config);
  write_inventory(writer, *parts.inventory);
  parts.lexicon.save(writer, kSections);
  const TemplateTexts& texts = parts.features.texts();
  writer.add("spinal/spine.templates", texts.spine);
  writer.add("spinal/part.templates", texts.parts);
  writer.add("spinal/begin.templates", texts.begin);
  writer.add("spinal/end.templates", texts.end);
  writer.add("spinal/edge.templates", texts.edge);
  parts.pruner.save(writer);
  parts.tagger.save(writer, kTagger);
  writer.add("spinal/weights", parts.weights);
  writer.add("spinal/heads", parts.heads.str());
  return writer;
}

SpinalParser read_parser(const ModelFile& file) {
  file.require_kind(kConstituencyKind);
  const auto text = [&](const char* name) { return std::string(file.text(name)); };
  SpinalParser::Parts parts{read_options(file),
                            read_inventory(file),
                            Lexicon::load(file, kSections),
                            {},
                            {},
                            SequenceTagger::load(file, kTagger),
                            text("spinal/weights"),
                            HeadRules::parse(text("spinal/heads"), file.name())};
  check_tags(file, parts.tagger, *parts.inventory);
  parts.features = Features(
      {text("spinal/spine.templates"), text("spinal/part.templates"),
       text("spinal/begin.templates"), text("spinal/end.templates"), text("spinal/edge.templates")},
      *parts.inventory, file.name() + ": ");
  parts.pruner = Pruner::load(file, *parts.inventory);
  try {
    return SpinalParser(std::move(parts));
  } catch (const Error& error) {
    throw file.damaged("spinal/weights", error.message());
  }
}

std::unique_ptr<PhraseParser> make_phrase_parser(SpinalParser parser, const SearchOptions& search) {
  return std::make_unique<Door>(std::move(parser), search);
}

std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const SearchOptions& search) {
  return make_phrase_parser(read_parser(file), search);
}

}  // namespace copse::spinal
