// The recipe of a phrase-structure parser: trees in, a model file with its record out.
//
//   PhraseTraining recipe;                       // the defaults of `copse train constituency`
//   const TrainedPhraseParser trained = train_phrase_parser(train, &dev, recipe);
//   trained.file().save("wsj.copse");
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/constituency/generative/training.h"
#include "copse/constituency/history/training.h"
#include "copse/constituency/incremental/training.h"
#include "copse/constituency/phrase_parser.h"
#include "copse/constituency/spinal/training.h"
#include "copse/model/provenance.h"
#include "copse/treebank/evaluation/evalb.h"

namespace copse {

struct PhraseTraining {
  std::string model = "generative";
  generative::TrainingOptions generative;
  history::TrainingOptions history;
  incremental::TrainingOptions incremental;
  spinal::TrainingOptions spinal;
  // How the development trees are parsed.
  PhraseSearch search;
  bool use_tags = false;
  int threads = 0;             // 0: every core; the result does not depend on it
  bool show_progress = false;  // on standard error, if that is a terminal
  // Told of each step of a long training in a line.
  std::function<void(const std::string&)> step = {};
};

// Trees and where they came from.
struct TreeData {
  std::span<const Entry> entries;
  DataSource source;
};

// How well a parser does on trees.
struct PhraseFigures {
  EvalbTotals totals;
  EvalbTotals odd, even;      // on every other tree, the first of them odd
  std::size_t fallbacks = 0;  // sentences that got a flat tree

  nlohmann::json json() const;
  std::string str() const;  // a line for people
};

struct TrainedPhraseParser {
  std::unique_ptr<PhraseParser> parser;
  nlohmann::json record;             // head table, options, data, figures
  std::string report;                // of the trees, lines for people
  std::optional<PhraseFigures> dev;  // on the development trees

  ModelWriter file() const { return parser->file(record); }
};

// Throws usage_error for a model that is not known, data_error when no tree can be used.
// `dev` may be null.
TrainedPhraseParser train_phrase_parser(const TreeData& train, const TreeData* dev,
                                        const PhraseTraining& recipe);

// The parser alone.
std::unique_ptr<PhraseParser> train_phrase_parser(std::span<const std::span<const Entry>> trees,
                                                  const PhraseTraining& recipe);

PhraseFigures judge_phrase_parser(const PhraseParser& parser, std::span<const Entry> gold,
                                  const PhraseTraining& recipe);

}  // namespace copse
