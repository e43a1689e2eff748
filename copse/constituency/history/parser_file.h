// The history parser in a model file, and as a PhraseParser.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "copse/constituency/history/parser.h"
#include "copse/constituency/history/training.h"
#include "copse/constituency/phrase_parser.h"

namespace copse::history {

inline constexpr std::string_view kModelName = "history";  // in the config of model files

// The options of training, for the record.
nlohmann::json to_json(const TrainingOptions& options);

// `config` is completed with what loading needs; sections are added under "history/".
ModelWriter write_parser(const HistoryParser& parser, nlohmann::json config);
// Throws data_error when the file holds something else or does not fit together.
HistoryParser read_parser(const ModelFile& file);

std::unique_ptr<PhraseParser> make_phrase_parser(HistoryParser parser, const SearchOptions& search);
std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const SearchOptions& search);

}  // namespace copse::history
