#include "copse/constituency/incremental/parser_file.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/data_source.h"
#include "copse/base/error.h"
#include "copse/base/pool.h"
#include "copse/model/settings.h"

namespace copse::incremental {
namespace {

const std::string kTagger = "incremental/tagger/";  // prefix of its sections
const std::string kCompanion = "incremental/generative/";
constexpr double kMostWeight = 1e6;

class Door : public PhraseParser {
 public:
  Door(IncrementalParser parser, const SearchOptions& search)
      : parser_(std::move(parser)), search_(search) {}

  std::string_view model() const override { return kModelName; }
  bool has_probabilities() const override { return false; }
  bool has_dependencies() const override { return false; }
  bool has_steps() const override { return true; }
  bool knows(std::string_view word) const override { return parser_.parts().lexicon.knows(word); }
  PhraseAnswer parse(const WordsToParse& sentence, const PhraseQuestion& question) const override {
    return parser_.parse(sentence, question, search_, *workspaces_.take());
  }
  ModelWriter file(nlohmann::json config) const override {
    return write_parser(parser_, std::move(config));
  }

 private:
  IncrementalParser parser_;
  SearchOptions search_;
  mutable Pool<Workspace> workspaces_;
};

void write_grammar(ModelWriter& writer, const Grammar& grammar) {
  std::vector<std::string> names;
  for (Symbols::Id id = 0; id < grammar.names().size(); ++id) {
    names.emplace_back(grammar.names().text(id));
  }
  std::vector<std::uint32_t> sizes;
  std::vector<LabelId> labels;
  std::vector<std::uint8_t> in_use;
  for (std::size_t i = 0; i < grammar.chains().size(); ++i) {
    const Chain& chain = grammar.chains()[i];
    sizes.push_back(static_cast<std::uint32_t>(chain.size()));
    labels.insert(labels.end(), chain.begin(), chain.end());
    in_use.push_back(grammar.in_use(static_cast<int>(i)) ? 1 : 0);
  }
  const std::vector<Triple> triples = grammar.triples();
  writer.add_strings("incremental/labels", names);
  writer.add_array<std::uint32_t>("incremental/chain-sizes", sizes);
  writer.add_array<LabelId>("incremental/chains", labels);
  writer.add_array<std::uint8_t>("incremental/chains-in-use", in_use);
  writer.add_array<Triple>("incremental/triples", triples);
}

std::shared_ptr<const Grammar> read_grammar(const ModelFile& file) {
  std::vector<Chain> chains;
  auto labels = file.array<LabelId>("incremental/chains");
  for (const std::uint32_t size : file.array<std::uint32_t>("incremental/chain-sizes")) {
    if (size > labels.size())
      throw file.damaged("incremental/chains", "is shorter than its chains");
    chains.emplace_back(labels.begin(), labels.begin() + size);
    labels = labels.subspan(size);
  }
  if (!labels.empty() || chains.empty()) {
    throw file.damaged("incremental/chains", "is longer than its chains");
  }
  try {
    return std::make_shared<Grammar>(file.strings("incremental/labels"), std::move(chains),
                                     file.array<std::uint8_t>("incremental/chains-in-use"),
                                     file.array<Triple>("incremental/triples"));
  } catch (const Error& error) {
    throw file.damaged("incremental/labels", error.message());
  }
}

ModelOptions read_options(const ModelFile& file) {
  const Settings settings(file, "config", file.config());
  ModelOptions options;
  options.features.punctuation = settings.flag("punctuation");
  options.features.more = settings.flag("more");
  options.features.clusters = settings.flag("clusters");
  options.features.lookahead = settings.whole("lookahead", 0, kPositionWindow);
  if (file.config().contains("tag_share")) {  // files of 0.1 have none
    options.tagging.share = settings.number("tag_share", 0, 1);
    options.tagging.weight = settings.number("tag_weight", 0, kMostWeight);
  }
  options.generative_weight = settings.number("generative_weight", 0, kMostWeight);
  options.sharpness = settings.number("sharpness", 1e-9, kMostWeight);
  return options;
}

}  // namespace

nlohmann::json to_json(const TrainingOptions& options) {
  return {{"punctuation", options.model.features.punctuation},
          {"more", options.model.features.more},
          {"lookahead", options.model.features.lookahead},
          {"tag_share", options.model.tagging.share},
          {"tag_weight", options.model.tagging.weight},
          {"mix", options.mixes()},
          {"generative_folds", options.generative_folds},
          {"clusters", file_name(options.clusters_name)},
          {"epochs", options.epochs},
          {"patience", options.patience},
          {"beam", options.beam},
          {"aggressiveness", options.aggressiveness},
          {"update", options.update},
          {"cache_rounds", options.cache.rounds},
          {"cache_uses", options.cache.uses},
          {"cache_every", options.cache.every},
          {"batch", options.batch},
          {"tag_folds", options.tag_folds},
          {"tagger_epochs", options.tagger_epochs},
          {"seed", options.seed}};
}

ModelWriter write_parser(const IncrementalParser& parser, nlohmann::json config) {
  const IncrementalParser::Parts& parts = parser.parts();
  config["model"] = kModelName;
  config["punctuation"] = parts.options.features.punctuation;
  config["more"] = parts.options.features.more;
  config["clusters"] = parts.options.features.clusters;
  config["lookahead"] = parts.options.features.lookahead;
  config["tag_share"] = parts.options.tagging.share;
  config["tag_weight"] = parts.options.tagging.weight;
  config["generative_weight"] = parts.options.generative_weight;
  config["sharpness"] = parts.options.sharpness;
  ModelWriter writer(kConstituencyKind, config);
  write_grammar(writer, *parts.grammar);
  parts.lexicon.save(writer, "incremental/");
  writer.add("incremental/heads", parts.heads->str());
  writer.add("incremental/node.templates", parts.features.texts().node);
  writer.add("incremental/word.templates", parts.features.texts().word);
  parts.tagger.save(writer, kTagger);
  if (parts.companion) parts.companion->save(writer, kCompanion);
  writer.add("incremental/weights", parts.weights);
  return writer;
}

IncrementalParser read_parser(const ModelFile& file) {
  file.require_kind(kConstituencyKind);
  const auto text = [&](const char* name) { return std::string(file.text(name)); };
  IncrementalParser::Parts parts{read_options(file),
                                 read_grammar(file),
                                 std::make_shared<HeadRules>(HeadRules::parse(
                                     text("incremental/heads"), file.name() + ": heads")),
                                 Lexicon::load(file, "incremental/"),
                                 {},
                                 nullptr,
                                 SequenceTagger::load(file, kTagger),
                                 text("incremental/weights")};
  parts.features =
      Features({text("incremental/node.templates"), text("incremental/word.templates")},
               *parts.grammar, file.name() + ": ");
  if (file.has(kCompanion + "nodes")) {
    parts.companion = std::make_shared<Companion>(
        Companion::load(file, kCompanion, *parts.grammar, parts.lexicon));
  }
  try {
    return IncrementalParser(std::move(parts));
  } catch (const Error& error) {
    throw file.damaged("incremental/weights", error.message());
  }
}

std::unique_ptr<PhraseParser> make_phrase_parser(IncrementalParser parser,
                                                 const SearchOptions& search) {
  return std::make_unique<Door>(std::move(parser), search);
}

std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const SearchOptions& search) {
  return make_phrase_parser(read_parser(file), search);
}

}  // namespace copse::incremental
