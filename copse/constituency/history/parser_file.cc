#include "copse/constituency/history/parser_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/base/data_source.h"
#include "copse/base/pool.h"
#include "copse/model/settings.h"

namespace copse::history {
namespace {

const std::string kPrefix = "history/";
const std::string kTagger = "history/tagger/";
constexpr int kMostHidden = 4096;
constexpr int kMostNetworks = 64;
constexpr int kMostCount = 1'000'000'000;
constexpr float kLargestWeight = 1e4F;  // sums of so many stay finite

class Door : public PhraseParser {
 public:
  Door(HistoryParser parser, const SearchOptions& search)
      : parser_(std::move(parser)), search_(search) {}

  std::string_view model() const override { return kModelName; }
  bool has_probabilities() const override { return false; }
  bool has_dependencies() const override { return false; }
  bool knows(std::string_view word) const override {
    return parser_.parts().vocabulary->knows(word);
  }
  PhraseAnswer parse(const WordsToParse& sentence, const PhraseQuestion& question) const override {
    return parser_.parse(sentence, question, search_, *workspaces_.take());
  }
  ModelWriter file(nlohmann::json config) const override {
    return write_parser(parser_, std::move(config));
  }

 private:
  HistoryParser parser_;
  SearchOptions search_;
  mutable Pool<Workspace> workspaces_;
};

std::string weights_name(std::size_t network) {
  return fmt::format("{}weights{}", kPrefix, network);
}

Networks read_networks(const ModelFile& file, const NetworkShape& shape, int count) {
  Networks out;
  const std::size_t size = NetworkLayout(shape).size;
  for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n) {
    const auto weights = file.array<float>(weights_name(n));
    if (weights.size() != size) throw file.damaged(weights_name(n), "is of another network");
    const auto good = [](float weight) { return std::abs(weight) <= kLargestWeight; };
    if (!std::ranges::all_of(weights, good)) {
      throw file.damaged(weights_name(n), "has a weight out of range");
    }
    const auto network = std::make_shared<DecisionNetwork<float>>(shape);
    std::ranges::copy(weights, network->weights().begin());
    out.push_back(network);
  }
  return out;
}

}  // namespace

nlohmann::json to_json(const TrainingOptions& options) {
  return {{"hidden", options.hidden},
          {"gated", options.gated},
          {"embedding", options.embedding},
          {"lookahead", options.steps.lookahead},
          {"flat", options.steps.flat},
          {"more_features", options.steps.more},
          {"traits", options.vocabulary.traits},
          {"letters", options.vocabulary.letters},
          {"pair_threshold", options.vocabulary.pair_threshold},
          {"trait_threshold", options.vocabulary.trait_threshold},
          {"clusters", file_name(options.clusters_name)},
          {"optimiser", options.optimiser},
          {"epochs", options.epochs},
          {"batch", options.batch},
          {"rate", options.rate},
          {"decay", options.start_decay()},
          {"clip", options.clip},
          {"dropout", options.dropout},
          {"trait_dropout", options.trait_dropout},
          {"role_dropout", options.role_dropout},
          {"averaging", options.averaging},
          {"networks", options.networks},
          {"beam", options.beam},
          {"tag_folds", options.tag_folds},
          {"tagger_epochs", options.tagger_epochs},
          {"seed", options.seed}};
}

ModelWriter write_parser(const HistoryParser& parser, nlohmann::json config) {
  const HistoryParser::Parts& parts = parser.parts();
  const NetworkShape& shape = parts.networks.front()->shape();
  config["model"] = kModelName;
  config["hidden"] = shape.hidden;
  config["gated"] = shape.gated;
  config["embedding"] = shape.embedding;
  config["lookahead"] = parts.steps.lookahead;
  config["flat"] = parts.steps.flat;
  config["more_features"] = parts.steps.more;
  config["longest_chain"] = parts.longest_chain;
  config["traits"] = parts.vocabulary->options().traits;
  config["letters"] = parts.vocabulary->options().letters;
  config["pair_threshold"] = parts.vocabulary->options().pair_threshold;
  config["trait_threshold"] = parts.vocabulary->options().trait_threshold;
  config["networks"] = parts.networks.size();
  ModelWriter writer(kConstituencyKind, config);
  parts.vocabulary->save(writer, kPrefix);
  parts.tagger.save(writer, kTagger);
  for (std::size_t n = 0; n < parts.networks.size(); ++n) {
    writer.add_array<float>(weights_name(n), parts.networks[n]->weights());
  }
  return writer;
}

HistoryParser read_parser(const ModelFile& file) {
  file.require_kind(kConstituencyKind);
  const Settings settings(file, "config", file.config());
  StepOptions steps;
  steps.lookahead = settings.whole("lookahead", 0, kMostLookahead);
  steps.flat = settings.flag("flat");
  steps.more = settings.flag("more_features");
  VocabularyOptions words;
  words.traits = settings.flag("traits");
  words.letters = settings.flag("letters");
  words.pair_threshold = settings.whole("pair_threshold", 1, kMostCount);
  words.trait_threshold = settings.whole("trait_threshold", 1, kMostCount);
  HistoryParser::Parts parts{steps,
                             settings.whole("longest_chain", 1, kLongest),
                             std::make_shared<Vocabulary>(Vocabulary::load(file, kPrefix, words)),
                             {},
                             SequenceTagger::load(file, kTagger)};
  for (const std::string& label : parts.tagger.model().labels) {
    if (parts.vocabulary->tags().find(label) == Symbols::kUnknown) {
      throw file.damaged(kPrefix + "tags", "lacks a tag of the tagger");
    }
  }
  NetworkShape shape;
  shape.hidden = static_cast<std::size_t>(settings.whole("hidden", 1, kMostHidden));
  shape.gated = settings.flag("gated");
  shape.embedding = static_cast<std::size_t>(settings.whole("embedding", 0, kMostHidden));
  StepMaker(*parts.vocabulary, steps, parts.longest_chain).fill(shape);
  parts.networks = read_networks(file, shape, settings.whole("networks", 1, kMostNetworks));
  return HistoryParser(std::move(parts));
}

std::unique_ptr<PhraseParser> make_phrase_parser(HistoryParser parser,
                                                 const SearchOptions& search) {
  return std::make_unique<Door>(std::move(parser), search);
}

std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const SearchOptions& search) {
  return make_phrase_parser(read_parser(file), search);
}

}  // namespace copse::history
