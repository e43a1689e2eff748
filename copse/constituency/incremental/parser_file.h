// The incremental parser in a model file, and as a PhraseParser.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "copse/constituency/incremental/parser.h"
#include "copse/constituency/incremental/training.h"
#include "copse/constituency/phrase_parser.h"

namespace copse::incremental {

inline constexpr std::string_view kModelName = "incremental";  // in the config of model files

// The options of training, for the record.
nlohmann::json to_json(const TrainingOptions& options);

// `config` is completed with what loading needs; sections are added under "incremental/".
ModelWriter write_parser(const IncrementalParser& parser, nlohmann::json config);
// Throws data_error when the file holds something else or does not fit together.
IncrementalParser read_parser(const ModelFile& file);

std::unique_ptr<PhraseParser> make_phrase_parser(IncrementalParser parser,
                                                 const SearchOptions& search);
std::unique_ptr<PhraseParser> load_phrase_parser(const ModelFile& file,
                                                 const SearchOptions& search);

}  // namespace copse::incremental
